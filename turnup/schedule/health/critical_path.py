"""Check 12: does the project finish follow a delay on the critical path?"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.facts import finish_of, number_of
from turnup.schedule.health.limits import Limit
from turnup.schedule.health.results import Check
from turnup.schedule.health.working_days import calendar_of, working_seconds
from turnup.schedule.passes import schedule as compute

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from turnup.schedule.health.facts import Facts
    from turnup.schedule.model import Project
    from turnup.schedule.passes import Schedule

_NAME = "Critical path test"


def check_critical_path(facts: Facts) -> Check:
    """Check 12: the finish moves by the delay of a critical activity, in working time of that activity's calendar."""
    days = facts.settings.path.delay_days
    limit = Limit.of(">= 100%")
    old = facts.computed_finish
    candidates = list(_candidates(facts))
    if facts.schedule is None or old is None or not candidates:
        because = "the project has no computed finish" if old is None else "no unfinished work is critical"
        return Check("12", _NAME, None, None, 0, None, limit, "no data", f"No data: {because}.")
    tested = [(row, *_moved(facts.project, facts.schedule, old, row, days)) for row in candidates]
    worst, moved, delay = min(tested, key=lambda test: Fraction(test[1], test[2]))
    broken = [row["id"] for row, by, of in tested if of - by > _tolerance(facts, row)]
    sentence = (
        f"A delay of {days:g} days to {worst['code'] or worst['id']} moves the project finish by "
        f"{moved / worst['day_s']:.1f} days; it should move as far."
    )
    if len(tested) > 1:
        sentence = f"{len(tested) - len(broken):,} of {len(tested):,} critical activities move the finish. {sentence}"
    offenders = facts.activities.filter(pl.col("id").is_in(broken))
    return Check(
        "12", _NAME, moved, delay, 0, Fraction(moved, delay), limit, "fail" if broken else "pass", sentence,
        facts.listed(offenders, "its delay does not move the project finish as far"),
    )  # fmt: skip


def _candidates(facts: Facts) -> Iterator[dict[str, Any]]:
    """Activities to delay: critical unfinished work, that with the least float and the earliest first."""
    rules = facts.settings.path
    work = facts.activities.filter(
        pl.col("discrete") & ~pl.col("complete") & ~pl.col("milestone") & ~pl.col("manual").fill_null(value=False)
    ).drop_nulls("own_total_float_s")
    if rules.critical == "longest_path":
        work = work.filter("own_longest_path").sort("own_early_start", "own_early_finish", "id")
    else:
        days = pl.col("own_total_float_s") / pl.col("day_s")
        least = days == days.min()
        work = work.filter(least | pl.col("own_critical")).sort(days, "own_early_start", "own_early_finish", "id")
    if rules.activities == "first":
        work = work.head(1)
    yield from work.select("id", "code", "calendar", "day_s").iter_rows(named=True)


def _moved(project: Project, schedule: Schedule, old: datetime, row: dict[str, Any], days: float) -> tuple[int, int]:
    """How far the finish moved, and the delay, in working seconds of the activity's calendar."""
    delay = round(days * row["day_s"])
    delayed, number = _delayed(project, row["id"], delay), number_of(project, schedule)
    projects = schedule.network.projects
    finish = finish_of(delayed, compute(*projects[:number], delayed, *projects[number + 1 :]))
    return 0 if finish is None else working_seconds(calendar_of(project, row["calendar"]), old, finish), delay


def _delayed(project: Project, activity: str, seconds: int) -> Project:
    """The project with one activity that takes longer."""
    chosen = pl.col("id") == activity
    longer = [
        pl.when(chosen).then(pl.coalesce(column, "duration_s", 0) + seconds).otherwise(column).alias(column)
        for column in ("duration_s", "remaining_s")
    ]
    return replace(project, activities=project.activities.with_columns(longer))


def _tolerance(facts: Facts, row: dict[str, Any]) -> int:
    """How much less the finish may move: days off fall differently where calendars differ."""
    rules = facts.settings.path
    several = facts.base["calendar"].n_unique() > 1
    days = max(rules.tolerance_days, rules.calendar_tolerance_days if several else 0)
    return round(days * int(row["day_s"]))
