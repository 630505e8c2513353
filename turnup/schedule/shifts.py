"""Working time of a day as shifts: in order, joined where they touch, and combined with those of other calendars.

Belongs here: what is done to the shifts of a day or a week before a network is made. Does not: working time between
instants in bulk (``working_time``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from turnup.schedule.model import DAY, HOUR, Shift, WorkCalendar

Shifts = tuple[Shift, ...]
OFFICE: Shifts = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
"""The hours of a working day for which a file gives none."""
OFFICE_WEEK: tuple[Shifts, ...] = (OFFICE,) * 5 + ((), ())


def joined(shifts: Iterable[Shift]) -> Shifts:
    """The shifts in order; those that overlap or touch are one."""
    found: list[Shift] = []
    for start, end in sorted(shifts):
        if end <= start:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple(found)


def either(one: Shifts, other: Shifts) -> Shifts:
    """The time in at least one of two days."""
    return joined([*one, *other])


def both(one: Shifts, other: Shifts) -> Shifts:
    """The time in both of two days."""
    return joined((max(a, c), min(b, d)) for a, b in one for c, d in other)


def combined(calendars: Sequence[WorkCalendar], join: Callable[[Shifts, Shifts], Shifts], name: str) -> WorkCalendar:
    """A calendar of the time that ``join`` makes of the days of several; its hours are those of the first."""
    result = calendars[0]
    for calendar in calendars[1:]:
        days = sorted({*result.exceptions, *calendar.exceptions})
        exceptions = {day: join(on(result, day), on(calendar, day)) for day in days}
        week = tuple(join(ours, theirs) for ours, theirs in zip(result.week, calendar.week, strict=True))
        result = replace(result, week=week, exceptions=exceptions)
    return replace(result, name=name)


def on(calendar: WorkCalendar, day: date) -> Shifts:
    """The working time of one day."""
    return calendar.exceptions.get(day, calendar.week[day.weekday()])


def begin_of(calendar: WorkCalendar, day: date) -> datetime:
    """When work on a day begins; its first instant where it does not work."""
    shifts = on(calendar, day)
    return datetime.combine(day, time()) + timedelta(seconds=shifts[0][0] if shifts else 0)


def end_of(calendar: WorkCalendar, day: date) -> datetime:
    """When work on a day ends; its last instant where it does not work."""
    shifts = on(calendar, day)
    return datetime.combine(day, time()) + timedelta(seconds=shifts[-1][1] if shifts else DAY)


def worked_between(calendar: WorkCalendar, start: datetime, end: datetime) -> int:
    """Seconds of working time between two times; 0 when the second is not later."""
    total = 0
    day = start.date()
    while day <= end.date():
        midnight = datetime.combine(day, time())
        low, high = ((moment - midnight).total_seconds() for moment in (start, end))
        total += sum(max(0, int(min(b, high) - max(a, low))) for a, b in on(calendar, day))
        day += timedelta(days=1)
    return total


def up_to(start: int, end: int) -> list[Shift]:
    """A shift from one time of day to another; midnight at its end is the end of the day.

    One that ends on the next day is kept whole on its own day, so that the day has the hours that it was given.
    """
    if end > start:
        return [(start, end)]
    return [(start, DAY), (0, end)]
