"""What regions can send each other: with everything up, and with the worst single thing down.

Belongs here: maximum flow, N-1 and the circuits that bound them. Does not: weeks or demand. The flow of a pair is that
of the pair alone: all pairs at once share the same circuits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from turnup.network.circuits import Network
from turnup.network.failures import Failure, Failures, failures_of
from turnup.network.kernels import Graph, Risks, cuts, worst_failures

Pair = tuple[str, str]


@dataclass(frozen=True)
class Capacity:
    """Mbit/s that one pair of regions can send.

    A failure is that of a span, a diversity group, a circuit without known spans, or a site: any between the two
    regions, and those of a region at the end that other sites connect as well.

    Attributes:
        mbps: with everything up.
        least, most: bounds of what is left after the worst single failure. They differ where circuits without
            known spans matter: at worst all of these fail together, whatever else fails; at best each fails alone.
        worst: the failure that leaves ``most``; None where no failure takes anything.
    """

    mbps: int
    least: int
    most: int
    worst: Failure | None

    @property
    def n1(self) -> int | None:
        """What is left after the worst single failure; None where missing spans leave it open."""
        return self.least if self.least == self.most else None


def graph_of(network: Network) -> Graph:
    """The arrays that the compiled loops read."""
    return Graph(network.first_arc, network.arcs, network.head, network.region)


def capacities(
    network: Network, pairs: Sequence[Pair], up: np.ndarray | None = None, failures: Failures | None = None
) -> list[Capacity]:
    """Capacity of pairs of regions, in their order.

    Args:
        network: all circuits.
        pairs: names of regions.
        up: which circuits are there; all when None.
        failures: those of the network, when they are at hand.
    """
    found = failures or failures_of(network)
    capacity = network.mbps if up is None else np.where(up, network.mbps, 0)
    graph, numbers = graph_of(network), network.numbers(pairs)
    risks = Risks(found.first, found.circuit, found.site, network.lone)
    flows, most, worst = worst_failures(graph, risks, capacity, numbers)
    proved = np.where(network.routed, capacity, 0)
    least = most if np.array_equal(proved, capacity) else worst_failures(graph, risks, proved, numbers)[1]
    return [
        Capacity(int(flow), int(low), int(high), found.items[number] if number >= 0 else None)
        for flow, low, high, number in zip(flows, least, most, worst, strict=True)
    ]


def bottlenecks(
    network: Network,
    pairs: Sequence[Pair],
    up: np.ndarray | None = None,
    down: Sequence[Failure | None] | None = None,
    failures: Failures | None = None,
) -> list[tuple[str, ...]]:
    """Per pair the names of the circuits that bound its flow: the least cut nearest to the first region.

    Args:
        network: all circuits.
        pairs: names of regions.
        up: which circuits are there; all when None.
        down: per pair a failure that takes its circuits; none when None.
        failures: those of the network, when they are at hand.
    """
    found = failures or failures_of(network)
    capacity = network.mbps if up is None else np.where(up, network.mbps, 0)
    place = {item: number for number, item in enumerate(found.items)}
    failed = np.array([-1 if item is None else place[item] for item in down or [None] * len(pairs)], np.int32)
    risks = Risks(found.first, found.circuit, found.site, network.lone)
    crossing = cuts(graph_of(network), risks, capacity, network.numbers(pairs), failed)
    return [tuple(sorted(network.circuits[number].label for number in np.flatnonzero(row))) for row in crossing]
