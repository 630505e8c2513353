"""Figures and verdict of one series, from its totals as each week was issued.

Belongs here: from totals to weekly figures, and when a verdict is given. Does not: reading or writing tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from turnup.trend.behaviour import Limits, Signal, limits, signals
from turnup.trend.periods import last_weeks, trailing_months
from turnup.trend.six_twelve import Figure, Observations, figures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turnup.trend.series import Series

SHOWN = 26
"""Weeks before the report that a behaviour chart shows."""
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Total:
    """A series' total at a cut-off; ``watched``: every source behind it was fresh then."""

    total: Decimal
    weight: Decimal
    watched: bool


@dataclass(frozen=True)
class Trend:
    """Six weeks, twelve months, the weeks that are judged and the verdict on the last one.

    Attributes:
        judged: (week end, value) of each week that is judged, None where it is not available.
        verdict: ``signal``, ``no signal``, ``not available`` (this week has no figure), ``too few`` (weeks for limits),
            ``mostly zero`` (work that comes in lumps has no natural limits) or ``not judged`` (a level).
    """

    weeks: tuple[Figure, ...]
    months: tuple[Figure, ...]
    judged: tuple[tuple[date, Decimal | None], ...]
    of: Limits | None
    signals: tuple[Signal, ...]
    verdict: str


def observations(series: Series, totals: Mapping[date, Total]) -> Observations:
    """Return the weekly figures; growth needs this cut-off and the one before, both watched."""
    values: dict[date, Decimal] = {}
    weights: dict[date, Decimal] = {}
    for day, now in sorted(totals.items()):
        before = totals.get(day - _WEEK) if series.taken == "total" else None
        if not now.watched or (series.taken == "total" and (before is None or not before.watched)):
            continue
        values[day] = now.total - (before.total if before else 0)
        weights[day] = now.weight - (before.weight if before else 0)
    return Observations(values, weights, step=7)


def trend(series: Series, totals: Mapping[date, Total], week_end: date, least_cases: int) -> Trend:
    """Return the trend of a series at the week that ends on a day.

    Args:
        series: what the totals count.
        totals: by week end.
        week_end: of the week reported.
        least_cases: a weekly share of fewer cases is not judged.
    """
    seen = observations(series, {day: total for day, total in totals.items() if day <= week_end})
    over = week_end + _WEEK - timedelta(days=1)  # a month is over when the next week ends in another
    weeks, months = figures(seen, last_weeks(week_end), trailing_months(over), series.how)
    judged = _judged(series, seen, week_end, least_cases)
    values = [value for _, value in judged]
    of = limits(values) if series.taken != "level" else None
    found = signals(values, of) if of else ()
    return Trend(weeks, months, judged, of, found, _verdict(series, values, of, found))


def _judged(
    series: Series, seen: Observations, week_end: date, least_cases: int
) -> tuple[tuple[date, Decimal | None], ...]:
    first = seen.first or week_end
    count = (week_end - first).days // 7 + 1
    days = [week_end - _WEEK * back for back in reversed(range(count))]
    return tuple((day, _value(series, seen, day, least_cases)) for day in days)


def _value(series: Series, seen: Observations, day: date, least_cases: int) -> Decimal | None:
    value, weight = seen.values.get(day), (seen.weights or {}).get(day, Decimal(0))
    if series.how != "ratio" or value is None:
        return value
    return value / weight if weight >= least_cases else None


def _verdict(series: Series, values: Sequence[Decimal | None], of: Limits | None, found: Sequence[Signal]) -> str:
    if series.taken == "level":
        return "not judged"
    if values[-1] is None:
        return "not available"
    if of is None:
        return "too few"
    run = values[of.first : of.last + 1]
    if sum(not value for value in run if value is not None) * 2 > of.points:
        return "mostly zero"
    return "signal" if any(signal.place == len(values) - 1 for signal in found) else "no signal"
