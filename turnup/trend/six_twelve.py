"""Six weeks and twelve months of one figure: sums of what was observed, and nothing where a day was not.

Source of the form: the weekly business review (six weeks, twelve months, week against week, to date).
Belongs here: the arithmetic. Does not: where observations come from, and how they are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from turnup.trend.periods import (
    YEAR_OF_WEEKS,
    Period,
    fiscal_start,
    month_of,
    quarter_start,
    week_ending,
    year_before,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

How = Literal["sum", "ratio", "last"]
_SHARE = Decimal("0.000001")


@dataclass(frozen=True)
class Observations:
    """What was seen of one figure, day by day.

    Attributes:
        values: by day; a day that was watched and saw nothing has 0, a day that nobody watched is absent.
        weights: by day, for ratios: a ratio is the sum of values over the sum of weights, never a mean of ratios.
        step: days from one observation to the next: 1, or 7 for figures that are taken once a week.
    """

    values: Mapping[date, Decimal]
    weights: Mapping[date, Decimal] | None = None
    step: int = 1

    @property
    def first(self) -> date | None:
        """First observed day."""
        return min(self.values, default=None)


@dataclass(frozen=True)
class Figure:
    """One period's figure.

    Attributes:
        value: None where a day of the period was not observed: a part is never shown as the whole.
        weight: of a ratio the sum of its weights.
        since: the first day that counts, where the series begins within the period.
        missing: how many observations the period lacks.
    """

    period: Period
    value: Decimal | None
    weight: Decimal | None = None
    since: date | None = None
    missing: int = 0


def of_week(observed: Observations, week: Period, how: How) -> Figure:
    """Return a week's figure: available only when every one of its observations is there."""
    return _figure(observed, week, week.start, how)


def of_month(observed: Observations, month: Period, how: How) -> Figure:
    """Return a month's figure; the month in which the series begins counts from its first day and says so."""
    first = observed.first
    if first is None or not month.start < first <= month.end:
        return _figure(observed, month, month.start, how)
    made = _figure(observed, month, first, how)
    whole = observed.step > 1 and (first - month.start).days < observed.step
    return made if whole else Figure(made.period, made.value, made.weight, first, made.missing)


def _figure(observed: Observations, period: Period, start: date, how: How) -> Figure:
    days = _days(observed, start, period.end)
    missing = sum(day not in observed.values for day in days)
    if missing or not days:
        return Figure(period, None, missing=missing or 1)
    values = [observed.values[day] for day in days]
    if how == "last":
        return Figure(period, values[-1])
    total = sum(values, Decimal(0))
    if how == "sum":
        return Figure(period, total)
    weights = observed.weights or {}
    weight = sum((weights.get(day, Decimal(0)) for day in days), Decimal(0))
    return Figure(period, (total / weight).quantize(_SHARE) if weight else None, weight)


def _days(observed: Observations, start: date, end: date) -> list[date]:
    """The days within start..end on which an observation is due."""
    first = observed.first
    if first is None:
        return []
    begin = start + timedelta(days=(first - start).days % observed.step)
    return [begin + timedelta(days=n) for n in range(0, (end - begin).days + 1, observed.step)]


def figures(
    observed: Observations, weeks: Sequence[Period], months: Sequence[Period], how: How
) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """Return the figures of some weeks and of some months."""
    return (
        tuple(of_week(observed, week, how) for week in weeks),
        tuple(of_month(observed, month, how) for month in months),
    )


def prior_year(
    observed: Observations, weeks: Sequence[Period], months: Sequence[Period], how: How
) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """Return the figures of the same weeks (364 days before) and the same months a year before."""
    earlier = [week_ending(week.end - YEAR_OF_WEEKS) for week in weeks]
    return figures(observed, earlier, [month_of(year_before(month.start)) for month in months], how)


@dataclass(frozen=True)
class Box:
    """The box under a six-twelve: last week and to date, each against its reference in percent."""

    last_week: Decimal | None
    week_on_week: Decimal | None
    year_on_year: Decimal | None
    month_to_date: Decimal | None
    month_on_year: Decimal | None
    quarter_to_date: Decimal | None
    quarter_on_year: Decimal | None
    year_to_date: Decimal | None
    year_to_date_on_year: Decimal | None


def box(observed: Observations, day: date, how: How, last_month: int = 12) -> Box:
    """Return the box of the week that ends on a day; `last_month` is the last month of the fiscal year."""
    week, before, year = (
        of_week(observed, week_ending(day - back), how).value
        for back in (timedelta(0), timedelta(weeks=1), YEAR_OF_WEEKS)
    )
    dates = (day.replace(day=1), quarter_start(day, last_month), fiscal_start(day, last_month))
    to_date = [_to_date(observed, start, day, how) for start in dates]
    earlier = [_to_date(observed, year_before(start), year_before(day), how) for start in dates]
    month, quarter, whole = ((now, change_percent(now, then)) for now, then in zip(to_date, earlier, strict=True))
    return Box(week, change_percent(week, before), change_percent(week, year), *month, *quarter, *whole)


def _to_date(observed: Observations, start: date, end: date, how: How) -> Decimal | None:
    return of_month(observed, Period(start, end, ""), how).value


def change_percent(now: Decimal | None, then: Decimal | None) -> Decimal | None:
    """Return the change in percent of what was, None where either is not available or there was nothing."""
    return None if now is None or not then else (now / then - 1) * 100
