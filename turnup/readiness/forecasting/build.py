"""The forecast of one week, from facts to runs.

Belongs here: the order of the steps. Does not: any step's own work, or tables (``written``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.activity_durations import activity_durations
from turnup.readiness.forecasting.binding import Bindings, activity_id, bind
from turnup.readiness.forecasting.computed import Bound
from turnup.readiness.forecasting.delivered import delivered_schedules
from turnup.readiness.forecasting.facts import Facts
from turnup.readiness.forecasting.kept_settings import Kept
from turnup.readiness.forecasting.made import Forecast
from turnup.readiness.forecasting.network import draft_network, risk_delays
from turnup.readiness.forecasting.outcomes import flow_of
from turnup.readiness.forecasting.plan import Delay, Making
from turnup.readiness.forecasting.reading import read_facts
from turnup.readiness.forecasting.runs import run
from turnup.readiness.forecasting.storage_scaling import Storage, read_storage
from turnup.readiness.forecasting.targets import Target, add_targets, exits_of, joins_of, read_targets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from turnup.schedule.model import Project


@dataclass(frozen=True)
class Ground:
    """What a forecast is made on: facts, targets, delivered schedules, settings, and what storage is used for."""

    facts: Facts
    targets: tuple[Target, ...]
    projects: tuple[Project, ...]
    points: Mapping[str, tuple[float, float, float]]
    kept: Kept
    storage: Storage = field(default_factory=Storage)


def ground_of(con: duckdb.DuckDBPyConnection, kept: Kept) -> Ground:
    """Read the ground of a forecast from a database in which the models before it have run."""
    projects, points = delivered_schedules(con, kept.as_of, kept.holidays)
    facts, targets, storage = read_facts(con, kept.as_of), read_targets(con), read_storage(con)
    return Ground(facts, targets, projects, points, kept, storage)


def network_of(ground: Ground) -> tuple[Bound, Bindings, tuple[Delay, ...]]:
    """The network of a programme, bound to evidence, with the milestones of what is forecast."""
    delays = tuple(risk_delays(ground.facts))
    bindings = bind(ground.projects, ground.facts)
    making = Making(ground.facts, ground.kept.settings, ground.kept.holidays, bindings.coded)
    draft_network(making, delays)
    making.draft.left_out += bindings.unbound
    add_targets(making, ground.targets)
    points = {activity_id(task): three for task, three in ground.points.items()}
    return Bound(making, bindings.projects, bindings.unknown, points), bindings, delays


def planned(ground: Ground) -> Forecast:
    """The network of a programme as it stands with its durations, not yet simulated."""
    bound, bindings, delays = network_of(ground)
    activities, bases = activity_durations(bound, ground.kept.settings.minimum_samples)
    return Forecast(bound, bindings, delays, activities, bases, None, {})


def forecast_of(ground: Ground) -> Forecast:
    """Simulate the network of a programme as it stands, and what drives its targets."""
    return simulated(planned(ground), ground, trace=True)


def simulated(plan: Forecast, ground: Ground, *, trace: bool = False, only: Sequence[Target] | None = None) -> Forecast:
    """The same plan with its runs, and the capacity that they bring; on request also what drives each target.

    Args:
        plan: with its durations.
        ground: what it was made on.
        trace: whether it is asked what drives the targets.
        only: targets that are asked about; what shares nothing with them is not run.
    """
    bound, wanted = plan.bound, ground.targets if only is None else only
    sinks = [target.sink for target in wanted]
    dated = [
        identity
        for identity in (*exits_of(bound.making, only), *sinks)
        if identity in bound.rows and identity not in bound.reasons and not bound.is_done(identity)
    ]
    if not dated:
        return plan
    joins = joins_of(wanted, frozenset(dated))
    names, traced = tuple(name for name in dict.fromkeys(dated) if name not in joins), frozenset(sinks if trace else ())
    drawn = run(bound, plan.delays, plan.activities, names, joins, traced, ground.kept.settings)
    systems = {target.system for target in wanted if target.system is not None}
    flows = {system: flow_of(bound, drawn, system) for system in sorted(systems)}
    return replace(plan, run=drawn, flows=flows)
