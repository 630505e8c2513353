"""Quantile curves as tables with nodes that crowd towards both tails.

Belongs here: the nodes, the curves laid out on them, and how a random word finds its place. Does not: which curve an
activity follows.

A word below the middle stands for a share s, one above it for the mirror image 1 - s. Nodes lie at 2**k (1 + i / 32)
parts of 2**-24, so that the width of a cell is at most a thirty-second of its share: between nodes a curve is straight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import float32, int32
from scipy import special

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.draws import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_PER_OCTAVE = 32
_OCTAVES = 23
NODES = _PER_OCTAVE * _OCTAVES + 1
"""Nodes of one half of a curve; the half above the middle follows the half below."""
_LOW_BITS = 18
_LOW_MASK = (1 << _LOW_BITS) - 1
_FIRST = 127 * _PER_OCTAVE
_HALF = WORDS // 2
_LAST = WORDS - 1

CDF_REACH = 6.0
CDF_CELLS = 4096


def _shares() -> NDArray[np.float64]:
    octave, step = np.divmod(np.arange(NODES), _PER_OCTAVE)
    return np.asarray(np.ldexp(1.0 + step / _PER_OCTAVE, octave - 24))


def curve(
    below: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    above: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Floats:
    """Lay out a curve.

    Args:
        below: value that a share does not exceed.
        above: value that a share does exceed, which keeps its precision where 1 - s would not.
    """
    shares = _shares()
    return np.concatenate([below(shares), above(shares)]).astype(np.float32)


def normal_curve() -> Floats:
    """Standard normal quantiles."""
    return curve(special.ndtri, lambda shares: -special.ndtri(shares))


def beta_curve(alpha: float, beta: float) -> Floats:
    """Quantiles of a beta distribution on 0 to 1."""
    return curve(
        lambda shares: special.betaincinv(alpha, beta, shares),
        lambda shares: special.betainccinv(alpha, beta, shares),
    )


def normal_shares() -> Floats:
    """Share of a standard normal at or below each of evenly spaced scores, from -CDF_REACH to CDF_REACH."""
    return np.asarray(special.ndtr(np.linspace(-CDF_REACH, CDF_REACH, CDF_CELLS + 1)), dtype=np.float32)


@hot_kernel(inline=True)
def place(word: int) -> tuple[int, float]:
    """Return the node at or before a word, and how far it lies towards the next one, 0 to 1."""
    above = word >= _HALF
    mirrored = _LAST - word if above else word
    bits = np.float32(2 * mirrored + 1).view(np.int32)
    node = int32((bits >> _LOW_BITS) - _FIRST + (NODES if above else 0))
    return node, float32(bits & _LOW_MASK) * float32(1.0 / (1 << _LOW_BITS))


@hot_kernel(inline=True)
def on_curve(curves: Floats, start: int, node: int, part: float) -> float:
    """Return the value of the curve that begins at ``start``."""
    low = curves[start + node]
    return low + part * (curves[start + node + 1] - low)  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def word_of_score(shares: Floats, score: float) -> int:
    """Return the word that stands for the share of a standard normal at or below a score."""
    at = (min(max(score, float32(-CDF_REACH)), float32(CDF_REACH)) + float32(CDF_REACH)) * float32(
        CDF_CELLS / (2 * CDF_REACH)
    )
    cell = min(int32(at), int32(CDF_CELLS - 1))
    low = shares[cell]
    share = low + (at - float32(cell)) * (shares[cell + 1] - low)
    return min(int32(share * float32(WORDS)), int32(_LAST))  # type: ignore[no-any-return]
