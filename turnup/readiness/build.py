"""One week's readiness, from the staged tables to the marts.

Belongs here: the order of the steps. Does not: any rule; those are SQL models, metrics, playbooks and the forecast.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from turnup.acceptance.judge import MODELS as JUDGING
from turnup.acceptance.judge import write_expectations
from turnup.acceptance.reliability import write_reliability
from turnup.readiness.checks import check_change_closes, check_funnel_closes, check_netting_closes
from turnup.readiness.criteria import write_criterion_values
from turnup.readiness.dependencies.written import write_chains
from turnup.readiness.escalation import write_escalation_levels
from turnup.readiness.forecasting.kept_ground import KeptGround
from turnup.readiness.forecasting.kept_settings import Kept
from turnup.readiness.forecasting.written import write_forecasts
from turnup.readiness.history import write_history_views
from turnup.readiness.kinds import write_kinds
from turnup.readiness.persons import write_owner_faults
from turnup.readiness.registry import create_evidence_views, write_definitions, write_metrics
from turnup.readiness.settings import write_playbooks, write_settings
from turnup.supply.build import write_supply
from turnup.trend.cycle_times import write_cycle_times
from turnup.trend.written import write_trends
from turnup.warehouse.models import make_models
from turnup.warehouse.steps import Steps
from turnup.week import Calendar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import duckdb
    from pydantic import BaseModel

    from turnup.programme import Programme
    from turnup.readiness.playbook import Playbook

_MODELS = Path(__file__).resolve().parent.parent / "warehouse" / "sql"


def build(con: duckdb.DuckDBPyConnection, programme: Programme, playbooks: Sequence[Playbook], as_of: date) -> None:
    """Create ``core.*``, ``evidence.*`` and ``mart.*`` from ``stg``, ``meta`` and ``hist``.

    Args:
        con: an open candidate database in which every dataset is staged, empty when it was not delivered.
        programme: limits, baselines, and settings of the forecast and of the health of schedules.
        playbooks: gates and criteria by kind.
        as_of: the data date: local date of the week's cut-off.

    Raises:
        turnup.warehouse.models.ModelError: a model breaks its own key.
        turnup.readiness.checks.ClosingError: the funnel or the change does not add up.
    """
    from turnup.network.tables import write_network  # its compiled loops load slowly, and only a build needs them

    steps = build_core(con, programme, playbooks, as_of)
    steps.run("funnel closes", (), check_funnel_closes)
    closes_on = _closes_on(con, programme)
    steps.run("network", (closes_on,), lambda to: write_network(to, closes_on))
    make_models(steps, _MODELS / "circuits")
    steps.run("evidence", None, create_evidence_views)
    steps.run("metrics", (), write_metrics)
    steps.run("criteria", (), write_criterion_values)
    make_models(steps, _MODELS / "gates", _MODELS / "network")
    _forecast(con, steps, programme, as_of)
    limits, policy = programme.thresholds, programme.escalations
    steps.run("reliability", (_text(limits),), lambda to: write_reliability(to, limits))
    steps.run("escalation", (_text(policy),), lambda to: write_escalation_levels(to, policy))
    steps.run("owners", (), write_owner_faults)
    make_models(steps, _MODELS / "mart")
    steps.run("change closes", (), check_change_closes)
    make_models(steps, _MODELS / "trend")
    steps.run("trends", (closes_on,), lambda to: write_trends(to, closes_on))
    steps.run("cycle times", (), write_cycle_times)
    steps.finish()


def _forecast(con: duckdb.DuckDBPyConnection, steps: Steps, programme: Programme, as_of: date) -> None:
    kept, judged_by = Kept(as_of, programme.forecast, programme.holidays), programme.schedule_health
    ground = KeptGround(con, kept)
    steps.run("ground of the forecast", (as_of, *kept.holidays), ground.keep)
    asked = (as_of, _text(kept.settings), *kept.holidays, _text(judged_by))
    steps.run("forecast", asked, lambda to: write_forecasts(to, ground.asked_by(to), judged_by))
    steps.run("chains", (as_of,), lambda to: write_chains(to, as_of))


def build_core(
    con: duckdb.DuckDBPyConnection, programme: Programme, playbooks: Sequence[Playbook], as_of: date
) -> Steps:
    """Create ``core.*``: what the rows say, the funnel, and who gets which part; no metric and no gate.

    Returns:
        The steps made, to go on with.

    Raises:
        turnup.warehouse.models.ModelError: a model breaks its own key.
        turnup.readiness.checks.ClosingError: the netting does not add up.
    """
    con.execute("CREATE SCHEMA IF NOT EXISTS core; CREATE SCHEMA IF NOT EXISTS mart")
    con.execute("CREATE SCHEMA IF NOT EXISTS acceptance")
    steps = Steps(con)
    steps.run("settings", None, lambda to: write_settings(to, programme, as_of))
    judged_by = programme.acceptance
    steps.run("baselines", (_text(judged_by), as_of), lambda to: write_expectations(to, judged_by, as_of))
    steps.run("kinds", (), write_kinds)
    steps.run("playbooks", tuple(map(_text, playbooks)), lambda to: write_playbooks(to, playbooks))
    steps.run("definitions", (), write_definitions)
    steps.run("history", None, write_history_views)
    make_models(steps, _MODELS / "core", JUDGING)
    write_supply(steps, as_of)
    steps.run("netting closes", (), check_netting_closes)
    return steps


def _text(settings: BaseModel) -> str:
    return json.dumps(settings.model_dump(mode="json"), sort_keys=True)


def _closes_on(con: duckdb.DuckDBPyConnection, programme: Programme) -> date:
    """The local date of the week's cut-off, which is still to come while the week is open."""
    label: str = con.sql("SELECT week FROM core.settings").fetchall()[0][0]
    return Calendar(programme).week(label).as_of
