"""Shared pools as arrays, and the times at which they are taken within one iteration.

Belongs here: finding and taking the earliest time at which a pool is free long enough. Does not: who comes first.

A pool is kept in the coordinates of its users' calendar where all have the same one, else by the clock. Its timeline is
a step function: from ``times[i]`` on, ``taken[i]`` units are taken, until ``times[i + 1]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import int32

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, Hours, Pairs, carry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty
    from turnup.schedule.simulation.layout import Small


class Pools(NamedTuple):
    """Uses by position: those of position k are ``ptr[k]`` to ``ptr[k + 1]``.

    Attributes:
        ptr, pool, units: uses.
        to, back: conversions from the user's calendar to the pool's time and back.
        by_pool_ptr, by_pool: uses of each pool, in order of position.
        user: position of each use.
        capacity: by pool.
    """

    ptr: Small
    pool: Small
    units: Small
    to: Small
    back: Small
    by_pool_ptr: Small
    by_pool: Small
    user: Small
    capacity: Small


class Timelines(NamedTuple):
    """What one thread keeps of the pools while it schedules an iteration.

    Attributes:
        times, taken: pools x steps.
        steps: number of steps of each pool.
        until: by use, the pool's time at which it ends.
    """

    times: Small
    taken: Small
    steps: Small
    until: Small


def uses_of(network: ActivityNetwork, uncertainty: Uncertainty, rows: Small) -> tuple[Small, Small, Small]:
    """Return where each position's uses begin, then pool and units of each use."""
    if not uncertainty.uses:
        return np.zeros(len(rows) + 1, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
    number = {pool.id: place for place, pool in enumerate(uncertainty.pools)}
    position = {network.ids[row]: place for place, row in enumerate(rows)}
    uses = sorted(
        (position[use.activity], number[use.pool], use.units) for use in uncertainty.uses if use.activity in position
    )
    table = np.array(uses, dtype=np.int32).reshape(-1, 3)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(table[:, 0], minlength=len(rows)))]).astype(np.int32)
    return ptr, np.ascontiguousarray(table[:, 1]), np.ascontiguousarray(table[:, 2])


def pools_of(
    uncertainty: Uncertainty, uses: tuple[Small, Small, Small], calendar: Small, hours: Hours, pairs: Pairs
) -> Pools:
    """Lay out the pools of a run.

    Args:
        uncertainty: says the pools.
        uses: see :func:`uses_of`.
        calendar: of each position.
        hours: working time of the run.
        pairs: conversions of the run.
    """
    ptr, pool, units = uses
    user = np.repeat(np.arange(len(calendar), dtype=np.int32), np.diff(ptr))
    time = np.full(len(uncertainty.pools), hours.elapsed, dtype=np.int32)
    for number in range(len(time)):
        found = np.unique(calendar[user[pool == number]])
        if len(found) == 1:
            time[number] = found[0]
    return Pools(
        ptr=ptr,
        pool=pool,
        units=units,
        to=pairs.numbered(calendar[user], time[pool]),
        back=pairs.numbered(time[pool], calendar[user]),
        by_pool_ptr=np.concatenate([[0], np.cumsum(np.bincount(pool, minlength=len(time)))]).astype(np.int32),
        by_pool=np.argsort(pool, kind="stable").astype(np.int32),
        user=user,
        capacity=np.array([one.capacity for one in uncertainty.pools], dtype=np.int32),
    )


def timelines(pools: Pools) -> Timelines:
    """Make room for all uses of all pools."""
    most = 2 * int(np.diff(pools.by_pool_ptr).max(initial=0)) + 2
    count = len(pools.capacity)
    return Timelines(
        np.zeros((count, most), dtype=np.int32),
        np.zeros((count, most), dtype=np.int32),
        np.zeros(count, dtype=np.int32),
        np.zeros(len(pools.pool), dtype=np.int32),
    )


@hot_kernel()
def clear(held: Timelines) -> None:
    """Nothing of any pool is taken from the beginning of time on."""
    for pool in range(held.steps.size):
        held.steps[pool] = 1
        held.times[pool, 0] = -(1 << 30)
        held.taken[pool, 0] = 0


@hot_kernel()
def placed(tables: Conversions, pools: Pools, held: Timelines, position: int, start: int, work: int) -> int:
    """Take the pools of an activity at the earliest start, not before ``start``, at which all are free throughout.

    Returns:
        That start, a coordinate of the activity's calendar.
    """
    first, last = pools.ptr[position], pools.ptr[position + 1]
    settled = False
    while not settled:
        settled = True
        for use in range(first, last):
            later = _free_from(tables, pools, held, use, start, work)
            if later > start:
                start, settled = later, False
    for use in range(first, last):
        _take(tables, pools, held, use, start, work)
    return start


@hot_kernel(inline=True)
def _span(tables: Conversions, number: int, start: int, work: int) -> tuple[int, int]:
    """Begin and end of work in the pool's time."""
    if number < 0:
        return start, start + work
    return carry(tables, number, start, 0), carry(tables, number, start + work, 1)


@hot_kernel()
def _free_from(tables: Conversions, pools: Pools, held: Timelines, use: int, start: int, work: int) -> int:
    """Return the earliest start, not before ``start``, at which the pool of one use is free throughout."""
    pool = pools.pool[use]
    times, taken, steps = held.times[pool], held.taken[pool], held.steps[pool]
    room = pools.capacity[pool] - pools.units[use]
    begin, end = _span(tables, pools.to[use], start, work)
    step = _step_at(times, steps, begin)
    while step < steps and times[step] < end:
        if taken[step] > room:
            # The last step takes nothing, so there is one more.
            step += 1
            begin = times[step]
            start = max(start, begin if pools.back[use] < 0 else carry(tables, pools.back[use], begin, 0))
            begin, end = _span(tables, pools.to[use], start, work)
            while step + 1 < steps and times[step + 1] <= begin:
                step += 1
        else:
            step += 1
    return start


@hot_kernel(inline=True)
def _step_at(times: NDArray[np.int32], steps: int, time: int) -> int:
    """Return the step that holds at a time."""
    low, high = 0, steps - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if times[middle] <= time:
            low = middle
        else:
            high = middle - 1
    return low


@hot_kernel(inline=True)
def _split(times: NDArray[np.int32], taken: NDArray[np.int32], steps: int, time: int) -> int:
    """Let a step begin at a time; return the number of steps."""
    at = _step_at(times, steps, time)
    if times[at] == time:
        return steps
    for step in range(steps, at + 1, -1):
        times[step] = times[step - 1]
        taken[step] = taken[step - 1]
    times[at + 1] = time
    taken[at + 1] = taken[at]
    return steps + 1


@hot_kernel()
def _take(tables: Conversions, pools: Pools, held: Timelines, use: int, start: int, work: int) -> None:
    pool = pools.pool[use]
    times, taken = held.times[pool], held.taken[pool]
    begin, end = _span(tables, pools.to[use], start, work)
    steps = _split(times, taken, held.steps[pool], begin)
    steps = _split(times, taken, steps, end)
    held.steps[pool] = int32(steps)
    held.until[use] = end
    step = _step_at(times, steps, begin)
    while times[step] < end:
        taken[step] += pools.units[use]
        step += 1
