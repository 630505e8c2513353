"""What the network carries from this week on: states of region pairs, and which planned circuit relieves what.

Belongs here: weeks, demand, states and relief. Does not: the algorithms (``capacity``, ``paths``), or tables.
A week is a number: 0 is the present one, 1 the next. A planned circuit counts from the week that it is expected in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from turnup.network.capacity import Capacity, Pair, bottleneck, capacities, graph_of
from turnup.network.circuits import Circuit, Network, network_of
from turnup.network.failures import Failure, Failures, failures_of
from turnup.network.kernels import flows
from turnup.network.paths import Paths, paths

NO_PATH, SHORT, SHORT_N1, UNKNOWN_N1 = "no path", "short", "short at N-1", "N-1 unknown"
COVERED_MID, COVERED, NO_DEMAND = "covered to mid", "covered", "no demand known"
MOST_REGIONS = 40
"""Up to so many regions every pair is followed; beyond, those with demand or with a circuit of their own."""


@dataclass(frozen=True)
class Scheduled:
    """A circuit, and the week from which it serves: 0 now, None when nobody says."""

    circuit: Circuit
    week: int | None


@dataclass(frozen=True)
class Demand:
    """What a pair is expected to need, Mbit/s; a case that is not given is None."""

    low: int | None = None
    mid: int | None = None
    high: int | None = None

    @property
    def need(self) -> int | None:
        """The case that a pair is judged by: the middle one, else the high, else the low one."""
        return next((case for case in (self.mid, self.high, self.low) if case is not None), None)


@dataclass(frozen=True)
class PairWeek:
    """A pair of regions in one week.

    Attributes:
        bound_by: circuits that bound the flow with everything up.
        n1_bound_by: circuits that bound what is left after the worst failure.
    """

    pair: Pair
    week: int
    capacity: Capacity
    paths: Paths
    bound_by: tuple[str, ...]
    n1_bound_by: tuple[str, ...]
    demand: Demand | None
    state: str


@dataclass(frozen=True)
class Relief:
    """What one planned circuit adds for a pair once those expected before it are there.

    Attributes:
        week: when; None while it has no date, and it then counts after all that have one.
        mbps, n1_mbps: gain in capacity, and in what is sure to be left after the worst single failure.
        bottleneck: circuits that bounded the flow, or what was left after ``failure``, before.
        failure: the worst failure before, where the gain is one of N-1 alone.
        needs: planned circuits without which it would add less.
    """

    pair: Pair
    circuit: str
    week: int | None
    mbps: int
    n1_mbps: int
    bottleneck: tuple[str, ...]
    failure: Failure | None
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Outlook:
    """Every pair in every week, and what relieves it."""

    weeks: tuple[PairWeek, ...]
    relief: tuple[Relief, ...]


def state_of(capacity: Capacity, demand: Demand | None) -> str:
    """The state of a pair against its demand; without a demand there is nothing to be covered."""
    need = demand.need if demand else None
    if need is None or demand is None:
        return NO_DEMAND
    if capacity.mbps < need:
        return SHORT if capacity.mbps else NO_PATH
    if capacity.most < need:
        return SHORT_N1
    if capacity.least < need:
        return UNKNOWN_N1
    return COVERED_MID if demand.high is not None and capacity.least < demand.high else COVERED


def outlook(
    scheduled: Iterable[Scheduled],
    regions: Mapping[str, str],
    demand: Mapping[Pair, Mapping[int, Demand]],
    last_week: int,
) -> Outlook:
    """Follow every pair of regions from week 0 to ``last_week``.

    Args:
        scheduled: circuits; those without a week join no week's network, but are tried for relief.
        regions: region of each site.
        demand: per pair (in order of names) its demand by week; between two weeks the earlier one holds, and after
            the last there is none.
        last_week: the last week to follow.
    """
    by_key = {item.circuit.key: item for item in sorted(scheduled, key=lambda item: item.circuit.key)}
    reached = {
        regions.get(site, site) for item in by_key.values() for site in (item.circuit.a_site, item.circuit.z_site)
    }
    unreached = {end for pair in demand for end in pair} - reached
    network = network_of([item.circuit for item in by_key.values()], regions, unreached)
    week_of = [by_key[circuit.key].week for circuit in network.circuits]
    failures = failures_of(network)
    pairs = _followed(network, {pair for pair in demand if set(pair) <= set(network.regions)})
    return Outlook(
        tuple(_weeks(network, failures, pairs, week_of, demand, last_week)),
        tuple(_relief(network, failures, pairs, week_of)),
    )


def _followed(network: Network, demanded: set[Pair]) -> list[Pair]:
    """The pairs that are followed: all that some circuits could ever join, and all with demand."""
    pairs = network.all_pairs
    if len(network.regions) > MOST_REGIONS:
        region = dict(zip(network.sites, (network.regions[number] for number in network.region), strict=True))
        direct = {tuple(sorted((region[c.a_site], region[c.z_site]))) for c in network.circuits}
        pairs = [pair for pair in pairs if pair in direct or pair in demanded]
    joined = flows(graph_of(network), network.mbps, network.numbers(pairs))
    return [pair for pair, mbps in zip(pairs, joined, strict=True) if mbps or pair in demanded]


def _weeks(
    network: Network,
    failures: Failures,
    pairs: Sequence[Pair],
    week_of: Sequence[int | None],
    demand: Mapping[Pair, Mapping[int, Demand]],
    last_week: int,
) -> list[PairWeek]:
    rows: list[PairWeek] = []
    changes = {week for week in week_of if week is not None}
    for week in range(last_week + 1):
        if week == 0 or week in changes:
            up = np.array([start is not None and start <= week for start in week_of], np.bool_)
            found = _facts(network, failures, pairs, up)
        for pair, (capacity, ways, bound_by, n1_bound_by) in zip(pairs, found, strict=True):
            wanted = _in_week(demand.get(pair, {}), week)
            state = state_of(capacity, wanted)
            rows.append(PairWeek(pair, week, capacity, ways, bound_by, n1_bound_by, wanted, state))
    return rows


_Facts = tuple[Capacity, Paths, tuple[str, ...], tuple[str, ...]]


def _facts(network: Network, failures: Failures, pairs: Sequence[Pair], up: np.ndarray) -> list[_Facts]:
    carried = capacities(network, pairs, up, failures)
    ways = paths(network, pairs, up, failures)
    return [
        (capacity, way, bottleneck(network, pair, up), bottleneck(network, pair, up, capacity.worst))
        for pair, capacity, way in zip(pairs, carried, ways, strict=True)
    ]


def _in_week(demand: Mapping[int, Demand], week: int) -> Demand | None:
    known = sorted(demand)
    place = bisect_right(known, week)
    return demand[known[place - 1]] if place and week <= known[-1] else None


def _relief(network: Network, failures: Failures, pairs: Sequence[Pair], week_of: Sequence[int | None]) -> list[Relief]:
    """Add the planned circuits one by one, by week and name, those without a date last, and keep what each adds."""
    up = np.array([week == 0 for week in week_of], np.bool_)
    planned = [number for number in range(len(week_of)) if not up[number]]
    planned.sort(key=lambda number: (week_of[number] is None, week_of[number] or 0, number))
    before = dict(zip(pairs, capacities(network, pairs, up, failures), strict=True))
    final = capacities(network, pairs, None, failures)
    open_pairs = [
        pair for pair, at_last in zip(pairs, final, strict=True)
        if (at_last.mbps, at_last.least) != (before[pair].mbps, before[pair].least)
    ]  # fmt: skip
    found: list[Relief] = []
    for place, number in enumerate(planned):
        after_up = up.copy()
        after_up[number] = True
        for pair, after in zip(open_pairs, capacities(network, open_pairs, after_up, failures), strict=True):
            gain = after.mbps - before[pair].mbps, after.least - before[pair].least
            if any(gain):
                needs = _needs(network, failures, pair, up, number, planned[:place], gain)
                found.append(_one(network, pair, up, before[pair], number, week_of[number], gain, needs))
            before[pair] = after
        up = after_up
    return sorted(found, key=lambda row: (row.pair, row.week is None, row.week or 0, row.circuit))


def _needs(
    network: Network, failures: Failures, pair: Pair, up: np.ndarray, number: int, earlier: Sequence[int],
    gain: tuple[int, int],
) -> tuple[str, ...]:  # fmt: skip
    """The planned circuits without which a further one would add less."""
    needed = []
    for other in earlier:
        without, joined = up.copy(), up.copy()
        without[other] = joined[other] = False
        joined[number] = True
        ((old,), (new,)) = (capacities(network, [pair], there, failures) for there in (without, joined))
        if new.mbps - old.mbps < gain[0] or new.least - old.least < gain[1]:
            needed.append(network.circuits[other].label)
    return tuple(sorted(needed))


def _one(
    network: Network, pair: Pair, up: np.ndarray, before: Capacity, number: int, week: int | None,
    gain: tuple[int, int], needs: tuple[str, ...],
) -> Relief:  # fmt: skip
    down = None if gain[0] else before.worst
    return Relief(
        pair=pair,
        circuit=network.circuits[number].label,
        week=week,
        mbps=gain[0],
        n1_mbps=gain[1],
        bottleneck=bottleneck(network, pair, up, down),
        failure=down,
        needs=needs,
    )
