"""A baseline from a population that is mostly healthy: the odd ones are taken out one round after another.

Two methods: ``robust`` takes out the nodes with a figure whose robust z is beyond the limit and beyond the tolerance,
on either side; ``cdf`` those whose distribution is not like that of the most typical node. What is left gives the
limit: its median, less the tolerance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from turnup.acceptance.expectations import Baseline, Relative
from turnup.acceptance.similarity import THRESHOLD, Sample, most_typical, similarity

Method = Literal["robust", "cdf"]
_NORMAL = 0.6745
_ROUNDS = 50


class NotEnough(ValueError):
    """Too few healthy nodes to learn from; the message has the counts."""


@dataclass(frozen=True)
class Learned:
    """What was learnt from a population.

    Attributes:
        value: median of the figures that were kept.
        kept: nodes that were kept.
        removed: nodes that were taken out, in the order in which that happened.
        rounds: rounds until none was odd.
        lowest, highest: of the figures that were kept.
    """

    value: float
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    rounds: int
    lowest: float
    highest: float
    method: Method


def learn(samples: Mapping[str, Sequence[float]], method: Method = "robust", limits: Relative | None = None) -> Learned:
    """Learn from the figures of each node; a node may have several (its GPUs, or repeated runs).

    Raises:
        NotEnough: fewer healthy nodes than ``limits.minimum_nodes``, or more nodes odd than healthy.
    """
    limits = limits or Relative()
    held: dict[str, Sample] = {
        node: np.asarray([value for value in values if np.isfinite(value)], dtype=np.float64)
        for node, values in sorted(samples.items())
    }
    held = {node: sample for node, sample in held.items() if sample.size}
    total, removed, rounds = len(held), [], 0
    while held and rounds < _ROUNDS:
        rounds += 1
        odd = _odd_robust(held, limits) if method == "robust" else _odd_cdf(held)
        if not odd:
            break
        removed += odd
        held = {node: sample for node, sample in held.items() if node not in odd}
    if len(held) < limits.minimum_nodes or len(held) <= len(removed):
        raise NotEnough(
            f"{len(held)} of {total} nodes are alike; at least {limits.minimum_nodes} and more than half are needed"
        )
    figures = np.concatenate(list(held.values()))
    return Learned(
        float(np.median(figures)),
        tuple(held),
        tuple(removed),
        rounds,
        float(figures.min()),
        float(figures.max()),
        method,
    )


def _odd_robust(held: Mapping[str, Sample], limits: Relative) -> list[str]:
    """Nodes with a figure far from the others, worst first; none when all are within the tolerance."""
    figures = np.concatenate(list(held.values()))
    median = float(np.median(figures))
    mad = float(np.median(np.abs(figures - median)))
    distances = {node: float(np.max(np.abs(sample - median))) for node, sample in held.items()}
    odd = [
        node
        for node, distance in distances.items()
        if distance > limits.tolerance * abs(median) and (mad == 0 or _NORMAL * distance / mad > limits.robust_z)
    ]
    return sorted(odd, key=lambda node: (-distances[node], node))


def _odd_cdf(held: Mapping[str, Sample]) -> list[str]:
    names, samples = list(held), list(held.values())
    typical = samples[most_typical(samples)]
    return [name for name, sample in zip(names, samples, strict=True) if similarity(sample, typical) < THRESHOLD]


def as_baseline(learned: Learned, like: Baseline, *, higher_is_better: bool, tolerance: float, origin: str) -> Baseline:
    """The limit that was learnt, in the place of ``like``; its source says from how many nodes and how.

    Args:
        learned: what was learnt.
        like: SKU, test, metric, statistic, size and unit.
        higher_is_better: false for times.
        tolerance: how far from the median a good figure may be, as a fraction.
        origin: where the figures come from, such as a week.
    """
    source = (
        f"learnt from {len(learned.kept)} of {len(learned.kept) + len(learned.removed)} nodes, {origin}: median, "
        f"{learned.method} removal of odd ones, {learned.rounds} rounds, {learned.lowest:g} to {learned.highest:g}"
    )
    operator = ">=" if higher_is_better else "<="
    bands = {"lower": -tolerance, "upper": 0.0} if higher_is_better else {"lower": 0.0, "upper": tolerance}
    return like.model_copy(update={"operator": operator, "value": learned.value, "source": source, **bands})
