"""The kernel for large networks: a block of iterations at a time, so that every step is arithmetic on short rows.

Belongs here: forward and backward pass of a block, finishes of targets, criticality. Does not: pools and driving paths,
which make iterations go different ways (``serial``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnup.schedule.simulation.block_passes import Block, late, schedule
from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry
from turnup.schedule.simulation.places import by_clock
from turnup.schedule.simulation.sampling import Events, Scratch, common_draws, draw_durations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from turnup.schedule.simulation.layout import Logic, Small
    from turnup.schedule.simulation.parameters import Parameters


_TOGETHER = 64
"""Activities whose durations are drawn just before they are scheduled, while they are in the nearest cache."""


class Targets(NamedTuple):
    """Positions whose latest finish is a target's: those of target t are ``member[ptr[t]]`` to ``ptr[t + 1]``.

    ``done`` is the latest finish, by the clock, of its finished activities; 0 for none. ``floor`` is what a target
    waits for besides, by the clock, targets x iterations; empty where there is nothing. Only ``serial`` looks at it.
    """

    ptr: Small
    member: Small
    done: Small
    floor: Small


@hot_kernel()
def run_blocks(
    logic: Logic, tables: Conversions, parameters: Parameters, events: Events, targets: Targets,
    begin: int, end: int, block: Block, held: Scratch, finishes: Small, project: Small, critical: NDArray[np.int64],
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
            schedule(logic, tables, position, width, block)
            if logic.last[position]:
                axis = logic.axis[position]
                for k in range(width):
                    block.latest[axis, k] = max(block.latest[axis, k], block.finish[position, k])
        _of_project(logic, tables, first, width, block, project)
        _of_targets(logic, tables, targets, first, width, block, finishes)
        for position in range(logic.start.size - 1, -1, -1):
            critical[position] += late(logic, tables, position, width, block)


@hot_kernel(inline=True)
def _of_project(logic: Logic, tables: Conversions, first: int, width: int, block: Block, project: Small) -> None:
    """The project's finish by the clock, and as each axis' latest finish."""
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


@hot_kernel(inline=True)
def _of_targets(
    logic: Logic, tables: Conversions, targets: Targets, first: int, width: int, block: Block, finishes: Small
) -> None:
    """Finishes of targets by the clock."""
    for target in range(targets.done.size):
        for k in range(width):
            finishes[target, first + k] = targets.done[target]
        for entry in range(targets.ptr[target], targets.ptr[target + 1]):
            position = targets.member[entry]
            axis = logic.axis[position]
            for k in range(width):
                found = by_clock(logic, tables, axis, block.finish[position, k])
                finishes[target, first + k] = max(finishes[target, first + k], found)
