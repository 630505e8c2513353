"""One week's readiness, from the staged tables to the marts.

Belongs here: the order of the steps. Does not: any rule; those are SQL models, metrics, playbooks and the forecast.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from turnup.acceptance.judge import MODELS as JUDGING
from turnup.acceptance.judge import write_expectations
from turnup.acceptance.reliability import write_reliability
from turnup.readiness.checks import check_change_closes, check_funnel_closes, check_netting_closes
from turnup.readiness.criteria import write_criterion_values
from turnup.readiness.dependencies.written import write_chains
from turnup.readiness.escalation import write_escalation_levels
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
from turnup.warehouse.models import run_models
from turnup.week import Calendar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import duckdb

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

    build_core(con, programme, playbooks, as_of)
    check_funnel_closes(con)
    write_network(con, _closes_on(con, programme))
    run_models(con, _MODELS / "circuits")
    create_evidence_views(con)
    write_metrics(con)
    write_criterion_values(con)
    run_models(con, _MODELS / "gates", _MODELS / "network")
    write_forecasts(con, Kept(as_of, programme.forecast, programme.holidays), programme.schedule_health)
    write_chains(con, as_of)
    write_reliability(con, programme.thresholds)
    write_escalation_levels(con, programme.escalations)
    write_owner_faults(con)
    run_models(con, _MODELS / "mart")
    check_change_closes(con)
    run_models(con, _MODELS / "trend")
    write_trends(con, _closes_on(con, programme))
    write_cycle_times(con)


def build_core(
    con: duckdb.DuckDBPyConnection, programme: Programme, playbooks: Sequence[Playbook], as_of: date
) -> None:
    """Create ``core.*``: what the rows say, the funnel, and who gets which part; no metric and no gate.

    Raises:
        turnup.warehouse.models.ModelError: a model breaks its own key.
        turnup.readiness.checks.ClosingError: the netting does not add up.
    """
    con.execute("CREATE SCHEMA IF NOT EXISTS core; CREATE SCHEMA IF NOT EXISTS mart")
    write_settings(con, programme, as_of)
    write_expectations(con, programme.acceptance, as_of)
    write_kinds(con)
    write_playbooks(con, playbooks)
    write_definitions(con)
    write_history_views(con)
    run_models(con, _MODELS / "core", JUDGING)
    write_supply(con, as_of)
    check_netting_closes(con)


def _closes_on(con: duckdb.DuckDBPyConnection, programme: Programme) -> date:
    """The local date of the week's cut-off, which is still to come while the week is open."""
    label: str = con.sql("SELECT week FROM core.settings").fetchall()[0][0]
    return Calendar(programme).week(label).as_of
