"""Distributions of a remaining duration or of a risk's impact, and their quantiles.

Belongs here: what a distribution is, its checks, quantile, mean and largest value. Does not: drawing from it
(``draws``, ``sampling``). Values are in the unit of the network, which is seconds of the activity's own working time.
A quantile is the smallest value that at least a share ``p`` of outcomes does not exceed, 0 < p < 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from turnup.schedule.simulation.throughput import days_to_finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Z90 = float(special.ndtri(0.9))


@dataclass(frozen=True)
class Fixed:
    """Always the same value, 0 or more."""

    value: float

    def __post_init__(self) -> None:
        _not_negative("fixed duration", self.value)

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return self.value

    def quantile(self, p: float) -> float:
        """Return the value whatever the share."""
        return self.value

    def mean(self) -> float:
        """Return the value."""
        return self.value


@dataclass(frozen=True)
class Uniform:
    """Every value between low and high alike."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _ordered("uniform", low=self.low, high=self.high)

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return self.high

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        return self.low + p * (self.high - self.low)

    def mean(self) -> float:
        """Return the mean."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class Triangular:
    """Least, most likely and greatest value joined by straight lines of density."""

    low: float
    likely: float
    high: float

    def __post_init__(self) -> None:
        _ordered("triangular", low=self.low, likely=self.likely, high=self.high)

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return self.high

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        span, below, above = self.high - self.low, self.likely - self.low, self.high - self.likely
        if p * span < below:
            return self.low + math.sqrt(p * span * below)
        return self.high - math.sqrt((1 - p) * span * above)

    def mean(self) -> float:
        """Return the mean."""
        return (self.low + self.likely + self.high) / 3


@dataclass(frozen=True)
class BetaPert:
    """Beta distribution on low to high with alpha = 1 + w (m - a) / (b - a), beta = 1 + w (b - m) / (b - a).

    With the usual weight w = 4 its mean is (a + 4 m + b) / 6. Its standard deviation follows from alpha and beta; it is
    not the (b - a) / 6 of classic PERT.
    """

    low: float
    likely: float
    high: float
    weight: float = 4.0

    def __post_init__(self) -> None:
        _ordered("BetaPERT", low=self.low, likely=self.likely, high=self.high)
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise ValueError(f"BetaPERT: the weight of the likely value must be above 0, not {self.weight:g}")

    @property
    def shape(self) -> tuple[float, float]:
        """Alpha and beta; of a distribution without width, 1 and 1."""
        span = self.high - self.low
        place = (self.likely - self.low) / span if span > 0 else 0.0
        return (1 + self.weight * place, 1 + self.weight * (1 - place)) if span > 0 else (1.0, 1.0)

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return self.high

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        return self.low + (self.high - self.low) * float(special.betaincinv(*self.shape, p))

    def mean(self) -> float:
        """Return the mean."""
        return (self.low + self.weight * self.likely + self.high) / (self.weight + 2)


@dataclass(frozen=True)
class Lognormal:
    """The logarithm is normal with mean log(median) and standard deviation sigma.

    Made from what people say: :meth:`from_median_p90` or :meth:`from_mean_sd`.
    """

    median: float
    sigma: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.median) and self.median > 0):
            raise ValueError(f"lognormal: the median must be above 0, not {self.median:g}")
        if not (math.isfinite(self.sigma) and self.sigma > 0):
            raise ValueError(f"lognormal: sigma must be above 0, not {self.sigma:g}")

    @classmethod
    def from_median_p90(cls, median: float, p90: float) -> Lognormal:
        """Make it from the value that half of outcomes do not exceed, and that nine in ten do not."""
        if not (0 < median < p90 < math.inf):
            raise ValueError(f"lognormal: 0 < median {median:g} < P90 {p90:g} is needed")
        return cls(median, math.log(p90 / median) / Z90)

    @classmethod
    def from_mean_sd(cls, mean: float, sd: float) -> Lognormal:
        """Make it from the mean and standard deviation of the values themselves, not of their logarithm."""
        if not (0 < mean < math.inf and 0 < sd < math.inf):
            raise ValueError(f"lognormal: mean {mean:g} and standard deviation {sd:g} must be above 0")
        variance = math.log1p((sd / mean) ** 2)
        return cls(mean * math.exp(-variance / 2), math.sqrt(variance))

    def largest(self) -> float:
        """Return what no draw exceeds; a draw lies within 5.4 sigma."""
        return self.median * math.exp(6 * self.sigma)

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        return self.median * math.exp(self.sigma * float(special.ndtri(p)))

    def mean(self) -> float:
        """Return the mean."""
        return self.median * math.exp(self.sigma**2 / 2)


@dataclass(frozen=True)
class Empirical:
    """One of the given values, each as likely as it has cases; a value given twice is twice as likely.

    Attributes:
        values: of the cases.
        cases: how many there are of each value, at least 1; empty means one each.
    """

    values: tuple[float, ...]
    cases: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("empirical: at least one value is needed")
        for value in self.values:
            _not_negative("empirical value", value)
        if self.cases and (len(self.cases) != len(self.values) or min(self.cases) < 1):
            raise ValueError(f"empirical: {len(self.values)} numbers of cases of at least 1 are needed")

    @classmethod
    def of_ratios(cls, ratios: Sequence[float], plan: float) -> Empirical:
        """Reference class: ratios of actual to planned duration of like work, times the plan (Flyvbjerg 2006)."""
        _not_negative("planned duration", plan)
        return cls(tuple(ratio * plan for ratio in ratios))

    @cached_property
    def outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Different values upwards, and the share of outcomes at or below each."""
        values, places = np.unique(np.array(self.values, dtype=np.float64), return_inverse=True)
        counts = np.bincount(places, weights=self.cases or None)
        return values, np.cumsum(counts) / counts.sum()

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return max(self.values)

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        return _discrete_quantile(self.outcomes, p)

    def mean(self) -> float:
        """Return the mean."""
        cases = self.cases or (1,) * len(self.values)
        return math.fsum(value * count for value, count in zip(self.values, cases, strict=True)) / sum(cases)


