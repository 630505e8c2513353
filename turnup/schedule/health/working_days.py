"""Days and working time of a project's calendars, as the checks need them.

Belongs here: hours of a day, the edges of the data date, working time between two instants. Does not: conversion
itself (``turnup.schedule.working_time``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.model import ELAPSED, HOUR
from turnup.schedule.working_time import (
    ALWAYS,
    clocks_of,
    finish_instant,
    moment_of,
    seconds_of,
    start_instant,
    work_at,
)

if TYPE_CHECKING:
    from datetime import datetime

    from turnup.schedule.model import Project, WorkCalendar

_CALENDARS: dict[str, pl.DataType] = {
    "calendar": pl.String(),
    "day_s": pl.Int64(),
    "date_early": pl.Datetime("us"),
    "date_late": pl.Datetime("us"),
}


def calendar_of(project: Project, key: str | None) -> WorkCalendar:
    """The calendar that counts for a key: a missing one, or one that never works, is the project's own, or all hours.

    The same as the network takes (``turnup.schedule.calendars``).
    """
    calendars = {ELAPSED: ALWAYS} | {name: found for name, found in project.calendars.items() if has_work(found)}
    return calendars.get(key or "") or calendars.get(project.default_calendar) or ALWAYS


def has_work(calendar: WorkCalendar) -> bool:
    """Whether its week has working time."""
    return any(end > start for shifts in calendar.week for start, end in shifts)


def day_seconds(calendar: WorkCalendar) -> int:
    """Working seconds of a day as its tool counts days; where it says nothing, the mean of the days that work."""
    if calendar.hours_per_day > 0:
        return round(calendar.hours_per_day * HOUR)
    lengths = [sum(end - start for start, end in shifts) for shifts in calendar.week if shifts]
    return round(sum(lengths) / len(lengths))


def calendar_table(project: Project, day_hours: float | None) -> pl.DataFrame:
    """One row per key that activities use: seconds of a day, and the instants that are the data date."""
    rows = []
    for key in project.activities["calendar"].unique().sort().to_list():
        calendar = calendar_of(project, key)
        day = round(day_hours * HOUR) if day_hours else day_seconds(calendar)
        rows.append((key, day, *_edges(calendar, project.data_date)))
    return pl.DataFrame(rows, schema=_CALENDARS, orient="row")


def _edges(calendar: WorkCalendar, moment: datetime | None) -> tuple[datetime | None, datetime | None]:
    if moment is None:
        return None, None
    instant = seconds_of(moment)
    clocks = clocks_of([calendar], instant, instant)
    work = work_at(clocks, 0, instant)
    return moment_of(finish_instant(clocks, 0, work)), moment_of(start_instant(clocks, 0, work))


def working_seconds(calendar: WorkCalendar, start: datetime, finish: datetime) -> int:
    """Working time from one instant to another, negative backwards."""
    first, last = seconds_of(start), seconds_of(finish)
    clocks = clocks_of([calendar], min(first, last), max(first, last))
    return int(work_at(clocks, 0, last) - work_at(clocks, 0, first))
