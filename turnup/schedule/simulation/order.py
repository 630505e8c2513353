"""The order in which a run schedules activities: predecessors first and, where pools are shared, by priority.

Belongs here: positions, and links between positions. Does not: dates.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.loops import loops_of
from turnup.schedule.topology import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

    Small = NDArray[np.int32]
    Ints = NDArray[np.int64]

_LAST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Arranged:
    """Simulated activities in an order, and their links by successor and by predecessor.

    Attributes:
        rows: position to activity row.
        link: the network's link behind each entry, sorted by successor; ``pred`` is its predecessor's position, and
            those into position k are ``pred_ptr[k]`` to ``pred_ptr[k + 1]``.
        out: the network's link behind each entry, sorted by predecessor; ``succ`` is its successor's position. Links
            that limit no late dates are not among these.
    """

    rows: Small
    pred_ptr: Small
    pred: Small
    link: Ints
    succ_ptr: Small
    succ: Small
    out: Ints


def topological(network: ActivityNetwork, live: NDArray[np.bool_]) -> Arranged:
    """Arrange the activities that are simulated, predecessors first.

    Raises:
        ValueError: activities wait for themselves; it spells out the loops.
    """
    logic = live[network.pred] & live[network.succ]
    pred, succ = network.pred[logic].astype(np.int64), network.succ[logic].astype(np.int64)
    ordered = in_order(live, pred, succ)
    if not ordered.complete:
        loops = loops_of(len(live), pred, succ)
        spelled = ["→".join(network.ids[row] for row in [*loop, loop[0]]) for loop in loops]
        raise ValueError(f"activities wait for themselves: {'; '.join(spelled)}")
    return arranged(network, ordered.row)


def arranged(network: ActivityNetwork, rows: Small) -> Arranged:
    """Arrange rows in the given order."""
    count = len(rows)
    position = np.full(len(network.ids), -1, dtype=np.int32)
    position[rows] = np.arange(count, dtype=np.int32)
    links = np.flatnonzero((position[network.pred] >= 0) & (position[network.succ] >= 0))
    pred, succ = position[network.pred[links]], position[network.succ[links]]
    into, out = np.argsort(succ, kind="stable"), np.argsort(pred, kind="stable")
    out = out[network.binds[links[out]]]
    return Arranged(
        rows=rows,
        pred_ptr=_starts(succ, count),
        pred=pred[into],
        link=links[into],
        succ_ptr=_starts(pred[out], count),
        succ=succ[out],
        out=links[out],
    )


def _starts(keys: Small, count: int) -> Small:
    return np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=count))]).astype(np.int32)


def by_priority(network: ActivityNetwork, uncertainty: Uncertainty, plain: Arranged, planned: Ints) -> Arranged:
    """Arrange anew: of what has no predecessor left, the activity of least rank is next.

    An activity's rank is its priority, or a smaller one of what waits for it; work under way comes before all. Equal
    ones go by planned start, then by id.

    Args:
        network: what is arranged.
        uncertainty: says the priorities.
        plain: the activities in topological order.
        planned: planned start of each position.
    """
    count = len(plain.rows)
    names = [network.ids[row] for row in plain.rows]
    rank = [uncertainty.priorities.get(name, _LAST) for name in names]
    for place in np.flatnonzero(network.started[plain.rows]).tolist():
        rank[place] = -_LAST
    after: list[list[int]] = [[] for _ in names]
    for place, before in zip(
        np.repeat(range(count), np.diff(plain.pred_ptr)).tolist(), plain.pred.tolist(), strict=True
    ):
        after[before].append(place)
    for place in range(count - 1, -1, -1):
        rank[place] = min([rank[place], *(rank[later] for later in after[place])])
    urgency = list(zip(rank, planned.tolist(), names, range(count), strict=True))
    waiting = np.diff(plain.pred_ptr).tolist()
    ready = [urgency[place] for place in range(count) if not waiting[place]]
    heapq.heapify(ready)
    order = []
    while ready:
        place = heapq.heappop(ready)[-1]
        order.append(place)
        for later in after[place]:
            waiting[later] -= 1
            if not waiting[later]:
                heapq.heappush(ready, urgency[later])
    return arranged(network, plain.rows[np.array(order, dtype=np.int64)])
