"""The network of a run from a compiled project.

Belongs here: what progress, constraints and stored dates mean for work that is simulated. Does not: the passes' rules,
which are those of ``turnup.schedule.bounds``.

A forecast says when work will be done, so dates only hold it back: mandatory and "no later" constraints never pull work
before what it waits for, and no remaining work is put before the data date. Work that is as late as possible is
simulated as early as possible, which delays nothing that follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.bounds import EARLIEST, FIXED, IN_PROGRESS, NOT_STARTED, Bounds, bounds_of, coordinates
from turnup.schedule.kernels import SS, Links, ahead, forward, instants_at, leaving
from turnup.schedule.network import NO_INSTANT, Network
from turnup.schedule.passes import links_of
from turnup.schedule.simulation.inputs import FF, FS, SF, ActivityNetwork
from turnup.schedule.working_time import seconds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class _Passed:
    """What the forward pass found, by position and by link."""

    network: Network
    links: Links
    bounds: Bounds
    start: Ints
    finish: Ints

    @property
    def succ(self) -> Ints:
        """Successor of each link."""
        return np.repeat(np.arange(self.network.size), np.diff(self.links.pred_ptr))


def activity_network(network: Network) -> ActivityNetwork:
    """Return the activities that logic schedules, in the order of ``network.row``, ready to be simulated.

    Completed and manually scheduled activities keep their dates; what they say to their successors becomes a date.
    """
    links = links_of(network)
    bounds = bounds_of(network, links.calendar)
    start, finish = (np.empty(network.size, dtype=np.int64) for _ in range(2))
    forward(network.clocks, links, bounds, start, finish)
    passed = _Passed(network, links, bounds, start, finish)
    past = _past(passed)
    start_from, finish_from = _floors(passed, past)
    kept = ~past & ~_deaf(passed)[passed.succ]
    lag_calendar = np.where(links.pred_lag_calendar < 0, links.calendar[links.pred], links.pred_lag_calendar)
    done = bounds.state >= FIXED
    return ActivityNetwork(
        ids=tuple(network.activities["id"][network.row].to_list()),
        remaining=np.where(done, 0, _left(passed)),
        calendar=links.calendar,
        start_from=_instants(passed, start_from, ends=False),
        finish_from=_instants(passed, finish_from, ends=True),
        finished=np.where(done, _instants(passed, finish, ends=True), NO_INSTANT),
        started=bounds.state == IN_PROGRESS,
        side=links.side,
        own=links.own.astype(np.int32),
        pred=links.pred[kept],
        succ=passed.succ[kept].astype(np.int32),
        link_type=links.pred_type[kept],
        lag=links.pred_lag[kept],
        lag_calendar=lag_calendar[kept].astype(np.int32),
        binds=_binds(passed)[kept],
        clocks=network.clocks,
    )


def _from_start(passed: _Passed) -> NDArray[np.bool_]:
    return np.asarray((passed.links.pred_type == SS) | (passed.links.pred_type == SF))


def _past(passed: _Passed) -> NDArray[np.bool_]:
    """Links that leave what has happened: a finished activity, or the actual start of a begun one."""
    state, actual = passed.bounds.state[passed.links.pred], passed.bounds.lag_from_actual[passed.links.pred]
    return np.asarray((state >= FIXED) | (_from_start(passed) & (state == IN_PROGRESS) & actual))


def _deaf(passed: _Passed) -> NDArray[np.bool_]:
    """Activities that no link holds back: begun ones whose project says so, or whose start is kept."""
    bounds = passed.bounds
    begun = bounds.state == IN_PROGRESS
    return np.asarray((bounds.state >= FIXED) | (begun & (~bounds.follows_logic | (bounds.pin_start != NO_INSTANT))))


def _binds(passed: _Passed) -> NDArray[np.bool_]:
    """Links that limit late dates: a begun predecessor's start is no longer limited."""
    return np.asarray(~(_from_start(passed) & (passed.bounds.state[passed.links.pred] != NOT_STARTED)))


def _left(passed: _Passed) -> Ints:
    """Remaining work; of what keeps its start with its whole duration, the remaining part."""
    left = passed.network.values("remaining_s")
    pinned = (passed.bounds.state == IN_PROGRESS) & (passed.bounds.pin_start != NO_INSTANT) & (left != NO_INSTANT)
    return np.where(pinned, np.clip(left, 0, passed.bounds.work), passed.bounds.work)


def _floors(passed: _Passed, past: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Coordinates before which activities do not start and do not finish."""
    bounds, network = passed.bounds, passed.network
    start, finish = bounds.start_floor.copy(), bounds.finish_floor.copy()
    begun = bounds.state == IN_PROGRESS
    pinned = bounds.pin_start != NO_INSTANT
    kept = np.where(begun, bounds.pin_start + bounds.work - _left(passed), bounds.pin_start)
    start = np.where(pinned, np.maximum(start, kept), start)
    status = [None if project.data_date is None else seconds_of(project.data_date) for project in network.projects]
    dates = np.array([NO_INSTANT if one is None else one for one in status], dtype=np.int64)[network.project]
    start = np.maximum(start, coordinates(network.clocks, passed.links.calendar, dates))
    finish = np.where(bounds.pin_finish != NO_INSTANT, np.maximum(finish, bounds.pin_finish), finish)
    deaf = _deaf(passed)
    for link in np.flatnonzero(past).tolist():
        after, before = int(passed.succ[link]), int(passed.links.pred[link])
        if deaf[after]:
            continue
        ended = passed.links.pred_type[link] in (FS, FF)
        leaves = passed.finish[before] if ended else leaving(bounds, before, passed.start[before])
        value = ahead(network.clocks, passed.links, link, after, int(leaves))
        floor = start if passed.links.pred_type[link] <= SS else finish
        floor[after] = max(floor[after], value)
    return start, finish


def _instants(passed: _Passed, work: Ints, *, ends: bool) -> Ints:
    """Coordinates as instants; NO_INSTANT where there is no limit."""
    given = (work > EARLIEST) & (work != NO_INSTANT)
    found = instants_at(passed.network.clocks, passed.links, np.where(given, work, 0), ends)
    return np.where(given, found, NO_INSTANT)
