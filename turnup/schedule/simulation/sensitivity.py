"""Which durations matter for a target: how often they drive it, how they spread, how they move with it.

Belongs here: SSI and cruciality. Does not: what the target becomes when one input is held (``tornado``).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from turnup.schedule.simulation.compiled import hot_kernel
from turnup.schedule.simulation.conversions import Conversions, carry
from turnup.schedule.simulation.inputs import NEVER
from turnup.schedule.simulation.plan import plan_of
from turnup.schedule.simulation.results import PROJECT
from turnup.schedule.simulation.sampling import Events, Scratch, common_draws, draw_durations, scratch
from turnup.schedule.simulation.simulate import cores

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.parameters import Parameters
    from turnup.schedule.simulation.plan import Plan
    from turnup.schedule.simulation.results import Simulation

    Floats = NDArray[np.float64]

RANKED = 500
"""Activities of largest SSI for which ranks are compared as well."""
_WIDTH = 64


@dataclass(frozen=True)
class Sensitivity:
    """How much each activity's duration, with the events that hit it, matters for a target; by activity row.

    Finished activities have none (NaN).

    Attributes:
        driving: share of iterations in which it drives the target (criticality index with respect to the target).
        sd: standard deviation of its duration, seconds of its working time.
        ssi: schedule sensitivity index, driving x sd / sd of the target's finish.
        pearson: cruciality as Pearson's correlation of duration and finish; NaN where one of them never varies.
        spearman: cruciality as Spearman's rank correlation, of the RANKED largest SSI; NaN for the others.
    """

    driving: Floats
    sd: Floats
    ssi: Floats
    pearson: Floats
    spearman: Floats


def sensitivities(run: Simulation, target: str = PROJECT) -> Sensitivity:
    """Compare the durations of a run, drawn once more, with a target's finishes.

    The finish counts in the working time of each activity's own calendar, so that both spreads are in the same seconds.
    """
    plan, count = plan_of(run.network, run.uncertainty, {}, run.seed), run.iterations
    finish = _on_calendars(plan, run.samples(target))
    sums, axis = _moments(plan, finish), plan.logic.axis
    spread = _spread(finish)[axis]
    covariance = (sums[:, 2] - sums[:, 0] * finish.sum(axis=1)[axis] / count) / max(count - 1, 1)
    sd = _deviation(sums, count)
    driving = _driving(run, target)[plan.rows]
    ssi = _ssi(driving, sd, spread)
    with np.errstate(invalid="ignore", divide="ignore"):
        pearson = np.where((sd > 0) & (spread > 0), covariance / (sd * spread), np.nan)
    spearman = np.full(len(sd), np.nan)
    ranked = [place for place in np.argsort(-ssi, kind="stable")[:RANKED].tolist() if ssi[place] > 0]
    ranks = stats.rankdata(run.samples(target))
    for place, drawn in zip(ranked, durations_of(plan, ranked, count), strict=True):
        spearman[place] = np.corrcoef(stats.rankdata(drawn), ranks)[0, 1]
    by_row = [_by_row(run, plan, values) for values in (driving, sd, ssi, pearson, spearman)]
    return Sensitivity(*by_row)


def indices(run: Simulation, targets: Sequence[str]) -> Iterator[tuple[Floats, Floats]]:
    """Driving share and SSI by activity row, of each of several targets; durations are drawn once for all."""
    # A target that waits for what is not in the network may finish after all that is.
    until = max((int(run.samples(target).max()) for target in targets), default=NEVER)
    plan = plan_of(run.network, run.uncertainty, {}, run.seed, until=until)
    sums = _moments(plan, np.zeros((len(plan.logic.from_clock), run.iterations)))
    sd = _deviation(sums, run.iterations)
    for target in targets:
        spread = _spread(_on_calendars(plan, run.samples(target)))[plan.logic.axis]
        driving = _driving(run, target)[plan.rows]
        yield _by_row(run, plan, driving), _by_row(run, plan, _ssi(driving, sd, spread))


def _driving(run: Simulation, target: str) -> Floats:
    return run.driving_share(target) if target in run.targets else run.criticality_index()


def _spread(finish: Floats) -> Floats:
    return np.asarray(np.std(finish, axis=1, ddof=min(1, finish.shape[1] - 1)))


def _deviation(sums: Floats, count: int) -> Floats:
    variance = np.maximum(sums[:, 1] - sums[:, 0] ** 2 / count, 0.0) / max(count - 1, 1)
    return np.asarray(np.sqrt(variance))


def _ssi(driving: Floats, sd: Floats, spread: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, driving * sd / spread, np.nan)


def _on_calendars(plan: Plan, finish: NDArray[np.int64]) -> Floats:
    """Finishes in the working time of each calendar in use, less the first one's; axes x iterations."""
    clock = (finish - plan.origin).astype(np.int32)
    found = np.empty((len(plan.logic.from_clock), len(clock)), dtype=np.int32)
    _carry_all(plan.tables, plan.logic.from_clock, clock, found)
    return (found - found[:, :1]).astype(np.float64)


