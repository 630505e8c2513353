"""Activities with their dates and floats, as people and machines read them: in hours and days of their own calendars.

Belongs here: the columns of that table. Does not: computing any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.model import HOUR

if TYPE_CHECKING:
    from turnup.schedule.passes import Schedule

_GIVEN = ("name", "wbs", "kind", "status", "percent", "actual_start", "actual_finish", "constraint", "constraint_date")
_CODES = ("system", "block", "gate")


def activity_table(schedule: Schedule) -> pl.DataFrame:
    """One row an activity, summaries included, in the order of the projects and of their files.

    Floats and durations are working time of the activity's own calendar, in hours and in that calendar's days.
    """
    activities = schedule.network.activities
    found = schedule.frame().with_columns(activities.select(*_GIVEN, *_CODES, "duration_s", "remaining_s"))
    hours = _hours_per_day(schedule)
    return found.with_columns(calendar=_names(schedule), _day=hours).select(
        "project", "id", "code", *_GIVEN, *_CODES, "calendar",
        "early_start", "early_finish", "late_start", "late_finish",
        *(
            (pl.col(f"{column}_s") / HOUR).alias(f"{column}_hours")
            for column in ("duration", "remaining", "total_float", "free_float")
        ),
        *(
            (pl.col(f"{column}_s") / HOUR / pl.col("_day")).alias(f"{column}_days")
            for column in ("duration", "remaining", "total_float", "free_float")
        ),
        "critical", "longest_path",
    )  # fmt: skip


def _names(schedule: Schedule) -> pl.Series:
    """The calendar that each activity works by."""
    names = {number: calendar.name for number, calendar in enumerate(schedule.network.calendars)}
    return schedule.network.activities["_calendar"].replace_strict(names, return_dtype=pl.String)


def _hours_per_day(schedule: Schedule) -> pl.Series:
    hours = {number: calendar.hours_per_day for number, calendar in enumerate(schedule.network.calendars)}
    return schedule.network.activities["_calendar"].replace_strict(hours, return_dtype=pl.Float64)
