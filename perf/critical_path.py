"""The critical path of large networks: ordering and both passes, beside bare compiled loops and beside networkx.

Run ``python -m perf.critical_path``. Neither of the others knows calendars, progress, constraints, link types or lags.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numba
import numpy as np

from perf.networks import LAYERS, OFFICE, WORKDAY, Drawn, as_project, drawn
from turnup.schedule.bounds import EARLIEST, LATEST, Bounds
from turnup.schedule.kernels import Links, backward, forward
from turnup.schedule.network import NO_INSTANT, SAME_CALENDAR
from turnup.schedule.passes import schedule
from turnup.schedule.topology import in_order
from turnup.schedule.working_time import ALWAYS, clocks_of

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 9
_NONE, _EARLIEST, _LATEST = NO_INSTANT, EARLIEST, LATEST


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _sorted(size: int, pred: Any, succ: Any) -> Any:
    """Links by successor and by predecessor, and a topological order."""
    into, out = np.zeros(size + 1, np.int32), np.zeros(size + 1, np.int32)
    for link in range(pred.size):
        into[succ[link] + 1] += 1
        out[pred[link] + 1] += 1
    into, out = np.cumsum(into).astype(np.int32), np.cumsum(out).astype(np.int32)
    before, after = np.empty(pred.size, np.int32), np.empty(pred.size, np.int32)
    next_in, next_out = into.copy(), out.copy()
    for link in range(pred.size):
        p, s = pred[link], succ[link]
        before[next_in[s]], after[next_out[p]] = p, s
        next_in[s] += 1
        next_out[p] += 1
    waiting, order, count = np.diff(into), np.empty(size, np.int32), 0
    for k in range(size):
        if waiting[k] == 0:
            order[count] = k
            count += 1
    head = 0
    while head < count:
        k = order[head]
        head += 1
        for place in range(out[k], out[k + 1]):
            waiting[after[place]] -= 1
            if waiting[after[place]] == 0:
                order[count] = after[place]
                count += 1
    return into, before, out, after, order


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _passes(days: Any, into: Any, before: Any, out: Any, after: Any, order: Any) -> Any:
    """Latest finish, and the float of every activity."""
    size, last = days.size, 0
    finish, late, free = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    for k in order:
        start = 0
        for place in range(into[k], into[k + 1]):
            start = max(start, finish[before[place]])
        finish[k] = start + days[k]
        last = max(last, finish[k])
    for k in order[::-1]:
        end = last
        for place in range(out[k], out[k + 1]):
            end = min(end, late[after[place]])
        late[k] = end - days[k]
        free[k] = end - finish[k]
    return last, free


def floor(network: Drawn) -> tuple[int, np.ndarray]:
    """Length of the project and floats, in days, by the bare loops."""
    days, pred, succ = (array.astype(np.int32) for array in (network.days, network.pred, network.succ))
    length, floats = _passes(days, *_sorted(len(days), pred, succ))
    return int(length), floats


def graph_of(network: Drawn) -> nx.DiGraph:
    """The network as a team would hold it in networkx: a node an activity, with its days."""
    graph = nx.DiGraph()
    graph.add_nodes_from((number, {"days": days}) for number, days in enumerate(network.days.tolist()))
    graph.add_edges_from(zip(network.pred.tolist(), network.succ.tolist(), strict=True))
    return graph


def by_networkx(graph: nx.DiGraph, days: Any = None) -> tuple[Any, np.ndarray]:
    """The same figures by networkx: its order, and both passes over its nodes; ``days`` instead of the planned ones."""
    days = graph.nodes.data("days") if days is None else days
    finish: dict[int, Any] = {}
    late: dict[int, Any] = {}
    order = list(nx.topological_sort(graph))
    for node in order:
        finish[node] = max((finish[before] for before in graph.pred[node]), default=0) + days[node]
    last = max(finish.values())
    floats = np.empty(len(order), np.float64)
    for node in reversed(order):
        end = min((late[after] for after in graph.succ[node]), default=last)
        late[node] = end - days[node]
        floats[node] = end - finish[node]
    return last, floats


def ours(network: Drawn) -> tuple[int, np.ndarray]:
    """The same by our ordering and passes, from the same arrays, with all that these can do."""
    size = len(network.days)
    order = in_order(np.ones(size, np.bool_), network.pred, network.succ)
    calendar, zeros = np.zeros(size, np.int32), np.zeros(size, np.int64)
    none, earliest, latest = (np.full(size, value, np.int64) for value in (_NONE, _EARLIEST, _LATEST))
    no, yes = np.zeros(size, np.bool_), np.ones(size, np.bool_)
    links = Links(
        calendar, calendar, np.zeros(size, np.int8), order.pred_ptr, order.pred, network.type[order.link],
        network.lag[order.link] * WORKDAY, np.full(order.pred.size, SAME_CALENDAR, np.int32), order.succ_ptr,
        order.succ, order.succ_link,
    )  # fmt: skip
    bounds = Bounds(
        np.zeros(size, np.int8), network.days[order.row] * WORKDAY, zeros, earliest, latest, latest, latest, none, none,
        none, none, none, none, no, yes, no,
    )  # fmt: skip
    start, finish, late_start, late_finish, free = (np.empty(size, np.int64) for _ in range(5))
    forward(_CLOCKS, links, bounds, start, finish)
    limit = np.full(size, finish.max())
    backward(_CLOCKS, links, bounds, limit, limit, start, finish, late_start, late_finish, free)
    floats = np.empty(size, np.int64)
    floats[order.row] = (late_finish - finish) // WORKDAY
    return int(limit[0] // WORKDAY), floats


_CLOCKS = clocks_of([OFFICE, ALWAYS], 0, 86_400 * 365)


def whole(network: Drawn) -> Callable[[], Any]:
    """A project of frames, its calendars, links by name, all results."""
    project = as_project(network)
    return lambda: schedule(project)


def least(measured: Callable[[], Any], times: int = TIMES) -> float:
    """Seconds of the fastest of several runs."""
    measured()
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        measured()
        spent.append(time.perf_counter() - started)
    return min(spent)


def main() -> None:
    """Print milliseconds and ratios by size."""
    for size, layers in LAYERS.items():
        network = drawn(size, layers)
        (length, floats), (our_length, our_floats) = floor(network), ours(network)
        graph = graph_of(network)
        graph_length, graph_floats = by_networkx(graph)
        for name, other, others in (("the floor", length, floats), ("networkx", graph_length, graph_floats)):
            if other != our_length or (others != our_floats).any():
                raise SystemExit(f"{size} activities: {name} and ours disagree")
        bare, passes = least(partial(floor, network)), least(partial(ours, network))
        python = least(partial(by_networkx, graph), 2)
        project = least(whole(drawn(size, layers, mixed=True)), 3)
        print(
            f"{size:>7,} activities, {len(network.pred):>7,} links: floor {bare * 1e3:7.2f} ms, "
            f"ours {passes * 1e3:7.2f} ms, ratio {passes / bare:4.2f}; "
            f"networkx {python * 1e3:8.1f} ms, {python / passes:5.0f} of ours; whole project {project * 1e3:8.1f} ms"
        )


if __name__ == "__main__":
    main()
