"""Merge bias: how much later a target is because several paths meet than its most critical path alone would be.

Belongs here: the single path, and the comparison. Does not: criticality (``serial``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.restrict import part, without_risks
from turnup.schedule.simulation.results import PROJECT, inverse_ecdf
from turnup.schedule.simulation.simulate import simulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.simulation.results import Simulation


@dataclass(frozen=True)
class MergeBias:
    """A target's finish against plan and against its most critical path alone; instants, and seconds of the clock.

    Attributes:
        deterministic: finish when every activity takes its planned duration and no event happens.
        mean, p50: of the target.
        path: activities of the path, from its first to the target's last one.
        path_mean, path_p50: finish of the path when nothing else held it back, with the same draws; pools left out.
    """

    deterministic: int
    mean: float
    p50: int
    path: tuple[str, ...]
    path_mean: float
    path_p50: int

    @property
    def mean_bias(self) -> float:
        """Seconds that the mean finish lies behind that of the path alone."""
        return self.mean - self.path_mean

    @property
    def p50_bias(self) -> int:
        """Seconds that the median finish lies behind that of the path alone."""
        return self.p50 - self.path_p50

    @property
    def mean_delay(self) -> float:
        """Seconds that the mean finish lies behind the deterministic one."""
        return self.mean - self.deterministic

    @property
    def p50_delay(self) -> int:
        """Seconds that the median finish lies behind the deterministic one."""
        return self.p50 - self.deterministic


def merge_bias(run: Simulation, target: str = PROJECT) -> MergeBias:
    """Run the most critical path of a target alone, and the plan.

    Raises:
        ValueError: the target's driving paths were not traced by this run.
    """
    network = run.network
    plan = simulate(network, without_risks(run.uncertainty), {target: run.targets[target]}, iterations=1)
    rows = critical_path(run, target)
    alone, uncertainty = part(network, run.uncertainty, np.sort(rows))
    last = network.ids[rows[-1]]
    path = simulate(alone, uncertainty, {target: (last,)}, iterations=run.iterations, seed=run.seed)
    finish, single = run.samples(target), path.samples(target)
    return MergeBias(
        deterministic=int(plan.samples(target)[0]),
        mean=_mean(finish),
        p50=inverse_ecdf(np.sort(finish), 50),
        path=tuple(network.ids[row] for row in rows.tolist()),
        path_mean=_mean(single),
        path_p50=inverse_ecdf(np.sort(single), 50),
    )


def critical_path(run: Simulation, target: str) -> NDArray[np.int64]:
    """Rows of the path that drives a target most often, its first activity first.

    From the target's last activity back, the predecessor that drives the target in most iterations is next; of equal
    ones that of the first id.
    """
    share, network = run.driving_share(target), run.network
    row = {name: number for number, name in enumerate(network.ids)}
    step = min((row[name] for name in run.targets[target]), key=lambda one: (-share[one], network.ids[one]))
    path = [step]
    while True:
        before = [one for one in set(network.pred[network.succ == step].tolist()) if share[one] > 0]
        if not before:
            return np.array(path[::-1], dtype=np.int64)
        step = min(before, key=lambda one: (-share[one], network.ids[one]))
        path.append(step)


def _mean(instants: NDArray[np.int64]) -> float:
    # Instants are large and differ little: the differences are averaged.
    return float(instants[0]) + float(np.mean(instants - instants[0]))
