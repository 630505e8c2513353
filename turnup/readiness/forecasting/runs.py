"""The bound network, drawn many times.

Belongs here: what is uncertain about it, in the words of the simulation. Does not: what the runs say (``outcomes``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.plan import priorities
from turnup.schedule.simulation import CorrelationGroup, Fixed, Pool, PoolUse, RiskEvent, Uncertainty, simulate
from turnup.schedule.simulation.networks import activity_network

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turnup.programme import Forecast as Settings
    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.plan import Delay, Making
    from turnup.schedule.simulation import Distribution, Simulation

_DAY = 86_400


def run(
    bound: Bound, delays: Sequence[Delay], activities: Mapping[str, Distribution], targets: Sequence[str],
    settings: Settings,
) -> Simulation:  # fmt: skip
    """Simulate a bound network.

    Args:
        bound: the network.
        delays: what may hold back gates, as the draft was made with.
        activities: durations of activities of schedule files.
        targets: ids whose finishes are kept; each must have a date.
        settings: iterations, seed, correlations.
    """
    return simulate(
        activity_network(bound.network),
        uncertainty_of(bound.making, delays, activities, settings),
        targets,
        iterations=settings.iterations,
        seed=settings.seed,
    )


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
