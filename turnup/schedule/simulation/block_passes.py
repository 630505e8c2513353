"""Forward and backward pass of a block of iterations, one activity at a time.

Belongs here: what links do to rows of iterations. Does not: the order of activities (``blocked``).

Sums of two int32 are made int32 again at once: as int64 they would be done on half as many iterations at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import int32

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry, step_of, within_step
from turnup.schedule.simulation.inputs import FF, SF, SS
from turnup.schedule.simulation.places import standing

if TYPE_CHECKING:
    from turnup.schedule.simulation.layout import Ends, Logic, Small


class Block(NamedTuple):
    """What one thread keeps of a block of iterations.

    Attributes:
        duration, finish: positions x iterations. The backward pass leaves late starts in ``finish``.
        row: one row to work in.
        shift, found, entry: others, for links that convert.
        latest: latest finish by axis; the backward pass leaves the project's there.
        clock: project finish by the clock.
    """

    duration: Small
    finish: Small
    row: Small
    shift: Small
    found: Small
    entry: Small
    latest: Small
    clock: Small


def block_of(positions: int, axes: int, width: int) -> Block:
    """Make room for blocks of so many iterations."""
    return Block(
        np.zeros((positions, width), np.int32),
        np.zeros((positions, width), np.int32),
        np.zeros(width, np.int32),
        np.zeros(width, np.int32),
        np.zeros(width, np.int32),
        np.zeros(width, np.int32),
        np.zeros((axes, width), np.int32),
        np.zeros(width, np.int32),
    )


@hot_kernel(inline=True)
def schedule(logic: Logic, tables: Conversions, position: int, width: int, block: Block) -> None:
    """Early finish of one activity in all iterations of the block."""
    if logic.before.simple[position] and logic.finish[position] == 0 and logic.side[position] == 0:
        _schedule_simple(logic, position, width, block)
        return
    finish, duration, row = block.finish, block.duration, block.row
    start, most = logic.start[position], logic.most[position]
    for k in range(width):
        row[k] = start
    if logic.finish[position] > 0:
        for k in range(width):
            row[k] = max(row[k], int32(logic.finish[position] - duration[position, k]))
    for entry in range(logic.before.ptr[position], logic.before.ptr[position + 1]):
        _hold_back(logic.before, tables, position, entry, width, block)
    if logic.side[position] != 0:
        for k in range(width):
            row[k] = standing(logic, tables, position, row[k])
    for k in range(width):
        finish[position, k] = min(int32(min(row[k], most) + duration[position, k]), most)


@hot_kernel(inline=True)
def _schedule_simple(logic: Logic, position: int, width: int, block: Block) -> None:
    """Early finish after at most two predecessors that have to finish on the same calendar."""
    links, finish, duration = logic.before, block.finish, block.duration
    start, most, entry = logic.start[position], logic.most[position], links.ptr[position]
    count = links.ptr[position + 1] - entry
    if count == 0:
        for k in range(width):
            finish[position, k] = min(int32(start + duration[position, k]), most)
    elif count == 1:
        first, lag = links.other[entry], links.lag[entry]
        for k in range(width):
            ready = min(max(start, int32(finish[first, k] + lag)), most)
            finish[position, k] = min(int32(ready + duration[position, k]), most)
    else:
        first, lag, second, other_lag = (
            links.other[entry],
            links.lag[entry],
            links.other[entry + 1],
            links.lag[entry + 1],
        )
        for k in range(width):
            ready = max(max(start, int32(finish[first, k] + lag)), int32(finish[second, k] + other_lag))
            finish[position, k] = min(int32(min(ready, most) + duration[position, k]), most)


@hot_kernel(inline=True)
def _hold_back(links: Ends, tables: Conversions, position: int, entry: int, width: int, block: Block) -> None:
    """Raise the row of starts to what one link allows."""
    finish, duration, row, shift = block.finish, block.duration, block.row, block.shift
    other, lag, kind = links.other[entry], links.lag[entry], links.type[entry]
    if links.plain[entry]:
        for k in range(width):
            row[k] = max(row[k], int32(finish[other, k] + lag))
        return
    from_start, to_finish = int32(kind == SS or kind == SF), int32(kind == FF or kind == SF)
    for k in range(width):
        shift[k] = finish[other, k] - from_start * duration[other, k]
    _move_row(tables, links, entry, width, block, lag)
    for k in range(width):
        row[k] = max(row[k], int32(shift[k] - to_finish * duration[position, k]))


@hot_kernel(inline=True)
def _move_row(tables: Conversions, links: Ends, entry: int, width: int, block: Block, lag: int) -> None:
    """Convert the row ``shift`` to the lag's calendar, move it by the lag, and convert it on."""
    shift, ends = block.shift, int32(links.ends[entry])
    if links.to[entry] >= 0:
        carry_row(tables, links.to[entry], ends, width, shift, block.found, block.entry)
    for k in range(width):
        shift[k] += lag
    if links.on[entry] >= 0:
        carry_row(tables, links.on[entry], ends, width, shift, block.found, block.entry)


