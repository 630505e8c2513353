"""Small projects for tests: whole working days from a Monday at 08:00, on a calendar of eight hours."""

from datetime import datetime, timedelta

import polars as pl

from turnup.schedule.model import ACTIVITY, HOUR, LINK, LINK_TYPES, Options, Project, WorkCalendar

OFFICE_HOURS = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
OFFICE = WorkCalendar("office", (OFFICE_HOURS,) * 5 + ((), ()))
EVERY_DAY = WorkCalendar("every day", (OFFICE_HOURS,) * 7)
MONDAY = datetime(2026, 1, 5)
WORKDAY = 8 * HOUR


def activity(code, days=0.0, **more):
    """An activity of whole or part days; ``more`` are columns of ACTIVITY."""
    kind = "task" if days else "finish_milestone"
    seconds = round(days * WORKDAY)
    row = {"id": code, "code": code, "name": code, "kind": kind, "status": "not_started", "calendar": "office"}
    return row | {"duration_s": seconds, "remaining_s": seconds} | more


def link(pred, succ, kind="FS", lag_days=0.0, **more):
    """A link with a lag in working days."""
    row = {"pred": pred, "succ": succ, "type": LINK_TYPES.index(kind), "lag_s": round(lag_days * WORKDAY)}
    return row | {"elapsed": False, "external": False} | more


def frame(rows, schema):
    numbered = [{"row": number} | row for number, row in enumerate(rows, start=1)]
    unknown = {name for row in numbered for name in row} - set(schema)
    assert not unknown, unknown
    return pl.DataFrame([[row.get(name) for name in schema] for row in numbered], schema=schema, orient="row")


def project(activities, links=(), *, options=None, calendars=None, **more):
    """A project that starts on MONDAY unless ``more`` says otherwise."""
    fields = {
        "id": "P", "name": "P", "tool": "p6", "data_date": MONDAY, "planned_start": None, "must_finish": None,
        "stored_finish": None, "default_calendar": "office",
    }  # fmt: skip
    return Project(
        **(fields | more),
        options=options or Options(),
        calendars=calendars or {"office": OFFICE, "every day": EVERY_DAY},
        activities=frame(activities, ACTIVITY),
        links=frame(links, LINK),
    )


def workday(day, hour=17):
    """The end (or another hour) of a working day counted from 1 on MONDAY."""
    weeks, rest = divmod(day - 1, 5)
    return MONDAY + timedelta(days=7 * weeks + rest, hours=hour)


def days(seconds):
    """Working days of eight hours."""
    return seconds / WORKDAY
