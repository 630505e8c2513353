"""How alike two samples of one figure are, by their whole distributions and not by their means.

The distance is the area between the two empirical distribution functions (the first Wasserstein distance), as a share
of the larger mean: one figure each, 95 against 100, is 0.05 apart. This follows the idea of the SuperBench paper
(arXiv:2402.06194), which compares nodes by the distributions of their samples, with a threshold of 0.95.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

THRESHOLD = 0.95

Sample = npt.NDArray[np.float64]


def similarity(left: Sample, right: Sample) -> float:
    """1 for equal distributions, less the further they are apart (0 at the least).

    Args:
        left: figures of one node, at least one, not negative.
        right: figures of another.
    """
    values = np.sort(np.concatenate([left, right]))
    gaps = np.diff(values)
    left_cdf = np.searchsorted(np.sort(left), values[:-1], side="right") / left.size
    right_cdf = np.searchsorted(np.sort(right), values[:-1], side="right") / right.size
    area = float(np.sum(np.abs(left_cdf - right_cdf) * gaps))
    scale = max(float(np.mean(left)), float(np.mean(right)))
    return max(0.0, 1.0 - area / scale) if scale > 0 else float(area == 0)


def most_typical(samples: Sequence[Sample]) -> int:
    """The sample that is most like all others: the one by which a population is known."""
    totals = [sum(similarity(sample, other) for other in samples) for sample in samples]
    return int(np.argmax(totals))
