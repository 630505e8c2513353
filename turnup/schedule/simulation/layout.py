"""A network as the kernels of a run read it: positions in order, coordinates in int32, links with their conversions.

Belongs here: what the arrays hold and how they follow from a network. Does not: pools (``pooling``), draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.model import DAY
from turnup.schedule.simulation.conversions import SAME, Hours, Pairs
from turnup.schedule.simulation.inputs import FF, FS, NEVER, SF

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork
    from turnup.schedule.simulation.order import Arranged

    Small = NDArray[np.int32]
    Tiny = NDArray[np.int8]
    Ints = NDArray[np.int64]

LONGEST_DAYS = 12_427
"""Days of a run at most: 34 years in seconds stay below 2**30, so that sums of two stay in an int32."""
LONGEST_LAG = 1 << 29
MARGIN_DAYS = 28
"""Days before the first start that a run's origin lies, so that work before it has coordinates too."""


class Ends(NamedTuple):
    """Links of positions as one pass meets them: from predecessors (forward) or from successors (backward).

    Entries of position k are ``ptr[k]`` to ``ptr[k + 1]``. A coordinate of the other end is converted by ``to`` to the
    lag's calendar, moved by the lag, and converted by ``on`` to the position's calendar (SAME where they agree);
    ``ends`` is 1 where work ends there, 0 where it starts. An entry is ``plain`` when it is FS without conversions, and
    a position is ``simple`` when it has at most two entries, all plain.
    """

    ptr: Small
    other: Small
    type: Tiny
    lag: Small
    to: Small
    on: Small
    ends: Tiny
    plain: NDArray[np.bool_]
    simple: NDArray[np.bool_]


class Logic(NamedTuple):
    """The network by position, in coordinates since the run's origin.

    Attributes:
        start: before which the remaining work does not start.
        finish: before which it does not finish; 0 where nothing says so.
        most: last coordinate of the own calendar; what lies beyond is kept as this.
        axis: number of its calendar, see ``to_clock``.
        last: whether the latest finish may be its own: no successor on its own calendar always finishes later.
        side: 1 for start milestones, 2 for finish milestones that have to stand somewhere, else 0.
        own_to, own_back: conversions of milestones to the calendar on which they stand, and back.
        before, after: links.
        to_clock, from_clock: by axis, conversion to the clock and back.
    """

    start: Small
    finish: Small
    most: Small
    axis: Small
    last: NDArray[np.bool_]
    side: Tiny
    own_to: Small
    own_back: Small
    before: Ends
    after: Ends
    to_clock: Small
    from_clock: Small


def first_instant(network: ActivityNetwork) -> int:
    """Instant before which nothing starts that no date of its own holds back: the first date that is given."""
    dates = np.concatenate([network.start_from, network.finish_from])
    given = dates[dates != NEVER]
    return int(given.min()) if len(given) else 0


