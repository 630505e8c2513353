"""How long a number of units takes, and how many units some days give, when days are like the days seen.

Belongs here: the exact distribution of sums of days drawn with replacement. Does not: weeks, dates, commitments.

Drawing days from the history until the units are done, thousands of times, estimates what is computed here exactly:
the probability that the sum of k drawn days reaches the units, for each k.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STATES = 20_000
"""Most steps that the units to do are counted in; finer histories are counted in larger steps of equal mean."""
_TAIL = 2.0**-30
"""Runs that take still longer are counted with the last day: fewer than one in a billion."""


def days_to_finish(history: Sequence[float], units: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return numbers of working days upwards, and the probability of being done within each.

    Args:
        history: units done on each working day seen, zero days included; one at least above zero.
        units: units to do; none takes no day.
    """
    steps, shares, target = _in_steps(history, units)
    if target == 0:
        return np.zeros(1), np.ones(1)
    left = np.zeros(target)  # by steps done so far; those that are done drop out
    left[0] = 1.0
    done = [0.0]
    while left.sum() > _TAIL:
        left = _one_day_more(left, steps, shares)
        done.append(1.0 - left.sum())
    found = np.maximum.accumulate(np.array(done))
    found[-1] = 1.0
    first = int(np.argmax(found > 0.0))
    return np.arange(first, len(found), dtype=np.float64), found[first:]


def units_within(history: Sequence[float], days: int, percent: float) -> float:
    """Return the largest number of units that at least this percentage of runs reaches in so many working days.

    It falls as the percentage rises: more confidence promises less.
    """
    steps, shares, _ = _in_steps(history, 0)
    size = _step(history)
    reached = np.zeros(int(steps.max()) * days + 1)
    reached[0] = 1.0
    for _ in range(days):
        reached = _one_day_more(reached, steps, shares)
    at_least = np.cumsum(reached[::-1])[::-1]
    return float(np.flatnonzero(at_least >= percent / 100 - 1e-12)[-1] * size)


def _one_day_more(
    done: NDArray[np.float64], steps: NDArray[np.int64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Move probability up by each day's steps; what leaves the array is done."""
    after = np.zeros_like(done)
    for step, share in zip(steps.tolist(), shares.tolist(), strict=True):
        if step < len(done):
            after[step:] += share * done[: len(done) - step]
    return after


def _step(history: Sequence[float]) -> Fraction:
    """Greatest step of which every day's units are a whole number."""
    exact = [Fraction(str(value)) for value in history if value]
    denominator = math.lcm(*(value.denominator for value in exact))
    return Fraction(math.gcd(*(int(value * denominator) for value in exact)), denominator)


def _in_steps(history: Sequence[float], units: float) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Steps of the days, their probabilities, and the steps to do."""
    size = max(_step(history), Fraction(str(units)) / STATES)
    share: dict[int, float] = {}
    for value in history:
        whole, part = divmod(Fraction(str(value)) / size, 1)
        # A day between two steps counts as either, in the proportion that keeps its mean.
        share[int(whole)] = share.get(int(whole), 0.0) + float(1 - part) / len(history)
        if part:
            share[int(whole) + 1] = share.get(int(whole) + 1, 0.0) + float(part) / len(history)
    ordered = sorted(share.items())
    steps = np.array([step for step, _ in ordered], dtype=np.int64)
    return steps, np.array([chance for _, chance in ordered]), math.ceil(Fraction(str(units)) / size)
