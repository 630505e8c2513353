"""Coordinates of one calendar as coordinates of another, from tables that a kernel can read quickly.

Belongs here: the tables, exact to the second, over a stretch of time. Does not: what a calendar is (``working_time``).

Within a run a coordinate is the working time on a calendar since the run's origin, an int32. As a function of the
coordinate of one calendar, that of another is made of pieces that rise second by second or stand still, with jumps
where the first calendar does not work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.model import DAY

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
_WEEK = 7


class Conversions(NamedTuple):
    """Pieces of the conversions between pairs of calendars, one conversion after the other.

    Piece i begins at coordinate ``begin[i]`` of the first calendar, with ``value[i]`` of the second; ``rises[i]`` is -1
    (all bits) where it rises and 0 where it stands. Each conversion ends with a piece beyond all coordinates.
    ``cell[cell_ptr[c] + (coordinate >> 11)]`` is the piece with which that cell of conversion c begins.
    """

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
        edges = np.unique(np.concatenate([*self.stretches[first], *self.stretches[second]]))
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
        parts: list[tuple[Ints, Ints, Ints]] = []
        cells: list[Ints] = []
        cell_ptr, pieces = [0], 0
        for first, second in self.numbers:
            begin, value, rises = self.hours.pieces(first, second)
            coordinates = np.arange(0, self.hours.total(first) + _CELL, _CELL)
            cells.append(np.searchsorted(begin, coordinates, side="right") - 1 + pieces)
            parts.append((np.append(begin, _END), np.append(value, value[-1]), np.append(rises, 0)))
            pieces += len(begin) + 1
            cell_ptr.append(cell_ptr[-1] + len(coordinates))
        flat = [np.concatenate([part[k] for part in parts]) if parts else np.zeros(0) for k in range(3)]
        cell = np.concatenate(cells) if cells else np.zeros(0)
        return Conversions(
            *(array.astype(np.int32) for array in flat), cell.astype(np.int32), np.array(cell_ptr, dtype=np.int32)
        )


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
    last = tables.cell_ptr[number + 1] - 1
    piece = tables.cell[min(tables.cell_ptr[number] + (at >> _CELL_BITS), last)]
    while tables.begin[piece + 1] <= at:
        piece += 1
    return tables.value[piece] + ((work - tables.begin[piece]) & tables.rises[piece])  # type: ignore[no-any-return]
