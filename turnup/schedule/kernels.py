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
from turnup.schedule.model import DAY
from turnup.schedule.network import NO_INSTANT
from turnup.schedule.working_time import carry_finish, carry_start, finish_instant, start_instant, work_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.bounds import Bounds
    from turnup.schedule.working_time import Clocks, Ints, Small

FS, SS, FF, SF = 0, 1, 2, 3


class Links(NamedTuple):
    """What the passes read of a network; see ``Network``.

    A milestone has no work: it is an instant, so its coordinates are those of elapsed time (``calendar``), and the
    calendar it belongs to (``own``) says at which instants it may stand. ``side`` is 1 for start milestones, which
    stand where work starts, 2 for finish milestones, which may also stand where work ends, and 0 for all else.
    """

    calendar: Small
    own: Small
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
def shifted(clocks: Clocks, way: tuple[int, int, int], work: int, lag: int, at_end: bool) -> int:
    """A coordinate of one calendar, moved by a lag, as a coordinate of another.

    Args:
        clocks: working time.
        way: the calendar it comes from, that of the lag, and the one it goes to.
        work: the coordinate.
        lag: seconds of working time; less than none for a way back.
        at_end: whether it is where work ends, rather than where it starts.
    """
    came, counted, goes = way
    if at_end:
        if lag != 0:
            work, came = carry_finish(clocks, came, counted, work) + lag, counted
        return int(carry_finish(clocks, came, goes, work))
    if lag != 0:
        work, came = carry_start(clocks, came, counted, work) + lag, counted
    return int(carry_start(clocks, came, goes, work))


@kernel()
def ahead(clocks: Clocks, links: Links, link: int, after: int, work: int) -> int:
    """Where a link puts its successor: a start for FS and SS, a finish for FF and SF.

    Args:
        clocks: working time.
        links: the network.
        link: place among the links into successors.
        after: position of the successor.
        work: finish of the predecessor for FS and FF, its start for SS and SF, in its coordinates.
    """
    lag, lag_calendar, kind = links.pred_lag[link], links.pred_lag_calendar[link], links.pred_type[link]
    if lag_calendar < 0:
        return int(work + lag)
    way = (links.calendar[links.pred[link]], lag_calendar, links.calendar[after])
    return int(shifted(clocks, way, work, lag, kind == FS or kind == FF))


@kernel()
def back(clocks: Clocks, links: Links, link: int, after: int, work: int, early: int) -> int:
    """Up to where a link lets its predecessor go: its finish for FS and FF, its start for SS and SF.

    Args:
        clocks: working time.
        links: the network.
        link: place among the links into successors.
        after: position of the successor.
        work: start of the successor for FS and SS, its finish for FF and SF, in its coordinates.
        early: where the predecessor is by its early dates: its finish or its start.
    """
    lag, lag_calendar, kind = links.pred_lag[link], links.pred_lag_calendar[link], links.pred_type[link]
    if lag_calendar < 0:
        return int(work - lag)
    way = (links.calendar[after], lag_calendar, links.calendar[links.pred[link]])
    value = shifted(clocks, way, work, -lag, kind > SS)
    if kind > SS and value < early:
        # A finish that falls into time off waits for the next work, not for the end of the last.
        value = shifted(clocks, way, work, -lag, False)
    return int(value)


@kernel()
def standing(clocks: Clocks, links: Links, k: int, instant: int, late: bool) -> int:
    """Where a milestone may stand: a start milestone waits for work to start, a finish milestone need not."""
    zero = clocks.first_day * DAY
    own = links.own[k]
    work = work_at(clocks, own, instant + zero)
    if links.side[k] == 1:
        return int(instant if late else start_instant(clocks, own, work) - zero)
    end = finish_instant(clocks, own, work) - zero
    return int(end if late or end == instant else start_instant(clocks, own, work) - zero)


@kernel()
def own_coordinate(clocks: Clocks, links: Links, k: int, work: int) -> int:
    """A coordinate of the passes as one of the calendar that an activity belongs to."""
    if links.side[k] == 0:
        return work
    return int(work_at(clocks, links.own[k], work + clocks.first_day * DAY))


@kernel()
def forward(clocks: Clocks, links: Links, bounds: Bounds, start: Ints, finish: Ints) -> None:
    """Early starts and finishes of what is left to do, in coordinates; fixed activities keep their dates.

    An expected finish changes ``bounds.work``: it says how much is left.
    """
    # Arrays are taken out of their tuples once: taking them out costs more than a link does.
    state, work, side = bounds.state, bounds.work, links.side
    start_floor, finish_floor, start_cap = bounds.start_floor, bounds.finish_floor, bounds.start_cap
    pin_start, pin_finish, expected_finish = bounds.pin_start, bounds.pin_finish, bounds.expected_finish
    pred_ptr, pred, pred_type = links.pred_ptr, links.pred, links.pred_type
    lag, lag_calendar = links.pred_lag, links.pred_lag_calendar
    follows_logic, as_late = bounds.follows_logic, bounds.as_late
    for k in range(start.size):
        if state[k] >= FIXED:
            start[k], finish[k] = bounds.fixed_start[k], bounds.fixed_finish[k]
            continue
        earliest, ending, at_finish = start_floor[k], finish_floor[k], False
        first, last = pred_ptr[k], pred_ptr[k + 1]
        if state[k] == IN_PROGRESS and not follows_logic[k]:
            last = first
        for link in range(first, last):
            before, kind = pred[link], pred_type[link]
            value = finish[before] if kind == FS or kind == FF else leaving(bounds, before, start[before])
            value = value + lag[link] if lag_calendar[link] < 0 else ahead(clocks, links, link, k, value)
            if kind <= SS:
                earliest = max(earliest, value)
            else:
                ending, at_finish = max(ending, value), True
        earliest = min(max(earliest, ending - work[k]), start_cap[k])
        if pin_start[k] != NO_INSTANT:
            earliest = pin_start[k]
        if pin_finish[k] != NO_INSTANT:
            earliest = pin_finish[k] - work[k]
        if expected_finish[k] >= earliest and not at_finish and not as_late[k]:
            work[k] = expected_finish[k] - earliest
        if side[k] != 0:
            earliest = standing(clocks, links, k, earliest, False)
        start[k] = earliest
        finish[k] = earliest + work[k]


