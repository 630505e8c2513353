"""How long forecasts take beside kernels and tools that do less: ``python -m perf.monte_carlo``.

Each measurement runs in a process of its own, ours and the others' in turn, so that a busy or slow machine changes the
seconds and hardly the ratios. What is told are ratios of the least and of the median times. Compiled code is loaded and
the network is made before the clock starts; laying it out is in our time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import site
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from perf.networks import LAYERS, Drawn, drawn
from perf.uncertain import mixed, names_of, plain

Run = Callable[[], object]


def _graph(count: int) -> Drawn:
    return drawn(count, LAYERS[count])


def _ours(count: int, iterations: int, _: Path | None) -> Run:
    """One calendar, finish-to-start: finish of the network and criticality."""
    from turnup.schedule.simulation import simulate

    network, uncertainty = plain(_graph(count))
    simulate(network, uncertainty, iterations=64)
    return lambda: simulate(network, uncertainty, iterations=iterations, seed=5)


def _mixed(count: int, iterations: int, _: Path | None) -> Run:
    """Four calendars, all link types, lags, risk events."""
    from turnup.schedule.simulation import simulate

    network, uncertainty = mixed(_graph(count))
    simulate(network, uncertainty, iterations=64)
    return lambda: simulate(network, uncertainty, iterations=iterations, seed=5)


def _pert(count: int, iterations: int, _: Path | None) -> Run:
    """Like the first, with the distribution that the peer draws from: BetaPERT."""
    from turnup.schedule.simulation import BetaPert, Triangular, Uncertainty, simulate

    network, given = plain(_graph(count))
    changed = {
        name: BetaPert(one.low, one.likely, one.high)
        for name, one in given.durations.items()
        if isinstance(one, Triangular)
    }
    uncertainty = Uncertainty(changed)
    simulate(network, uncertainty, iterations=64)
    return lambda: simulate(network, uncertainty, iterations=iterations, seed=5)


def _anchor(count: int, iterations: int, folder: Path | None) -> Run:
    from perf.anchor import prepared

    run = prepared(_graph(count), folder)
    run(64)
    return lambda: run(iterations)


def _networkx(count: int, iterations: int, _: Path | None) -> Run:
    """What a team writes itself: drawn durations, then both passes of networkx for each run."""
    import numpy as np

    from perf.critical_path import by_networkx, graph_of

    drawn_network = _graph(count)
    graph, days = graph_of(drawn_network), drawn_network.days.astype(np.float64)

    def run() -> object:
        draws = np.random.default_rng(5).triangular(0.9 * days, days, 1.6 * days, (iterations, count))
        finishes, critical = np.empty(iterations), np.zeros(count)
        for number in range(iterations):
            finishes[number], floats = by_networkx(graph, draws[number].tolist())
            critical += floats <= 1e-6
        return finishes, critical

    return run


def _trueppm(count: int, iterations: int, _: Path | None) -> Run:
    from datetime import date, timedelta

    from trueppm_scheduler import Dependency, Project, Task, monte_carlo

    graph = _graph(count)
    names = names_of(graph)
    tasks = [
        Task(
            id=name, name=name, duration=timedelta(days=days), optimistic_duration=timedelta(days=days - days // 10),
            most_likely_duration=timedelta(days=days), pessimistic_duration=timedelta(days=days + -(-days * 6 // 10)),
        )
        for name, days in zip(names, graph.days.tolist(), strict=True)
    ]  # fmt: skip
    pairs = zip(graph.pred.tolist(), graph.succ.tolist(), strict=True)
    links = [Dependency(names[first], names[second]) for first, second in pairs]
    project = Project(id="p", name="p", start_date=date(2026, 1, 5), tasks=tasks, dependencies=links)
    return lambda: monte_carlo(project, runs=iterations, seed=5)


_RUNS: dict[str, Callable[[int, int, Path | None], Run]] = {
    "ours": _ours, "mixed": _mixed, "pert": _pert, "anchor": _anchor, "trueppm": _trueppm,
    "networkx": _networkx,
}  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Ours against a peer on a network of so many activities; the target is a ratio of times, at most or at least.

    Attributes:
        iterations: runs of the peer where it is too slow for as many as ours; times are told for as many runs.
    """

    name: str
    ours: str
    peer: str
    count: int
    target: str
    iterations: int = 0


