"""Running the network many times.

Belongs here: the order of the steps of a run. Does not: any of the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.simulation.inputs import ActivityNetwork, Uncertainty
    from turnup.schedule.simulation.results import Simulation


def simulate(
    network: ActivityNetwork,
    uncertainty: Uncertainty,
    targets: Sequence[str] = (),
    *,
    iterations: int = 10_000,
    seed: int = 1,
    threads: int = 2,
) -> Simulation:
    """Draw durations and events, schedule, and repeat.

    Args:
        network: what is scheduled.
        uncertainty: distributions, correlations, risks, pools.
        targets: activities whose finish is kept.
        iterations: number of runs; none more is counted.
        seed: with the ids of activities, groups and events it decides every draw, whatever their order or number: two
            networks that share ids share draws (common random numbers).
        threads: how many work at once; the result does not depend on it.

    Raises:
        ValueError: an input names what the network does not have or contradicts another; the links have a loop.
    """
    raise NotImplementedError
