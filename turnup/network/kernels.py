"""Compiled loops over the graph: maximum flow, the worst single failure, the path of least latency.

Belongs here: loops over arrays of numbers. Does not: names, units or rules of the domain. Flows are found by shortest
augmenting paths (Edmonds and Karp, 1972); a circuit carries its capacity either way, so its two arcs share residuals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numba
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Small = NDArray[np.int32]
    Long = NDArray[np.int64]
    Flags = NDArray[np.bool_]

Function = TypeVar("Function", bound="Callable[..., object]")
_UNSEEN, _START = -2, -1
_FAR = 2**62


def kernel(function: Function) -> Function:
    """Compile a loop of this module, kept on disk as long as the module is unchanged; it must take in no other's."""
    try:
        return numba.njit(cache=True, error_model="numpy")(function)  # type: ignore[no-any-return]
    except RuntimeError:
        # Neither the folder of the source nor the cache folder can be written: compile in every process.
        return numba.njit(error_model="numpy")(function)  # type: ignore[no-any-return]


class Graph(NamedTuple):
    """What the loops read of a network; see ``Network`` for the arrays."""

    first_arc: Small
    arcs: Small
    head: Small
    region: Small


class Risks(NamedTuple):
    """Failures one after the other: ``circuit[first[f]:first[f + 1]]`` go with failure ``f``; ``site`` is -1 or one.

    ``lone`` marks the sites that alone connect their region with others.
    """

    first: Small
    circuit: Small
    site: Small
    lone: Flags


@kernel
def _nearest(graph: Graph, source: int, sink: int, residual: Long, into: Small, queue: Small) -> int:
    """The nearest site of the sink that residual capacity leads to, or -1; ``into`` is the arc into each site."""
    begin, end = 0, 0
    for site in range(graph.region.size):
        into[site] = _UNSEEN
        if graph.region[site] == source:
            into[site] = _START
            queue[end] = site
            end += 1
    while begin < end:
        site = queue[begin]
        begin += 1
        for place in range(graph.first_arc[site], graph.first_arc[site + 1]):
            arc = graph.arcs[place]
            there = graph.head[arc]
            if residual[arc] > 0 and into[there] == _UNSEEN:
                into[there] = arc
                if graph.region[there] == sink:
                    return int(there)
                queue[end] = there
                end += 1
    return -1


@kernel
def _pushed(graph: Graph, reached: int, most: int, residual: Long, into: Small) -> int:
    """What one augmenting path takes, at most ``most``; the residuals are left without it."""
    least, site = most, reached
    while into[site] >= 0:
        arc = into[site]
        least = min(least, residual[arc])
        site = graph.head[arc ^ 1]
    site = reached
    while into[site] >= 0:
        arc = into[site]
        residual[arc] -= least
        residual[arc ^ 1] += least
        site = graph.head[arc ^ 1]
    return least


@kernel
def _flow(graph: Graph, source: int, sink: int, limit: int, residual: Long, into: Small, queue: Small) -> int:
    """Flow from all sites of one region to all of another, at most ``limit``; ``residual`` is left as it ends.

    Below the limit, the sites on the source's side of a least cut are those that ``into`` does not call unseen.
    """
    flow = 0
    while flow < limit:
        reached = _nearest(graph, source, sink, residual, into, queue)
        if reached < 0:
            break
        flow += _pushed(graph, reached, limit - flow, residual, into)
    return flow


@kernel
def _open(capacity: Long, residual: Long) -> None:
    for circuit in range(capacity.size):
        residual[2 * circuit] = residual[2 * circuit + 1] = capacity[circuit]


@kernel
def _around(graph: Graph, capacity: Long) -> Long:
    """Per region, what its circuits to other regions carry together: no flow from or to it is larger."""
    total = np.zeros(graph.region.max() + 1 if graph.region.size else 0, np.int64)
    for circuit in range(capacity.size):
        a, z = graph.region[graph.head[2 * circuit + 1]], graph.region[graph.head[2 * circuit]]
        if a != z:
            total[a] += capacity[circuit]
            total[z] += capacity[circuit]
    return total


@kernel
def _sent_through(
    graph: Graph, risks: Risks, ends: tuple[int, int], capacity: Long, residual: Long, bound: Long
) -> None:
    """Per failure, what it takes of a flow at most.

    Through a site between the ends everything passes twice. A site that alone connects an end is no failure of the
    pair: without it there is nothing to connect.
    """
    for failure in range(bound.size):
        total = 0
        for place in range(risks.first[failure], risks.first[failure + 1]):
            circuit = risks.circuit[place]
            total += abs(capacity[circuit] - residual[2 * circuit])
        site = risks.site[failure]
        if site >= 0:
            own = graph.region[site]
            if own not in ends:
                total = (total + 1) // 2
            elif risks.lone[site]:
                total = 0
        bound[failure] = total


@kernel
def _fail(risks: Risks, failure: int, residual: Long) -> None:
    for place in range(risks.first[failure], risks.first[failure + 1]):
        circuit = risks.circuit[place]
        residual[2 * circuit] = residual[2 * circuit + 1] = 0


