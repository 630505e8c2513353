"""Coordinates of one calendar as coordinates of another, from tables that a kernel can read quickly.

Belongs here: the tables, exact to the second, over a stretch of time. Does not: what a calendar is (``working_time``).

Within a run a coordinate is the working time on a calendar since the run's origin, an int32. As a function of the
coordinate of one calendar, that of another is made of pieces that rise second by second or stand still, with jumps
where the first calendar does not work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import float32, int32

from turnup.schedule.model import DAY
from turnup.schedule.simulation.compiled import hot_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.working_time import Clocks

    Small = NDArray[np.int32]
    Ints = NDArray[np.int64]

SAME = -1
"""Number of the conversion between calendars that agree."""
_CELL_BITS = 11
_CELL = 1 << _CELL_BITS
_END = np.iinfo(np.int32).max
_LEAST_STEP = 300
_NONE = np.zeros(0, dtype=np.int64)
_WEEK = 7


class Conversions(NamedTuple):
    """Pieces of the conversions between pairs of calendars, one conversion after the other.

    Where all pieces begin at multiples of some minutes, as shifts do, conversion c has steps of ``step[c]`` seconds and
    one entry a step in ``steps``, from ``steps_ptr[c]`` on: twice the coordinate of the second calendar at its begin,
    plus 1 if it rises. Else the step is 0; piece i begins at ``begin[i]`` with ``value[i]``, and ``rises[i]`` is -1
    (all bits) where it rises and 0 where it stands; the last piece lies beyond all coordinates, and
    ``cell[cell_ptr[c] + (coordinate >> 11)]`` is the piece with which that cell begins.
    """

    step: Small
    per_step: NDArray[np.float32]
    steps: Small
    steps_ptr: Small
    begin: Small
    value: Small
    rises: Small
    cell: Small
    cell_ptr: Small


class Hours:
    """Working time of calendars between two midnights, as stretches of work in seconds since the first.

    Calendars that agree within it count as one: ``alike`` is the number of the first of them. Number ``elapsed`` stands
    for the clock itself.
    """

    def __init__(self, clocks: Clocks | None, first_day: int, days: int) -> None:
        self.origin = first_day * DAY
        self.length = days * DAY
        whole = (np.zeros(1, dtype=np.int64), np.full(1, self.length, dtype=np.int64))
        count = 0 if clocks is None else len(clocks.always)
        self.stretches = [_stretches(clocks, number, first_day, days) for number in range(count) if clocks is not None]
        self.stretches.append(whole)
        self.elapsed = len(self.stretches) - 1
        self.alike = self._alike()
        self.done = [np.cumsum(end - begin) - (end - begin) for begin, end in self.stretches]

    def _alike(self) -> list[int]:
        known: dict[bytes, int] = {}
        return [
            known.setdefault(begin.tobytes() + end.tobytes(), number)
            for number, (begin, end) in enumerate(self.stretches)
        ]

    def coordinate(self, calendar: int, seconds: Ints) -> Ints:
        """Working time on a calendar before some seconds since the origin; nothing lies before the origin."""
        begin, end = self.stretches[calendar]
        at = np.maximum(np.searchsorted(begin, seconds, side="right") - 1, 0)
        return np.asarray(self.done[calendar][at] + np.clip(seconds - begin[at], 0, end[at] - begin[at]))

    def total(self, calendar: int) -> int:
        """Working time of a calendar in all."""
        return int(self.coordinate(calendar, np.array([self.length]))[0])

    def pieces(self, first: int, second: int) -> tuple[Ints, Ints, Ints]:
        """Begin, value and slope of the conversion between two calendars."""
        # Sorted runs: a stable sort merges them.
        edges = np.sort(np.concatenate([*self.stretches[first], *self.stretches[second]]), kind="stable")
        edges = edges[np.append(True, edges[1:] > edges[:-1])]
        worked = self._works(first, edges)
        edges = edges[worked]
        begin, value = self.coordinate(first, edges), self.coordinate(second, edges)
        rises = -self._works(second, edges).astype(np.int64)
        length = np.diff(begin)
        goes_on = (rises[1:] == rises[:-1]) & (value[1:] == value[:-1] + (length & rises[:-1]))
        kept = np.concatenate([[True], ~goes_on])
        return begin[kept], value[kept], rises[kept]

    def _works(self, calendar: int, seconds: Ints) -> NDArray[np.bool_]:
        begin, end = self.stretches[calendar]
        at = np.searchsorted(begin, seconds, side="right") - 1
        return np.asarray((at >= 0) & (seconds < end[at]))


def _stretches(clocks: Clocks, calendar: int, first_day: int, days: int) -> tuple[Ints, Ints]:
    """Shifts of the days, those that touch joined."""
    day = np.arange(days, dtype=np.int64) + (first_day - clocks.first_day)
    beyond = np.where(day < 0, day // _WEEK, np.maximum(day - clocks.days, -_WEEK) // _WEEK + 1)
    pattern = clocks.pattern[calendar, day - beyond * _WEEK]
    count = clocks.shift_ptr[pattern + 1] - clocks.shift_ptr[pattern]
    shift = np.repeat(clocks.shift_ptr[pattern] - (np.cumsum(count) - count), count) + np.arange(count.sum())
    midnight = np.repeat(np.arange(days, dtype=np.int64) * DAY, count)
    begin, end = midnight + clocks.shift_start[shift], midnight + clocks.shift_end[shift]
    apart = begin[1:] > end[:-1]
    return begin[np.concatenate([[True], apart])], end[np.concatenate([apart, [True]])]


class Pairs:
    """Numbers of the conversions that a run needs, given out as they are asked for."""

    def __init__(self, hours: Hours) -> None:
        self.hours = hours
        self.numbers: dict[tuple[int, int], int] = {}

    def number(self, first: int, second: int) -> int:
        """Return the number of a conversion between two calendars, SAME when they agree."""
        pair = self.hours.alike[first], self.hours.alike[second]
        return SAME if pair[0] == pair[1] else self.numbers.setdefault(pair, len(self.numbers))

    def numbered(self, first: Small, second: Small) -> Small:
        """Number the conversions from each of some calendars to the other array's."""
        size = len(self.hours.stretches)
        found = np.empty(len(first), dtype=np.int32)
        both = first.astype(np.int64) * size + second
        for pair in np.unique(both).tolist():
            found[both == pair] = self.number(pair // size, pair % size)
        return found

    def tables(self) -> Conversions:
        """Lay out all conversions asked for."""
        step, steps, begin, value, rises, cell = [], [_NONE], [_NONE], [_NONE], [_NONE], [_NONE]
        for first, second in self.numbers:
            pieces, total = self.hours.pieces(first, second), self.hours.total(first)
            step.append(_common_step(pieces[0]))
            steps.append(_by_step(*pieces, step[-1], total) if step[-1] else _NONE)
            cells = np.arange(0, 0 if step[-1] else total + _CELL, _CELL)
            cell.append(np.searchsorted(pieces[0], cells, side="right") - 1 + sum(map(len, begin)))
            if not step[-1]:
                begin.append(np.append(pieces[0], _END))
                value.append(np.append(pieces[1], 0))
                rises.append(np.append(pieces[2], 0))
        return Conversions(
            step=np.array(step, dtype=np.int32),
            per_step=(1.0 / np.maximum(step, 1)).astype(np.float32),
            steps=np.concatenate(steps).astype(np.int32),
            steps_ptr=np.cumsum([len(one) for one in steps]).astype(np.int32),
            begin=np.concatenate(begin).astype(np.int32),
            value=np.concatenate(value).astype(np.int32),
            rises=np.concatenate(rises).astype(np.int32),
            cell=np.concatenate(cell).astype(np.int32),
            cell_ptr=np.cumsum([len(one) for one in cell]).astype(np.int32),
        )


def _common_step(begin: Ints) -> int:
    """Greatest step of which all pieces begin at multiples, 0 where it is less than five minutes."""
    step = int(np.gcd.reduce(begin)) or DAY
    return step if step >= _LEAST_STEP else 0


def _by_step(begin: Ints, value: Ints, rises: Ints, step: int, total: int) -> Ints:
    edges = np.append(begin // step, total // step + 2)
    piece = np.repeat(np.arange(len(begin)), np.diff(edges))
    at = np.arange(edges[-1]) * step
    return 2 * (value[piece] + ((at - begin[piece]) & rises[piece])) - rises[piece]


@hot_kernel(inline=True)
def step_of(tables: Conversions, number: int, at: int) -> int:
    """Return the step of a conversion in which a coordinate lies."""
    step, last = tables.step[number], tables.steps_ptr[number + 1] - tables.steps_ptr[number] - 1
    # A quotient of float32 may be one off.
    found = int32(float32(at) * tables.per_step[number])
    rest = int32(at - found * step)
    found = int32(found + int32(rest >= step) - int32(rest < 0))
    return min(found, int32(last))  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def within_step(tables: Conversions, number: int, work: int, found: int, entry: int) -> int:
    """Return the second calendar's coordinate of one in a step with this entry."""
    return int32((entry >> 1) + ((work - found * tables.step[number]) & -(entry & 1)))  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def carry(tables: Conversions, number: int, work: int, ends: int) -> int:
    """A coordinate as one of another calendar.

    Args:
        tables: the conversions.
        number: which; not SAME.
        work: coordinate on the first calendar.
        ends: 1 when work ends there (the earliest instant with this coordinate), 0 when it starts (the latest).
    """
    at = max(work - ends, 0)
    if tables.step[number] > 0:
        found = step_of(tables, number, at)
        return within_step(tables, number, work, found, tables.steps[tables.steps_ptr[number] + found])
    last = tables.cell_ptr[number + 1] - 1
    piece = tables.cell[min(tables.cell_ptr[number] + (at >> _CELL_BITS), last)]
    while tables.begin[piece + 1] <= at:
        piece += 1
    return int32(tables.value[piece] + ((work - tables.begin[piece]) & tables.rises[piece]))  # type: ignore[no-any-return]
