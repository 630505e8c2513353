"""Running the network many times.

Belongs here: the order of the steps of a run, and its threads. Does not: any of the steps.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.block_passes import block_of
from turnup.schedule.simulation.blocked import run_blocks
from turnup.schedule.simulation.inputs import NEVER
from turnup.schedule.simulation.plan import Plan, plan_of
from turnup.schedule.simulation.pooling import timelines
from turnup.schedule.simulation.results import PROJECT, Simulation
from turnup.schedule.simulation.sampling import scratch
from turnup.schedule.simulation.serial import line_of, run_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty

Stretches = list[tuple[int, int]]
"""Stretches of iterations that one thread runs: the first of each, and the one after its last."""
BLOCK = 64
_LINES = 16
"""Iterations whose durations are drawn together to be scheduled one by one: as many as fit in the cache."""


def simulate(
    network: ActivityNetwork,
    uncertainty: Uncertainty,
    targets: Sequence[str] | Mapping[str, Sequence[str]] = (),
    *,
    iterations: int = 10_000,
    seed: int = 1,
    trace: bool | Collection[str] = True,
    threads: int | None = None,
    block: int = BLOCK,
) -> Simulation:
    """Draw durations and events, schedule, and repeat.

    Args:
        network: what is scheduled.
        uncertainty: distributions, correlations, risks, pools.
        targets: activities whose finish is kept, or by name the activities whose latest finish is; PROJECT stands for
            all.
        iterations: number of runs; none more is counted.
        seed: with the ids of activities, groups and events it decides every draw, whatever their order or number: two
            networks that share ids share draws (common random numbers).
        trace: whether driving paths to the targets are traced, which takes longer, or the targets to which they are.
        threads: how many work at once, all cores (8 at most) unless given; the result does not depend on it.
        block: iterations computed together; nor on this.

    Raises:
        ValueError: an input names what the network does not have or contradicts another; the links have a loop.
    """
    if iterations < 1:
        raise ValueError(f"at least one iteration is needed, not {iterations}")
    named = _named(network, targets)
    if uncertainty.pools:
        named.setdefault(PROJECT, network.ids)
    plan = plan_of(network, uncertainty, named, seed)
    shares = _shares(iterations, threads, block)
    traced = [name for name in named if trace is True or (trace and name in trace)]
    numbers = np.array([number for number, name in enumerate(named) if name in traced], dtype=np.int32)
    critical = np.zeros(len(network.ids), dtype=np.int64)
    driving = np.zeros((len(traced), len(network.ids)), dtype=np.int64)
    if uncertainty.pools:
        finishes, driving[:, plan.rows] = _in_lines(plan, numbers, iterations, shares, block)
        project = finishes[list(named).index(PROJECT)]
        critical += driving[traced.index(PROJECT)] if PROJECT in traced else 0
    else:
        finishes, project, critical[plan.rows] = _in_blocks(plan, iterations, shares, block)
        if traced:
            _, driving[:, plan.rows] = _in_lines(plan, numbers, iterations, shares, block)
    latest = int(network.finished.max(initial=NEVER))
    return Simulation(
        network=network,
        uncertainty=uncertainty,
        seed=seed,
        iterations=iterations,
        targets=named,
        found=plan.finishes(finishes),
        project_finish=np.maximum(np.where(len(plan.rows) > 0, project + np.int64(plan.origin), latest), latest),
        critical=critical,
        traced=traced,
        driving=driving,
    )


def traced_beside(
    run: Simulation, target: str, members: Sequence[str], floor: NDArray[np.int64], held: NDArray[np.bool_]
) -> Simulation:
    """What drives a target that is reached with the last of some activities and of what is not in the network.

    Args:
        run: of the network, in which the members are targets.
        target: a name for it.
        members: activities.
        floor: instants of what is not in the network, or of the target itself, by iteration.
        held: iterations in which a member holds it; the others are not scheduled again.

    Returns:
        The run with this target alone, traced in these iterations.
    """
    plan = plan_of(run.network, run.uncertainty, {target: members}, run.seed, {target: floor})
    starts = np.arange(0, run.iterations, _LINES)
    chosen = [
        (int(first), min(run.iterations, int(first) + _LINES)) for first in starts[np.add.reduceat(held, starts) > 0]
    ]
    count = max(1, min(cores(), len(chosen)))
    shares = [chosen[len(chosen) * thread // count : len(chosen) * (thread + 1) // count] for thread in range(count)]
    found, counted = _in_lines(plan, np.zeros(1, dtype=np.int32), run.iterations, shares, BLOCK)
    driving = np.zeros((1, len(run.network.ids)), dtype=np.int64)
    driving[:, plan.rows] = counted
    return replace(
        run, targets={target: members}, traced=[target], driving=driving,
        found=plan.finishes(np.maximum(found, plan.targets.floor)),  # where no member holds it, it is the floor
    )  # fmt: skip


def finish_samples(
    network: ActivityNetwork, uncertainty: Uncertainty, activities: Sequence[str], *, iterations: int, seed: int,
) -> NDArray[np.int64]:  # fmt: skip
    """Latest finish of some activities in each iteration, as instants; nothing is traced."""
    plan = plan_of(network, uncertainty, {PROJECT: activities}, seed)
    shares = _shares(iterations, None, BLOCK)
    if uncertainty.pools:
        finishes = _in_lines(plan, np.zeros(0, dtype=np.int32), iterations, shares, BLOCK)[0]
    else:
        finishes = _in_blocks(plan, iterations, shares, BLOCK)[0]
    return plan.finishes(finishes).of(0)


def _named(network: ActivityNetwork, targets: Sequence[str] | Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    if isinstance(targets, Mapping):
        return dict(targets)
    return {name: network.ids if name == PROJECT else (name,) for name in targets}


def _shares(iterations: int, threads: int | None, block: int) -> list[Stretches]:
    """One stretch of iterations for each thread, in whole blocks."""
    blocks = -(-iterations // block)
    count = min(blocks, threads or cores())
    edges = [min(iterations, block * (blocks * thread // count)) for thread in range(count + 1)]
    return [[stretch] for stretch in itertools.pairwise(edges)]


def cores() -> int:
    """Threads worth having: each keeps a block of its own in memory."""
    return min(os.cpu_count() or 1, 8)


def _on_threads(
    work: Callable[[Stretches], NDArray[np.int64] | NDArray[np.int32]], shares: Sequence[Stretches]
) -> NDArray[np.int64]:
    """Add up what each thread counts."""
    with ThreadPoolExecutor(len(shares)) as pool:
        return np.asarray(np.sum(list(pool.map(work, shares)), axis=0, dtype=np.int64))


def _in_blocks(
    plan: Plan, iterations: int, shares: list[Stretches], width: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Finishes of targets and of the project, and iterations without float by position."""
    finishes = np.zeros((len(plan.targets.done), iterations), dtype=np.int32)
    project = np.zeros(iterations, dtype=np.int32)

    def work(stretches: Stretches) -> NDArray[np.int64]:
        critical = np.zeros(len(plan.rows), dtype=np.int64)
        held = scratch(width, len(plan.parameters.weight), len(plan.events.happens))
        block = block_of(len(plan.rows), len(plan.logic.to_clock), width)
        for begin, end in stretches:
            run_blocks(
                plan.logic, plan.tables, plan.parameters, plan.events, plan.targets, begin, end, block, held, finishes,
                project, critical,
            )  # fmt: skip
        return critical

    critical = _on_threads(work, shares)
    return finishes, project, critical


def _in_lines(
    plan: Plan, traced: NDArray[np.int32], iterations: int, shares: list[Stretches], width: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Finishes of targets, and iterations in which each position drives each of those traced.

    Each thread takes some stretches of iterations; those that no thread takes are left at 0.
    """
    finishes = np.zeros((len(plan.targets.done), iterations), dtype=np.int32)
    width = min(width, _LINES)

    def work(stretches: Stretches) -> NDArray[np.int32]:
        driving = np.zeros((len(plan.rows), len(traced)), dtype=np.int32)
        held = scratch(width, len(plan.parameters.weight), len(plan.events.happens))
        line, taken = line_of(len(plan.rows), width), timelines(plan.pools)
        for begin, end in stretches:
            run_lines(
                plan.logic, plan.tables, plan.parameters, plan.events, plan.pools, plan.targets, traced, begin, end,
                line, taken, held, finishes, driving,
            )  # fmt: skip
        return driving.T

    return finishes, _on_threads(work, shares)
