"""Weeks and months that a trend is told in.

Belongs here: which days a period has and what it is called. Does not: any figure.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

WEEKS = 6
MONTHS = 12
YEAR_OF_WEEKS = timedelta(weeks=52)
"""A week is compared with the one 364 days before: the same days of the week."""


@dataclass(frozen=True, order=True)
class Period:
    """Days ``start`` to ``end``, both inclusive; ``label`` is an ISO week (``2020-W53``) or a month (``2021-01``)."""

    start: date
    end: date
    label: str

    @property
    def days(self) -> int:
        """Number of days."""
        return (self.end - self.start).days + 1


def week_ending(day: date) -> Period:
    """Return the seven days that end on a day, named by the ISO week of that day: 2021-01-02 ends 2020-W53."""
    year, number, _ = day.isocalendar()
    return Period(day - timedelta(days=6), day, f"{year}-W{number:02d}")


def last_weeks(day: date, count: int = WEEKS) -> tuple[Period, ...]:
    """Return the last `count` weeks that end on a day of this weekday, the oldest first."""
    return tuple(week_ending(day - timedelta(weeks=back)) for back in reversed(range(count)))


def month_of(day: date) -> Period:
    """Return the month that holds a day."""
    last = monthrange(day.year, day.month)[1]
    return Period(day.replace(day=1), day.replace(day=last), f"{day.year}-{day.month:02d}")


def trailing_months(day: date, count: int = MONTHS) -> tuple[Period, ...]:
    """Return the last `count` months that are over on a day, the oldest first."""
    month = month_of(day)
    if month.end > day:
        month = _before(month)
    found = [month]
    while len(found) < count:
        found.append(_before(found[-1]))
    return tuple(reversed(found))


def fiscal_months(day: date, last_month: int) -> tuple[Period, ...]:
    """Return the twelve months of the fiscal year that holds a day and ends with a month (1 to 12)."""
    start = fiscal_start(day, last_month)
    months = [month_of(start)]
    while len(months) < MONTHS:
        months.append(month_of(months[-1].end + timedelta(days=1)))
    return tuple(months)


def fiscal_start(day: date, last_month: int) -> date:
    """Return the first day of the fiscal year that holds a day and ends with a month (1 to 12)."""
    first = last_month % 12 + 1
    return date(day.year if day.month >= first else day.year - 1, first, 1)


def quarter_start(day: date, last_month: int) -> date:
    """Return the first day of the fiscal quarter that holds a day."""
    back = (day.month - last_month - 1) % 3
    month = day.month - back
    return date(day.year, month, 1) if month >= 1 else date(day.year - 1, month + 12, 1)


def year_before(day: date) -> date:
    """Return the same calendar day a year before; of 29 February the 28th."""
    return day.replace(year=day.year - 1, day=28 if (day.month, day.day) == (2, 29) else day.day)


def _before(month: Period) -> Period:
    return month_of(month.start - timedelta(days=1))
