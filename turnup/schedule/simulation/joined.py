"""A large network run part by part, and targets that wait for several of its parts.

Belongs here: runs of parts that share nothing, put together. Does not: which parts there are (``components``).

What is drawn depends on ids and the seed alone, so the parts finish as they do in a run of the whole. A part fits into
the caches of a core, and holding an input needs only its own part to be run again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.simulation.components import LEAST, components
from turnup.schedule.simulation.layout import first_instant
from turnup.schedule.simulation.merge import mean_biases
from turnup.schedule.simulation.restrict import Parts
from turnup.schedule.simulation.sensitivity import indices
from turnup.schedule.simulation.simulate import simulate, traced_beside
from turnup.schedule.simulation.tornado import Bar, Held, widest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty
    from turnup.schedule.simulation.results import Simulation

    Floats = NDArray[np.float64]


class Drivers(NamedTuple):
    """What drives a target: activities in the order of the whole network, their driving shares and SSI."""

    ids: Sequence[str]
    driving: Floats
    ssi: Floats


@dataclass(frozen=True)
class Joined:
    """Runs of the parts of one network.

    Attributes:
        parts: one run each.
        joins: targets that finish with the last of some targets, which may be in several parts.
        traced: of each join, the runs in which what drives it was traced: those of the parts that ever hold it.
        place: row in the whole network, by id.
    """

    parts: tuple[Simulation, ...]
    joins: Mapping[str, Sequence[str]] = field(default_factory=dict)
    traced: Mapping[str, Sequence[Simulation]] = field(default_factory=dict)
    place: Mapping[str, int] = field(default_factory=dict)

    def __contains__(self, target: object) -> bool:
        return target in self._of or target in self.joins

    @cached_property
    def _of(self) -> Mapping[str, Simulation]:
        return {name: part for part in self.parts for name in part.targets}

    @property
    def iterations(self) -> int:
        """Number of runs."""
        return self.parts[0].iterations

    def samples(self, target: str) -> NDArray[np.int64]:
        """Finishes of one target in the order of iterations."""
        if target in self.joins:
            return _last([self._of[name].samples(name) for name in self.joins[target]])
        return self._of[target].samples(target)

    def drivers(self, targets: Collection[str]) -> Iterator[tuple[str, Drivers]]:
        """What drives each of some traced targets, part by part, then the joins."""
        for part in self.parts:
            own = [name for name in part.traced if name in targets]
            for name, (driving, ssi) in zip(own, indices(part, own), strict=True):
                yield name, Drivers(part.network.ids, driving, ssi)
        for name in self.traced:
            if name in targets:
                yield name, self._of_join(name)

    def _of_join(self, name: str) -> Drivers:
        found = [(run, *next(indices(run, [name]))) for run in self.traced[name]]
        ids = [identity for run, _, _ in found for identity in run.network.ids]
        order = np.argsort([self.place[identity] for identity in ids])
        driving, ssi = (np.concatenate([one[number] for one in found])[order] for number in (1, 2))
        return Drivers([ids[number] for number in order.tolist()], driving, ssi)

    def mean_biases(self, targets: Collection[str]) -> dict[str, float]:
        """Seconds that the mean finish of each of some traced targets lies behind that of its most critical path."""
        found: dict[str, float] = {}
        for part in self.parts:
            found |= mean_biases(part, [name for name in part.traced if name in targets])
        for name, runs in self.traced.items():
            if name in targets:
                found |= mean_biases(min(runs, key=lambda run: _least_critical(run, name)), [name])
        return found

    def tornado(self, target: str, top: int = 10, percent: float = 80) -> list[Bar]:
        """``tornado.tornado`` of a traced target; only the part of an input is run again."""
        if target not in self.joins:
            return widest([Held(self._of[target], target, percent)], top)
        return widest([Held(run, target, percent, self._beside(run, target)) for run in self.traced[target]], top)

    def _beside(self, run: Simulation, join: str) -> NDArray[np.int64] | None:
        """The last finish of what a join waits for in other parts."""
        own = frozenset(run.targets[join])
        others = [self._of[name].samples(name) for name in self.joins[join] if name not in own]
        return _last(others) if others else None


def simulate_parts(
    network: ActivityNetwork, uncertainty: Uncertainty, targets: Sequence[str], joins: Mapping[str, Sequence[str]],
    *, iterations: int, seed: int, trace: Collection[str] = (), least: int = LEAST,
) -> Joined:  # fmt: skip
    """Simulate a network part by part.

    Args:
        network: what is scheduled.
        uncertainty: distributions, correlations, risks, pools.
        targets: activities whose finish is kept.
        joins: activities that only wait for some of the targets, which need not be among their predecessors here.
        iterations: number of runs.
        seed: of all draws.
        trace: targets and joins to which driving paths are traced.
        least: activities of a part, where there are as many.

    Raises:
        ValueError: an input names what the network does not have or contradicts another; the links have a loop.
    """
    # What no date holds back begins with the first date of the whole network, in whichever part it is.
    begun = replace(network, start_from=np.maximum(network.start_from, first_instant(network)))
    laid, known = Parts(begun, uncertainty), frozenset(targets)
    runs = []
    for rows in components(network, uncertainty, targets, joins, least):
        part, drawn = laid.with_pools(rows)
        own = [name for name in part.ids if name in known]
        traced = [name for name in own if name in trace]
        runs.append(simulate(part, drawn, own, iterations=iterations, seed=seed, trace=traced))
    place = {name: row for row, name in enumerate(network.ids)}
    joined = Joined(tuple(runs), joins, place=place)
    return replace(joined, traced={name: tuple(_traced(joined, name)) for name in joins if name in trace})


def _traced(joined: Joined, join: str) -> Iterator[Simulation]:
    """Runs of the parts that ever hold a join, with what drives it; the join waits for the other parts in them."""
    members = frozenset(joined.joins[join])
    whole = joined.samples(join)
    for part in joined.parts:
        own = [name for name in part.targets if name in members]
        if own and np.any(held := _last([part.samples(name) for name in own]) == whole):
            yield traced_beside(part, join, own, whole, held)


def _last(samples: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.asarray(np.maximum.reduce(samples))


def _least_critical(run: Simulation, target: str) -> tuple[float, str]:
    """The smaller, the more often the run drives a target."""
    share, row = run.driving_share(target), {name: number for number, name in enumerate(run.network.ids)}
    return min((-share[row[name]], name) for name in run.targets[target])
