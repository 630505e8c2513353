"""Days of a recurring exception of a calendar: every third day, the second Tuesday of a month, every 4 July.

Belongs here: expanding a pattern between two days. Does not: the working time of these days (``calendars``).
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record

DAILY, YEARLY, YEARLY_BY_PLACE, MONTHLY, MONTHLY_BY_PLACE, WEEKLY, EVERY = 1, 2, 3, 4, 5, 6, 7
_LAST = 4
_MOST = 40_000
"""No exception has more days than a century."""


@dataclass(frozen=True)
class Pattern:
    """What an ``Exception`` element says about its days.

    Attributes:
        kind: its ``Type``.
        period: every how many days, weeks or months.
        weekdays: days of the week of a weekly one, Monday is 0.
        month: of a yearly one, 1 to 12.
        day: of the month.
        item: what is counted in a month: 0 any day, 1 a weekday, 2 a day of the weekend, 3 Sunday to 9 Saturday.
        place: which of them, 0 the first to 4 the last.
        occurrences: how many there are at most; None is until the last day.
    """

    kind: int
    period: int = 1
    weekdays: frozenset[int] = frozenset()
    month: int = 1
    day: int = 1
    item: int = 0
    place: int = 0
    occurrences: int | None = None

    def days(self, first: date, last: date) -> list[date]:
        """The days from ``first`` to ``last`` that it names, in order."""
        make: Callable[[date, date], Iterator[date]] = {
            WEEKLY: self._weekly,
            MONTHLY: self._monthly,
            MONTHLY_BY_PLACE: self._monthly,
            YEARLY: self._yearly,
            YEARLY_BY_PLACE: self._yearly,
        }.get(self.kind, self._daily)
        most = _MOST if self.occurrences is None or self.kind == DAILY else min(self.occurrences, _MOST)
        return list(islice(make(first, last), most))

    def _daily(self, first: date, last: date) -> Iterator[date]:
        step = self.period if self.kind in (DAILY, EVERY) else 1
        for number in range(0, (last - first).days + 1, step):
            yield first + timedelta(days=number)

    def _weekly(self, first: date, last: date) -> Iterator[date]:
        # Weeks are counted from the Sunday before, whatever the project's first day of a week is.
        sunday = first - timedelta(days=(first.weekday() + 1) % 7)
        for number in range((last - sunday).days + 1):
            day = sunday + timedelta(days=number)
            if day >= first and number // 7 % self.period == 0 and day.weekday() in self.weekdays:
                yield day

    def _monthly(self, first: date, last: date) -> Iterator[date]:
        months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month, self.period)
        for number in months:
            day = self._in_month(number // 12, number % 12 + 1)
            if day is not None and first <= day <= last:
                yield day

    def _yearly(self, first: date, last: date) -> Iterator[date]:
        for year in range(first.year, last.year + 1):
            day = self._in_month(year, self.month)
            if day is not None and first <= day <= last:
                yield day

    def _in_month(self, year: int, month: int) -> date | None:
        length = calendar.monthrange(year, month)[1]
        if self.kind in (MONTHLY, YEARLY):
            return date(year, month, min(self.day, length))
        fitting = [day for number in range(1, length + 1) if self._counts(day := date(year, month, number))]
        if self.place == _LAST:
            return fitting[-1]
        return fitting[self.place] if self.place < len(fitting) else None

    def _counts(self, day: date) -> bool:
        if self.item in (0, 1, 2):
            return (True, day.weekday() < 5, day.weekday() >= 5)[self.item]
        return (day.weekday() + 1) % 7 == self.item - 3


def pattern_of(exception: Record) -> Pattern | None:
    """The pattern of an ``Exception``; None when what it says is none."""
    kind = exception.integer("Type") or DAILY
    mask = exception.integer("DaysOfWeek") or 0
    pattern = Pattern(
        kind=kind,
        period=exception.integer("Period") or 1,
        weekdays=frozenset((bit - 1) % 7 for bit in range(7) if mask & (1 << bit)),
        month=(exception.integer("Month") or 0) + 1,
        day=exception.integer("MonthDay") or 1,
        item=exception.integer("MonthItem") or 0,
        place=exception.integer("MonthPosition") or 0,
        occurrences=exception.integer("Occurrences") if exception.flag("EnteredByOccurrences") else None,
    )
    sound = (
        pattern.period > 0
        and 1 <= pattern.month <= 12
        and 1 <= pattern.day <= 31
        and 0 <= pattern.item <= 9
        and 0 <= pattern.place <= _LAST
        and (pattern.occurrences is None or pattern.occurrences > 0)
        and (kind != WEEKLY or pattern.weekdays)
    )
    return pattern if sound else None
