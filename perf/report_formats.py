"""How long the reports of a programme of 2,000 systems take, format by format, and what memory they need.

    python -m perf.report_formats [--systems 2000] [--folder out]

The programme is the tests' sample with every row of a system repeated under other ids. Told are the time and the
processor time (typesetting runs in a process of its own, whose time counts) and the peak memory of both processes; that
of typesetting is told no smaller than this process was when it was started, of which it begins as a copy.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from reports.build.reports import build_issue, targets
from reports.formats.registry import EVERY_FORMAT, Issue, file_names
from reports.render import executive_html, governance_html
from tests.reports.sample_warehouse import Rows, build_sample

_SAMPLE = 12
_KEYS = ("system_id", "system_key", "contract_id", "contract")


def repeated(copies: int) -> Callable[[dict[str, Rows]], None]:
    """Return a change that repeats what belongs to systems, under ids that end in the number of the copy."""

    def change(tables: dict[str, Rows]) -> None:
        for name, rows in tables.items():
            tables[name] = [_renamed(row, copy) for copy in range(copies) for row in rows if copy == 0 or _of_one(row)]

    return change


def _of_one(row: dict[str, Any]) -> bool:
    return bool(row.get("system_id"))


def _renamed(row: dict[str, Any], copy: int) -> dict[str, Any]:
    if not copy:
        return row
    return {
        k: f"{v}-{copy:03d}" if isinstance(v, str) and v and (k in _KEYS or k.endswith("_id")) else v
        for k, v in row.items()
    }


def _processor() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _measured(what: str, work: Callable[[], Any]) -> Any:
    started, used = time.perf_counter(), _processor()
    made = work()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    size = f"{len(made):>10,}" if isinstance(made, (bytes, str)) else " " * 10
    took, cost = time.perf_counter() - started, _processor() - used
    print(f"{what:16} {took:7.2f} s  {cost:7.2f} s {size}  {own:5} MB  {child:5} MB")
    return made


def main() -> None:
    """Measure and print."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--systems", type=int, default=2000)
    wanted.add_argument("--folder", type=Path, help="keep the files here")
    given = wanted.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{'':16} {'time':>9}  {'processor':>9} {'bytes':>10}  own     typesetting")
    con = _measured("programme", lambda: build_sample(repeated(max(1, round(given.systems / _SAMPLE)))))
    built = _measured("models", lambda: build_issue(con, sheets=False))
    governance, executive = built.governance, built.executive
    known = targets(governance)
    pages = {
        "governance.html": _measured("governance page", lambda: governance_html(governance, known)),
        "executive.html": _measured("executive page", lambda: executive_html(executive, known)),
    }
    issue = Issue(governance, executive, pages, built.whole)
    for name in dict.fromkeys(("executive.pdf", *file_names(EVERY_FORMAT))):
        (folder / name).write_bytes(_measured(name, partial(issue.file, name)))


if __name__ == "__main__":
    main()