@hot_kernel()
def carry_row(tables: Conversions, number: int, ends: int, width: int, row: Small, found: Small, entry: Small) -> None:
    """Convert a row of coordinates in place."""
    if tables.step[number] == 0:
        for k in range(width):
            row[k] = carry(tables, number, row[k], ends)
        return
    # The look-up stands alone, so that the arithmetic before and after it is done on many iterations at once.
    first = tables.steps_ptr[number]
    for k in range(width):
        found[k] = step_of(tables, number, max(int32(row[k] - ends), int32(0)))
    for k in range(width):
        entry[k] = tables.steps[first + found[k]]
    for k in range(width):
        row[k] = within_step(tables, number, row[k], found[k], entry[k])


@hot_kernel(inline=True)
def late(logic: Logic, tables: Conversions, position: int, width: int, block: Block) -> int:
    """Late start of one activity in all iterations of the block; return in how many it has no float."""
    if logic.after.simple[position] and logic.side[position] == 0:
        return _late_simple(logic, position, width, block)
    finish, duration, row, axis = block.finish, block.duration, block.row, logic.axis[position]
    for k in range(width):
        row[k] = block.latest[axis, k]
    for entry in range(logic.after.ptr[position], logic.after.ptr[position + 1]):
        _hold_forward(logic.after, tables, position, entry, width, block)
    if logic.side[position] != 0:
        return _late_milestone(logic, tables, position, width, block)
    without = int32(0)
    for k in range(width):
        without = int32(without + int32(row[k] <= finish[position, k]))
        finish[position, k] = row[k] - duration[position, k]
    return without  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def _late_simple(logic: Logic, position: int, width: int, block: Block) -> int:
    """Late start before at most two successors that start on the same calendar."""
    links, finish, duration, latest = logic.after, block.finish, block.duration, block.latest
    entry, axis, without = links.ptr[position], logic.axis[position], int32(0)
    count = links.ptr[position + 1] - entry
    if count == 0:
        for k in range(width):
            without = int32(without + int32(latest[axis, k] <= finish[position, k]))
            finish[position, k] = latest[axis, k] - duration[position, k]
    elif count == 1:
        first, lag = links.other[entry], links.lag[entry]
        for k in range(width):
            late = min(latest[axis, k], int32(finish[first, k] - lag))
            without = int32(without + int32(late <= finish[position, k]))
            finish[position, k] = late - duration[position, k]
    else:
        first, lag, second, other_lag = (
            links.other[entry],
            links.lag[entry],
            links.other[entry + 1],
            links.lag[entry + 1],
        )
        for k in range(width):
            late = min(min(latest[axis, k], int32(finish[first, k] - lag)), int32(finish[second, k] - other_lag))
            without = int32(without + int32(late <= finish[position, k]))
            finish[position, k] = late - duration[position, k]
    return without  # type: ignore[no-any-return]


@hot_kernel(inline=True)
def _hold_forward(links: Ends, tables: Conversions, position: int, entry: int, width: int, block: Block) -> None:
    """Lower the row of late finishes to what one link allows."""
    finish, duration, row, shift = block.finish, block.duration, block.row, block.shift
    other, lag, kind = links.other[entry], links.lag[entry], links.type[entry]
    if links.plain[entry]:
        for k in range(width):
            row[k] = min(row[k], int32(finish[other, k] - lag))
        return
    to_finish, from_start = int32(kind == FF or kind == SF), int32(kind == SS or kind == SF)
    for k in range(width):
        shift[k] = finish[other, k] + to_finish * duration[other, k]
    _move_row(tables, links, entry, width, block, -lag)
    for k in range(width):
        row[k] = min(row[k], int32(shift[k] + from_start * duration[position, k]))


@hot_kernel(inline=True)
def _late_milestone(logic: Logic, tables: Conversions, position: int, width: int, block: Block) -> int:
    """Late start of a milestone, whose float counts on the calendar on which it stands."""
    finish, row, without = block.finish, block.row, int32(0)
    to, back = logic.own_to[position], logic.own_back[position]
    for k in range(width):
        work = carry(tables, to, row[k], 1)
        without = int32(without + int32(work <= carry(tables, to, finish[position, k], 1)))
        late = carry(tables, back, work, 1) if logic.side[position] == 2 else row[k]
        finish[position, k] = late - block.duration[position, k]
    return without  # type: ignore[no-any-return]
