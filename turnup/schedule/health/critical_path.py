"""Check 12: does the project finish follow a delay on the critical path?"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.facts import finish_of
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
        because = "the project has no computed finish" if old is None else "no unfinished work is on the longest path"
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
    """Activities to delay: unfinished work on the longest path, the earliest first."""
    path = facts.activities.filter(
        pl.col("own_longest_path").fill_null(value=False)
        & pl.col("discrete")
        & ~pl.col("complete")
        & ~pl.col("manual").fill_null(value=False)
    )
    # A milestone has no duration to be exceeded; it is delayed only where the path holds nothing else.
    path = path.sort("milestone", "own_early_start", "own_early_finish", "id", nulls_last=True)
    works = path.filter(~pl.col("milestone"))
    chosen = works if works.height else path
    if facts.settings.path.activities == "first":
        chosen = chosen.head(1)
    yield from chosen.select("id", "code", "calendar", "day_s", "place").iter_rows(named=True)


def _moved(project: Project, schedule: Schedule, old: datetime, row: dict[str, Any], days: float) -> tuple[int, int]:
    """How far the finish moved, and the delay, in working seconds of the activity's calendar."""
    delay = round(days * row["day_s"])
    delayed = _delayed(project, row["id"], delay)
    later = compute(*(delayed if other.id == project.id else other for other in schedule.network.projects))
    finish = finish_of(project, later)
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
