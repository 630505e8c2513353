"""Tornado: a percentile of a target when one input is held low or high and all others are drawn as they were.

Belongs here: holding an input. Does not: which inputs are worth it (``sensitivity``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from turnup.schedule.simulation.distributions import Fixed
from turnup.schedule.simulation.restrict import ancestors, part
from turnup.schedule.simulation.results import PROJECT, inverse_ecdf
from turnup.schedule.simulation.sensitivity import Sensitivity, sensitivities
from turnup.schedule.simulation.simulate import finish_samples

if TYPE_CHECKING:
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


def tornado(run: Simulation, target: str = PROJECT, top: int = 10, percent: float = 80) -> list[Bar]:
    """Hold each of the ``top`` durations by SSI and each risk event on a driving path, one at a time.

    Draws of all other inputs are those of the run (common random numbers).

    Returns:
        At most ``top`` bars, widest first.
    """
    found = sensitivities(run, target)
    bars = [_of_duration(run, target, name, percent) for name in _durations_worth(run, found)[:top]]
    bars += [_of_risk(run, target, risk, percent) for risk in _risks_worth(run, found)[:top]]
    return sorted(bars, key=lambda bar: (-bar.swing, bar.kind, bar.id))[:top]


def _durations_worth(run: Simulation, found: Sensitivity) -> list[str]:
    """Activities whose own duration varies, by SSI."""
    ssi = dict(zip(run.network.ids, np.nan_to_num(found.ssi).tolist(), strict=True))
    varied = [name for name, one in run.uncertainty.durations.items() if one.quantile(0.1) < one.quantile(0.9)]
    return sorted((name for name in varied if ssi[name] > 0), key=lambda name: (-ssi[name], name))


def _risks_worth(run: Simulation, found: Sensitivity) -> list[RiskEvent]:
    """Events that hit what drives the target, by expected impact times how often it does."""
    driving = dict(zip(run.network.ids, np.nan_to_num(found.driving).tolist(), strict=True))
    weight = {
        risk.id: max((driving[name] for name in risk.activities), default=0.0) * risk.probability * risk.impact.mean()
        for risk in run.uncertainty.risks
    }
    chosen = (risk for risk in run.uncertainty.risks if weight[risk.id] > 0)
    return sorted(chosen, key=lambda risk: (-weight[risk.id], risk.id))


def _of_duration(run: Simulation, target: str, name: str, percent: float) -> Bar:
    own = run.uncertainty.durations[name]
    held = [own.quantile(0.1), own.quantile(0.9)]
    changed = [replace(run.uncertainty, durations={**run.uncertainty.durations, name: Fixed(value)}) for value in held]
    low, high = (_percentile(run, target, one, percent) for one in changed)
    return Bar("duration", name, low, high, *held)


def _of_risk(run: Simulation, target: str, risk: RiskEvent, percent: float) -> Bar:
    held = [0.0, 1.0]
    changed = [
        replace(
            run.uncertainty,
            risks=tuple(
                replace(one, probability=chance) if one.id == risk.id else one for one in run.uncertainty.risks
            ),
        )
        for chance in held
    ]
    low, high = (_percentile(run, target, one, percent) for one in changed)
    return Bar("risk", risk.id, low, high, *held)


def _percentile(run: Simulation, target: str, uncertainty: Uncertainty, percent: float) -> int:
    network, members = run.network, run.targets.get(target, run.network.ids)
    if not uncertainty.pools:
        network, uncertainty = part(network, uncertainty, ancestors(network, members))
    finishes = finish_samples(network, uncertainty, members, iterations=run.iterations, seed=run.seed)
    return inverse_ecdf(np.sort(finishes), percent)
