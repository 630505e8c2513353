"""Merge bias: how much later a target is because several paths meet than its most critical path alone would be.

Belongs here: the single path, and the comparison. Does not: criticality (``serial``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.simulation.restrict import Parts, without_risks
from turnup.schedule.simulation.results import PROJECT, inverse_ecdf
from turnup.schedule.simulation.simulate import finish_samples, simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    plan = simulate(network, without_risks(run.uncertainty), {target: run.targets[target]}, iterations=1, trace=False)
    paths = Paths(run)
    rows = paths.most_critical(target)
    finish, single = run.samples(target), paths.alone(rows)
    return MergeBias(
        deterministic=int(plan.samples(target)[0]),
        mean=_mean(finish),
        p50=inverse_ecdf(np.sort(finish), 50),
        path=tuple(network.ids[row] for row in rows),
        path_mean=_mean(single),
        path_p50=inverse_ecdf(np.sort(single), 50),
    )


def mean_biases(run: Simulation, targets: Sequence[str]) -> dict[str, float]:
    """``MergeBias.mean_bias`` of several targets; paths that they share are run once.

    Raises:
        ValueError: a target's driving paths were not traced by this run.
    """
    paths = Paths(run)
    means: dict[tuple[int, ...], float] = {}
    found = {}
    for target in targets:
        rows = paths.most_critical(target)
        if rows not in means:
            means[rows] = _mean(paths.alone(rows))
        found[target] = _mean(run.samples(target)) - means[rows]
    return found


class Paths:
    """The driving paths of a run."""

    def __init__(self, run: Simulation) -> None:
        """Lay out the network of a run."""
        self._run = run
        self._parts = Parts(run.network, run.uncertainty)
        self._row = {name: number for number, name in enumerate(run.network.ids)}

    def most_critical(self, target: str) -> tuple[int, ...]:
        """Rows of the path that drives a target most often, its first activity first.

        From the target's last activity back, the predecessor that drives the target in most iterations is next; of
        equal ones that of the first id.
        """
        share, network = self._run.driving_share(target), self._run.network
        step = min(
            (self._row[name] for name in self._run.targets[target]), key=lambda one: (-share[one], network.ids[one])
        )
        path = [step]
        while True:
            before = network.pred[self._parts.links_into(step)].tolist()
            before = [one for one in before if share[one] > 0]
            if not before:
                return tuple(path[::-1])
            step = min(before, key=lambda one: (-share[one], network.ids[one]))
            path.append(step)

    def alone(self, rows: Sequence[int]) -> NDArray[np.int64]:
        """Finishes of the last activity of a path that nothing else holds back, by iteration."""
        network, uncertainty = self._parts.of(np.sort(np.array(rows, dtype=np.int64)))
        last = (self._run.network.ids[rows[-1]],)
        return finish_samples(network, uncertainty, last, iterations=self._run.iterations, seed=self._run.seed)


def _mean(instants: NDArray[np.int64]) -> float:
    # Instants are large and differ little: the differences are averaged.
    return float(instants[0]) + float(np.mean(instants - instants[0]))
