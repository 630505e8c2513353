"""The twelve weeks of the demo and the days within them.

Belongs here: calendar arithmetic of the story. Does not: what happens on a day (``fleet``, ``supply``, ``governance``).
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

YEAR = 2026
FIRST, LAST = 33, 44
WEEKS = tuple(range(FIRST, LAST + 1))
CUT_OFF = time(18, 0)
MON, TUE, WED, THU, FRI = 1, 2, 3, 4, 5


def day(week: int, weekday: int = MON) -> date:
    """Return a day of an ISO week of 2026 (Monday is 1)."""
    return date.fromisocalendar(YEAR, week, weekday)


def at(week: int, weekday: int, clock: str) -> datetime:
    """Return a local moment (America/Chicago, naive) such as ``at(33, THU, "09:00")``."""
    return datetime.combine(day(week, weekday), time.fromisoformat(clock))


def label(week: int) -> str:
    """Return the report's label of a week, such as ``2026-W33``."""
    return f"{YEAR}-W{week:02d}"


def utc(moment: datetime) -> datetime:
    """Turn local time into UTC; the whole story lies in daylight saving time, five hours behind."""
    return moment + timedelta(hours=5)
