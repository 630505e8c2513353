"""Forecasts of small programmes: ground, runs and the days that they give."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from tests.readiness.forecasting.small import FRIDAY
from turnup.readiness.forecasting.build import Ground, forecast_of
from turnup.readiness.forecasting.facts import Facts
from turnup.readiness.forecasting.kept_settings import Kept
from turnup.readiness.forecasting.made import Forecast
from turnup.readiness.forecasting.outcomes import quantile_day, reached_by
from turnup.readiness.forecasting.settings import ForecastSettings as Settings
from turnup.readiness.forecasting.targets import Target

FAR = FRIDAY + timedelta(weeks=200)


def line(
    quantity: int, name: str = "C-1", system: str = "a", present: int = 0, due: date | None = None, **changes: Any
) -> Target:
    """A contract line of a system, by its cumulative quantity."""
    made = Target(
        "commitment", name, name, system, "gpu_cluster", "accelerators", Decimal(quantity), Decimal(present), due, None,
        None, None,
    )  # fmt: skip
    return replace(made, **changes)


def ground(facts: Facts, *lines: Target, projects: Any = (), points: Any = None, **settings: Any) -> Ground:
    """The ground of a forecast: its lines, each system that has one, and the kind."""
    systems = []
    for system in facts.systems:
        own = [one for one in lines if one.system == system.key]
        if own:
            most = max(own, key=lambda one: one.target)
            systems.append(replace(most, scope_type="system", scope=system.id, key=system.key))
    total, present = (sum((getattr(one, name) for one in systems), Decimal(0)) for name in ("target", "present"))
    kind = replace(systems[0], scope_type="kind", scope="gpu_cluster", key="gpu_cluster", system=None, target=total,
                   present=present)  # fmt: skip
    kept = Kept(FRIDAY, Settings(**{"iterations": 400, "seed": 1, **settings}), ())
    return Ground(facts, (*lines, *systems, kind), tuple(projects), points or {}, kept)


def forecast(given: Ground, **settings: Any) -> Forecast:
    """The forecast of a ground; settings replace those of the ground."""
    changed = given.kept.settings.model_copy(update=settings)
    return forecast_of(replace(given, kept=replace(given.kept, settings=changed)))


def dates(given: Ground) -> dict[str, tuple[date | None, ...]]:
    """P50, P80 and P95 of every target that is not reached."""
    made = forecast(given)
    found = {}
    for target in given.targets:
        if target.remaining:
            drawn = reached_by(made, target, [one for one in given.targets if one.scope_type == "system"])
            assert not isinstance(drawn, str), drawn
            found[target.scope] = tuple(quantile_day(np.sort(drawn), percent, FAR) for percent in (50, 80, 95))
    return found


def reached_on(given: Ground) -> str:
    """Why the first line has no date."""
    found = reached_by(forecast(given), given.targets[0], [])
    assert isinstance(found, str)
    return found
