"""What a run gives: finishes of the targets in each iteration, and what is read from them.

Belongs here: percentiles, probabilities, their precision. Does not: which inputs matter (``sensitivity``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

PROJECT = ""
"""The target that stands for the finish of the whole network; no activity has this id."""


class Finishes(NamedTuple):
    """Finishes of targets as seconds after an origin, which take half the room of instants.

    Attributes:
        seconds: targets x iterations, in the order of iterations.
        origin: instant from which they count.
        done: latest finish of the finished activities of each target, an instant.
        over: whether all activities of the target are finished.
    """

    seconds: NDArray[np.int32]
    origin: int
    done: NDArray[np.int64]
    over: NDArray[np.bool_]

    def of(self, row: int) -> NDArray[np.int64]:
        """Instants of one target."""
        if self.over[row]:
            return np.full(self.seconds.shape[1], self.done[row])
        return np.asarray(np.maximum(self.seconds[row] + np.int64(self.origin), self.done[row]))


@dataclass(frozen=True)
class Simulation:
    """Finishes of some targets over all iterations of a run.

    Attributes:
        network, uncertainty, seed, iterations: what it was made from.
        targets: by name, the activities whose latest finish is the target's; as asked for, in that order. Where pools
            are shared PROJECT is added.
        found: finishes of the targets.
        project_finish: latest finish of all activities in each iteration.
        critical: iterations in which each activity had no float to the project finish, by activity row; with pools,
            in which it lay on a driving path to the project finish (0 where that is not traced). 0 for finished
            activities.
        traced: targets to which driving paths were traced.
        driving: iterations in which each activity lay on a driving path to each of these, traced x activity rows.
    """

    network: ActivityNetwork
    uncertainty: Uncertainty
    seed: int
    iterations: int
    targets: Mapping[str, Sequence[str]]
    found: Finishes
    project_finish: NDArray[np.int64]
    critical: NDArray[np.int64]
    traced: Sequence[str]
    driving: NDArray[np.int64]

    @property
    def finishes(self) -> NDArray[np.int64]:
        """Instants, one row per target, one column per iteration, in the order of iterations."""
        rows = [self.found.of(row) for row in range(len(self.targets))]
        return np.array(rows, dtype=np.int64).reshape(len(rows), self.iterations)

    def samples(self, target: str = PROJECT) -> NDArray[np.int64]:
        """Finishes of one target in the order of iterations."""
        if target == PROJECT:
            return self.project_finish
        return self.found.of(_place(self._rows, target))

    def percentile(self, target: str, percent: float) -> int:
        """Instant that at least this percentage of iterations does not exceed (:func:`inverse_ecdf`)."""
        return inverse_ecdf(np.sort(self.samples(target)), percent)

    def probability(self, target: str, instant: int) -> float:
        """Share of iterations that finish at or before the instant."""
        return float(np.mean(self.samples(target) <= instant))

    def criticality_index(self) -> NDArray[np.float64]:
        """Share of iterations in which each activity is critical for the project finish, by activity row."""
        return np.asarray(self.critical / self.iterations)

    def driving_share(self, target: str) -> NDArray[np.float64]:
        """Share of iterations in which each activity drives a traced target, by activity row."""
        return np.asarray(self.driving[_place(self._traces, target)] / self.iterations)

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {name: row for row, name in enumerate(self.targets)}

    @cached_property
    def _traces(self) -> Mapping[str, int]:
        return {name: row for row, name in enumerate(self.traced)}


def _place(rows: Mapping[str, int], target: str) -> int:
    if target not in rows:
        raise ValueError(f"{target!r} is not among the targets of this run")
    return rows[target]


def inverse_ecdf(ordered: NDArray[np.int64], percent: float) -> int:
    """Return the smallest value that at least this percentage of iterations does not exceed, without interpolation."""
    return int(ordered[_rank(len(ordered), percent) - 1])


def percentile_error(ordered: NDArray[np.int64], percent: float) -> float:
    """Standard error of a percentile, in the unit of the values.

    Half the distance between the order statistics one binomial standard deviation below and above the percentile's rank
    (Woodruff 1952).
    """
    count, share = len(ordered), percent / 100
    spread = math.sqrt(count * share * (1 - share))
    low = max(1, math.floor(count * share - spread))
    high = min(count, math.ceil(count * share + spread))
    return float(ordered[high - 1] - ordered[low - 1]) / 2


def mean_error(values: NDArray[np.int64]) -> float:
    """Standard error of the mean."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values)))


def probability_interval(held: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of a probability of which ``held`` of ``count`` iterations were seen (Wilson 1927)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, extra = held / count, z * z / count
    middle = (share + extra / 2) / (1 + extra)
    half = z * math.sqrt(share * (1 - share) / count + extra / (4 * count)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def _rank(count: int, percent: float) -> int:
    # A product such as 0.8 * 1000 may come out a hair above the whole number that it is.
    return min(count, max(1, math.ceil(percent * count / 100 - 1e-9)))


def shares_within(values: NDArray[np.int64], instants: Sequence[int]) -> NDArray[np.float64]:
    """Share of iterations at or before each instant: the S-curve."""
    return np.searchsorted(np.sort(values), np.asarray(instants), side="right") / len(values)