@kernel()
def leaving(bounds: Bounds, k: int, start: int) -> int:
    """Where a link leaves the start of an activity; what has begun leaves it where its project says."""
    if bounds.state[k] == IN_PROGRESS and bounds.lag_from_actual[k]:
        return int(bounds.actual_start[k])
    return start


@kernel()
def binds(bounds: Bounds, k: int, after: int, kind: int) -> bool:
    """Whether a link limits the late dates of its predecessor: what has happened limits nothing."""
    begun = bounds.state[after] == IN_PROGRESS and not bounds.follows_logic[after]
    past = (kind == SS or kind == SF) and bounds.state[k] != NOT_STARTED
    return bool(bounds.state[after] != FIXED and not begun and not past)


@kernel()
def backward(
    clocks: Clocks, links: Links, bounds: Bounds, limit: Ints, last: Ints,
    start: Ints, finish: Ints, late_start: Ints, late_finish: Ints, free: Ints,
) -> None:  # fmt: skip
    """Late starts and finishes, in coordinates; activities as late as possible move up to those that follow them.

    Args:
        clocks: working time.
        links: the network.
        bounds: limits of activities.
        limit: latest finish of each activity that its project allows.
        last: the project's early finish in each activity's coordinates.
        start: early starts; those of activities as late as possible are changed.
        finish: early finishes; likewise.
        late_start: filled.
        late_finish: filled.
        free: filled with the latest finish that moves no early date of others.
    """
    state, works, side, as_late = bounds.state, bounds.work, links.side, bounds.as_late
    start_limit, finish_limit = bounds.start_limit, bounds.finish_limit
    pin_start, pin_finish = bounds.pin_start, bounds.pin_finish
    succ_ptr, succ, succ_link = links.succ_ptr, links.succ, links.succ_link
    pred_type, lag, lag_calendar = links.pred_type, links.pred_lag, links.pred_lag_calendar
    for k in range(start.size - 1, -1, -1):
        work, latest, moving = works[k], limit[k], last[k]
        for place in range(succ_ptr[k], succ_ptr[k + 1]):
            after, link = succ[place], succ_link[place]
            kind = pred_type[link]
            if (state[after] != NOT_STARTED or state[k] != NOT_STARTED) and not binds(bounds, k, after, kind):
                continue
            of_start = kind == SS or kind == SF
            late, early = (late_start[after], start[after]) if kind <= SS else (late_finish[after], finish[after])
            if lag_calendar[link] < 0:
                late, early = late - lag[link], early - lag[link]
            else:
                now = start[k] if of_start else finish[k]
                late = back(clocks, links, link, after, late, now)
                early = back(clocks, links, link, after, early, now)
            latest = min(latest, late + work if of_start else late)
            moving = min(moving, early + work if of_start else early)
        latest = min(latest, finish_limit[k], start_limit[k] + work)
        if state[k] == NOT_STARTED and pin_start[k] != NO_INSTANT:
            latest = pin_start[k] + work
        if pin_finish[k] != NO_INSTANT:
            latest = pin_finish[k]
        if side[k] != 0:
            latest = standing(clocks, links, k, latest, True)
        late_finish[k] = latest
        late_start[k] = latest - work
        free[k] = moving
        if as_late[k]:
            finish[k] = max(finish[k], moving if side[k] != 2 else standing(clocks, links, k, moving, True))
            start[k] = finish[k] - work


@kernel()
def longest_path(
    clocks: Clocks, links: Links, bounds: Bounds, start: Ints, finish: Ints, last: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Activities on a chain of driving links to one of the last activities."""
    path, state, side = last.copy(), bounds.state, links.side
    pred_ptr, pred, pred_type = links.pred_ptr, links.pred, links.pred_type
    lag, lag_calendar = links.pred_lag, links.pred_lag_calendar
    for k in range(start.size - 1, -1, -1):
        if not path[k] or state[k] >= FIXED:
            continue
        for link in range(pred_ptr[k], pred_ptr[k + 1]):
            before, kind = pred[link], pred_type[link]
            value = finish[before] if kind == FS or kind == FF else start[before]
            value = value + lag[link] if lag_calendar[link] < 0 else ahead(clocks, links, link, k, value)
            reached = start[k] if kind <= SS else finish[k]
            if side[k] != 0:
                value, reached = own_coordinate(clocks, links, k, value), own_coordinate(clocks, links, k, reached)
            path[before] |= value >= reached
    return path


@kernel()
def own_coordinates(clocks: Clocks, links: Links, work: Ints) -> Ints:
    """Coordinates of the passes as those of the calendars that activities belong to."""
    found, side = work.copy(), links.side
    for k in range(work.size):
        if side[k] != 0:
            found[k] = own_coordinate(clocks, links, k, work[k])
    return found


@kernel()
def instants_at(clocks: Clocks, links: Links, work: Ints, ends: bool) -> Ints:
    """Instants of coordinates, where work ends or where it starts."""
    found = np.empty(work.size, dtype=np.int64)
    for k in range(work.size):
        if ends:
            found[k] = finish_instant(clocks, links.calendar[k], work[k])
        else:
            found[k] = start_instant(clocks, links.calendar[k], work[k])
    return found
