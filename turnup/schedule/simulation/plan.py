"""Everything a run's kernels read, made once from a network and its uncertainty.

Belongs here: the order in which the parts are made. Does not: the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.blocked import Targets
from turnup.schedule.simulation.conversions import Conversions, Hours, Pairs
from turnup.schedule.simulation.distributions import Fixed
from turnup.schedule.simulation.draws import WORDS, keys
from turnup.schedule.simulation.inputs import NEVER
from turnup.schedule.simulation.layout import Logic, calendars_of, first_instant, hours_of, logic_of, outlasted
from turnup.schedule.simulation.order import Arranged, by_priority, topological
from turnup.schedule.simulation.parameters import LONGEST, Parameters, Rows
from turnup.schedule.simulation.pooling import Pools, pools_of, uses_of
from turnup.schedule.simulation.reach import reached
from turnup.schedule.simulation.results import Finishes
from turnup.schedule.simulation.sampling import Events
from turnup.schedule.working_time import ALWAYS, clocks_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.distributions import Distribution
    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

    Small = NDArray[np.int32]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """A network made ready to be run.

    Attributes:
        rows: position to activity row.
        origin: instant from which the kernels count the clock.
        done: latest finish of the finished activities of each target, an instant; NEVER for none.
    """

    rows: Small
    origin: int
    logic: Logic
    tables: Conversions
    parameters: Parameters
    events: Events
    pools: Pools
    targets: Targets
    done: Ints

    def finishes(self, found: Small) -> Finishes:
        """What the kernels found, targets x iterations."""
        return Finishes(found, self.origin, self.done, np.diff(self.targets.ptr) == 0)


def plan_of(
    network: ActivityNetwork, uncertainty: Uncertainty, targets: Mapping[str, Sequence[str]], seed: int,
    floors: Mapping[str, Ints] | None = None, until: int = NEVER,
) -> Plan:  # fmt: skip
    """Make a run ready.

    Args:
        network: what is scheduled.
        uncertainty: what is drawn and shared.
        targets: activities of each target, whose latest finish is the target's.
        seed: of the draws.
        floors: instants that targets wait for besides, by iteration.
        until: instant to which calendars are laid out at least.
    """
    uncertainty.check(network.ids)
    order = topological(network, network.finished == NEVER)
    durations = _durations(network, uncertainty, order)
    order, durations, last = _final_order(network, uncertainty, order, durations)
    hours = hours_of(network, first_instant(network), max(last, until))
    pairs = Pairs(hours)
    logic = logic_of(network, order, hours, pairs)
    parameters, events = _draws(network, uncertainty, order, durations, seed)
    calendar = calendars_of(network, hours, network.calendar)[order.rows]
    members, done = _targets(network, order, calendar, hours, targets)
    pools = pools_of(uncertainty, uses_of(network, uncertainty, order.rows), calendar, hours, pairs)
    return Plan(
        rows=order.rows,
        origin=hours.origin,
        logic=logic,
        tables=pairs.tables(),
        parameters=parameters,
        events=events,
        pools=pools,
        targets=members._replace(floor=_floor(targets, floors or {}, hours.origin)),
        done=done,
    )


def _durations(network: ActivityNetwork, uncertainty: Uncertainty, order: Arranged) -> list[Distribution]:
    planned = network.remaining.tolist()
    return [uncertainty.durations.get(network.ids[row]) or Fixed(planned[row]) for row in order.rows.tolist()]


def _final_order(
    network: ActivityNetwork, uncertainty: Uncertainty, order: Arranged, durations: list[Distribution]
) -> tuple[Arranged, list[Distribution], int]:
    """Order by priority where pools are shared; and the instant that no finish exceeds."""
    first = first_instant(network)
    clocks = clocks_of((ALWAYS,), first, first) if network.clocks is None else network.clocks
    none = np.zeros(len(order.rows) + 1, dtype=np.int32), np.zeros(0, dtype=np.int32)
    if uncertainty.pools:
        work = network.remaining[order.rows]
        planned, _ = reached(network, clocks, order, (work, work), none)
        rows = order.rows
        order = by_priority(network, uncertainty, order, planned)
        place = np.empty(len(network.ids), dtype=np.int64)
        place[rows] = np.arange(len(rows))
        durations = [durations[k] for k in place[order.rows].tolist()]
    longest = np.minimum([one.largest() for one in durations], LONGEST).astype(np.int64)
    added = {risk.id: min(risk.impact.largest(), LONGEST) for risk in uncertainty.risks}
    for risk, position in _hits(network, uncertainty, order.rows):
        longest[position] += int(added[uncertainty.risks[risk].id]) + 1
    ptr, pool, _ = uses_of(network, uncertainty, order.rows)
    bounds = np.zeros_like(longest), np.minimum(longest + 1, LONGEST)
    _, finishes = reached(network, clocks, order, bounds, (ptr, pool))
    return order, durations, int(finishes.max(initial=first))


def _hits(network: ActivityNetwork, uncertainty: Uncertainty, rows: Small) -> list[tuple[int, int]]:
    """Events and the positions that they hit."""
    if not uncertainty.risks:
        return []
    position = {network.ids[row]: place for place, row in enumerate(rows.tolist())}
    return [
        (number, position[name])
        for number, risk in enumerate(uncertainty.risks)
        for name in dict.fromkeys(risk.activities)
        if name in position
    ]


def _draws(
    network: ActivityNetwork, uncertainty: Uncertainty, order: Arranged, durations: list[Distribution], seed: int
) -> tuple[Parameters, Events]:
    count, risks = len(order.rows), uncertainty.risks
    names = [network.ids[row] for row in order.rows.tolist()]
    rows = Rows(count + len(risks))
    rows.fill(range(count), durations, names)
    rows.fill(range(count, count + len(risks)), [risk.impact for risk in risks], [f"risk event {r.id}" for r in risks])
    member = {name: number for number, group in enumerate(uncertainty.correlations) for name in group.activities}
    group = np.array([member.get(name, -1) for name in names] + [-1] * len(risks), dtype=np.int32)
    parameters = rows.done(
        np.concatenate([keys(seed, "duration", names), keys(seed, "impact", [risk.id for risk in risks])]),
        group,
        [one.rho for one in uncertainty.correlations],
        keys(seed, "group", [one.id for one in uncertainty.correlations]),
    )
    hits = np.array(sorted((position, risk) for risk, position in _hits(network, uncertainty, order.rows)))
    hits = hits.reshape(-1, 2).astype(np.int32)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(hits[:, 0], minlength=count))]).astype(np.int32)
    happens = np.array([round(risk.probability * WORDS) for risk in risks], dtype=np.int32)
    occurrence = keys(seed, "event", [risk.id for risk in risks])
    return parameters, Events(happens, occurrence, count, ptr, *np.ascontiguousarray(hits.T))


def _targets(
    network: ActivityNetwork, order: Arranged, calendar: Small, hours: Hours, targets: Mapping[str, Sequence[str]]
) -> tuple[Targets, Ints]:
    """Targets as positions, without those that another one always outlasts; and latest finishes of finished ones."""
    row = {name: number for number, name in enumerate(network.ids)}
    position = np.full(len(network.ids), -1, dtype=np.int64)
    position[order.rows] = np.arange(len(order.rows))
    among = outlasted(network, order, calendar, hours)
    members, done = [], []
    for name, activities in targets.items():
        for activity in activities:
            if activity not in row:
                raise ValueError(f"target {name!r}: the network has no activity {activity!r}")
        rows = np.array([row[activity] for activity in activities], dtype=np.int64)
        if not len(rows):
            raise ValueError(f"target {name!r} has no activities")
        finished = network.finished[rows]
        done.append(int(finished.max()))
        left = np.unique(position[rows[finished == NEVER]])
        members.append(left[~among(left)])
    instants = np.array(done, dtype=np.int64)
    seconds = np.where(instants == NEVER, 0, np.clip(instants - hours.origin, 0, hours.length)).astype(np.int32)
    ptr = np.concatenate([[0], np.cumsum([len(one) for one in members])]).astype(np.int32)
    none = np.zeros((0, 0), dtype=np.int32)
    return Targets(ptr, np.concatenate([*members, np.zeros(0)]).astype(np.int32), seconds, none), instants


def _floor(targets: Mapping[str, Sequence[str]], floors: Mapping[str, Ints], origin: int) -> Small:
    if not floors:
        return np.zeros((0, 0), dtype=np.int32)
    iterations = len(next(iter(floors.values())))
    none = np.full(iterations, origin)
    seconds = np.array([floors.get(name, none) for name in targets]) - origin
    return np.asarray(np.clip(seconds, 0, np.iinfo(np.int32).max), dtype=np.int32)