@hot_kernel()
def _carry_all(
    tables: Conversions, numbers: NDArray[np.int32], clock: NDArray[np.int32], found: NDArray[np.int32]
) -> None:
    for axis in range(numbers.size):
        for k in range(clock.size):
            found[axis, k] = clock[k] if numbers[axis] < 0 else carry(tables, numbers[axis], clock[k], 1)


def _by_row(run: Simulation, plan: Plan, values: Floats) -> Floats:
    laid = np.full(len(run.network.ids), np.nan)
    laid[plan.rows] = values
    return laid


def durations_of(plan: Plan, positions: list[int], iterations: int) -> NDArray[np.int32]:
    """Durations that a run draws for some positions, positions x iterations, impacts of events included."""
    found = np.empty((len(positions), iterations), dtype=np.int32)
    held = scratch(_WIDTH, len(plan.parameters.weight), len(plan.events.happens))
    drawn = np.empty((len(plan.rows), _WIDTH), dtype=np.int32)
    _drawn(plan.parameters, plan.events, np.array(positions, dtype=np.int64), held, drawn, found)
    return found


@hot_kernel()
def _drawn(
    parameters: Parameters, events: Events, positions: NDArray[np.int64], held: Scratch, drawn: NDArray[np.int32],
    found: NDArray[np.int32],
) -> None:  # fmt: skip
    for first in range(0, found.shape[1], _WIDTH):
        width = min(_WIDTH, found.shape[1] - first)
        common_draws(parameters, events, first, width, held)
        for place in range(positions.size):
            position = positions[place]
            draw_durations(parameters, events, position, position + 1, first, width, held, drawn)
            for k in range(width):
                found[place, first + k] = drawn[position, k]


def _moments(plan: Plan, finish: Floats) -> Floats:
    """Sums of durations, of their squares and of their products with the finish; durations less their first draw."""
    count, threads = len(plan.rows), cores()
    sums = np.zeros((count, 3))
    edges = [count * thread // threads for thread in range(threads + 1)]
    drawn = np.empty((count, _WIDTH), dtype=np.int32)

    def work(begin: int, end: int) -> None:
        held = scratch(_WIDTH, len(plan.parameters.weight), len(plan.events.happens))
        origin = np.zeros(count, dtype=np.int32)
        _sums(plan.parameters, plan.events, plan.logic.axis, begin, end, finish, held, drawn, origin, sums)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, edges[:-1], edges[1:]))
    return sums


@hot_kernel()
def _sums(
    parameters: Parameters, events: Events, axis: NDArray[np.int32], begin: int, end: int, finish: Floats,
    held: Scratch, drawn: NDArray[np.int32], origin: NDArray[np.int32], sums: Floats,
) -> None:  # fmt: skip
    # In the order of iterations, so that the rounding of sums does not depend on who adds them.
    for first in range(0, finish.shape[1], _WIDTH):
        width = min(_WIDTH, finish.shape[1] - first)
        common_draws(parameters, events, first, width, held)
        draw_durations(parameters, events, begin, end, first, width, held, drawn)
        for position in range(begin, end):
            if first == 0:
                origin[position] = drawn[position, 0]
            total, squares, products = sums[position, 0], sums[position, 1], sums[position, 2]
            for k in range(width):
                value = np.float64(drawn[position, k] - origin[position])
                total += value
                squares += value * value
                products += value * finish[axis[position], first + k]
            sums[position, 0], sums[position, 1], sums[position, 2] = total, squares, products
