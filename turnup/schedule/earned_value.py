"""Planned and earned value of a project by week, from its baseline and its progress.

Belongs here: how value is spread over time. Does not: what follows from it (``earned``).

An activity weighs its baseline duration (or its cost), spread evenly over the working time from its baseline start to
its baseline finish. What is earned of it now is its percentage, all once it is completed; on the way it is spread
evenly over the working time since its actual start, to its actual finish or the data date.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from turnup.schedule.bounds import coordinates
from turnup.schedule.calendars import numbered
from turnup.schedule.compiled import kernel
from turnup.schedule.earned import earned_schedule
from turnup.schedule.model import DAY
from turnup.schedule.network import values_of
from turnup.schedule.working_time import clocks_of, seconds_of, work_at

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from turnup.schedule.earned import EarnedSchedule
    from turnup.schedule.model import Project
    from turnup.schedule.working_time import Clocks, Ints, Small

    Floats = NDArray[np.float64]

Weight = Literal["duration", "cost"]
WEEK = 7 * DAY
BY_WEEK: dict[str, pl.DataType] = {
    "week": pl.Int64(),
    "ends": pl.Datetime("us"),
    "planned": pl.Float64(),
    "earned": pl.Float64(),
}


@dataclass(frozen=True)
class _Plan:
    """Baselined activities as arrays: their value, from when to when they are planned and done, and the share done."""

    start: int
    clocks: Clocks
    calendar: Small
    value: Floats
    planned: tuple[Ints, Ints]
    done: tuple[Ints, Ints]
    share: Floats
    data_date: int | None

    @property
    def told(self) -> bool:
        """Whether it is known how far everything is."""
        return self.data_date is not None and not bool(np.isnan(self.share).any())

    def planned_by_week(self) -> Floats:
        """Cumulative planned value at the end of each week until everything should be done."""
        weeks = max(1, -(-(int(self.planned[1].max()) - self.start) // WEEK))
        return spread(self.clocks, self.calendar, *self.planned, self.value, self.start, weeks)

    def earned_by_week(self) -> Floats:
        """Cumulative earned value at the end of each week that is over at the data date."""
        if self.data_date is None or not self.told:
            return np.zeros(0)
        weeks = max(0, (self.data_date - self.start) // WEEK)
        return spread(self.clocks, self.calendar, *self.done, self.value * self.share, self.start, weeks)


def value_by_week(project: Project, weight: Weight = "duration") -> pl.DataFrame:
    """Cumulative value at the end of every week, counted from the day of the first baseline start.

    Args:
        project: summaries, levels of effort and activities without baseline dates (or cost) do not take part.
        weight: an activity's value: its baseline duration in seconds of working time, or its cost.

    Returns:
        Columns BY_WEEK, until all is planned and the data date has come; ``earned`` is null after the data date, and
        everywhere when nobody says how far some started activity is. No rows without a baseline.
    """
    plan = _plan_of(project, weight)
    if plan is None:
        return pl.DataFrame(schema=BY_WEEK)
    planned, earned = plan.planned_by_week(), plan.earned_by_week()
    weeks = max(len(planned), len(earned))
    ends = pl.Series([plan.start + week * WEEK for week in range(1, weeks + 1)], dtype=pl.Int64)
    return pl.DataFrame(
        {
            "week": range(1, weeks + 1),
            "ends": pl.from_epoch(ends, "s"),
            "planned": [*planned.tolist(), *[planned[-1]] * (weeks - len(planned))],
            "earned": [*earned.tolist(), *[None] * (weeks - len(earned))],
        },
        schema=BY_WEEK,
    )


def earned_to_date(project: Project, weight: Weight = "duration") -> EarnedSchedule | None:
    """Earned schedule at the data date in weeks; none without baseline, progress or data date, or before the start."""
    plan = _plan_of(project, weight)
    if plan is None or plan.data_date is None or plan.data_date <= plan.start or not plan.told:
        return None
    planned = [Fraction(value) for value in plan.planned_by_week().tolist()]
    # What is complete to the last second is complete, whatever the order of the sum.
    earned = planned[-1] if (plan.share == 1).all() else Fraction(float(np.sum(plan.value * plan.share)))
    return earned_schedule(planned, earned, Fraction(plan.data_date - plan.start, WEEK))


@kernel()
def spread(
    clocks: Clocks, calendar: Small, start: Ints, finish: Ints, value: Floats, origin: int, weeks: int
) -> Floats:
    """Cumulative value at the ends of weeks since ``origin``, spread over working time from start to finish each."""
    found = np.zeros(weeks + 1)
    for k in range(start.size):
        if value[k] == 0:
            continue
        begin, end = work_at(clocks, calendar[k], start[k]), work_at(clocks, calendar[k], finish[k])
        # The first week that does not end before the start.
        week = max(0, (start[k] - origin - 1) // WEEK)
        before = 0.0
        while week < weeks:
            instant = origin + (week + 1) * WEEK
            part = 1.0
            if instant < finish[k]:
                part = min(1.0, max(0.0, (work_at(clocks, calendar[k], instant) - begin) / max(1, end - begin)))
            found[week] += (part - before) * value[k]
            before = part
            if part >= 1.0:
                break
            week += 1
    return np.cumsum(found[:weeks])


def _plan_of(project: Project, weight: Weight) -> _Plan | None:
    numbers = numbered((project,))
    activities = project.activities.filter(
        ~pl.col("kind").is_in(["summary", "level_of_effort"]),
        pl.col("baseline_start").is_not_null() & (pl.col("baseline_finish") >= pl.col("baseline_start")),
    ).with_columns(numbers.of(0, pl.col("calendar")).alias("_calendar"), _share().alias("_share"))
    if weight == "cost":
        activities = activities.filter(pl.col("cost") > 0)
    if activities.is_empty():
        return None
    starts, finishes = (values_of(activities[f"baseline_{end}"]) for end in ("start", "finish"))
    clocks = clocks_of(numbers.calendars, int(starts.min()), int(finishes.max()))
    calendar = activities["_calendar"].to_numpy()
    values = _values(
        activities, weight, coordinates(clocks, calendar, finishes) - coordinates(clocks, calendar, starts)
    )
    if values.sum() <= 0:
        return None
    return _Plan(
        start=int(starts.min()) // DAY * DAY,
        clocks=clocks,
        calendar=calendar,
        value=values,
        planned=(starts, finishes),
        done=_done(activities, project.data_date),
        share=activities["_share"].fill_null(float("nan")).to_numpy(),
        data_date=None if project.data_date is None else seconds_of(project.data_date),
    )


def _values(activities: pl.DataFrame, weight: Weight, working_time: Ints) -> Floats:
    """Cost, or baseline duration; where the file has no duration, the working time between the baseline dates."""
    if weight == "cost":
        return activities["cost"].to_numpy()
    given = activities["baseline_duration_s"].cast(pl.Float64)
    return given.zip_with(given.is_not_null(), pl.Series(working_time, dtype=pl.Float64)).to_numpy()


def _share() -> pl.Expr:
    """How much of an activity is done, 0 to 1; null for a started one of which nobody says."""
    progressed = pl.coalesce(pl.col("percent") / 100, 1 - pl.col("remaining_s") / pl.col("duration_s"))
    return (
        pl.when(pl.col("status") == "completed").then(1.0)
        .when(pl.col("actual_start").is_null() & (pl.col("status") != "in_progress")).then(0.0)
        .otherwise(progressed.fill_nan(None).clip(0, 1))
    )  # fmt: skip


def _done(activities: pl.DataFrame, data_date: datetime | None) -> tuple[Ints, Ints]:
    """From when to when an activity was done; what has no actual dates was done at the data date."""
    now = pl.lit(data_date, dtype=pl.Datetime("us"))
    finish = pl.min_horizontal(pl.when(pl.col("status") == "completed").then("actual_finish"), now)
    dates = activities.select(start=pl.min_horizontal(pl.coalesce("actual_start", now), finish), finish=finish)
    return values_of(dates["start"]), values_of(dates["finish"])
