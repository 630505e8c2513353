"""Calendars from rows of ``work_calendars``.

Belongs here: days and shifts as the dataset tells them. Does not: which activity works by which calendar.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.columns import MAIN, WEEKDAYS, shifts_of
from turnup.schedule.model import Shift, WorkCalendar

_HOURS = (("hours_per_day", 8.0), ("hours_per_week", 40.0), ("hours_per_month", 160.0))


def calendars_of(project: str, rows: pl.DataFrame | None) -> tuple[dict[str, WorkCalendar], list[Finding]]:
    """The calendars of a project by key, and those that plain tables give for all projects.

    A calendar of which no weekday is told works on none. A day or a shift that cannot be read is a finding.
    """
    if rows is None:
        return {}, []
    findings: list[Finding] = []
    found: dict[str, WorkCalendar] = {}
    for owner in dict.fromkeys((project, MAIN)):
        for (key,), held in rows.filter(pl.col("project_id") == owner).group_by(["calendar"], maintain_order=True):
            if str(key) not in found:
                found[str(key)] = _calendar(str(key), held.to_dicts(), findings)
    return found, findings


def _calendar(key: str, rows: list[dict[str, Any]], findings: list[Finding]) -> WorkCalendar:
    week: dict[int, tuple[Shift, ...]] = {}
    exceptions: dict[date, tuple[Shift, ...]] = {}
    for row in rows:
        day = str(row["day"]).strip().casefold()
        try:
            shifts = shifts_of(str(row["shifts"]))
            if day in WEEKDAYS:
                week[WEEKDAYS.index(day)] = shifts
            else:
                exceptions[date.fromisoformat(day)] = shifts
        except ValueError as error:
            message = f"calendar {key}: {error}; the day is left out"
            findings.append(Finding("calendar_day", "warning", row.get("_row"), "day", day, message))
    hours = [next((float(row[name]) for row in rows if row.get(name)), usual) for name, usual in _HOURS]
    name = next((row["name"] for row in rows if row.get("name")), key)
    return WorkCalendar(name, tuple(week.get(number, ()) for number in range(7)), exceptions, *hours)
