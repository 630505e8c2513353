"""What the network carries from this week on: states of region pairs, and which planned circuit relieves what.

Belongs here: weeks, demand, states and relief. Does not: the algorithms (``capacity``, ``paths``), or tables.
A week is a number: 0 is the present one, 1 the next. A planned circuit counts from the week that it is expected in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from turnup.network.capacity import Capacity, Pair, bottlenecks, capacities, graph_of
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
        needs: planned circuits without any one of which it would add nothing.
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
    pairs = _followed(network, {pair for pair in demand if set(pair) <= set(network.regions)})
    steps = _steps(network, pairs, [by_key[circuit.key].week for circuit in network.circuits])
    return Outlook(tuple(_weeks(steps, demand, last_week)), tuple(_relief(steps)))


def _followed(network: Network, demanded: set[Pair]) -> list[Pair]:
    """The pairs that are followed: all that some circuits could ever join, and all with demand."""
    pairs = network.all_pairs
    if len(network.regions) > MOST_REGIONS:
        region = dict(zip(network.sites, (network.regions[number] for number in network.region), strict=True))
        direct = {tuple(sorted((region[c.a_site], region[c.z_site]))) for c in network.circuits}
        pairs = [pair for pair in pairs if pair in direct or pair in demanded]
    joined = flows(graph_of(network), network.mbps, network.numbers(pairs))
    return [pair for pair, mbps in zip(pairs, joined, strict=True) if mbps or pair in demanded]


@dataclass(frozen=True)
class _Step:
    """The network from one week on: what came with it, what is up, and what every pair can send."""

    week: int | None
    new: tuple[int, ...]
    up: np.ndarray
    capacity: tuple[Capacity, ...]


@dataclass(frozen=True)
class _Steps:
    """A network as it grows: the first step is the present, the last what has no date."""

    network: Network
    failures: Failures
    pairs: tuple[Pair, ...]
    steps: tuple[_Step, ...]

    def capacities(self, pairs: Sequence[Pair], up: np.ndarray) -> list[Capacity]:
        return capacities(self.network, pairs, up, self.failures)


def _steps(network: Network, pairs: Sequence[Pair], week_of: Sequence[int | None]) -> _Steps:
    failures = failures_of(network)
    weeks = sorted({0, *(week for week in week_of if week is not None)})
    up = np.zeros(len(week_of), np.bool_)
    steps = []
    for week in (*weeks, None) if None in week_of else weeks:
        new = tuple(number for number, start in enumerate(week_of) if start == week)
        up = up.copy()
        up[list(new)] = True
        steps.append(_Step(week, new, up, tuple(capacities(network, pairs, up, failures))))
    return _Steps(network, failures, tuple(pairs), tuple(steps))


def _weeks(held: _Steps, demand: Mapping[Pair, Mapping[int, Demand]], last_week: int) -> list[PairWeek]:
    rows: list[PairWeek] = []
    dated = {step.week: step for step in held.steps if step.week is not None}
    for week in range(last_week + 1):
        if week in dated:
            facts = _facts(held, dated[week])
        for pair, (capacity, ways, bound_by, n1_bound_by) in zip(held.pairs, facts, strict=True):
            wanted = _in_week(demand.get(pair, {}), week)
            state = state_of(capacity, wanted)
            rows.append(PairWeek(pair, week, capacity, ways, bound_by, n1_bound_by, wanted, state))
    return rows


def _facts(held: _Steps, step: _Step) -> list[tuple[Capacity, Paths, tuple[str, ...], tuple[str, ...]]]:
    worst = [capacity.worst for capacity in step.capacity]
    ways = paths(held.network, held.pairs, step.up, held.failures)
    bound_by = bottlenecks(held.network, held.pairs, step.up, None, held.failures)
    n1_bound_by = bottlenecks(held.network, held.pairs, step.up, worst, held.failures)
    return list(zip(step.capacity, ways, bound_by, n1_bound_by, strict=True))


def _in_week(demand: Mapping[int, Demand], week: int) -> Demand | None:
    known = sorted(demand)
    place = bisect_right(known, week)
    return demand[known[place - 1]] if place and week <= known[-1] else None


def _relief(held: _Steps) -> list[Relief]:
    """What each planned circuit adds, one after the other by week and name, those without a date last."""
    found: list[Relief] = []
    for earlier, step in pairwise(held.steps):
        changed = [
            (pair, before) for pair, before, after in zip(held.pairs, earlier.capacity, step.capacity, strict=True)
            if (before.mbps, before.least) != (after.mbps, after.least)
        ]  # fmt: skip
        pairs, before = [pair for pair, _ in changed], [capacity for _, capacity in changed]
        up = earlier.up
        for number in step.new:
            after_up = up.copy()
            after_up[number] = True
            after = held.capacities(pairs, after_up)
            found += _added(held, up, number, step.week, list(zip(pairs, before, after, strict=True)))
            up, before = after_up, after
    return sorted(found, key=lambda row: (row.pair, row.week is None, row.week or 0, row.circuit))


def _added(
    held: _Steps, up: np.ndarray, number: int, week: int | None, changes: Sequence[tuple[Pair, Capacity, Capacity]]
) -> Iterator[Relief]:
    """The pairs for which one circuit adds something, and what bounded them before."""
    gains = [(pair, old, _gain(old, new)) for pair, old, new in changes if any(_gain(old, new))]
    pairs = [pair for pair, *_ in gains]
    down = [None if gain[0] else old.worst for _, old, gain in gains]
    bound_by = bottlenecks(held.network, pairs, up, down, held.failures)
    for (pair, _, gain), failure, names in zip(gains, down, bound_by, strict=True):
        needs = _needs(held, pair, up, number, 0 if gain[0] else 1)
        yield Relief(pair, held.network.circuits[number].label, week, *gain, names, failure, needs)


def _gain(old: Capacity, new: Capacity) -> tuple[int, int]:
    return new.mbps - old.mbps, new.least - old.least


def _needs(held: _Steps, pair: Pair, up: np.ndarray, number: int, which: int) -> tuple[str, ...]:
    """The planned circuits without any one of which a further one would add nothing; ``which`` gain is asked for.

    A circuit that adds something to what serves now needs no other.
    """
    present = held.steps[0].up

    def adds(there: np.ndarray) -> bool:
        joined = there.copy()
        joined[number] = True
        return _gain(*(held.capacities([pair], each)[0] for each in (there, joined)))[which] > 0

    if adds(present):
        return ()
    needed = []
    for other in np.flatnonzero(up & ~present):
        without = up.copy()
        without[other] = False
        if not adds(without):
            needed.append(held.network.circuits[other].label)
    return tuple(sorted(needed))
