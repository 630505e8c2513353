"""The forward and the backward pass over a network, in working time.

Belongs here: what links do to early and late coordinates. Does not: what limits mean (``bounds``), or instants.

Each activity lives in the coordinates of its own calendar; a link converts only where calendars differ. What leaves
the finish of an activity leaves it where work ends, what leaves its start where work starts; on the way back a late
start is a start and a late finish an end. So a link holds both ways for the same instants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.bounds import FIXED, IN_PROGRESS, NOT_STARTED
from turnup.schedule.compiled import kernel
from turnup.schedule.network import NO_INSTANT
from turnup.schedule.working_time import carry_finish, carry_start, finish_instant, start_instant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.bounds import Bounds
    from turnup.schedule.working_time import Clocks, Ints, Small

FS, SS, FF, SF = 0, 1, 2, 3


class Links(NamedTuple):
    """The arrays of a network that its passes read; see ``Network``.

    ``side`` is 1 for start milestones, whose one instant is where work starts, and 2 for finish milestones, whose is
    where work ends.
    """

    calendar: Small
    side: NDArray[np.int8]
    pred_ptr: Small
    pred: Small
    pred_type: NDArray[np.int8]
    pred_lag: Ints
    pred_lag_calendar: Small
    succ_ptr: Small
    succ: Small
    succ_link: Small


@kernel()
def ahead(clocks: Clocks, links: Links, link: int, after: int, start: int, finish: int) -> int:
    """Where a link puts its successor: a start for FS and SS, a finish for FF and SF.

    Args:
        clocks: working time.
        links: the network.
        link: place among the links into successors.
        after: position of the successor.
        start: start of the predecessor, on its own calendar.
        finish: finish of the predecessor, on its own calendar.
    """
    from_finish = links.pred_type[link] == FS or links.pred_type[link] == FF
    base = finish if from_finish else start
    side = links.side[links.pred[link]]
    at_end = side == 2 or (from_finish and side == 0)
    lag_calendar = links.pred_lag_calendar[link]
    lag = links.pred_lag[link]
    if lag_calendar < 0:
        return int(base + lag)
    own, other = links.calendar[links.pred[link]], links.calendar[after]
    if at_end:
        if lag == 0:
            return int(carry_finish(clocks, own, other, base))
        base = carry_finish(clocks, own, lag_calendar, base) + lag
        return int(carry_finish(clocks, lag_calendar, other, base))
    if lag == 0:
        return int(carry_start(clocks, own, other, base))
    base = carry_start(clocks, own, lag_calendar, base) + lag
    return int(carry_start(clocks, lag_calendar, other, base))


@kernel()
def back(clocks: Clocks, links: Links, link: int, after: int, late_start: int, late_finish: int) -> int:
    """Up to where a link lets its predecessor go: its finish for FS and FF, its start for SS and SF."""
    to_start = links.pred_type[link] == FS or links.pred_type[link] == SS
    base = late_start if to_start else late_finish
    at_start = links.side[after] == 1 or (to_start and links.side[after] == 0)
    lag_calendar = links.pred_lag_calendar[link]
    lag = links.pred_lag[link]
    if lag_calendar < 0:
        return int(base - lag)
    own, other = links.calendar[links.pred[link]], links.calendar[after]
    if at_start:
        if lag == 0:
            return int(carry_start(clocks, other, own, base))
        base = carry_start(clocks, other, lag_calendar, base) - lag
        return int(carry_start(clocks, lag_calendar, own, base))
    if lag == 0:
        return int(carry_finish(clocks, other, own, base))
    base = carry_finish(clocks, other, lag_calendar, base) - lag
    return int(carry_finish(clocks, lag_calendar, own, base))


@kernel()
def forward(clocks: Clocks, links: Links, bounds: Bounds, start: Ints, finish: Ints) -> None:
    """Early starts and finishes of what is left to do, in coordinates; fixed activities keep their dates."""
    for k in range(start.size):
        if bounds.state[k] >= FIXED:
            start[k] = bounds.fixed_start[k]
            finish[k] = bounds.fixed_finish[k]
            continue
        earliest = bounds.start_floor[k]
        ending = bounds.finish_floor[k]
        held_at_finish = False
        if bounds.state[k] == NOT_STARTED or bounds.follows_logic[k]:
            for link in range(links.pred_ptr[k], links.pred_ptr[k + 1]):
                before = links.pred[link]
                leaving = start[before]
                if bounds.state[before] == IN_PROGRESS and bounds.lag_from_actual[before]:
                    leaving = bounds.actual_start[before]
                value = ahead(clocks, links, link, k, leaving, finish[before])
                if links.pred_type[link] <= SS:
                    earliest = max(earliest, value)
                else:
                    ending = max(ending, value)
                    held_at_finish = True
        work = bounds.work[k]
        earliest = min(max(earliest, ending - work), bounds.start_cap[k])
        if bounds.pin_start[k] != NO_INSTANT:
            earliest = bounds.pin_start[k]
        if bounds.pin_finish[k] != NO_INSTANT:
            earliest = bounds.pin_finish[k] - work
        expected = bounds.expected_finish[k]
        if expected != NO_INSTANT and expected >= earliest and not held_at_finish and not bounds.as_late[k]:
            bounds.work[k] = expected - earliest
            work = bounds.work[k]
        start[k] = earliest
        finish[k] = earliest + work


@kernel()
def up_to(clocks: Clocks, links: Links, bounds: Bounds, k: int, limit: int, start: Ints, finish: Ints) -> int:
    """The latest finish of an activity, at most ``limit``, that the given dates of its successors allow."""
    latest = limit
    for place in range(links.succ_ptr[k], links.succ_ptr[k + 1]):
        after, link = links.succ[place], links.succ_link[place]
        of_start = links.pred_type[link] == SS or links.pred_type[link] == SF
        begun = bounds.state[after] == IN_PROGRESS and not bounds.follows_logic[after]
        if begun or bounds.state[after] == FIXED or (of_start and bounds.state[k] != NOT_STARTED):
            continue
        value = back(clocks, links, link, after, start[after], finish[after])
        latest = min(latest, value + bounds.work[k] if of_start else value)
    return int(latest)


@kernel()
def backward(
    clocks: Clocks, links: Links, bounds: Bounds, limit: Ints,
    start: Ints, finish: Ints, late_start: Ints, late_finish: Ints,
) -> None:  # fmt: skip
    """Late starts and finishes, in coordinates; activities as late as possible move up to those that follow them.

    Args:
        clocks: working time.
        links: the network.
        bounds: limits of activities.
        limit: latest finish of each activity without successors, on its own calendar.
        start: early starts; those of activities as late as possible are changed.
        finish: early finishes; likewise.
        late_start: filled.
        late_finish: filled.
    """
    for k in range(start.size - 1, -1, -1):
        work = bounds.work[k]
        latest = up_to(clocks, links, bounds, k, limit[k], late_start, late_finish)
        latest = min(latest, bounds.finish_limit[k], bounds.start_limit[k] + work)
        if bounds.state[k] == NOT_STARTED and bounds.pin_start[k] != NO_INSTANT:
            latest = bounds.pin_start[k] + work
        if bounds.pin_finish[k] != NO_INSTANT:
            latest = bounds.pin_finish[k]
        late_finish[k] = latest
        late_start[k] = latest - work
        if bounds.as_late[k]:
            moved = up_to(clocks, links, bounds, k, limit[k], start, finish)
            finish[k] = max(finish[k], moved)
            start[k] = finish[k] - work


@kernel()
def free_floats(clocks: Clocks, links: Links, bounds: Bounds, limit: Ints, start: Ints, finish: Ints) -> Ints:
    """How far each activity can move without moving the early dates of any other, in seconds of its calendar."""
    free = np.empty(start.size, dtype=np.int64)
    for k in range(start.size):
        free[k] = up_to(clocks, links, bounds, k, limit[k], start, finish) - finish[k]
    return free


@kernel()
def longest_path(
    clocks: Clocks, links: Links, bounds: Bounds, start: Ints, finish: Ints, last: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Activities on a chain of driving links to one of the last activities."""
    path = last.copy()
    for k in range(start.size - 1, -1, -1):
        if not path[k] or bounds.state[k] >= FIXED:
            continue
        for link in range(links.pred_ptr[k], links.pred_ptr[k + 1]):
            before = links.pred[link]
            value = ahead(clocks, links, link, k, start[before], finish[before])
            reached = start[k] if links.pred_type[link] <= SS else finish[k]
            if value >= reached:
                path[before] = True
    return path


@kernel()
def instants_at(clocks: Clocks, links: Links, work: Ints, ends: bool) -> Ints:
    """Instants of coordinates where work ends or starts; milestones have one side only."""
    found = np.empty(work.size, dtype=np.int64)
    for k in range(work.size):
        if links.side[k] == 2 or (ends and links.side[k] == 0):
            found[k] = finish_instant(clocks, links.calendar[k], work[k])
        else:
            found[k] = start_instant(clocks, links.calendar[k], work[k])
    return found
