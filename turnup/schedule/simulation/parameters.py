"""Distributions as the arrays from which the kernels draw.

Belongs here: the numbers behind each kind of distribution. Does not: drawing (``sampling``).

A value is ``base`` plus a float32 offset, rounded to a whole second, so that its precision is that of the spread and
not that of the value.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.simulation.curves import beta_curve, normal_curve, normal_shares
from turnup.schedule.simulation.distributions import (
    BetaPert,
    Distribution,
    Empirical,
    Fixed,
    Lognormal,
    Throughput,
    Triangular,
    Uniform,
)
from turnup.schedule.simulation.draws import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Small = NDArray[np.int32]
    Floats = NDArray[np.float32]

FIXED, TRIANGULAR, UNIFORM, PERT, LOGNORMAL, DISCRETE = range(6)
LONGEST = (1 << 30) - 1
"""Longest duration in seconds, 34 years; the tail of a lognormal beyond it is drawn as this."""
_PLACES = 64
"""Beta curves are laid out for this many places of the most likely value, and blended between them."""


class Parameters(NamedTuple):
    """Rows of parameters: activities by position, then impacts of risk events.

    Attributes:
        kind: FIXED, TRIANGULAR, ...
        base: least value in whole seconds.
        span: greatest value less ``base``; lognormal: the median.
        place: share of the span (of the draws, where triangular) below the likely value; PERT: how far the shape lies
            from the curve at ``table`` towards that at ``other``; lognormal: sigma.
        rise, fall: triangular: products of spans under the roots.
        table, other: where its curve begins; DISCRETE: where its outcomes begin, and how many.
        curves: quantile curves; the first is the normal one.
        shares: normal shares by score, see ``curves.word_of_score``.
        until, outcome: words below which each discrete outcome is drawn, and the outcome.
        keys: two per row.
        group: correlation group of the row, -1 for none.
        weight, rest: by group: square roots of rho and of 1 - rho.
        group_keys: two per group.
    """

    kind: NDArray[np.int8]
    base: Small
    span: Floats
    place: Floats
    rise: Floats
    fall: Floats
    table: Small
    other: Small
    curves: Floats
    shares: Floats
    until: Small
    outcome: Small
    keys: NDArray[np.uint32]
    group: Small
    weight: Floats
    rest: Floats
    group_keys: NDArray[np.uint32]


class Rows:
    """Parameter rows while they are filled."""

    def __init__(self, size: int) -> None:
        self.kind = np.zeros(size, dtype=np.int8)
        self.base = np.zeros(size)
        self.span, self.place, self.rise, self.fall = (np.zeros(size) for _ in range(4))
        self.table, self.other = (np.zeros(size, dtype=np.int32) for _ in range(2))
        self.curves = [normal_curve()]
        self.until: list[NDArray[np.int64]] = []
        self.outcome: list[NDArray[np.float64]] = []
        self._outcomes = 0
        self._beta: dict[tuple[float, int], int] = {}

    def fill(self, rows: Sequence[int], given: Sequence[Distribution], names: Sequence[str]) -> None:
        """Set rows to distributions.

        Raises:
            ValueError: a duration beyond LONGEST, naming it.
        """
        by_kind: dict[type[Distribution], list[int]] = {}
        for number, distribution in enumerate(given):
            by_kind.setdefault(type(distribution), []).append(number)
        for kind, numbers in by_kind.items():
            self._fillers[kind](self, np.array([rows[k] for k in numbers]), [given[k] for k in numbers])
            longest = self.base + np.where(self.kind == LOGNORMAL, 0.0, self.span)
            for k in numbers:
                if longest[rows[k]] > LONGEST:
                    raise ValueError(
                        f"{names[k]}: a duration of {longest[rows[k]]:.0f} s is above {LONGEST} s (34 years)"
                    )

    def _fixed(self, rows: NDArray[np.int64], given: Sequence[Fixed]) -> None:
        self.kind[rows] = FIXED
        self.base[rows] = [one.value for one in given]

    def _uniform(self, rows: NDArray[np.int64], given: Sequence[Uniform]) -> None:
        self.kind[rows] = UNIFORM
        self.base[rows] = [one.low for one in given]
        self.span[rows] = [one.high - one.low for one in given]

    def _triangular(self, rows: NDArray[np.int64], given: Sequence[Triangular]) -> None:
        low, likely, high = np.array([(one.low, one.likely, one.high) for one in given]).T
        self.kind[rows] = TRIANGULAR
        self.base[rows], self.span[rows] = low, high - low
        self.place[rows] = (likely - low) / np.where(high > low, high - low, 1)
        self.rise[rows], self.fall[rows] = (high - low) * (likely - low), (high - low) * (high - likely)

    def _pert(self, rows: NDArray[np.int64], given: Sequence[BetaPert]) -> None:
        self.kind[rows] = PERT
        for row, one in zip(rows, given, strict=True):
            self.base[row], self.span[row] = one.low, one.high - one.low
            at = _PLACES * (one.likely - one.low) / max(one.high - one.low, 1e-9)
            lower = min(math.floor(at), _PLACES - 1)
            self.table[row], self.other[row] = (self._beta_at(one.weight, lower + step) for step in (0, 1))
            self.place[row] = at - lower

    def _beta_at(self, weight: float, place: int) -> int:
        """Where the beta curve for a place of the likely value begins."""
        if (weight, place) not in self._beta:
            likely = weight * place / _PLACES
            self._beta[weight, place] = sum(map(len, self.curves))
            self.curves.append(beta_curve(1 + likely, 1 + weight - likely))
        return self._beta[weight, place]

    def _lognormal(self, rows: NDArray[np.int64], given: Sequence[Lognormal]) -> None:
        self.kind[rows] = LOGNORMAL
        self.span[rows] = [one.median for one in given]
        self.place[rows] = [one.sigma for one in given]

    def _discrete(self, rows: NDArray[np.int64], given: Sequence[Empirical | Throughput]) -> None:
        self.kind[rows] = DISCRETE
        for row, one in zip(rows, given, strict=True):
            values, shares = one.outcomes
            # Outcome i is drawn by the words whose middle, (word + 0.5) / WORDS, is at most its share.
            self.until.append(np.floor(shares * WORDS + 0.5).astype(np.int64))
            self.outcome.append(values)
            self.table[row], self.other[row] = self._outcomes, len(values)
            self.span[row] = values[-1]
            self._outcomes += len(values)

    _fillers: dict[type[Distribution], Callable[..., None]] = {
        Fixed: _fixed, Uniform: _uniform, Triangular: _triangular, BetaPert: _pert, Lognormal: _lognormal,
        Empirical: _discrete, Throughput: _discrete,
    }  # fmt: skip

    def done(
        self, keys: NDArray[np.uint32], group: Small, rho: Sequence[float], group_keys: NDArray[np.uint32]
    ) -> Parameters:
        """Return the rows as arrays."""
        # Offsets count from the rounded base, so that it stays exact.
        base = np.floor(self.base + 0.5)
        span = self.span
        return Parameters(
            kind=self.kind,
            base=base.astype(np.int32),
            span=span.astype(np.float32),
            place=self.place.astype(np.float32),
            rise=self.rise.astype(np.float32),
            fall=self.fall.astype(np.float32),
            table=self.table,
            other=self.other,
            curves=np.concatenate(self.curves),
            shares=normal_shares(),
            until=np.concatenate([*self.until, np.zeros(0)]).astype(np.int32),
            outcome=np.floor(np.concatenate([*self.outcome, np.zeros(0)]) + 0.5).astype(np.int32),
            keys=keys,
            group=group,
            weight=np.sqrt(np.array(rho, dtype=np.float64)).astype(np.float32),
            rest=np.sqrt(1 - np.array(rho, dtype=np.float64)).astype(np.float32),
            group_keys=group_keys,
        )
