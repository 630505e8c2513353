"""The kernel for large networks: a block of iterations at a time, so that every step is arithmetic on short rows.

Belongs here: forward and backward pass of a block, finishes of targets, criticality. Does not: pools and driving paths,
which make iterations go different ways (``serial``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import int32

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry
from turnup.schedule.simulation.inputs import FF, FS, SF, SS
from turnup.schedule.simulation.sampling import Events, Scratch, common_draws, draw_durations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.layout import Ends, Logic, Small
    from turnup.schedule.simulation.parameters import Parameters


_TOGETHER = 64
"""Activities whose durations are drawn just before they are scheduled, while they are in the nearest cache."""


class Block(NamedTuple):
    """What one thread keeps of a block of iterations.

    Attributes:
        duration, finish: positions x iterations. The backward pass leaves late starts in ``finish``.
        row: one row to work in.
        shift: a second one.
        latest: latest finish by axis; the backward pass leaves the project's there.
        clock: project finish by the clock.
    """

    duration: Small
    finish: Small
    row: Small
    shift: Small
    latest: Small
    clock: Small


class Targets(NamedTuple):
    """Positions whose latest finish is a target's: those of target t are ``member[ptr[t]]`` to ``ptr[t + 1]``.

    ``done`` is the latest finish, by the clock, of its finished activities; 0 for none.
    """

    ptr: Small
    member: Small
    done: Small


def block_of(positions: int, axes: int, width: int) -> Block:
    """Make room for blocks of so many iterations."""
    return Block(
        np.zeros((positions, width), np.int32),
        np.zeros((positions, width), np.int32),
        np.zeros(width, np.int32),
        np.zeros(width, np.int32),
        np.zeros((axes, width), np.int32),
        np.zeros(width, np.int32),
    )


@hot_kernel()
def run_blocks(
    logic: Logic, tables: Conversions, parameters: Parameters, events: Events, targets: Targets,
    begin: int, end: int, block: Block, held: Scratch, finishes: Small, project: Small, critical: Small,
) -> None:  # fmt: skip
    """Run iterations ``begin`` to ``end``; fill finishes by target and of the project, and add to ``critical``."""
    most = block.clock.size
    for first in range(begin, end, most):
        width = min(most, end - first)
        common_draws(parameters, events, first, width, held)
        for axis in range(block.latest.shape[0]):
            for k in range(width):
                block.latest[axis, k] = 0
        for position in range(logic.start.size):
            if position % _TOGETHER == 0:
                until = min(position + _TOGETHER, logic.start.size)
                draw_durations(parameters, events, position, until, first, width, held, block.duration)
            _schedule(logic, tables, position, width, block)
            if logic.last[position]:
                axis = logic.axis[position]
                for k in range(width):
                    block.latest[axis, k] = max(block.latest[axis, k], block.finish[position, k])
        _finishes(logic, tables, targets, first, width, block, finishes, project)
        for position in range(logic.start.size - 1, -1, -1):
            critical[position] += _late(logic, tables, position, width, block)


@hot_kernel(inline=True)
def _schedule(logic: Logic, tables: Conversions, position: int, width: int, block: Block) -> None:
    """Early finish of one activity in all iterations of the block."""
    links, finish, duration, row = logic.before, block.finish, block.duration, block.row
    start, most = logic.start[position], logic.most[position]
    for k in range(width):
        row[k] = start
    if logic.finish[position] > 0:
        for k in range(width):
            row[k] = max(row[k], logic.finish[position] - duration[position, k])
    for entry in range(links.ptr[position], links.ptr[position + 1]):
        other, lag = links.other[entry], links.lag[entry]
        if links.type[entry] == FS and links.to[entry] < 0 and links.on[entry] < 0:
            for k in range(width):
                row[k] = max(row[k], finish[other, k] + lag)
            continue
        shift = block.shift
        if links.type[entry] == SS or links.type[entry] == SF:
            for k in range(width):
                shift[k] = finish[other, k] - duration[other, k]
        else:
            for k in range(width):
                shift[k] = finish[other, k]
        _carry_row(tables, links, entry, width, shift, lag)
        if links.type[entry] == FF or links.type[entry] == SF:
            for k in range(width):
                shift[k] -= duration[position, k]
        for k in range(width):
            row[k] = max(row[k], shift[k])
    if logic.side[position] != 0:
        for k in range(width):
            row[k] = standing(logic, tables, position, row[k])
    for k in range(width):
        finish[position, k] = min(min(row[k], most) + duration[position, k], most)


@hot_kernel(inline=True)
def _late(logic: Logic, tables: Conversions, position: int, width: int, block: Block) -> int:
    """Late start of one activity in all iterations of the block; return in how many it has no float."""
    links, finish, duration, row = logic.after, block.finish, block.duration, block.row
    if logic.last[position]:
        axis = logic.axis[position]
        for k in range(width):
            row[k] = block.latest[axis, k]
    else:
        for k in range(width):
            row[k] = logic.most[position]
    for entry in range(links.ptr[position], links.ptr[position + 1]):
        other, lag = links.other[entry], links.lag[entry]
        if links.type[entry] == FS and links.to[entry] < 0 and links.on[entry] < 0:
            for k in range(width):
                row[k] = min(row[k], finish[other, k] - lag)
            continue
        shift = block.shift
        if links.type[entry] == FF or links.type[entry] == SF:
            for k in range(width):
                shift[k] = finish[other, k] + duration[other, k]
        else:
            for k in range(width):
                shift[k] = finish[other, k]
        _carry_row(tables, links, entry, width, shift, -lag)
        if links.type[entry] == SS or links.type[entry] == SF:
            for k in range(width):
                shift[k] += duration[position, k]
        for k in range(width):
            row[k] = min(row[k], shift[k])
    without = int32(0)
    if logic.side[position] == 0:
        for k in range(width):
            without += int32(row[k] <= finish[position, k])
    else:
        to, back = logic.own_to[position], logic.own_back[position]
        for k in range(width):
            work = carry(tables, to, row[k], 1)
            without += int32(work <= carry(tables, to, finish[position, k], 1))
            if logic.side[position] == 2:
                row[k] = carry(tables, back, work, 1)
    for k in range(width):
        finish[position, k] = row[k] - duration[position, k]
    return without  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def standing(logic: Logic, tables: Conversions, position: int, instant: int) -> int:
    """Where a milestone may stand: a start milestone waits for work to start, a finish milestone need not."""
    back = logic.own_back[position]
    work = carry(tables, logic.own_to[position], instant, 0)
    waits = logic.side[position] == 1 or carry(tables, back, work, 1) != instant
    return carry(tables, back, work, 0) if waits else instant  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def _carry_row(tables: Conversions, links: Ends, entry: int, width: int, row: Small, lag: int) -> None:
    """Convert a row to the lag's calendar, move it by the lag, and convert it on."""
    to, on, ends = links.to[entry], links.on[entry], links.ends[entry]
    if to >= 0:
        for k in range(width):
            row[k] = carry(tables, to, row[k], ends)
    for k in range(width):
        row[k] += lag
    if on >= 0:
        for k in range(width):
            row[k] = carry(tables, on, row[k], ends)


