"""How the refresh of a week grows with the weeks that are closed before it.

Run ``python -m perf.history``: a small programme whose bills, orders and plans lie in the first of 52 weeks and whose
figures, samples and events come in each of them; every week is closed and its reports made, in one process. Told are
CPU seconds of the steps by week, and what one more closed week costs. Belongs here: weeks one after another. Does not:
growth with rows (``perf.__main__``).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from perf.programme import EVENTFUL, LABEL, WEEKS, lay
from reports.issue import issue_week
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.connection import connect
from turnup.week import Calendar

_STEPS = ("read and plan", "stage", "expect", "judge", "commit and publish", "reports")
_WARM = 2
"""Weeks at the start that load and compile, and are told but not fitted."""


def lay_weeks(home: Home, systems: int) -> None:
    """A programme whose snapshots all come in the first week, and whose events come weekly."""
    lay(home, 1, systems)
    folders = sorted(home.inbox.iterdir())
    first = next(folder for folder in folders if (folder / "benchmarks.csv").exists() or folder == folders[-1])
    for folder in folders:
        for file in sorted(folder.iterdir()):
            if file.stem not in EVENTFUL:
                file.unlink() if folder != folders[-1] else file.rename(first / file.name)


def close(home: Home, back: int) -> dict[str, float]:
    """Close the week so many before the last one; CPU seconds of each step."""
    calendar = Calendar(home.load())
    week = calendar.week(LABEL)
    for _ in range(back):
        week = calendar.before(week)
    run, spent = Refresh(home, week.label, week.cut_off + timedelta(hours=1)), dict.fromkeys(_STEPS, 0.0)

    def step(name: str, work: Callable[[], Any]) -> Any:
        used = time.process_time()
        made = work()
        spent[name] += time.process_time() - used
        return made

    step(_STEPS[0], run.land)
    step(_STEPS[0], run.ingest_all)
    plan = step(_STEPS[0], run.plan)
    candidate = run.candidate()
    for name, work in zip(_STEPS[1:4], (run.stage, run.expect, run.judge), strict=True):
        step(name, lambda work=work: work(plan, candidate))  # type: ignore[misc]
    manifest = step(_STEPS[4], lambda: run.commit(plan, candidate))
    step(_STEPS[4], lambda: run.publish(manifest, candidate))

    def issue() -> None:
        with connect(run.restore(manifest), read_only=True) as con:
            issue_week(home, manifest, con, run.programme.audiences, rewrite=False)

    step(_STEPS[5], issue)
    return spent


def per_week(spent: Sequence[float]) -> float:
    """Seconds that one more closed week costs: the slope of a straight line through the seconds of each week."""
    return float(np.polyfit(range(len(spent)), spent, 1)[0])


def lines(weeks: Sequence[dict[str, float]], systems: int) -> list[str]:
    """A table: each step in the early weeks and in the last ones, and what a closed week adds."""
    told = [week | {"all": sum(week.values())} for week in weeks[_WARM:]]
    few = max(1, min(4, len(told) // 2))
    found = [
        f"{len(weeks)} weeks of {systems} systems closed one after another; CPU seconds, means of {few} weeks.", "",
        f"| step | after {_WARM} closed weeks | after {len(weeks) - few} | one more closed week |",
        "| --- | --- | --- | --- |",
    ]  # fmt: skip
    for name in (*_STEPS, "all"):
        each = [week[name] for week in told]
        early, late = float(np.mean(each[:few])), float(np.mean(each[-few:]))
        found.append(f"| {name} | {early:.2f} | {late:.2f} | {per_week(each) * 1e3:+.0f} ms |")
    return found


def main() -> None:
    """Close the weeks and print the table; the last line is a JSON document of all weeks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=4)
    parser.add_argument("--weeks", type=int, default=WEEKS)
    options = parser.parse_args()
    weeks = []
    with tempfile.TemporaryDirectory() as temporary:
        home = Home(Path(temporary) / "weeks")
        lay_weeks(home, options.systems)
        for number in range(options.weeks):
            weeks.append(close(home, WEEKS - 1 - number))
            print(number, {name: round(value, 2) for name, value in weeks[-1].items()}, file=sys.stderr, flush=True)
    print("\n".join(lines(weeks, options.systems)))
    print(json.dumps({"weeks": [{name: round(value, 3) for name, value in week.items()} for week in weeks]}))


if __name__ == "__main__":
    main()
