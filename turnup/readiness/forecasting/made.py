"""A forecast as it is made: the bound network, what is uncertain about it, and its runs.

Belongs here: the record that the steps hand on. Does not: any step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turnup.readiness.forecasting.binding import Bindings
    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.nodes import Basis
    from turnup.readiness.forecasting.outcomes import Flow
    from turnup.readiness.forecasting.plan import Delay
    from turnup.schedule.simulation import Distribution
    from turnup.schedule.simulation.joined import Joined


@dataclass(frozen=True)
class Forecast:
    """A forecast of one programme.

    Attributes:
        delays: what may hold back gates.
        activities: durations of open activities of schedule files, by id; ``bases`` say where each comes from.
        run: None where nothing that is open has a date.
        flows: capacity to come, by system.
    """

    bound: Bound
    bindings: Bindings
    delays: tuple[Delay, ...]
    activities: Mapping[str, Distribution]
    bases: Mapping[str, Basis]
    run: Joined | None
    flows: Mapping[str, Flow]