@hot_kernel(inline=True)
def _finishes(
    logic: Logic, tables: Conversions, targets: Targets, first: int, width: int, block: Block,
    finishes: Small, project: Small,
) -> None:  # fmt: skip
    """Finishes of targets and of the project by the clock; the latter also as each axis' latest finish."""
    clock = block.clock
    for k in range(width):
        clock[k] = 0
    for axis in range(logic.to_clock.size):
        for k in range(width):
            clock[k] = max(clock[k], by_clock(logic, tables, axis, block.latest[axis, k]))
    for k in range(width):
        project[first + k] = clock[k]
    for axis in range(logic.to_clock.size):
        number = logic.from_clock[axis]
        for k in range(width):
            block.latest[axis, k] = clock[k] if number < 0 else carry(tables, number, clock[k], 1)
    for target in range(targets.done.size):
        for k in range(width):
            finishes[target, first + k] = targets.done[target]
        for entry in range(targets.ptr[target], targets.ptr[target + 1]):
            position = targets.member[entry]
            axis = logic.axis[position]
            for k in range(width):
                found = by_clock(logic, tables, axis, block.finish[position, k])
                finishes[target, first + k] = max(finishes[target, first + k], found)


@hot_kernel(inline=True)
def by_clock(logic: Logic, tables: Conversions, axis: int, finish: int) -> int:
    """A finish on a calendar as seconds of the clock since the run's origin."""
    number = logic.to_clock[axis]
    return finish if number < 0 else carry(tables, number, finish, 1)  # type: ignore[no-any-return]
