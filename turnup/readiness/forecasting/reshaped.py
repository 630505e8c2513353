"""Distributions moved and stretched.

Belongs here: the same distribution some seconds later, or some times as long. Does not: why.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from turnup.schedule.simulation import BetaPert, Empirical, Fixed, Lognormal, Throughput, Triangular, Uniform

if TYPE_CHECKING:
    from turnup.schedule.simulation import Distribution

_STEPS = 200


def shifted(distribution: Distribution, seconds: float) -> Distribution:
    """Every value so much more, never below 0."""
    if isinstance(distribution, Fixed):
        return Fixed(max(0.0, distribution.value + seconds))
    if isinstance(distribution, Empirical):
        return replace(distribution, values=tuple(max(0.0, value + seconds) for value in distribution.values))
    if isinstance(distribution, Triangular | BetaPert):
        low, likely, high = (
            max(0.0, value + seconds) for value in (distribution.low, distribution.likely, distribution.high)
        )
        return replace(distribution, low=low, likely=likely, high=high)
    if isinstance(distribution, Uniform):
        return Uniform(max(0.0, distribution.low + seconds), max(0.0, distribution.high + seconds))
    # What has no lowest value of its own is taken at even steps of its quantiles.
    middles = ((step + 0.5) / _STEPS for step in range(_STEPS))
    return Empirical(tuple(max(0.0, distribution.quantile(p) + seconds) for p in middles))


def stretched(distribution: Distribution, factor: float) -> Distribution:
    """Every value so many times as long; a throughput does as much in so many times the days."""
    if isinstance(distribution, Fixed):
        return Fixed(distribution.value * factor)
    if isinstance(distribution, Empirical):
        return replace(distribution, values=tuple(value * factor for value in distribution.values))
    if isinstance(distribution, Triangular | BetaPert):
        return replace(
            distribution, low=distribution.low * factor, likely=distribution.likely * factor,
            high=distribution.high * factor,
        )  # fmt: skip
    if isinstance(distribution, Uniform):
        return Uniform(distribution.low * factor, distribution.high * factor)
    if isinstance(distribution, Lognormal):
        return Lognormal(distribution.median * factor, distribution.sigma)
    return Throughput(tuple(value / factor for value in distribution.history), distribution.units, distribution.day)
