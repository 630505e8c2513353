"""The kernel for shared pools and driving paths: one iteration after the other.

Belongs here: scheduling by priority in one pass (serial schedule generation), and tracing what drove the targets. Does
not: the draws, which are those of ``blocked``.

Activities are scheduled in order of position. Each takes the earliest start that its links allow and at which its pools
are free throughout; those that come later may fill gaps but never delay it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import int32, uint64

from turnup.schedule.simulation.blocked import Targets
from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry
from turnup.schedule.simulation.inputs import FF, SF, SS
from turnup.schedule.simulation.places import by_clock, standing
from turnup.schedule.simulation.pooling import Pools, Timelines, clear, placed
from turnup.schedule.simulation.sampling import Events, Scratch, common_draws, draw_durations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.layout import Ends, Logic, Small
    from turnup.schedule.simulation.parameters import Parameters

MOST_TARGETS = 64
"""Targets whose paths are traced at once: one bit each."""


class Line(NamedTuple):
    """What one thread keeps of an iteration.

    Attributes:
        drawn: durations of a block of iterations, positions x iterations.
        start, finish: by position.
        ready: start that links and dates alone would allow.
        drives: bit t is set where the position drives the t-th target that is traced now; 0 between traces.
    """

    drawn: Small
    start: Small
    finish: Small
    ready: Small
    drives: NDArray[np.uint64]


def line_of(positions: int, width: int) -> Line:
    """Make room for iterations, whose durations are drawn in blocks."""
    return Line(
        np.zeros((positions, width), np.int32),
        np.zeros(positions, np.int32),
        np.zeros(positions, np.int32),
        np.zeros(positions, np.int32),
        np.zeros(positions, np.uint64),
    )


@hot_kernel()
def run_lines(
    logic: Logic, tables: Conversions, parameters: Parameters, events: Events, pools: Pools, targets: Targets,
    traced: Small, begin: int, end: int, line: Line, taken: Timelines, held: Scratch, finishes: Small, driving: Small,
) -> None:  # fmt: skip
    """Run iterations ``begin`` to ``end``; fill finishes by target and add to ``driving``, positions x traced targets.

    ``traced`` are numbers of targets.
    """
    most = line.drawn.shape[1]
    for first in range(begin, end, most):
        width = min(most, end - first)
        common_draws(parameters, events, first, width, held)
        # A literal 0 would be compiled apart.
        none = np.int64(0)
        draw_durations(parameters, events, none, logic.start.size, first, width, held, line.drawn)  # type: ignore[arg-type]
        for k in range(width):
            clear(taken)
            for position in range(logic.start.size):
                work = line.drawn[position, k]
                ready = min(_ready(logic, tables, position, work, line), logic.most[position])
                start = ready
                if work > 0 and pools.ptr[position] < pools.ptr[position + 1]:
                    start = min(placed(tables, pools, taken, position, ready, work), logic.most[position])
                line.ready[position] = ready
                line.start[position] = start
                line.finish[position] = min(start + work, logic.most[position])
            _finishes(logic, tables, targets, first + k, line, finishes)
            for batch in range(0, traced.size, MOST_TARGETS):
                _trace(logic, tables, pools, taken, targets, traced, batch, first + k, line, finishes, driving)


@hot_kernel(inline=True)
def _allowed(tables: Conversions, links: Ends, entry: int, work: int, line: Line) -> int:
    """Start that one link allows an activity with so much work."""
    other, kind = links.other[entry], links.type[entry]
    at = line.start[other] if kind == SS or kind == SF else line.finish[other]
    if links.to[entry] >= 0:
        at = carry(tables, links.to[entry], at, links.ends[entry])
    at += links.lag[entry]
    if links.on[entry] >= 0:
        at = carry(tables, links.on[entry], at, links.ends[entry])
    return at - work if kind == FF or kind == SF else at  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def _ready(logic: Logic, tables: Conversions, position: int, work: int, line: Line) -> int:
    """Earliest start that links and dates allow."""
    ready = logic.start[position]
    if logic.finish[position] > 0:
        ready = max(ready, logic.finish[position] - work)
    for entry in range(logic.before.ptr[position], logic.before.ptr[position + 1]):
        ready = max(ready, _allowed(tables, logic.before, entry, work, line))
    return standing(logic, tables, position, ready) if logic.side[position] != 0 else ready


@hot_kernel(inline=True)
def _finishes(logic: Logic, tables: Conversions, targets: Targets, iteration: int, line: Line, finishes: Small) -> None:
    for target in range(targets.done.size):
        latest = targets.done[target]
        if targets.floor.size > 0:
            latest = max(latest, targets.floor[target, iteration])
        for entry in range(targets.ptr[target], targets.ptr[target + 1]):
            position = targets.member[entry]
            latest = max(latest, by_clock(logic, tables, logic.axis[position], line.finish[position]))
        finishes[target, iteration] = latest


@hot_kernel()
def _trace(
    logic: Logic, tables: Conversions, pools: Pools, taken: Timelines, targets: Targets, traced: Small, batch: int,
    iteration: int, line: Line, finishes: Small, driving: Small,
) -> None:  # fmt: skip
    """Mark what drives up to 64 targets, from their last activities back, and count it."""
    drives, last = line.drives, np.int64(-1)
    for number in range(batch, min(batch + MOST_TARGETS, traced.size)):
        target, bit = traced[number], uint64(1) << uint64(number - batch)
        for entry in range(targets.ptr[target], targets.ptr[target + 1]):
            position = targets.member[entry]
            if by_clock(logic, tables, logic.axis[position], line.finish[position]) == finishes[target, iteration]:
                drives[position] |= bit
                last = max(last, np.int64(position))
    for position in range(last, -1, -1):
        marks = drives[position]
        if marks == 0:
            continue
        _mark_drivers(logic, tables, pools, taken, position, line)
        drives[position] = uint64(0)
        number = batch
        while marks != uint64(0):
            if marks & uint64(0xFF) == uint64(0):
                marks >>= uint64(8)
                number += 8
            else:
                driving[position, number] += int32(marks & uint64(1))
                marks >>= uint64(1)
                number += 1


@hot_kernel(inline=True)
def _mark_drivers(logic: Logic, tables: Conversions, pools: Pools, taken: Timelines, position: int, line: Line) -> None:
    """Pass an activity's marks to what its start follows at once: predecessors, or earlier users of its pools."""
    drives, marks, start = line.drives, line.drives[position], line.start[position]
    work = line.finish[position] - start
    if start > line.ready[position]:
        for use in range(pools.ptr[position], pools.ptr[position + 1]):
            pool, number = pools.pool[use], pools.back[use]
            for entry in range(pools.by_pool_ptr[pool], pools.by_pool_ptr[pool + 1]):
                earlier = pools.by_pool[entry]
                user = pools.user[earlier]
                if user >= position:
                    break
                until = taken.until[earlier]
                until = until if number < 0 else carry(tables, number, until, int32(0))
                if until == start and line.finish[user] > line.start[user]:
                    drives[user] |= marks
        return
    to = logic.own_to[position]
    reached = start if to < 0 else carry(tables, to, start, 0)
    for entry in range(logic.before.ptr[position], logic.before.ptr[position + 1]):
        allowed = _allowed(tables, logic.before, entry, work, line)
        if (allowed if to < 0 else carry(tables, to, allowed, 0)) >= reached:
            drives[logic.before.other[entry]] |= marks
