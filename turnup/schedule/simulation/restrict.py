"""Parts of a network with what is uncertain about them.

Belongs here: choosing activities, with their links, draws and events. Does not: what the parts are run for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import PoolUse


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
    return Parts(network, uncertainty).of(rows)


class Parts:
    """A network laid out so that a small part of it is found without looking at all of it."""

    def __init__(self, network: ActivityNetwork, uncertainty: Uncertainty) -> None:
        """Lay out a network."""
        self._network, self._uncertainty = network, uncertainty
        self._into = np.argsort(network.succ, kind="stable")
        counts = np.bincount(network.succ, minlength=len(network.ids))
        self._ptr = np.concatenate([[0], np.cumsum(counts)])
        self._groups = _by_activity([one.activities for one in uncertainty.correlations])
        self._risks = _by_activity([one.activities for one in uncertainty.risks])

    def links_into(self, row: int) -> NDArray[np.int64]:
        """Links to an activity."""
        return self._into[self._ptr[row] : self._ptr[row + 1]]

    def with_pools(self, rows: NDArray[np.int64]) -> tuple[ActivityNetwork, Uncertainty]:
        """Return the activities of some rows, in their order, the links among them, and the pools that they use."""
        network, drawn = self.of(rows)
        given = self._uncertainty
        uses = tuple(use for name in network.ids for use in self._uses.get(name, ()))
        used = {use.pool for use in uses}
        return network, replace(
            drawn,
            pools=tuple(pool for pool in given.pools if pool.id in used),
            uses=uses,
            priorities={name: given.priorities[name] for name in network.ids if name in given.priorities},
        )

    @cached_property
    def _uses(self) -> Mapping[str, list[PoolUse]]:
        found: dict[str, list[PoolUse]] = {}
        for use in self._uncertainty.uses:
            found.setdefault(use.activity, []).append(use)
        return found

    def of(self, rows: NDArray[np.int64]) -> tuple[ActivityNetwork, Uncertainty]:
        """Return the activities of some rows, in their order, and the links among them, without pools."""
        network = self._network
        ids = tuple(network.ids[row] for row in rows.tolist())
        into = np.sort(np.concatenate([self.links_into(row) for row in rows.tolist()]))
        links = into[np.isin(network.pred[into], rows)]
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
            pred=_places(rows, network.pred[links]),
            succ=_places(rows, network.succ[links]),
            link_type=network.link_type[links],
            lag=network.lag[links],
            lag_calendar=network.lag_calendar[links],
            binds=network.binds[links],
            clocks=network.clocks,
        )
        return chosen, self._drawn(ids)

    def _drawn(self, ids: Sequence[str]) -> Uncertainty:
        """What is uncertain about some activities; groups and events that have none of them are left out."""
        given, kept = self._uncertainty, frozenset(ids)
        groups = sorted({number for name in ids for number in self._groups.get(name, ())})
        risks = sorted({number for name in ids for number in self._risks.get(name, ())})

        def within(names: Sequence[str]) -> tuple[str, ...]:
            return tuple(name for name in names if name in kept)

        return Uncertainty(
            durations={name: given.durations[name] for name in ids if name in given.durations},
            correlations=tuple(
                replace(one, activities=within(one.activities)) for one in map(given.correlations.__getitem__, groups)
            ),
            risks=tuple(replace(one, activities=within(one.activities)) for one in map(given.risks.__getitem__, risks)),
        )


def _places(rows: NDArray[np.int64], found: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where among some rows each of the found ones is."""
    order = np.argsort(rows)
    return np.asarray(order[np.searchsorted(rows[order], found)], dtype=np.int32)


def _by_activity(members: Sequence[Sequence[str]]) -> Mapping[str, list[int]]:
    """Numbers of the groups that an activity is in."""
    found: dict[str, list[int]] = {}
    for number, names in enumerate(members):
        for name in names:
            found.setdefault(name, []).append(number)
    return found


def without_risks(uncertainty: Uncertainty) -> Uncertainty:
    """Return only what activities share, so that each keeps its planned duration."""
    return replace(uncertainty, durations={}, correlations=(), risks=())