def hours_of(network: ActivityNetwork, first: int, last: int) -> Hours:
    """Working time of the network's calendars for a run from one instant to another."""
    first_day = first // DAY - MARGIN_DAYS
    return Hours(network.clocks, first_day, min(last // DAY + 2 - first_day, LONGEST_DAYS))


def logic_of(network: ActivityNetwork, order: Arranged, hours: Hours, pairs: Pairs) -> Logic:
    """Lay out a network.

    Raises:
        ValueError: a lag of more than 17 years, naming its activities.
    """
    far = np.flatnonzero(np.abs(network.lag) > LONGEST_LAG)
    for link in far[:1]:
        pred, succ = network.ids[network.pred[link]], network.ids[network.succ[link]]
        raise ValueError(f"{pred} to {succ}: a lag of {network.lag[link]} s is more than {LONGEST_LAG} s (17 years)")
    rows = order.rows
    calendar = calendars_of(network, hours, network.calendar)[rows]
    axes, axis = np.unique(calendar, return_inverse=True)
    clock = np.full(len(axes), hours.elapsed, dtype=np.int32)
    totals = np.array([hours.total(number) for number in range(len(hours.stretches))], dtype=np.int32)
    own = calendars_of(network, hours, network.own)[rows]
    own_to = pairs.numbered(calendar, own)
    return Logic(
        start=coordinates(hours, calendar, np.maximum(network.start_from[rows], first_instant(network))),
        finish=coordinates(hours, calendar, network.finish_from[rows]),
        most=totals[calendar],
        axis=axis.astype(np.int32),
        last=~outlasted(network, order, calendar, hours)(np.arange(len(rows))),
        side=np.where(own_to == SAME, 0, network.side[rows]).astype(np.int8),
        own_to=own_to,
        own_back=pairs.numbered(own, calendar),
        before=_before(network, order, calendar, hours, pairs),
        after=_after(network, order, calendar, hours, pairs),
        to_clock=pairs.numbered(axes, clock),
        from_clock=pairs.numbered(clock, axes),
    )


def calendars_of(network: ActivityNetwork, hours: Hours, numbers: Small) -> Small:
    """Numbers of calendars, those that agree as one."""
    if network.clocks is None:
        return np.full(len(numbers), hours.elapsed, dtype=np.int32)
    return np.array(hours.alike, dtype=np.int32)[numbers]


def coordinates(hours: Hours, calendar: Small, instants: Ints) -> Small:
    """Coordinates of instants on a calendar each; 0 for NEVER and for what lies before the origin."""
    seconds = np.where(instants == NEVER, 0, np.clip(instants - hours.origin, 0, hours.length))
    found = np.zeros(len(instants), dtype=np.int32)
    for number in np.unique(calendar).tolist():
        own = calendar == number
        found[own] = hours.coordinate(number, seconds[own])
    return found


def _before(network: ActivityNetwork, order: Arranged, calendar: Small, hours: Hours, pairs: Pairs) -> Ends:
    """Links as the forward pass meets them: from the predecessor's event to the successor's."""
    succ = np.repeat(np.arange(len(order.rows)), np.diff(order.pred_ptr))
    kind, pred = network.link_type[order.link], order.pred
    to, on = _legs(network, order.link, calendar[pred], calendar[succ], hours, pairs)
    lag = network.lag[order.link].astype(np.int32)
    return _ends(order.pred_ptr, pred, kind, lag, (to, on), (kind == FS) | (kind == FF))


def _after(network: ActivityNetwork, order: Arranged, calendar: Small, hours: Hours, pairs: Pairs) -> Ends:
    """Links as the backward pass meets them: from the successor's event to the predecessor's."""
    pred = np.repeat(np.arange(len(order.rows)), np.diff(order.succ_ptr))
    kind, succ = network.link_type[order.out], order.succ
    to, on = _legs(network, order.out, calendar[succ], calendar[pred], hours, pairs)
    lag = network.lag[order.out].astype(np.int32)
    return _ends(order.succ_ptr, succ, kind, lag, (to, on), (kind == FF) | (kind == SF))


def _ends(ptr: Small, other: Small, kind: Tiny, lag: Small, legs: tuple[Small, Small], ends: NDArray[np.bool_]) -> Ends:
    plain = (kind == FS) & (legs[0] == SAME) & (legs[1] == SAME)
    count = np.diff(ptr)
    other_kinds = np.bincount(np.repeat(np.arange(len(count)), count), weights=~plain, minlength=len(count))
    return Ends(ptr, other, kind, lag, *legs, ends.astype(np.int8), plain, (count <= 2) & (other_kinds == 0))


def _legs(
    network: ActivityNetwork, link: Ints, first: Small, second: Small, hours: Hours, pairs: Pairs
) -> tuple[Small, Small]:
    """Conversions from one end's calendar to the lag's, and from there to the other end's; without lag, directly."""
    lag_calendar = calendars_of(network, hours, network.lag_calendar[link])
    lag_calendar = np.where(network.lag[link] == 0, second, lag_calendar)
    return pairs.numbered(first, lag_calendar), pairs.numbered(lag_calendar, second)


def outlasted(
    network: ActivityNetwork, order: Arranged, calendar: Small, hours: Hours
) -> Callable[[NDArray[np.int64]], NDArray[np.bool_]]:
    """Return what says of some positions which of them another one among them never finishes before.

    That is a successor on the same calendar or by the clock.
    """
    pred = np.repeat(np.arange(len(order.rows)), np.diff(order.succ_ptr))
    kind, lag, binds = network.link_type[order.out], network.lag[order.out], network.binds[order.out]
    there, clock = calendar[order.succ], hours.alike[hours.elapsed]
    later = binds & ((kind == FS) | (kind == FF)) & (lag >= 0) & ((calendar[pred] == there) | (there == clock))
    within = np.zeros(len(order.rows), dtype=np.bool_)

    def among(positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        if len(positions) < 2:  # most targets are one activity, and a network has thousands of targets
            return np.zeros(len(positions), dtype=np.bool_)
        within[positions] = True
        begin, counts = order.succ_ptr[positions], np.diff(order.succ_ptr)[positions]
        number = np.repeat(np.arange(len(positions)), counts)
        entry = np.arange(len(number)) + np.repeat(begin - np.cumsum(counts) + counts, counts)
        holds = later[entry] & within[order.succ[entry]]
        within[positions] = False
        return np.bincount(number[holds], minlength=len(positions)) > 0

    return among
