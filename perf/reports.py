"""Both HTML reports of a large programme: CPU seconds and peak memory, grown from a published warehouse.

Run ``python -m perf.reports PUBLISHED.duckdb [SYSTEMS]``. Every system of the warehouse is laid down again under new
names, with all its rows in every schema that reports read, until there are as many as asked for;
quantities of whole kinds grow with them, so that sums still close.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import duckdb

Made = TypeVar("Made")
_WHOLE_KINDS = ("classes", "change", "quarter_ends", "s_curve")
_READ = ("mart", "hist", "core", "evidence", "stg")
_LIMIT_S, _LIMIT_MB = 3.0, 500


def grow(published: Path, target: Path, systems: int) -> int:
    """Write a warehouse of about so many systems; return how many it has."""
    con = duckdb.connect(str(target))
    con.execute("SET enable_progress_bar = false")
    con.execute(f"ATTACH '{published}' AS p (READ_ONLY)")
    (had,) = con.sql("SELECT count(*) FROM p.mart.systems").fetchall()[0]
    times: int = max(1, round(systems / had))
    for schema in ("meta", *_READ):
        con.execute(f"CREATE SCHEMA {schema}")
    tables = con.sql(
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = 'p' ORDER BY ALL"
    ).fetchall()
    for schema, table in tables:
        if schema in ("meta", *_READ):
            con.execute(f'CREATE TABLE {schema}."{table}" AS {_grown(con, schema, table, times)}')
    con.close()
    return int(had) * times


def _grown(con: duckdb.DuckDBPyConnection, schema: str, table: str, times: int) -> str:
    source = f'p.{schema}."{table}"'
    columns = con.sql(f"DESCRIBE {source}").fetchall()
    names = {name for name, *_ in columns}
    if schema == "meta":
        return f"FROM {source}"
    if table in _WHOLE_KINDS:
        raised = [f'("{n}" * {times})::DECIMAL(18, 3) AS "{n}"' for n, kind, *_ in columns if kind == "DECIMAL(18,3)"]
        return f"SELECT * REPLACE ({', '.join(raised)}) FROM {source}" if raised else f"FROM {source}"
    named = [n for n in ("system_id", "system_key", "blocker_id", "finding_id", "contract") if n in names]
    if not {"system_id", "system_key"} & set(named):
        return f"FROM {source}"
    renamed = ", ".join(f"\"{n}\" || CASE WHEN _copy = 0 THEN '' ELSE '-' || _copy END AS \"{n}\"" for n in named)
    return f"SELECT * EXCLUDE (_copy) REPLACE ({renamed}) FROM {source} CROSS JOIN range({times}) r(_copy)"


def measure(warehouse: Path, *, sheets: bool = False) -> None:
    """Make what a week has, in this process, and print what each part took; imports are counted apart."""
    if sheets:
        _sheets(warehouse)
        return
    started = time.process_time()
    from reports.build.reports import build_issue, targets
    from reports.render import executive_html, governance_html

    print(f"imports {time.process_time() - started:.2f} s, {_peak_mb()} MB")
    with duckdb.connect(str(warehouse), read_only=True) as con:
        begun = time.process_time()
        issue = _told("both models", lambda: build_issue(con, sheets=False))
        known = targets(issue.governance)
        page = _told("governance.html", lambda: governance_html(issue.governance, known))
        other = _told("executive.html", lambda: executive_html(issue.executive, known))
        spent, peak = time.process_time() - begun, _peak_mb()
        sizes = f"{len(page) / 1e6:.1f} and {len(other) / 1e6:.1f} MB"
        print(f"both reports {spent:.2f} s (at most {_LIMIT_S:g}), peak {peak} MB (at most {_LIMIT_MB}), {sizes}")


def _sheets(warehouse: Path) -> None:
    """Make and write every sheet, then again into the same folder."""
    from reports.build.reports import build_issue, targets
    from reports.sheets import write_sheets

    with tempfile.TemporaryDirectory() as folder, duckdb.connect(str(warehouse), read_only=True) as con:
        issue = _told("models, with sheets", lambda: build_issue(con))
        known = targets(issue.governance)
        for what in ("sheets written", "sheets as they were"):
            _told(what, lambda: write_sheets(issue.sheets, issue.governance.header, known, Path(folder)))


def _told(what: str, work: Callable[[], Made]) -> Made:
    spent, wall = time.process_time(), time.perf_counter()
    made = work()
    spent, wall = time.process_time() - spent, time.perf_counter() - wall
    print(f"{what:20} {spent:6.2f} s CPU {wall:6.2f} s wall, peak {_peak_mb()} MB", flush=True)
    return made


def _peak_mb() -> int:
    """Peak memory of this program image alone: what the parent held does not count."""
    told = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return int(told["VmHWM"].split()[0]) // 1024


def main(published: Path, systems: int = 2000) -> None:
    """Grow a warehouse, then render it in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "grown.duckdb"
        print(f"{grow(published, target, systems):,} systems grown from {published.name}")
        for sheets in (False, True):
            call = f"measure(Path({str(target)!r}), sheets={sheets})"
            command = [sys.executable, "-c", f"from perf.reports import measure; from pathlib import Path; {call}"]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(int(argument) for argument in sys.argv[2:]))
