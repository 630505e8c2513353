"""Loops of links, spelled out: activities that wait for themselves have no dates.

Belongs here: finding one loop per knot of activities. Does not: what is done about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

if TYPE_CHECKING:
    from turnup.schedule.working_time import Ints


def loops_of(size: int, pred: Ints, succ: Ints) -> list[list[int]]:
    """A shortest loop through the first row of every knot of rows that wait for each other.

    Args:
        size: number of rows.
        pred: rows from which links lead.
        succ: rows to which they lead.

    Returns:
        Rows in order of the links, without repeating the first one at the end; sorted.
    """
    graph = csr_array((np.ones(len(pred), dtype=np.int8), (pred, succ)), shape=(size, size))
    _, knot = connected_components(graph, directed=True, connection="strong")
    several = np.bincount(knot)[knot] > 1
    to_itself = np.zeros(size, dtype=np.bool_)
    to_itself[pred[pred == succ]] = True
    firsts: dict[int, int] = {}
    for row in np.flatnonzero(several | to_itself):
        firsts.setdefault(int(knot[row]), int(row))
    return sorted([first] if to_itself[first] else _loop(graph, first) for first in firsts.values())


def _loop(graph: csr_array, first: int) -> list[int]:
    reached, before = breadth_first_order(graph, first, directed=True)
    # Rows come nearest first, so the first one with a link back closes a shortest loop.
    back = graph[:, [first]].toarray()[:, 0] != 0
    row = int(next(row for row in reached if back[row]))
    loop = [row]
    while row != first:
        row = int(before[row])
        loop.append(row)
    return loop[::-1]
