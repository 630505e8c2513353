"""Earlier weeks as the models see them: the columns they need, typed, and empty where there is no history yet.

Belongs here: the views ``past_<table>`` over ``hist``. Does not: what is compared with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.warehouse.connection import table_exists

if TYPE_CHECKING:
    import duckdb

_QUANTITY = "DECIMAL(18, 3)"
PAST: dict[str, dict[str, str]] = {
    "systems": {
        "system_key": "VARCHAR",
        "system_id": "VARCHAR",
        "kind": "VARCHAR",
        "unit": "VARCHAR",
        "contracted": _QUANTITY,
        "schedulable": _QUANTITY,
        "status": "VARCHAR",
        "weeks_in_status": "INTEGER",
        "playbook": "VARCHAR",
    },
    "commitments": {
        "contract": "VARCHAR",
        "line": "VARCHAR",
        "phase": "VARCHAR",
        "system_key": "VARCHAR",
        "kind": "VARCHAR",
        "quantity": _QUANTITY,
        "schedulable": _QUANTITY,
        "contract_date": "DATE",
        "p50": "DATE",
        "p80": "DATE",
        "confidence": "DECIMAL(6, 4)",
        "status": "VARCHAR",
        "weeks_in_status": "INTEGER",
        "idle_cost": "DECIMAL(18, 2)",
        "idle_days": "INTEGER",
        "complete_on": "DATE",
    },
    "gates": {
        "system_key": "VARCHAR",
        "system_id": "VARCHAR",
        "block": "VARCHAR",
        "gate_no": "INTEGER",
        "gate": "VARCHAR",
        "title": "VARCHAR",
        "state": "VARCHAR",
        "entered_on": "DATE",
        "passed_on": "DATE",
        "judged_on": "DATE",
        "reason": "VARCHAR",
        "unmet": "VARCHAR",
        "waiver_ids": "VARCHAR",
        "expired_waivers": "VARCHAR",
        "expired_on": "DATE",
        "decision_id": "VARCHAR",
        "playbook": "VARCHAR",
    },
    "playbook_criteria": {
        "playbook": "VARCHAR",
        "version": "VARCHAR",
        "gate": "VARCHAR",
        "criterion": "VARCHAR",
        "rule": "VARCHAR",
    },
    "forecast": {
        "scope_type": "VARCHAR",
        "scope": "VARCHAR",
        "p50": "DATE",
        "p80": "DATE",
        "confidence": "DECIMAL(6, 4)",
    },
    "gate_forecasts": {
        "system_key": "VARCHAR",
        "block": "VARCHAR",
        "gate": "VARCHAR",
        "p50": "DATE",
        "p80": "DATE",
    },
    "blockers": {"blocker_id": "VARCHAR", "first_seen_week": "VARCHAR", "first_seen": "DATE"},
    "findings": {"finding_id": "VARCHAR", "first_seen_week": "VARCHAR"},
    "classes": {"kind": "VARCHAR", "schedulable": _QUANTITY},
    "raid": {"id": "VARCHAR"},
}


def write_history_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create temporary views: ``past_<table>`` for each table of PAST, ``past_weeks`` and ``issued_systems``.

    ``hist`` holds each earlier week as restated last; where a week was restated, ``issued`` holds it as issued first.
    A week's own and later rows are left out, so that rebuilding an old week sees only what it could have seen.
    """
    for table, columns in PAST.items():
        con.execute(f"CREATE OR REPLACE TEMP VIEW past_{table} AS {_select(con, 'hist', table, columns)}")
    issued = _select(con, "issued", "systems", PAST["systems"])
    con.execute(
        f"""CREATE OR REPLACE TEMP VIEW issued_systems AS
        WITH first_issue AS ({issued})
        SELECT * FROM first_issue
        UNION ALL
        SELECT * FROM past_systems WHERE week NOT IN (SELECT week FROM first_issue)"""
    )
    con.execute(
        """CREATE OR REPLACE TEMP VIEW past_weeks AS
        SELECT w.week, p.as_of - (monday(p.week) - monday(w.week))::INTEGER AS as_of
        FROM (SELECT DISTINCT week FROM past_systems) w, core.settings p"""
    )


def _select(con: duckdb.DuckDBPyConnection, schema: str, table: str, columns: dict[str, str]) -> str:
    if not table_exists(con, schema, table):
        return f"SELECT NULL::VARCHAR AS week, {_nulls(columns)} WHERE false"
    known = {
        name
        for (name,) in con.sql(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2",
            params=[schema, table],
        ).fetchall()
    }
    fields = ", ".join(
        f"h.{name}::{kind} AS {name}" if name in known else f"NULL::{kind} AS {name}" for name, kind in columns.items()
    )
    return f"SELECT h.week, {fields} FROM {schema}.{table} h, core.settings p WHERE h.week < p.week"


def _nulls(columns: dict[str, str]) -> str:
    return ", ".join(f"NULL::{kind} AS {name}" for name, kind in columns.items())
