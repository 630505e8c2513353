"""Circuits between sites and the graph that they make.

Belongs here: the words of the domain and the graph as arrays. Does not: any algorithm on it.
Capacity is in Mbit/s and latency in microseconds, both whole numbers: no sum depends on its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from turnup.network.spans import Span

MOST_MBPS = 2**60
"""All circuits together: sums stay exact in 64 bits."""


@dataclass(frozen=True, order=True)
class Circuit:
    """A circuit between two sites.

    Attributes:
        key: what it is known by.
        a_site, z_site: keys of the sites that it joins; both directions carry ``mbps``.
        latency_us: round trip, None when it is not known.
        spans: what it rides on; none means not known, so nothing proves what it fails together with.
        group: its diversity group: the circuits of one group fail together.
        name: how it is spelled.
    """

    key: str
    a_site: str
    z_site: str
    mbps: int
    latency_us: int | None = None
    spans: tuple[Span, ...] = ()
    group: str | None = None
    name: str = ""

    @property
    def label(self) -> str:
        """The name that people read."""
        return self.name or self.key


@dataclass(frozen=True)
class Network:
    """A graph of sites, regions and circuits, in order of their keys whatever order they were given in.

    ``arcs[first_arc[s]:first_arc[s + 1]]`` leave site ``s``. Arc ``2 * c`` goes from the A to the Z end of circuit
    ``c``, arc ``2 * c + 1`` back; ``head`` is the site where an arc ends. ``lone`` marks sites that are the only one
    of their region with a circuit to another region.
    """

    circuits: tuple[Circuit, ...]
    sites: tuple[str, ...]
    regions: tuple[str, ...]
    region: np.ndarray
    mbps: np.ndarray
    latency_us: np.ndarray
    head: np.ndarray
    first_arc: np.ndarray
    arcs: np.ndarray
    lone: np.ndarray

    @property
    def all_pairs(self) -> list[tuple[str, str]]:
        """Every pair of regions, by name."""
        return list(combinations(self.regions, 2))

    def numbers(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """Pairs of regions as an array of two numbers each."""
        place = {name: number for number, name in enumerate(self.regions)}
        return np.array([(place[a], place[b]) for a, b in pairs], np.int32).reshape(len(pairs), 2)

    def mask(self, keys: Iterable[str]) -> np.ndarray:
        """Which circuits bear one of these keys."""
        wanted = set(keys)
        return np.array([circuit.key in wanted for circuit in self.circuits], np.bool_)

    @property
    def routed(self) -> np.ndarray:
        """Which circuits have known spans."""
        return np.array([bool(circuit.spans) for circuit in self.circuits], np.bool_)


def network_of(
    circuits: Iterable[Circuit], regions: Mapping[str, str] | None = None, also: Iterable[str] = ()
) -> Network:
    """The graph of some circuits.

    Args:
        circuits: in any order; one from a site to itself joins nothing.
        regions: region of each site; a site without one is a region of its own.
        also: sites or regions that belong to the graph although no circuit reaches them.

    Raises:
        ValueError: two circuits bear one key, a capacity is negative, or their sum is beyond counting.
    """
    ordered = tuple(sorted(circuits, key=lambda circuit: circuit.key))
    for first, second in pairwise(ordered):
        if first.key == second.key:
            raise ValueError(f"two circuits are called '{first.key}': expected one row for each")
    for circuit in ordered:
        if circuit.mbps < 0:
            raise ValueError(f"circuit '{circuit.key}' has a capacity of {circuit.mbps} Mbit/s: expected 0 or more")
    if sum(circuit.mbps for circuit in ordered) > MOST_MBPS:
        raise ValueError(f"all circuits together carry more than {MOST_MBPS} Mbit/s: a unit must be wrong")
    ends = {site for circuit in ordered for site in (circuit.a_site, circuit.z_site)}
    sites = tuple(sorted(ends | set(also)))
    region_of = {site: (regions or {}).get(site, site) for site in sites}
    names = tuple(sorted(set(region_of.values())))
    number, place = {name: n for n, name in enumerate(names)}, {site: n for n, site in enumerate(sites)}
    a = np.array([place[circuit.a_site] for circuit in ordered], np.int32)
    z = np.array([place[circuit.z_site] for circuit in ordered], np.int32)
    tail, head = _interleaved(a, z), _interleaved(z, a)
    counts = np.bincount(tail, minlength=len(sites))
    region = np.array([number[region_of[site]] for site in sites], np.int32)
    return Network(
        circuits=ordered,
        sites=sites,
        regions=names,
        region=region,
        mbps=np.array([0 if c.a_site == c.z_site else c.mbps for c in ordered], np.int64),
        latency_us=np.array([-1 if c.latency_us is None else c.latency_us for c in ordered], np.int64),
        head=head,
        first_arc=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        arcs=np.argsort(tail, kind="stable").astype(np.int32),
        lone=_lone(region, tail, head),
    )


def _lone(region: np.ndarray, tail: np.ndarray, head: np.ndarray) -> np.ndarray:
    """The sites that alone connect their region with others."""
    gateway = np.zeros(len(region), np.bool_)
    gateway[tail[region[tail] != region[head]]] = True
    alone: np.ndarray = np.bincount(region[gateway], minlength=len(region))[region] == 1
    alone &= gateway
    return alone


def _interleaved(even: np.ndarray, odd: np.ndarray) -> np.ndarray:
    return np.stack((even, odd), axis=1).reshape(-1).astype(np.int32)
