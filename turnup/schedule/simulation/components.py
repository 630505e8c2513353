"""A network cut into parts that share nothing, so that each is run by itself.

Belongs here: which activities belong together. Does not: running the parts (``joined``).

Two activities belong together where a link joins them, a pool, or an event that hits both. Correlated durations do not
join: the draws of a group are the same in each part, because they are keyed by its id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

    Ints = NDArray[np.int64]

LEAST = 1_000
"""Activities of a part: smaller ones are run together, as making each ready takes some milliseconds."""


def components(
    network: ActivityNetwork, uncertainty: Uncertainty, targets: Collection[str], joins: Collection[str],
    least: int = LEAST,
) -> Iterator[Ints]:  # fmt: skip
    """Yield the rows of each part, upwards; the parts in the order of their first rows.

    Args:
        network: what is cut.
        uncertainty: what its activities share.
        targets: activities that matter; parts without any are left out.
        joins: those of its activities that have these names only wait for others, and are left out.
        least: activities of a part, where there are as many.
    """
    row = {name: number for number, name in enumerate(network.ids)}
    label = _labels(network, uncertainty, row, joins)
    wanted = np.zeros(int(label.max(initial=-1)) + 1, dtype=np.bool_)
    wanted[label[[row[name] for name in targets if name not in joins]]] = True
    left = np.ones(len(network.ids), dtype=np.bool_)
    left[[row[name] for name in joins if name in row]] = False
    rows = np.flatnonzero(wanted[label] & left)
    order = np.argsort(label[rows], kind="stable")
    edges = np.flatnonzero(np.diff(label[rows][order], prepend=-1))
    together: list[Ints] = []
    for part in np.split(rows[order], edges[1:]) if len(rows) else ():
        together.append(part)
        if sum(map(len, together)) >= least:
            yield np.sort(np.concatenate(together))
            together = []
    if together:
        yield np.sort(np.concatenate(together))


def _labels(
    network: ActivityNetwork, uncertainty: Uncertainty, row: dict[str, int], joins: Collection[str]
) -> NDArray[np.int32]:
    """Number of the part of each activity, parts in the order of their first rows."""
    count = len(network.ids)
    shared = [(f"pool {use.pool}", use.activity) for use in uncertainty.uses]
    shared += [(f"event {risk.id}", name) for risk in uncertainty.risks for name in risk.activities]
    number = {name: count + place for place, name in enumerate(dict.fromkeys(name for name, _ in shared))}
    left = np.ones(count, dtype=np.bool_)
    left[[row[name] for name in joins if name in row]] = False
    among = left[network.pred] & left[network.succ]
    ends = np.concatenate([network.pred[among], np.array([number[name] for name, _ in shared], dtype=np.int64)])
    others = np.concatenate([network.succ[among], np.array([row[name] for _, name in shared], dtype=np.int64)])
    size = count + len(number)
    graph = sparse.coo_matrix((np.ones(len(ends), dtype=np.int8), (ends, others)), shape=(size, size))
    _, label = csgraph.connected_components(graph, directed=False)
    _, first = np.unique(label[:count], return_index=True)
    renamed = np.full(int(label.max(initial=0)) + 1, -1, dtype=np.int32)
    renamed[label[np.sort(first)]] = np.arange(len(first), dtype=np.int32)
    return np.asarray(renamed[label[:count]])
