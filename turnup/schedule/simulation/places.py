"""Coordinates as instants of the clock, and where milestones may stand.

Belongs here: what both kernels ask of one coordinate. Does not: links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry

if TYPE_CHECKING:
    from turnup.schedule.simulation.layout import Logic


@hot_kernel(inline=True)
def by_clock(logic: Logic, tables: Conversions, axis: int, finish: int) -> int:
    """A finish on a calendar as seconds of the clock since the run's origin."""
    number = logic.to_clock[axis]
    return finish if number < 0 else carry(tables, number, finish, 1)


@hot_kernel(inline=True)
def standing(logic: Logic, tables: Conversions, position: int, instant: int) -> int:
    """Where a milestone may stand: a start milestone waits for work to start, a finish milestone need not."""
    back = logic.own_back[position]
    work = carry(tables, logic.own_to[position], instant, 0)
    waits = logic.side[position] == 1 or carry(tables, back, work, 1) != instant
    return carry(tables, back, work, 0) if waits else instant
