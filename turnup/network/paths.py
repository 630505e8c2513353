"""Paths between regions: how many share nothing, the fastest, and the fastest that shares nothing with it.

Belongs here: paths and what they share. Does not: capacity. A circuit without known spans shares who knows what, so it
is on no path that is called separate from another; one without known latency is on no path that is timed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from turnup.network.capacity import Pair, graph_of
from turnup.network.circuits import Network
from turnup.network.failures import Failures, failures_of, sharing
from turnup.network.kernels import flows, least_latency


@dataclass(frozen=True)
class Path:
    """Circuits from the first region of a pair to the second, and their latency together, in microseconds."""

    circuits: tuple[str, ...]
    latency_us: int


@dataclass(frozen=True)
class Paths:
    """The paths of one pair.

    Attributes:
        separate: how many paths share no circuit, where circuits between the same two sites that share a span or a
            diversity group count as one, and those without known spans count only where there is no other.
        best: the path of least latency.
        second: the path of least latency that shares no circuit, span or diversity group with ``best``.
    """

    separate: int
    best: Path | None
    second: Path | None


def paths(
    network: Network, pairs: Sequence[Pair], up: np.ndarray | None = None, failures: Failures | None = None
) -> list[Paths]:
    """Paths of pairs of regions, in their order; the arguments are those of ``capacities``."""
    found = failures or failures_of(network)
    there = (network.mbps > 0) & (np.ones(len(network.circuits), np.bool_) if up is None else up)
    graph, numbers = graph_of(network), network.numbers(pairs)
    ones = np.zeros(len(network.circuits), np.int64)
    ones[list(_one_of_each(network, found, there & network.routed))] = 1
    separate = flows(graph, ones, numbers)
    joined = np.minimum(flows(graph, there.astype(np.int64), numbers), 1)
    return [
        Paths(int(max(number, any_path)), *_fastest(network, found, there, pair))
        for number, any_path, pair in zip(separate, joined, numbers, strict=True)
    ]


def _fastest(network: Network, failures: Failures, there: np.ndarray, pair: np.ndarray) -> tuple[Path | None, ...]:
    """The path of least latency, and that of the paths which share nothing with it."""
    graph, timed = graph_of(network), there & (network.latency_us >= 0)
    best = least_latency(graph, network.latency_us, timed, pair[0], pair[1]) // 2
    if not best.size:
        return None, None
    if not network.routed[best].all():
        return _path(network, best), None
    separate = timed & network.routed
    separate[list(sharing(failures, best.tolist()))] = False
    second = least_latency(graph, network.latency_us, separate, pair[0], pair[1]) // 2
    return _path(network, best), _path(network, second) if second.size else None


def _path(network: Network, circuits: np.ndarray) -> Path:
    names = tuple(network.circuits[number].label for number in circuits[::-1])
    return Path(names, int(network.latency_us[circuits].sum()))


def _one_of_each(network: Network, failures: Failures, there: np.ndarray) -> Iterator[int]:
    """The first of every set of circuits between the same two sites that are bound by shared spans or groups."""
    parallel: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number in np.flatnonzero(there).tolist():
        circuit = network.circuits[number]
        parallel[tuple(sorted((circuit.a_site, circuit.z_site)))].append(number)
    for numbers in parallel.values():
        left = set(numbers)
        while left:
            bound = {min(left)}
            yield min(left)
            grown = sharing(failures, bound) & left
            while grown != bound:
                bound, grown = grown, sharing(failures, grown) & left
            left -= bound
