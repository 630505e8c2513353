"""Planned and earned value of a project by week, from its baseline and its progress.

Belongs here: how value is spread over time. Does not: what follows from it (``earned``).

An activity weighs its baseline duration (or its cost), spread evenly over the working time from its baseline start to
its baseline finish. What is earned of it now is its percentage, all once it is completed; on the way it is spread
evenly over the working time since its actual start, to its actual finish or the data date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from turnup.schedule.bounds import coordinates
from turnup.schedule.calendars import numbered
from turnup.schedule.earned import earned_schedule
from turnup.schedule.model import DAY
from turnup.schedule.network import values_of
from turnup.schedule.working_time import clocks_of, moment_of, seconds_of

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from turnup.schedule.earned import EarnedSchedule
    from turnup.schedule.model import Project
    from turnup.schedule.working_time import Clocks, Ints, Small

    Floats = NDArray[np.float64]

Weight = Literal["duration", "cost"]
WEEK = timedelta(days=7)
_WEEK_S = 7 * DAY
BY_WEEK: dict[str, pl.DataType] = {
    "week": pl.Int64(),
    "ends": pl.Datetime("us"),
    "planned": pl.Float64(),
    "earned": pl.Float64(),
}


@dataclass(frozen=True)
class _Plan:
    """Baselined activities as arrays: weight, and from when to when they are planned and done."""

    start: int
    clocks: Clocks
    calendar: Small
    weight: Floats
    planned: tuple[Ints, Ints]
    done: tuple[Ints, Ints]
    share: Floats
    data_date: int | None

    @property
    def weeks(self) -> int:
        """Weeks until everything should be done."""
        return -(-(int(self.planned[1].max()) - self.start) // _WEEK_S)

    def at(self, instant: int) -> tuple[float, float | None]:
        """Planned and earned value until an instant; nothing is earned after the data date."""
        planned = float(self._spread(instant, self.planned, self.weight))
        if self.data_date is None or instant > self.data_date or np.isnan(self.share).any():
            return planned, None
        return planned, float(self._spread(instant, self.done, self.weight * self.share))

    def _spread(self, instant: int, ends: tuple[Ints, Ints], value: Floats) -> np.float64:
        here = coordinates(self.clocks, self.calendar, np.full(len(value), instant))
        start, finish = (coordinates(self.clocks, self.calendar, end) for end in ends)
        length = np.maximum(finish - start, 1)
        part = np.where(instant >= ends[1], 1.0, np.clip((here - start) / length, 0.0, 1.0))
        return np.sum(np.where(instant >= ends[0], part, 0.0) * value)


def value_by_week(project: Project, weight: Weight = "duration") -> pl.DataFrame:
    """Cumulative value at the end of every week, counted from the day of the first baseline start.

    Args:
        project: summaries, levels of effort and activities without baseline dates (or cost) do not take part.
        weight: an activity's value: its baseline duration in seconds of working time, or its cost.

    Returns:
        Columns BY_WEEK; ``earned`` is null after the data date, and everywhere when nobody says how far some started
        activity is. No rows without a baseline.
    """
    plan = _plan_of(project, weight)
    if plan is None:
        return pl.DataFrame(schema=BY_WEEK)
    ends = [plan.start + week * _WEEK_S for week in range(1, plan.weeks + 1)]
    rows = [(week, moment_of(end), *plan.at(end)) for week, end in enumerate(ends, start=1)]
    return pl.DataFrame(rows, schema=BY_WEEK, orient="row")


def earned_to_date(project: Project, weight: Weight = "duration") -> EarnedSchedule | None:
    """Earned schedule at the data date in weeks; none without baseline, progress or data date, or before the start."""
    plan = _plan_of(project, weight)
    if plan is None or plan.data_date is None or plan.data_date <= plan.start:
        return None
    _, earned = plan.at(plan.data_date)
    if earned is None:
        return None
    planned = [plan.at(plan.start + week * _WEEK_S)[0] for week in range(1, plan.weeks + 1)]
    return earned_schedule(planned, earned, Fraction(plan.data_date - plan.start, _WEEK_S))


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
    length = coordinates(clocks, calendar, finishes) - coordinates(clocks, calendar, starts)
    own = activities["cost" if weight == "cost" else "baseline_duration_s"].cast(pl.Float64)
    values = own.zip_with(own.is_not_null(), pl.Series(length, dtype=pl.Float64)).to_numpy()
    if values.sum() <= 0:
        return None
    first = moment_of(int(starts.min())).replace(hour=0, minute=0, second=0)
    return _Plan(
        start=seconds_of(first),
        clocks=clocks,
        calendar=calendar,
        weight=values,
        planned=(starts, finishes),
        done=_done(activities, project.data_date),
        share=activities["_share"].fill_null(float("nan")).to_numpy(),
        data_date=None if project.data_date is None else seconds_of(project.data_date),
    )


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
