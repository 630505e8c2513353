"""Parts of a network with what is uncertain about them.

Belongs here: choosing activities, with their links, draws and events. Does not: what the parts are run for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.inputs import ActivityNetwork, CorrelationGroup, RiskEvent, Uncertainty

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray


def ancestors(network: ActivityNetwork, names: Sequence[str]) -> NDArray[np.int64]:
    """Rows of some activities and of all that they wait for, in order of row."""
    row = {name: number for number, name in enumerate(network.ids)}
    found = np.zeros(len(network.ids), dtype=np.bool_)
    found[[row[name] for name in names]] = True
    while True:
        more = network.pred[found[network.succ] & ~found[network.pred]]
        if not len(more):
            return np.flatnonzero(found)
        found[more] = True


def part(
    network: ActivityNetwork, uncertainty: Uncertainty, rows: NDArray[np.int64]
) -> tuple[ActivityNetwork, Uncertainty]:
    """Return some activities and the links among them, without pools."""
    ids = tuple(network.ids[row] for row in rows.tolist())
    place = np.full(len(network.ids), -1, dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    links = np.flatnonzero((place[network.pred] >= 0) & (place[network.succ] >= 0))
    chosen = ActivityNetwork(
        ids=ids,
        remaining=network.remaining[rows],
        calendar=network.calendar[rows],
        start_from=network.start_from[rows],
        finish_from=network.finish_from[rows],
        finished=network.finished[rows],
        started=network.started[rows],
        side=network.side[rows],
        own=network.own[rows],
        pred=place[network.pred[links]],
        succ=place[network.succ[links]],
        link_type=network.link_type[links],
        lag=network.lag[links],
        lag_calendar=network.lag_calendar[links],
        binds=network.binds[links],
        clocks=network.clocks,
    )
    return chosen, _of(uncertainty, set(ids))


def _of(uncertainty: Uncertainty, ids: Collection[str]) -> Uncertainty:
    def within(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name in ids)

    return Uncertainty(
        durations={name: one for name, one in uncertainty.durations.items() if name in ids},
        correlations=tuple(
            CorrelationGroup(group.id, within(group.activities), group.rho) for group in uncertainty.correlations
        ),
        risks=tuple(
            RiskEvent(risk.id, risk.probability, risk.impact, within(risk.activities)) for risk in uncertainty.risks
        ),
    )


def without_risks(uncertainty: Uncertainty) -> Uncertainty:
    """Return only what activities share, so that each keeps its planned duration."""
    return replace(uncertainty, durations={}, correlations=(), risks=())
