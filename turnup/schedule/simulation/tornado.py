"""Tornado: a percentile of a target when one input is held low or high and all others are drawn as they were.

Belongs here: holding an input. Does not: which inputs are worth it (``sensitivity``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from turnup.schedule.simulation.distributions import Fixed
from turnup.schedule.simulation.restrict import ancestors, part
from turnup.schedule.simulation.results import PROJECT, inverse_ecdf
from turnup.schedule.simulation.sensitivity import indices
from turnup.schedule.simulation.simulate import finish_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from turnup.schedule.simulation.distributions import Distribution
    from turnup.schedule.simulation.inputs import RiskEvent, Uncertainty
    from turnup.schedule.simulation.results import Simulation


@dataclass(frozen=True)
class Bar:
    """What one input does to a percentile of a target.

    Attributes:
        kind: "duration" of an activity held at its own P10 and P90, or "risk": an event that does not and does happen.
        id: of the activity or event.
        low, high: the target's percentile with the input held low and high, instants.
        held_low, held_high: the durations at which it was held, seconds; of an event, its probabilities 0 and 1.
    """

    kind: Literal["duration", "risk"]
    id: str
    low: int
    high: int
    held_low: float
    held_high: float

    @property
    def swing(self) -> int:
        """Seconds of the clock between the two."""
        return self.high - self.low


@dataclass(frozen=True)
class Held:
    """A run in which one input at a time is held, for one target.

    Attributes:
        others: instants that the target waits for besides what is in this run, by iteration; None for nothing.
    """

    run: Simulation
    target: str
    percent: float
    others: NDArray[np.int64] | None = None

    def durations(self) -> list[tuple[float, str]]:
        """Activities of which the duration varies and matters, with their SSI, that of the largest first."""
        ssi = dict(zip(self.run.network.ids, np.nan_to_num(self._indices[1]).tolist(), strict=True))
        durations = self.run.uncertainty.durations
        varied = [name for name in durations if ssi[name] > 0 and _varies(durations[name])]
        return sorted(((ssi[name], name) for name in varied), key=lambda one: (-one[0], one[1]))

    def risks(self) -> list[tuple[float, RiskEvent]]:
        """Events that hit what drives the target, with expected impact times how often it does; the most first."""
        driving = dict(zip(self.run.network.ids, np.nan_to_num(self._indices[0]).tolist(), strict=True))
        found = [
            (
                max((driving[name] for name in risk.activities), default=0.0) * risk.probability * risk.impact.mean(),
                risk,
            )
            for risk in self.run.uncertainty.risks
        ]
        return sorted(((weight, risk) for weight, risk in found if weight > 0), key=lambda one: (-one[0], one[1].id))

    @cached_property
    def _indices(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return next(indices(self.run, [self.target]))

    def duration(self, name: str) -> Bar:
        """The target with the duration of an activity held at its own P10 and P90."""
        durations = self.run.uncertainty.durations
        held = [durations[name].quantile(0.1), durations[name].quantile(0.9)]
        changed = [replace(self.run.uncertainty, durations={**durations, name: Fixed(value)}) for value in held]
        low, high = map(self._percentile, changed)
        return Bar("duration", name, low, high, *held)

    def risk(self, risk: RiskEvent) -> Bar:
        """The target without and with an event."""
        held = [0.0, 1.0]
        risks = self.run.uncertainty.risks
        changed = [
            replace(
                self.run.uncertainty,
                risks=tuple(replace(one, probability=chance) if one.id == risk.id else one for one in risks),
            )
            for chance in held
        ]
        low, high = map(self._percentile, changed)
        return Bar("risk", risk.id, low, high, *held)

    def _percentile(self, uncertainty: Uncertainty) -> int:
        run = self.run
        network, members = run.network, run.targets.get(self.target, run.network.ids)
        if not uncertainty.pools:
            network, uncertainty = part(network, uncertainty, ancestors(network, members))
        finishes = finish_samples(network, uncertainty, members, iterations=run.iterations, seed=run.seed)
        if self.others is not None:
            finishes = np.maximum(finishes, self.others)
        return inverse_ecdf(np.sort(finishes), self.percent)


def tornado(run: Simulation, target: str = PROJECT, top: int = 10, percent: float = 80) -> list[Bar]:
    """Hold each of the ``top`` durations by SSI and each risk event on a driving path, one at a time.

    Draws of all other inputs are those of the run (common random numbers).

    Returns:
        At most ``top`` bars, widest first.
    """
    return widest([Held(run, target, percent)], top)


def widest(runs: Sequence[Held], top: int) -> list[Bar]:
    """The widest bars of one target over the runs of what it waits for."""
    durations = [(ssi, name, one) for one in runs for ssi, name in one.durations()[:top]]
    risks = [(weight, risk.id, risk, one) for one in runs for weight, risk in one.risks()[:top]]
    bars = [one.duration(name) for _, name, one in sorted(durations, key=lambda found: (-found[0], found[1]))[:top]]
    bars += [one.risk(risk) for _, _, risk, one in sorted(risks, key=lambda found: (-found[0], found[1]))[:top]]
    return sorted(bars, key=lambda bar: (-bar.swing, bar.kind, bar.id))[:top]


def _varies(distribution: Distribution) -> bool:
    return distribution.quantile(0.1) < distribution.quantile(0.9)
