"""The forecast of one week, written: every table of ``core`` that it leaves.

Belongs here: which rows go into which table. Does not: any row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.readiness.forecasting.build import forecast_of
from turnup.readiness.forecasting.causes import driver_rows, tornado_rows
from turnup.readiness.forecasting.decisions import DELAYS, decision_rows, read_decisions
from turnup.readiness.forecasting.kept_settings import keep_settings
from turnup.readiness.forecasting.rows import assumption_rows, claim_rows, curve_rows, forecast_rows, gate_rows
from turnup.readiness.forecasting.schedules import ACTIVITIES, HEALTH, activity_rows, health_rows
from turnup.readiness.forecasting.storage_scaling import COLUMNS as STORAGE
from turnup.readiness.forecasting.storage_scaling import storage_rows
from turnup.readiness.forecasting.tables import (
    ASSUMPTIONS,
    CLAIMS,
    CURVES,
    DRIVERS,
    FORECASTS,
    GATES,
    TORNADO,
    store,
)

if TYPE_CHECKING:
    import duckdb

    from turnup.readiness.forecasting.build import Ground
    from turnup.schedule.health.settings import HealthSettings


def write_forecasts(con: duckdb.DuckDBPyConnection, ground: Ground, judged_by: HealthSettings) -> None:
    """Create ``core.forecasts``, ``core.curves`` and the tables that stand behind them.

    Args:
        con: a candidate database in which the models before the forecast have run.
        ground: what the forecast is made on and with.
        judged_by: how the delivered schedules are judged; no date depends on it.
    """
    kept = ground.kept
    keep_settings(con, kept)
    made = forecast_of(ground)
    settings, targets = kept.settings, ground.targets
    store(con, "core.forecasts", forecast_rows(made, targets, settings), FORECASTS)
    store(con, "core.curves", curve_rows(made.flows, targets, kept.as_of), CURVES)
    store(con, "core.gate_forecasts", gate_rows(made.bound, made.run, settings), GATES)
    store(con, "core.forecast_drivers", driver_rows(made, targets), DRIVERS)
    store(con, "core.forecast_tornado", tornado_rows(made, targets), TORNADO)
    store(con, "core.forecast_assumptions", assumption_rows(made), ASSUMPTIONS)
    store(con, "core.schedule_health", health_rows(ground.projects, judged_by), HEALTH)
    store(con, "core.schedule_activities", activity_rows(made, ground.projects), ACTIVITIES)
    store(con, "core.activity_claims", claim_rows(made.bindings.contradictions), CLAIMS)
    store(con, "core.storage_weeks", storage_rows(ground.storage, made.flows, settings, kept.as_of), STORAGE)
    store(con, "core.decision_delays", decision_rows(ground, read_decisions(con)), DELAYS)
