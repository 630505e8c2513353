"""Bootstrap of weekly throughput: seeded, exact in thousandths of a unit, without interpolation.

Belongs here: arithmetic on arrays. Does not: tables, or what the figures mean.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NEVER = np.iinfo(np.int64).max
_CHUNK_WEEKS = 26


def generator(seed: int, scope: str) -> np.random.Generator:
    """Return the generator of one scope: the programme's seed and the scope's name decide every draw."""
    digest = hashlib.sha256(scope.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])


def weeks_to_reach(
    increments: NDArray[np.int64], remaining: int, iterations: int, horizon: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw weekly increments with replacement until the remaining quantity is reached, for each run.

    Returns:
        Sorted number of weeks per run; NEVER for a run that does not get there within the horizon.
    """
    weeks = np.full(iterations, NEVER, dtype=np.int64)
    total = np.zeros(iterations, dtype=np.int64)
    for start in range(0, horizon, _CHUNK_WEEKS):
        span = min(_CHUNK_WEEKS, horizon - start)
        drawn = np.cumsum(rng.choice(increments, size=(iterations, span)), axis=1) + total[:, None]
        reached = drawn >= remaining
        first = reached.argmax(axis=1)
        hit = reached[np.arange(iterations), first] & (weeks == NEVER)
        weeks[hit] = start + first[hit] + 1
        total = drawn[:, -1]
        if not (weeks == NEVER).any():
            break
    return np.sort(weeks)


def cumulative_paths(
    increments: NDArray[np.int64], iterations: int, weeks: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return cumulative drawn increments, one row per run and one column per week, each column sorted upwards."""
    return np.sort(np.cumsum(rng.choice(increments, size=(iterations, weeks)), axis=1), axis=0)


def slowest_of(
    members: Sequence[tuple[NDArray[np.int64], int]], iterations: int, horizon: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Weeks until every member has reached its own remaining quantity, per run, sorted; members are independent."""
    slowest = np.zeros(iterations, dtype=np.int64)
    for increments, remaining in members:
        weeks = weeks_to_reach(increments, remaining, iterations, horizon, rng)
        slowest = np.maximum(slowest, rng.permutation(weeks))
    return np.sort(slowest)


def capped_paths(
    members: Sequence[tuple[NDArray[np.int64], int]], iterations: int, weeks: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sum over members of cumulative drawn increments, each at most its remaining quantity; columns sorted upwards."""
    total = np.zeros((iterations, weeks), dtype=np.int64)
    for increments, remaining in members:
        total += np.minimum(np.cumsum(rng.choice(increments, size=(iterations, weeks)), axis=1), remaining)
    return np.sort(total, axis=0)


def inverse_ecdf(ordered: NDArray[np.int64], percent: int) -> int:
    """Return the smallest value that at least this percentage of runs does not exceed (no interpolation)."""
    return int(ordered[max(1, math.ceil(percent * len(ordered) / 100)) - 1])


def reached_with_confidence(ordered: NDArray[np.int64], percent: int) -> int:
    """Return the largest value that at least this percentage of runs reaches."""
    return int(ordered[len(ordered) - max(1, math.ceil(percent * len(ordered) / 100))])
