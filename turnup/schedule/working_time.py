"""Working time: how much of it lies before an instant, and at which instant a given amount of it is done.

Belongs here: calendars as arrays, and the conversions between instants and working time. Does not: activities.

An instant is an int64 of seconds since 1970-01-01T00:00 of the project's local time. The working coordinate of an
instant on a calendar is the working time in seconds between the first day of the clocks and that instant: Friday 17:00
and Monday 08:00 are the same coordinate, and a duration is an addition. A coordinate has two instants, the earliest
(where work ends) and the latest (where the next work starts).
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from turnup.schedule.compiled import kernel
from turnup.schedule.model import DAY, WorkCalendar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.model import Shift

Ints = NDArray[np.int64]
Small = NDArray[np.int32]

WHOLE_DAY: tuple[Shift, ...] = ((0, DAY),)
ALWAYS = WorkCalendar("24 hours, 7 days", (WHOLE_DAY,) * 7, {}, 24.0, 168.0, 720.0)
"""Elapsed time as a calendar."""

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - instants are local times of the project
_EPOCH_DAY = date(1970, 1, 1)
_WEEK = 7


class Clocks(NamedTuple):
    """Calendars as arrays; a calendar is its position.

    Days count from ``first_day`` (days since the epoch), cover whole weeks, and begin and end with a plain week, so
    that the pattern goes on beyond both ends. ``before[c, d]`` is the working time before day ``d``; ``pattern[c, d]``
    selects the day's shifts ``shift_ptr[p]`` to ``shift_ptr[p + 1]``. ``slot_day`` leads from working time to a day
    not after the one sought.
    """

    first_day: int
    days: int
    always: NDArray[np.bool_]
    week: Ints
    before: Ints
    pattern: Small
    shift_ptr: Small
    shift_start: Ints
    shift_end: Ints
    slot: Ints
    slot_day: Small


def seconds_of(moment: datetime) -> int:
    """The instant of a local time."""
    return int((moment - EPOCH).total_seconds())


def moment_of(instant: int) -> datetime:
    """The local time of an instant."""
    return EPOCH + timedelta(seconds=int(instant))


def clocks_of(calendars: Sequence[WorkCalendar], first: int, last: int) -> Clocks:
    """Lay out calendars for the days from instant ``first`` to ``last`` and all of their exceptions.

    Raises:
        ValueError: a calendar has no working time in its week.
    """
    exceptions = [(day - _EPOCH_DAY).days for calendar in calendars for day in calendar.exceptions]
    low = min([first // DAY, *exceptions])
    high = max([last // DAY, *exceptions])
    # 1970-01-05 was a Monday: day 4.
    first_day = (low - 4) // _WEEK * _WEEK + 4 - _WEEK
    days = (high - first_day) // _WEEK * _WEEK + 2 * _WEEK
    patterns: dict[tuple[Shift, ...], int] = {(): 0}
    table = np.empty((len(calendars), days), dtype=np.int32)
    for place, calendar in enumerate(calendars):
        week = [patterns.setdefault(shifts, len(patterns)) for shifts in calendar.week]
        table[place] = np.resize(np.array(week, dtype=np.int32), days)
        for day, shifts in calendar.exceptions.items():
            table[place, (day - _EPOCH_DAY).days - first_day] = patterns.setdefault(shifts, len(patterns))
    return _with_totals(calendars, first_day, days, table, list(patterns))


def _with_totals(
    calendars: Sequence[WorkCalendar], first_day: int, days: int, table: Small, patterns: list[tuple[Shift, ...]]
) -> Clocks:
    length = np.array([sum(end - start for start, end in shifts) for shifts in patterns], dtype=np.int64)
    before = np.zeros((len(calendars), days + 1), dtype=np.int64)
    np.cumsum(length[table], axis=1, out=before[:, 1:])
    week = before[:, _WEEK].copy()
    for calendar, work in zip(calendars, week, strict=True):
        if work <= 0:
            raise ValueError(f"calendar '{calendar.name}' has no working time in its week")
    shifts = [shift for pattern in patterns for shift in pattern]
    slot = np.maximum(1, before[:, -1] // days)
    slot_day = np.empty((len(calendars), days + 2), dtype=np.int32)
    for place in range(len(calendars)):
        work = np.arange(days + 2, dtype=np.int64) * slot[place]
        slot_day[place] = np.clip(np.searchsorted(before[place], work, side="left") - 1, 0, days - 1)
    return Clocks(
        first_day=first_day,
        days=days,
        always=np.array([calendar.week == ALWAYS.week and not calendar.exceptions for calendar in calendars]),
        week=week,
        before=before,
        pattern=table,
        shift_ptr=np.cumsum([0, *map(len, patterns)]).astype(np.int32),
        shift_start=np.array([start for start, _ in shifts], dtype=np.int64),
        shift_end=np.array([end for _, end in shifts], dtype=np.int64),
        slot=slot,
        slot_day=slot_day,
    )


@kernel()
def work_at(clocks: Clocks, calendar: int, instant: int) -> int:
    """Working time in seconds before an instant: its coordinate on a calendar."""
    second = instant - clocks.first_day * DAY
    if clocks.always[calendar]:
        return int(second)
    day = second // DAY
    second -= day * DAY
    work = 0
    if day < 0 or day >= clocks.days:
        weeks = day // _WEEK if day < 0 else (day - clocks.days) // _WEEK + 1
        work = weeks * clocks.week[calendar]
        day -= weeks * _WEEK
    work += clocks.before[calendar, day]
    pattern = clocks.pattern[calendar, day]
    for shift in range(clocks.shift_ptr[pattern], clocks.shift_ptr[pattern + 1]):
        if second <= clocks.shift_start[shift]:
            break
        work += min(second, clocks.shift_end[shift]) - clocks.shift_start[shift]
    return int(work)


@kernel()
def start_instant(clocks: Clocks, calendar: int, work: int) -> int:
    """The latest instant with this coordinate: where work that begins at it begins."""
    if clocks.always[calendar]:
        return clocks.first_day * DAY + work
    weeks = 0
    total = clocks.before[calendar, clocks.days]
    if work < 0 or work >= total:
        week = clocks.week[calendar]
        weeks = work // week if work < 0 else (work - total) // week + 1
        work -= weeks * week
    day = clocks.slot_day[calendar, work // clocks.slot[calendar]]
    while clocks.before[calendar, day + 1] <= work:
        day += 1
    work -= clocks.before[calendar, day]
    pattern = clocks.pattern[calendar, day]
    shift = clocks.shift_ptr[pattern]
    while work >= clocks.shift_end[shift] - clocks.shift_start[shift]:
        work -= clocks.shift_end[shift] - clocks.shift_start[shift]
        shift += 1
    return int((clocks.first_day + day + weeks * _WEEK) * DAY + clocks.shift_start[shift] + work)


@kernel()
def finish_instant(clocks: Clocks, calendar: int, work: int) -> int:
    """The earliest instant with this coordinate: where work that ends at it ends."""
    # The second before it is worked, and is the start of one more second of work.
    return int(start_instant(clocks, calendar, work - 1) + 1)


@kernel()
def carry_finish(clocks: Clocks, from_calendar: int, to_calendar: int, work: int) -> int:
    """A coordinate at which work ends on one calendar, as a coordinate of another."""
    if from_calendar == to_calendar:
        return work
    return work_at(clocks, to_calendar, finish_instant(clocks, from_calendar, work))


@kernel()
def carry_start(clocks: Clocks, from_calendar: int, to_calendar: int, work: int) -> int:
    """A coordinate at which work starts on one calendar, as a coordinate of another."""
    if from_calendar == to_calendar:
        return work
    return work_at(clocks, to_calendar, start_instant(clocks, from_calendar, work))
