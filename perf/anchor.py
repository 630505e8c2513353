"""The least that a Monte Carlo of a network in numba does, as a measure for ours.

Finish-to-start links on one calendar; triangular durations from 0.9 to 1.6 of the plan, two roots a draw; forward pass,
backward pass, criticality; 64 iterations at a time. No lags, no dates, no targets.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from perf.networks import Drawn

_BLOCK = 64


@numba.njit(parallel=True, fastmath=True, cache=True)  # type: ignore[untyped-decorator]
def simulated(  # noqa: C901
    days: Any, pred_ptr: Any, pred: Any, succ_ptr: Any, succ: Any, order: Any, iterations: int, seed: int
) -> Any:
    """Finishes of all iterations, and in how many each activity was critical."""
    count, threads, step = days.size, numba.get_num_threads(), np.uint64(0x9E3779B97F4A7C15)
    blocks = (iterations + _BLOCK - 1) // _BLOCK
    finishes = np.empty(blocks * _BLOCK, np.float32)
    critical = np.zeros((threads, count), np.int32)
    for thread in numba.prange(threads):
        drawn, finish = np.empty((count, _BLOCK), np.float32), np.empty((count, _BLOCK), np.float32)
        late, last, share = (
            np.empty((count, _BLOCK), np.float32),
            np.empty(_BLOCK, np.float32),
            np.empty(_BLOCK, np.float32),
        )
        for block in range(thread, blocks, threads):
            start = np.uint64(seed) * step + np.uint64(block + 1) * np.uint64(0xD1B54A32D192ED03)
            last[:] = 0
            for place in range(count):
                x = order[place]
                low, likely, high = np.float32(0.9) * days[x], days[x], np.float32(1.6) * days[x]
                bend, rise, fall = (
                    (likely - low) / (high - low),
                    (high - low) * (likely - low),
                    (high - low) * (high - likely),
                )
                base = start + np.uint64(place) * np.uint64(_BLOCK) * step
                for k in range(_BLOCK):
                    word = base + np.uint64(k) * step
                    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                    word = word ^ (word >> np.uint64(31))
                    share[k] = np.float32(word >> np.uint64(40)) * np.float32(2.0**-24)
                for k in range(_BLOCK):
                    below = low + math.sqrt(share[k] * rise)
                    above = high - math.sqrt((np.float32(1) - share[k]) * fall)
                    drawn[place, k] = below if share[k] < bend else above
                for k in range(_BLOCK):
                    finish[x, k] = 0
                for entry in range(pred_ptr[x], pred_ptr[x + 1]):
                    y = pred[entry]
                    for k in range(_BLOCK):
                        finish[x, k] = max(finish[x, k], finish[y, k])
                for k in range(_BLOCK):
                    finish[x, k] += drawn[place, k]
                    last[k] = max(last[k], finish[x, k])
            for k in range(_BLOCK):
                finishes[block * _BLOCK + k] = last[k]
            for place in range(count - 1, -1, -1):
                x = order[place]
                for k in range(_BLOCK):
                    late[x, k] = last[k]
                for entry in range(succ_ptr[x], succ_ptr[x + 1]):
                    y = succ[entry]
                    for k in range(_BLOCK):
                        late[x, k] = min(late[x, k], late[y, k])
                without = 0
                for k in range(_BLOCK):
                    if late[x, k] - finish[x, k] <= np.float32(1e-3):
                        without += 1
                    late[x, k] -= drawn[place, k]
                critical[thread, x] += without
    return finishes[:iterations], critical.sum(0)


def prepared(graph: Drawn, folder: Path | None) -> Callable[[int], Any]:
    """Compile the graph; return what runs so many iterations of it.

    Args:
        graph: the network.
        folder: where another kernel of the same kind is (``mc_bench.nb_mc``); None: the one above.
    """
    count = len(graph.days)
    days = graph.days.astype(np.float32)
    by_succ, by_pred = np.argsort(graph.succ, kind="stable"), np.argsort(graph.pred, kind="stable")
    pred, succ = graph.pred[by_succ], graph.succ[by_pred]
    pred_ptr, succ_ptr = (
        np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=count))]).astype(np.int32)
        for ends in (graph.succ, graph.pred)
    )
    order = _ordered(pred_ptr, succ_ptr, succ)
    if folder is None:
        return lambda iterations: simulated(days, pred_ptr, pred, succ_ptr, succ, order, iterations, 5)
    sys.path.insert(0, str(folder))
    from mc_bench import nb_mc

    none = np.zeros((1, 1), np.float32)
    return lambda iterations: nb_mc(
        days, pred_ptr, pred, succ_ptr, succ, order, iterations, _BLOCK, 5, True, none, False
    )  # fmt: skip


def _ordered(pred_ptr: Any, succ_ptr: Any, succ: Any) -> Any:
    waiting = np.diff(pred_ptr).tolist()
    order = [place for place, left in enumerate(waiting) if not left]
    for place in order:
        for after in succ[succ_ptr[place] : succ_ptr[place + 1]].tolist():
            waiting[after] -= 1
            if not waiting[after]:
                order.append(after)
    return np.array(order, dtype=np.int32)
