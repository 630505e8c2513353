"""Earned schedule: how far along the plan the work done is, in units of time.

Belongs here: the formulas, on cumulative planned value by period (Lipke, Schedule is Different, 2003). Does not: how
value by period follows from activities (``earned_value``).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    Number = int | float | Decimal | Fraction


@dataclass(frozen=True)
class EarnedSchedule:
    """Where a project stands at its actual time; times are in periods from its start, all values exact.

    Attributes:
        actual_time: AT.
        planned_duration: PD, the period in which all value should be earned.
        earned_time: ES, the time at which the plan had earned what is earned now.
        planned_value, earned_value, budget: PV at the actual time, EV, and the value of everything.
    """

    actual_time: Fraction
    planned_duration: Fraction
    earned_time: Fraction
    planned_value: Fraction
    earned_value: Fraction
    budget: Fraction

    @property
    def variance(self) -> Fraction:
        """SV(t) = ES - AT: periods ahead of the plan."""
        return self.earned_time - self.actual_time

    @property
    def index(self) -> Fraction | None:
        """SPI(t) = ES / AT."""
        return self.earned_time / self.actual_time if self.actual_time > 0 else None

    @property
    def forecast_duration(self) -> Fraction | None:
        """IEAC(t) = PD / SPI(t): the duration if all goes on like this."""
        return self.planned_duration / self.index if self.index else None

    @property
    def to_complete(self) -> Fraction | None:
        """TSPI = (PD - ES) / (PD - AT): the index needed from now on to end as planned; none once that time is over."""
        left = self.planned_duration - self.actual_time
        return (self.planned_duration - self.earned_time) / left if left > 0 else None

    @property
    def value_index(self) -> Fraction | None:
        """SPI($) = EV / PV: it returns to 1 at the end, however late that is."""
        return self.earned_value / self.planned_value if self.planned_value > 0 else None

    def record(self) -> dict[str, Any]:
        """All figures as JSON knows them."""
        named = {
            "actual_time": self.actual_time,
            "planned_duration": self.planned_duration,
            "earned_schedule": self.earned_time,
            "sv_t": self.variance,
            "spi_t": self.index,
            "ieac_t": self.forecast_duration,
            "tspi": self.to_complete,
            "spi": self.value_index,
        }
        return {name: None if value is None else round(float(value), 6) for name, value in named.items()}


def earned_schedule(planned: Sequence[Number], earned: Number, actual_time: Number) -> EarnedSchedule:
    """Compare value earned with the plan.

    Args:
        planned: cumulative planned value at the end of periods 1, 2, ...; the last is the value of everything.
        earned: cumulative earned value at the actual time.
        actual_time: periods since the start.

    Raises:
        ValueError: there is no period, no value, or planned value goes down.
    """
    values = [Fraction(0), *(Fraction(value) for value in planned)]
    if len(values) < 2 or values[-1] <= 0:
        raise ValueError("there is no planned value")
    for period, (before, after) in enumerate(pairwise(values), start=1):
        if after < before:
            raise ValueError(f"planned value falls in period {period}: from {float(before):g} to {float(after):g}")
    time = Fraction(actual_time)
    return EarnedSchedule(
        actual_time=time,
        planned_duration=Fraction(values.index(values[-1])),
        earned_time=_time_of(values, Fraction(earned)),
        planned_value=_value_at(values, time),
        earned_value=Fraction(earned),
        budget=values[-1],
    )


def _time_of(values: list[Fraction], earned: Fraction) -> Fraction:
    """ES = C + (EV - PV at C) / (PV at C + 1 - PV at C), C the last period whose planned value is earned."""
    if earned >= values[-1]:
        return Fraction(values.index(values[-1]))
    period = max(0, bisect_right(values, earned) - 1)
    return period + (earned - values[period]) / (values[period + 1] - values[period])


def _value_at(values: list[Fraction], time: Fraction) -> Fraction:
    """Planned value at a time, on a straight line between the ends of periods."""
    period = max(0, min(int(time), len(values) - 1))
    if period == len(values) - 1:
        return values[-1]
    return values[period] + (time - period) * (values[period + 1] - values[period])
