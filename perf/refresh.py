"""A whole refresh at size, and a second one after one file changed.

Run ``python -m perf.refresh``. Made files (2,000 systems, two million rows of bills, orders, promises, shares,
shipments, receipts and installed pieces) lie in an inbox; a child process refreshes the open week, another one changes
a file and refreshes it again. Told are CPU and wall seconds of each step, the most memory, and the ratio of the second
to the first. The floor is DuckDB loading the same files as text. Reports are measured apart.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from perf.supply_rows import AS_OF, programme_rows
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.connection import connect, literal

_ROOT = Path(__file__).resolve().parents[1]
_NOW = datetime.fromisoformat(f"{AS_OF - timedelta(days=1)}T09:00:00+00:00")
_WEEK = "2026-W44"
_RAID = "id,type,title,owner,opened,due,system_id\nR-1,risk,Late optics,Ana Ruiz,2026-10-01,2026-11-20,SYS-00001\n"
CHANGES = ("raid", "inventory", "sites", "commitments", "shipments", "receipts", "purchase_orders", "bom", "installs")


def lay(home: Home, systems: int) -> int:
    """Write the programme and its files; returns the rows of all."""
    home.inbox.mkdir(parents=True)
    shutil.copytree(_ROOT / "playbooks", home.playbooks)
    frames = programme_rows(systems)
    for name, frame in frames.items():
        frame.write_csv(home.inbox / f"{name}.csv")
    (home.inbox / "raid.csv").write_text(_RAID, encoding="utf-8")
    sources = "".join(f'  {name}: {{dataset: {name}, files: "{name}.csv", owner: Ana}}\n' for name in (*frames, "raid"))
    head = "name: Perf\ntime_zone: UTC\nfirst_week: 2026-W44\nsources:\n"
    home.configuration.write_text(head + sources, encoding="utf-8")
    return sum(frame.height for frame in frames.values())


def change(home: Home, dataset: str) -> None:
    """Change one row in a hundred of a file, at least one."""
    file = home.inbox / f"{dataset}.csv"
    if dataset == "raid":
        file.write_text(file.read_text(encoding="utf-8").replace("Late optics", "Later optics"), encoding="utf-8")
        return
    column, value = _EDITS[dataset]
    frame = pl.read_csv(file, infer_schema=False).with_row_index("n")
    hit = pl.col("n") % 100 == 50 if frame.height > 50 else pl.col("n") == 0
    frame.with_columns(pl.when(hit).then(pl.lit(value)).otherwise(column).alias(column)).drop("n").write_csv(file)


_EDITS = {
    "inventory": ("free", "299"), "sites": ("facility", "colocation"), "commitments": ("contract_date", "2026-11-06"),
    "shipments": ("eta", "2026-11-06"), "receipts": ("received", "2026-10-21"), "purchase_orders": ("unit_cost", "90"),
    "bom": ("alternates", "PART-7"), "installs": ("racked", "2026-10-22"),
}  # fmt: skip


def measure(folder: Path, hours: int) -> dict[str, tuple[float, float]]:
    """CPU and wall seconds of each step of a refresh so many hours after the first."""
    spent: dict[str, tuple[float, float]] = {}

    def step(name: str, run: Callable[[], Any]) -> Any:
        wall, used = time.perf_counter(), _cpu()
        result = run()
        spent[name] = (_cpu() - used, time.perf_counter() - wall)
        return result

    run = Refresh(Home(folder), _WEEK, _NOW + timedelta(hours=hours))
    step("land", run.land)
    step("ingest", run.ingest_all)
    plan = step("plan", run.plan)
    candidate = run.candidate()
    step("stage", lambda: run.stage(plan, candidate))
    step("expect", lambda: run.expect(plan, candidate))
    step("judge", lambda: run.judge(plan, candidate))
    manifest = step("commit", lambda: run.commit(plan, candidate))
    step("publish", lambda: run.publish(manifest, candidate))
    return spent


def floor(folder: Path) -> None:
    """Load every file as text, nothing checked."""
    with connect() as con:
        for file in sorted((folder / "inbox").glob("*.csv")):
            con.execute(f"CREATE TABLE {file.stem} AS FROM read_csv({literal(str(file))}, all_varchar = true)")


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _child(*arguments: str) -> dict[str, list[float]]:
    """What a step in a process of its own printed, with the CPU and wall seconds of the process and its memory."""
    before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run((sys.executable, "-m", "perf.refresh", *arguments), stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(done.stdout.splitlines()[-1]), "process": [used, time.perf_counter() - wall]}


def main() -> None:
    """Make the files, refresh, change each file in turn and refresh again, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=2_000)
    parser.add_argument("--change", nargs="*", default=CHANGES, choices=CHANGES)
    parser.add_argument("--folder", type=Path, help="keep the programme here")
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--floor", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--hours", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.floor:
        floor(options.floor)
        print("{}")
    elif options.measure:
        spent: dict[str, object] = dict(measure(options.measure, options.hours))
        print(json.dumps(spent | {"memory": [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 0]}))
    else:
        _compare(options.systems, options.change, options.folder)


def _compare(systems: int, changes: list[str], kept: Path | None) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = (kept or Path(temporary)) / f"perf-{systems}"
        print(f"{systems:,} systems, {lay(Home(folder), systems):,} rows")
        found = {"floor": _child("--floor", str(folder)), "first": _child("--measure", str(folder))}
        for number, dataset in enumerate(changes, start=1):
            change(Home(folder), dataset)
            found[dataset] = _child("--measure", str(folder), "--hours", str(number))
            _tell({name: found[name] for name in ("floor", "first", dataset)}, dataset)


def _tell(found: dict[str, dict[str, list[float]]], changed: str) -> None:
    first, second = found["first"], found[changed]
    print(f"one change in a hundred rows of {changed}: CPU and wall seconds of the first refresh and of the second")
    for name, (used, wall) in first.items():
        print(f"  {name:10s} {used:9.1f} {wall:9.1f}   {second[name][0]:9.1f} {second[name][1]:9.1f}", end="")
        print(f"   {second[name][0] / max(used, 0.05):5.2f}")
    print(f"  {'floor':10s} {found['floor']['process'][0]:9.1f} {found['floor']['process'][1]:9.1f}", flush=True)


if __name__ == "__main__":
    main()
