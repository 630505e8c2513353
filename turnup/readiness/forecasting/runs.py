"""The bound network, drawn many times.

Belongs here: what is uncertain about it, in the words of the simulation. Does not: what the runs say (``outcomes``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.plan import priorities
from turnup.schedule.simulation import CorrelationGroup, Fixed, Pool, PoolUse, RiskEvent, Uncertainty
from turnup.schedule.simulation.joined import simulate_parts
from turnup.schedule.simulation.networks import activity_network

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.plan import Delay, Making
    from turnup.readiness.forecasting.settings import ForecastSettings as Settings
    from turnup.schedule.simulation import Distribution
    from turnup.schedule.simulation.joined import Joined

_DAY = 86_400


def run(
    bound: Bound, delays: Sequence[Delay], activities: Mapping[str, Distribution], targets: Sequence[str],
    joins: Mapping[str, Sequence[str]], traced: Collection[str], settings: Settings,
) -> Joined:  # fmt: skip
    """Simulate a bound network.

    Args:
        bound: the network.
        delays: what may hold back gates, as the draft was made with.
        activities: durations of activities of schedule files.
        targets: ids whose finishes are kept; each must have a date.
        joins: ids of what is reached with the last of some targets.
        traced: those of both of which it is asked what drives them.
        settings: iterations, seed, correlations.
    """
    network = activity_network(bound.network)
    uncertainty = _without_loops(uncertainty_of(bound.making, delays, activities, settings), frozenset(network.ids))
    return simulate_parts(
        network, uncertainty, targets, joins, iterations=settings.iterations, seed=settings.seed, trace=traced
    )


def _without_loops(uncertainty: Uncertainty, ids: frozenset[str]) -> Uncertainty:
    """What is uncertain about the activities that have dates: those in a loop have none, and stop no other's."""
    durations = {name: drawn for name, drawn in uncertainty.durations.items() if name in ids}
    if len(durations) == len(uncertainty.durations):
        return uncertainty
    uses = tuple(use for use in uncertainty.uses if use.activity in ids)
    groups = [replace(one, activities=_kept(one.activities, ids)) for one in uncertainty.correlations]
    risks = [replace(one, activities=_kept(one.activities, ids)) for one in uncertainty.risks]
    used = {use.pool for use in uses}
    return replace(
        uncertainty,
        durations=durations,
        correlations=tuple(one for one in groups if len(one.activities) > 1),
        risks=tuple(one for one in risks if one.activities),
        pools=tuple(pool for pool in uncertainty.pools if pool.id in used),
        uses=uses,
        priorities={name: rank for name, rank in uncertainty.priorities.items() if name in ids},
    )


def _kept(names: Sequence[str], ids: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in ids)


def uncertainty_of(
    making: Making, delays: Sequence[Delay], activities: Mapping[str, Distribution], settings: Settings
) -> Uncertainty:
    """What is uncertain about the nodes of a draft and the activities of files."""
    draft = making.draft
    open_nodes = [node for node in draft.nodes.values() if node.finished is None]
    drawn = {node.id: node.duration for node in open_nodes}
    uses = tuple(PoolUse(name, pool) for name, pool in draft.uses.items())
    return Uncertainty(
        durations=drawn | dict(activities),
        correlations=_groups(making, settings),
        risks=tuple(
            RiskEvent(delay.id, delay.probability, Fixed(delay.days * _DAY), tuple(draft.delays[delay.id]))
            for delay in delays
            if delay.id in draft.delays
        ),
        pools=tuple(Pool(pool, 1) for pool in sorted(set(draft.uses.values()))),
        uses=uses,
        priorities=priorities(making, [system.key for system in making.facts.systems]),
    )


def _groups(making: Making, settings: Settings) -> tuple[CorrelationGroup, ...]:
    """What one vendor sends, and what is worked at one site, moves together."""
    members: dict[str, list[str]] = defaultdict(list)
    for node in making.draft.nodes.values():
        if node.group and node.finished is None and not isinstance(node.duration, Fixed):
            members[node.group].append(node.id)
    rho = {"vendor": settings.vendor_correlation, "site": settings.site_correlation}
    return tuple(
        CorrelationGroup(group, tuple(names), rho[group.partition("/")[0]])
        for group, names in sorted(members.items())
        if len(names) > 1
    )
