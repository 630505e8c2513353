"""Positions in topological order, and the links of a network by successor and by predecessor.

Belongs here: the sorting of integers. Does not: what they stand for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.working_time import Ints, Small


@dataclass(frozen=True)
class Ordered:
    """Rows in an order in which every row comes after its predecessors.

    Attributes:
        row: position to row; rows in or behind a loop have no position.
        position: row to position, -1 for none.
        pred_ptr, pred: predecessors' positions of position k at ``pred_ptr[k]`` to ``pred_ptr[k + 1]``.
        link: the given link behind each entry of ``pred``.
        succ_ptr, succ: successors' positions.
        succ_link: the place in ``pred`` of each entry of ``succ``.
        complete: whether every row has a position.
    """

    row: Small
    position: Small
    pred_ptr: Small
    pred: Small
    link: Small
    succ_ptr: Small
    succ: Small
    succ_link: Small
    complete: bool


def in_order(within: NDArray[np.bool_], pred: Ints, succ: Ints) -> Ordered:
    """Order rows; equal ones in order of row.

    Args:
        within: which rows take part.
        pred: rows from which links lead.
        succ: rows to which they lead.
    """
    arrays = _ordered(within, pred.astype(np.int32), succ.astype(np.int32))
    return Ordered(*arrays, complete=len(arrays[0]) == int(within.sum()))


@kernel()
def _grouped(size: int, key: Small) -> tuple[Small, Small]:
    """Entries by their key: where each key's begin, and which they are, in the given order."""
    start = np.zeros(size + 1, dtype=np.int32)
    for k in key:
        start[k + 1] += 1
    for k in range(size):
        start[k + 1] += start[k]
    place = start[:-1].copy()
    entries = np.empty(key.size, dtype=np.int32)
    for entry in range(key.size):
        k = key[entry]
        entries[place[k]] = entry
        place[k] += 1
    return start, entries


@kernel()
def _ordered(
    within: NDArray[np.bool_], pred: Small, succ: Small
) -> tuple[Small, Small, Small, Small, Small, Small, Small, Small]:
    size = within.size
    out_ptr, outgoing = _grouped(size, pred)
    waiting = np.zeros(size, dtype=np.int32)
    for row in succ:
        waiting[row] += 1
    order = np.empty(size, dtype=np.int32)
    count = 0
    for row in range(size):
        if within[row] and waiting[row] == 0:
            order[count] = row
            count += 1
    head = 0
    while head < count:
        row = order[head]
        head += 1
        for entry in range(out_ptr[row], out_ptr[row + 1]):
            after = succ[outgoing[entry]]
            waiting[after] -= 1
            if waiting[after] == 0:
                order[count] = after
                count += 1
    order = order[:count].copy()
    position = np.full(size, -1, dtype=np.int32)
    for place in range(count):
        position[order[place]] = place
    return _by_position(order, position, pred, succ)


@kernel()
def _by_position(
    order: Small, position: Small, pred: Small, succ: Small
) -> tuple[Small, Small, Small, Small, Small, Small, Small, Small]:
    count = order.size
    pred_ptr = np.zeros(count + 1, dtype=np.int32)
    succ_ptr = np.zeros(count + 1, dtype=np.int32)
    for link in range(pred.size):
        before, after = position[pred[link]], position[succ[link]]
        if before >= 0 and after >= 0:
            pred_ptr[after + 1] += 1
            succ_ptr[before + 1] += 1
    for place in range(count):
        pred_ptr[place + 1] += pred_ptr[place]
        succ_ptr[place + 1] += succ_ptr[place]
    total = pred_ptr[count]
    before_of = np.empty(total, dtype=np.int32)
    link_of = np.empty(total, dtype=np.int32)
    place_of = pred_ptr[:-1].copy()
    for link in range(pred.size):
        before, after = position[pred[link]], position[succ[link]]
        if before >= 0 and after >= 0:
            before_of[place_of[after]] = before
            link_of[place_of[after]] = link
            place_of[after] += 1
    after_of = np.empty(total, dtype=np.int32)
    entry_of = np.empty(total, dtype=np.int32)
    place_of = succ_ptr[:-1].copy()
    for after in range(count):
        for entry in range(pred_ptr[after], pred_ptr[after + 1]):
            place = place_of[before_of[entry]]
            after_of[place] = after
            entry_of[place] = entry
            place_of[before_of[entry]] += 1
    return order, position, pred_ptr, before_of, link_of, succ_ptr, after_of, entry_of
