"""What a run is given: the network, the uncertain inputs, and their checks.

Belongs here: the words of a run. Does not: how a network follows from a project (``networks``), or any computing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.distributions import Distribution
    from turnup.schedule.working_time import Clocks

NEVER = np.iinfo(np.int64).min
"""Stands for "no such instant" in arrays of instants; the NO_INSTANT of ``turnup.schedule.network``."""
FS, SS, FF, SF = range(4)
"""Link types by number, as in ``turnup.schedule.model.LINK_TYPES``."""


@dataclass(frozen=True)
class ActivityNetwork:
    """Activities and links as arrays; instants are seconds since 1970-01-01T00:00 of local time.

    Attributes:
        ids: of activities, unique; positions are activity rows.
        remaining: planned remaining duration, seconds of working time on the own calendar.
        calendar: number of the calendar in whose working time an activity lives; all 0 where ``clocks`` is None.
            Milestones live in elapsed time, and stand where ``own`` lets them.
        start_from: instant before which no remaining work of it begins: data date, start constraints, events that
            have happened. NEVER: nothing holds it.
        finish_from: instant before which it does not finish. NEVER: nothing holds it.
        finished: actual finish, or the finish that is kept as stored. NEVER: it is simulated.
        started: its remaining work is under way at the data date: it holds its pools before all that is not.
        side: 1 for start milestones, which wait for work to start on the calendar ``own``; 2 for finish milestones,
            which may also stand where work ends there; 0 for all else.
        own: number of the calendar that an activity belongs to.
        pred, succ: activity rows of each link. Links from finished activities are told by ``start_from`` of the
            successor, and are left out.
        link_type: FS, SS, FF or SF.
        lag: seconds of working time on the link's lag calendar.
        lag_calendar: number of the calendar whose working time the lag counts.
        binds: whether the link limits the late dates of its predecessor; what has happened limits nothing.
        clocks: working time of the calendars. None: one calendar, of all hours.
    """

    ids: tuple[str, ...]
    remaining: NDArray[np.int64]
    calendar: NDArray[np.int32]
    start_from: NDArray[np.int64]
    finish_from: NDArray[np.int64]
    finished: NDArray[np.int64]
    started: NDArray[np.bool_]
    side: NDArray[np.int8]
    own: NDArray[np.int32]
    pred: NDArray[np.int32]
    succ: NDArray[np.int32]
    link_type: NDArray[np.int8]
    lag: NDArray[np.int64]
    lag_calendar: NDArray[np.int32]
    binds: NDArray[np.bool_]
    clocks: Clocks | None = None

    @classmethod
    def of(
        cls,
        remaining: Mapping[str, float],
        links: Sequence[tuple[str, str] | tuple[str, str, int] | tuple[str, str, int, int]] = (),
        start: int = 0,
    ) -> ActivityNetwork:
        """Make a network of one calendar of all hours, such as a playbook's stages.

        Args:
            remaining: planned duration by activity id.
            links: predecessor, successor, then type (FS) and lag (0).
            start: instant before which nothing begins.
        """
        ids = tuple(remaining)
        row = {name: position for position, name in enumerate(ids)}
        whole = [(*link, *(FS, 0)[len(link) - 2 :]) for link in links]
        count = len(ids)
        return cls(
            ids=ids,
            remaining=np.array([round(value) for value in remaining.values()], dtype=np.int64),
            calendar=np.zeros(count, dtype=np.int32),
            start_from=np.full(count, start, dtype=np.int64),
            finish_from=np.full(count, NEVER, dtype=np.int64),
            finished=np.full(count, NEVER, dtype=np.int64),
            started=np.zeros(count, dtype=np.bool_),
            side=np.zeros(count, dtype=np.int8),
            own=np.zeros(count, dtype=np.int32),
            pred=np.array([row[str(link[0])] for link in whole], dtype=np.int32),
            succ=np.array([row[str(link[1])] for link in whole], dtype=np.int32),
            link_type=np.array([link[2] for link in whole], dtype=np.int8),
            lag=np.array([link[3] for link in whole], dtype=np.int64),
            lag_calendar=np.zeros(len(whole), dtype=np.int32),
            binds=np.ones(len(whole), dtype=np.bool_),
        )


@dataclass(frozen=True)
class CorrelationGroup:
    """Activities whose durations move together: a Gaussian copula of one factor.

    The normal scores of any two have correlation ``rho``; at 1 all have the same rank in each run.
    """

    id: str
    activities: tuple[str, ...]
    rho: float

    def __post_init__(self) -> None:
        if not 0 <= self.rho <= 1:
            raise ValueError(f"correlation group {self.id}: rho must be from 0 to 1, not {self.rho:g}")


@dataclass(frozen=True)
class RiskEvent:
    """Something that may happen, once per run, and then adds working time to all activities that it hits.

    Attributes:
        probability: from 0 to 1.
        impact: added duration; one draw for all its activities.
    """

    id: str
    probability: float
    impact: Distribution
    activities: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.probability <= 1:
            raise ValueError(f"risk event {self.id}: probability must be from 0 to 1, not {self.probability:g}")


@dataclass(frozen=True)
class Pool:
    """A shared capacity, such as the docks, install crews or burn-in positions of a site."""

    id: str
    capacity: int

    def __post_init__(self) -> None:
        if self.capacity < 1:
            raise ValueError(f"pool {self.id}: capacity must be 1 or more, not {self.capacity}")


@dataclass(frozen=True)
class PoolUse:
    """Units of a pool that an activity holds from its start to its finish, nights and weekends within included."""

    activity: str
    pool: str
    units: int = 1

    def __post_init__(self) -> None:
        if self.units < 1:
            raise ValueError(f"{self.activity} uses pool {self.pool}: units must be 1 or more, not {self.units}")


@dataclass(frozen=True)
class Uncertainty:
    """What is not certain about a network, and what its activities share.

    Attributes:
        durations: distribution of the remaining duration by activity id; one without keeps its planned duration.
        correlations: groups; an activity belongs to one at most.
        risks: events that may happen.
        pools: shared capacities.
        uses: who holds how much of which pool.
        priorities: of activities in their pools, smaller first; one without comes last. A predecessor has at least
            the priority of what waits for it, and work under way comes before all.
    """

    durations: Mapping[str, Distribution] = field(default_factory=dict)
    correlations: tuple[CorrelationGroup, ...] = ()
    risks: tuple[RiskEvent, ...] = ()
    pools: tuple[Pool, ...] = ()
    uses: tuple[PoolUse, ...] = ()
    priorities: Mapping[str, int] = field(default_factory=dict)

    def check(self, ids: Sequence[str]) -> None:
        """Refuse names that the network does not have, and contradictions.

        Raises:
            ValueError: naming what is wrong and where.
        """
        known = set(ids)
        named = [("duration", name) for name in self.durations]
        named += [(f"correlation group {group.id}", name) for group in self.correlations for name in group.activities]
        named += [(f"risk event {risk.id}", name) for risk in self.risks for name in risk.activities]
        named += [(f"pool {use.pool}", use.activity) for use in self.uses]
        named += [("priority", name) for name in self.priorities]
        for where, name in named:
            if name not in known:
                raise ValueError(f"{where}: the network has no activity {name!r}")
        self._check_groups()
        self._check_pools()
        _once("risk event", [risk.id for risk in self.risks])

    def _check_groups(self) -> None:
        _once("correlation group", [group.id for group in self.correlations])
        _once("activity in correlation groups", [name for group in self.correlations for name in group.activities])

    def _check_pools(self) -> None:
        _once("pool", [pool.id for pool in self.pools])
        _once("use of a pool", [(use.activity, use.pool) for use in self.uses])
        capacity = {pool.id: pool.capacity for pool in self.pools}
        for use in self.uses:
            if use.pool not in capacity:
                raise ValueError(f"{use.activity} uses pool {use.pool!r}, which is not given")
            if use.units > capacity[use.pool]:
                raise ValueError(
                    f"{use.activity} uses {use.units} units of pool {use.pool}, which has {capacity[use.pool]}"
                )


def _once(what: str, names: Sequence[object]) -> None:
    seen: set[object] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what} {name!r} is given twice")
        seen.add(name)