@dataclass(frozen=True)
class Throughput:
    """Working time until the remaining units are done, when each working day is like one of the days seen.

    Days are drawn with replacement from the history, days without output included. That has an exact distribution
    (``throughput.days_to_finish``), so one draw gives the number of days, and correlation and tornado see one input.

    Attributes:
        history: units done on each working day that was seen.
        units: units still to do.
        day: length of a working day in the network's unit; 28800 is eight hours.
    """

    history: tuple[float, ...]
    units: float
    day: float

    def __post_init__(self) -> None:
        _not_negative("length of a working day", self.day)
        _not_negative("units still to do", self.units)
        for value in self.history:
            _not_negative("units of a day", value)
        if not any(self.history):
            raise ValueError("throughput: a history with at least one unit done is needed")

    @cached_property
    def outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Durations upwards, and the probability of being done within each."""
        days, shares = days_to_finish(self.history, self.units)
        return days * self.day, shares

    def largest(self) -> float:
        """Return what no draw exceeds."""
        return float(self.outcomes[0][-1])

    def quantile(self, p: float) -> float:
        """Return the value that a share ``p`` does not exceed."""
        return _discrete_quantile(self.outcomes, p)

    def mean(self) -> float:
        """Return the mean."""
        values, shares = self.outcomes
        return float(values @ np.diff(shares, prepend=0.0))


Distribution = Fixed | Uniform | Triangular | BetaPert | Lognormal | Empirical | Throughput


def _discrete_quantile(outcomes: tuple[NDArray[np.float64], NDArray[np.float64]], p: float) -> float:
    values, shares = outcomes
    return float(values[min(int(np.searchsorted(shares, p - 1e-12)), len(values) - 1)])


def _not_negative(what: str, value: float) -> None:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{what}: a number of 0 or more is needed, not {value!r}")


def _ordered(name: str, **values: float) -> None:
    """Refuse what is not finite, negative or not in the order given."""
    given = list(values.values())
    if not all(math.isfinite(value) for value in given) or given[0] < 0 or given != sorted(given):
        shown = ", ".join(f"{key} {value:g}" for key, value in values.items())
        raise ValueError(f"{name}: 0 <= {' <= '.join(values)} is needed, not {shown}")
