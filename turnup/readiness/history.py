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
        "amendment": "INTEGER",
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
        "idle_quantity": _QUANTITY,
        "currency": "VARCHAR",
        "complete_on": "DATE",
        "internal_commit_date": "DATE",
        "first_contract_date": "DATE",
        "first_internal_date": "DATE",
        "date_decisions": "VARCHAR",
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
    "unit_states": {
        "system_key": "VARCHAR",
        "system_id": "VARCHAR",
        "kind": "VARCHAR",
        "unit_key": "VARCHAR",
        "unit_id": "VARCHAR",
        "identity": "VARCHAR",
        "capacity": _QUANTITY,
        "held_at": "VARCHAR",
        "note": "VARCHAR",
        "dataset": "VARCHAR",
        "file": "VARCHAR",
        "sheet": "VARCHAR",
        "row": "BIGINT",
    },
    "activity_logic": dict.fromkeys(("project", "what", "subject", "says"), "VARCHAR"),
    "trend_totals": {
        "series": "VARCHAR",
        "scope": "VARCHAR",
        "total": _QUANTITY,
        "weight": _QUANTITY,
        "watched": "BOOLEAN",
    },
    "definitions": {"what": "VARCHAR", "subject": "VARCHAR", "name": "VARCHAR", "says": "VARCHAR"},
    "raid": {
        **dict.fromkeys(
            ("id", "id_key", "type", "title", "system_id", "system_key", "gate", "criterion", "scope", "severity"),
            "VARCHAR",
        ),
        **dict.fromkeys(("probability", "impact_days", "impact_units"), _QUANTITY),
        **dict.fromkeys(("options", "decider", "consequence", "recommended", "approver"), "VARCHAR"),
        **dict.fromkeys(("compensating_action", "owner", "outcome", "text", "missing_since", "file"), "VARCHAR"),
        **dict.fromkeys(("needed_by", "expiry", "opened", "reviewed", "due", "closed"), "DATE"),
        "row": "BIGINT",
    },
    "baselines": {
        **dict.fromkeys(("contract_key", "line_key", "phase_key", "set_by"), "VARCHAR"),
        "baseline_no": "INTEGER",
        **dict.fromkeys(("contract_date", "internal_commit_date", "set_on", "replaced_on"), "DATE"),
    },
    "escalations": {
        **dict.fromkeys(
            ("escalation_id", "rule", "subject", "system_key", "system_id", "owner", "state", "level", "addressee"),
            "VARCHAR",
        ),
        **dict.fromkeys(("raised_on", "open_since", "closed_on", "level_since"), "DATE"),
        **dict.fromkeys(("raised_week", "closed_week", "cause", "evidence", "unit", "closed_because"), "VARCHAR"),
        **dict.fromkeys(("times_raised", "level_no", "days"), "INTEGER"),
        "capacity": _QUANTITY,
    },
    "escalation_steps": {
        **dict.fromkeys(("escalation_id", "step", "in_week", "level", "addressee"), "VARCHAR"),
        "step_no": "INTEGER",
        "step_on": "DATE",
    },
}
_RESTATEMENTS = ("week", "name", "first_name", "reason", "change", "what", "source", "dataset", "delivery_id")


def write_history_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create temporary views: ``past_<table>`` for each table of PAST, ``past_weeks``, and what was issued first.

    ``hist`` holds each earlier week as restated last; where a week was restated, ``issued`` holds it as issued first:
    ``issued_systems`` and ``issued_unit_states`` of earlier weeks, ``issued_now`` the week's own systems, and
    ``restated_by`` what each restatement was made from.
    A week's own and later rows are left out, so that rebuilding an old week sees only what it could have seen.
    """
    for table, columns in PAST.items():
        con.execute(f"CREATE OR REPLACE TEMP VIEW past_{table} AS {_select(con, 'hist', table, columns)}")
    own = _select(con, "issued", "systems", PAST["systems"])
    now = _select(con, "issued", "systems", PAST["systems"], "h.week = p.week")
    reasons = dict.fromkeys(_RESTATEMENTS[1:], "VARCHAR")
    told = _select(con, "meta", "restatements", reasons, "h.week <= p.week")
    con.execute(f"CREATE OR REPLACE TEMP VIEW issued_now AS {now}")
    con.execute(f"CREATE OR REPLACE TEMP VIEW restated_by AS {told}")
    con.execute(
        f"CREATE OR REPLACE TEMP VIEW issued_weeks AS SELECT week FROM ({own}) UNION SELECT week FROM restated_by"
    )
    for table in ("systems", "unit_states"):
        con.execute(
            f"""CREATE OR REPLACE TEMP VIEW issued_{table} AS
            WITH first_issue AS ({_select(con, "issued", table, PAST[table])})
            SELECT * FROM first_issue
            UNION ALL
            SELECT * FROM past_{table} WHERE week NOT IN (SELECT week FROM issued_weeks)"""
        )
    con.execute(
        """CREATE OR REPLACE TEMP VIEW past_weeks AS
        SELECT w.week, p.as_of - (monday(p.week) - monday(w.week))::INTEGER AS as_of
        FROM (SELECT DISTINCT week FROM past_systems) w, core.settings p"""
    )


def _select(
    con: duckdb.DuckDBPyConnection, schema: str, table: str, columns: dict[str, str], when: str = "h.week < p.week"
) -> str:
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
        f'h."{name}"::{kind} AS "{name}"' if name in known else f'NULL::{kind} AS "{name}"'
        for name, kind in columns.items()
    )
    return f"SELECT h.week, {fields} FROM {schema}.{table} h, core.settings p WHERE {when}"


def _nulls(columns: dict[str, str]) -> str:
    return ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in columns.items())