_COMPARISONS = (
    Comparison("Monte Carlo with criticality / the numba anchor", "ours", "anchor", 1_000, "none"),
    Comparison("Monte Carlo with criticality / the numba anchor", "ours", "anchor", 10_000, "1.3 at most"),
    Comparison("... with calendars, lags, risks / the plain anchor", "mixed", "anchor", 10_000, "3 at most"),
    Comparison("Monte Carlo with criticality / networkx", "ours", "networkx", 1_000, "none", 200),
    Comparison("Monte Carlo with criticality / networkx", "ours", "networkx", 10_000, "none", 20),
    Comparison("Monte Carlo with criticality / trueppm-scheduler", "pert", "trueppm", 1_000, "0.05 at most", 1_000),
    Comparison("Monte Carlo with criticality / trueppm-scheduler", "pert", "trueppm", 10_000, "0.05 at most", 200),
)


def _one(name: str, count: int, iterations: int, folder: Path | None) -> None:
    """Run one measurement and print its seconds and the most memory of this process."""
    run = _RUNS[name](count, iterations, folder)
    start, computed = time.perf_counter(), time.process_time()
    held = run()
    found = {"seconds": time.perf_counter() - start, "computed": time.process_time() - computed}
    del held
    print(json.dumps(found | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}))


def _measured(name: str, count: int, options: argparse.Namespace, runs: int = 0) -> dict[str, float]:
    """Seconds for as many runs as were asked for, and MiB; a peer that makes fewer is told for as many."""
    runs = min(runs or options.iterations, options.iterations)
    command = [sys.executable, "-m", "perf.monte_carlo", "--one", name, "--count", str(count)]
    command += ["--iterations", str(runs)]
    command += ["--anchors", str(options.anchors)] if options.anchors else []
    command += ["--peer", str(options.peer)] if options.peer else []
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    more = options.iterations / runs
    return found | {name: found[name] * more for name in ("seconds", "computed")}


def _compare(comparison: Comparison, options: argparse.Namespace) -> None:
    names = (comparison.ours, comparison.peer)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(options.times):
        for name in names:
            runs = comparison.iterations if name == comparison.peer else 0
            found[name].append(_measured(name, comparison.count, options, runs))
    print(f"{comparison.name}, {comparison.count} activities (target: {comparison.target})"
          + (f"; the peer made {comparison.iterations} runs" if comparison.iterations else ""))  # fmt: skip
    for label, of in (("least", min), ("median", statistics.median)):
        ours, peer = (of([run["seconds"] for run in found[name]]) for name in names)
        print(f"  {label:7s} {ours / peer:6.3f} times the peer ({ours:.3f} s, {peer:.3f} s)")
    ours, peer = (min(run["computed"] for run in found[name]) for name in names)
    print(f"  computing time (least) {ours / peer:.3f} times the peer")
    memory = [max(run["memory"] for run in found[name]) for name in names]
    print(f"  memory  {memory[0]} MiB, the peer {memory[1]} MiB", flush=True)


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--anchors", type=Path, help="folder of another anchor: mc_bench.nb_mc")
    parser.add_argument("--peer", type=Path, help="interpreter of an environment that has trueppm-scheduler")
    parser.add_argument("--one", choices=sorted(_RUNS), help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        # Behind our own packages, so that only what is missing here comes from there.
        site.addsitedir(next(options.peer.parent.parent.glob("lib/python3*/site-packages")).as_posix())
    if options.one:
        _one(options.one, options.count, options.iterations, options.anchors)
        return
    for comparison in _COMPARISONS:
        if comparison.peer != "trueppm" or importlib.util.find_spec("trueppm_scheduler"):
            _compare(comparison, options)
        else:
            print(f"{comparison.name}, {comparison.count} activities: not measured, the peer is not installed")


if __name__ == "__main__":
    main()