@kernel
def worst_failures(graph: Graph, risks: Risks, capacity: Long, pairs: Small) -> tuple[Long, Long, Small]:
    """Per pair of regions: maximum flow, the least that any single failure leaves, and which one (-1: none lowers it).

    Failures are tried from the one that may take most downwards, and only until that bound excludes the rest.
    """
    into, queue = np.empty(graph.region.size, np.int32), np.empty(graph.region.size, np.int32)
    residual, left = np.empty(2 * capacity.size, np.int64), np.empty(2 * capacity.size, np.int64)
    bound = np.empty(risks.site.size, np.int64)
    around = _around(graph, capacity)
    flows, least = np.empty(len(pairs), np.int64), np.empty(len(pairs), np.int64)
    worst = np.full(len(pairs), -1, np.int32)
    for pair in range(len(pairs)):
        source, sink = pairs[pair, 0], pairs[pair, 1]
        _open(capacity, residual)
        most = min(around[source], around[sink])
        flow = _flow(graph, source, sink, most, residual, into, queue)
        flows[pair] = least[pair] = flow
        _sent_through(graph, risks, (source, sink), capacity, residual, bound)
        while True:
            failure = int(np.argmax(bound)) if bound.size else 0
            limit = least[pair]
            if not bound.size or flow - bound[failure] >= limit:
                break
            _open(capacity, left)
            _fail(risks, failure, left)
            remains = _flow(graph, source, sink, limit, left, into, queue)
            bound[failure] = 0
            if remains < limit:
                least[pair], worst[pair] = remains, failure
    return flows, least, worst


@kernel
def flows(graph: Graph, capacity: Long, pairs: Small) -> Long:
    """Maximum flow of every pair."""
    into, queue = np.empty(graph.region.size, np.int32), np.empty(graph.region.size, np.int32)
    residual, found = np.empty(2 * capacity.size, np.int64), np.empty(len(pairs), np.int64)
    for pair in range(len(pairs)):
        _open(capacity, residual)
        found[pair] = _flow(graph, pairs[pair, 0], pairs[pair, 1], _FAR, residual, into, queue)
    return found


@kernel
def cuts(graph: Graph, risks: Risks, capacity: Long, pairs: Small, down: Small) -> Flags:
    """Per pair and circuit, whether it crosses the least cut nearest to the source, after a failure (-1: none)."""
    into, queue = np.empty(graph.region.size, np.int32), np.empty(graph.region.size, np.int32)
    residual = np.empty(2 * capacity.size, np.int64)
    crossing = np.zeros((len(pairs), capacity.size), np.bool_)
    for pair in range(len(pairs)):
        _open(capacity, residual)
        if down[pair] >= 0:
            _fail(risks, down[pair], residual)
        _flow(graph, pairs[pair, 0], pairs[pair, 1], _FAR, residual, into, queue)
        for circuit in range(capacity.size):
            there = residual[2 * circuit] + residual[2 * circuit + 1] > 0
            near, far = into[graph.head[2 * circuit]] == _UNSEEN, into[graph.head[2 * circuit + 1]] == _UNSEEN
            crossing[pair, circuit] = there and near != far
    return crossing


@kernel
def _next(distance: Long, hops: Long, done: Flags) -> int:
    """The nearest site that was reached and is not done, or -1."""
    here = -1
    for site in range(done.size):
        if not done[site] and distance[site] < _FAR:
            if here < 0 or (distance[site], hops[site]) < (distance[here], hops[here]):
                here = site
    return here


@kernel
def _walked(graph: Graph, into: Small, site: int) -> Small:
    """The arcs by which a site was reached, last one first."""
    path, length = np.empty(into.size, np.int32), 0
    while into[site] >= 0:
        path[length] = into[site]
        length += 1
        site = graph.head[into[site] ^ 1]
    return path[:length]


@kernel
def least_latency(graph: Graph, latency: Long, usable: Flags, source: int, sink: int) -> Small:
    """The arcs of the path of least latency between two regions, last one first; fewer hops where latencies are equal.

    Empty when there is none. Dijkstra's algorithm (1959), each step over all sites.
    """
    sites = graph.region.size
    distance, hops = np.full(sites, _FAR), np.full(sites, sites + 1)
    into, done = np.full(sites, -1, np.int32), np.zeros(sites, np.bool_)
    for site in range(sites):
        if graph.region[site] == source:
            distance[site], hops[site] = 0, 0
    here = _next(distance, hops, done)
    while here >= 0 and graph.region[here] != sink:
        done[here] = True
        for place in range(graph.first_arc[here], graph.first_arc[here + 1]):
            arc = graph.arcs[place]
            there = graph.head[arc]
            if usable[arc // 2] and not done[there]:
                reach, steps = distance[here] + latency[arc // 2], hops[here] + 1
                if (reach, steps) < (distance[there], hops[there]):
                    distance[there], hops[there], into[there] = reach, steps, arc
        here = _next(distance, hops, done)
    return _walked(graph, into, here) if here >= 0 else into[:0]
