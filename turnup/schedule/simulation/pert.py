"""Classic PERT of one path: the sum of means and variances, and a normal distribution.

Belongs here: the textbook's formula, to check a simulation against. Does not: forecasts, which are simulated: a path
alone knows nothing of paths that merge with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turnup.schedule.simulation.distributions import BetaPert, Triangular


@dataclass(frozen=True)
class PathEstimate:
    """Mean and standard deviation of a path's length, in the unit of its durations."""

    mean: float
    sd: float

    def probability(self, length: float) -> float:
        """Probability that the path is no longer."""
        return NormalDist(self.mean, self.sd).cdf(length) if self.sd > 0 else float(length >= self.mean)

    def percentile(self, percent: float) -> float:
        """Length that the path does not exceed with this percentage, more than 0 and less than 100."""
        return NormalDist(self.mean, self.sd).inv_cdf(percent / 100) if self.sd > 0 else self.mean


def classic_pert(path: Iterable[BetaPert | Triangular]) -> PathEstimate:
    """Estimate a path from three points an activity: means (a + 4 m + b) / 6, standard deviations (b - a) / 6.

    Source: Malcolm, Roseboom, Clark and Fazar, Operations Research 7 (1959). These standard deviations are not those of
    the beta distribution with weight 4, from which the simulation draws.
    """
    points = [(one.low, one.likely, one.high) for one in path]
    mean = math.fsum((low + 4 * likely + high) / 6 for low, likely, high in points)
    return PathEstimate(mean, math.sqrt(math.fsum(((high - low) / 6) ** 2 for low, _, high in points)))
