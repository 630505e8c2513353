"""Weeks of gates without anything below them: criteria as given, the two models of gates, and the weeks before kept."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import duckdb

from tests.readiness.tiny import rows
from turnup.readiness.history import write_history_views
from turnup.warehouse.macros import write_macros
from turnup.warehouse.models import read_model

SQL = Path(__file__).resolve().parents[2] / "turnup" / "warehouse" / "sql"
FIRST = date(2026, 10, 2)
"""Friday of 2026-W40."""
_TABLES = """
CREATE SCHEMA core; CREATE SCHEMA mart; CREATE SCHEMA hist; CREATE SCHEMA issued;
CREATE TABLE core.systems AS SELECT 'a' AS system_key, 'A' AS system_id, 'mine' AS playbook, '1' AS playbook_version;
CREATE TABLE core.block_sizes AS SELECT 'a' AS system_key, 'all' AS block_key, 'all' AS block;
CREATE TABLE core.block_funnel (system_key VARCHAR, block_key VARCHAR, stage_no INTEGER, held DECIMAL(18, 3));
CREATE TABLE core.gates (playbook VARCHAR, gate VARCHAR, title VARCHAR, stage VARCHAR, stage_no INTEGER,
    owner_role VARCHAR);
CREATE TABLE core.signed_decisions (system_key VARCHAR, block_key VARCHAR, gate VARCHAR, outcome VARCHAR,
    approver VARCHAR, decided DATE, decision_id VARCHAR, document VARCHAR, entitled BOOLEAN, _ingest VARCHAR,
    _row BIGINT, sheet VARCHAR);
CREATE TABLE core.waivers (id_key VARCHAR, in_force BOOLEAN);
CREATE TABLE core.waiver_covers (id_key VARCHAR, id VARCHAR, system_key VARCHAR, gate VARCHAR, flaw VARCHAR,
    last_day DATE);
CREATE TABLE mart.criteria (system_key VARCHAR, block VARCHAR, gate_no INTEGER, gate VARCHAR, criterion VARCHAR,
    criterion_no INTEGER, purpose VARCHAR, state VARCHAR, message VARCHAR, waiver_id VARCHAR);
CREATE TABLE hist.systems (week VARCHAR);
"""
Week = list[tuple[str, str]]
"""Criteria of one week, each ``gate.criterion`` and its state; ``waived by W-1`` names the waiver."""


def label(week: int) -> str:
    """Return the ISO week so many weeks after 2026-W40."""
    return f"2026-W{40 + week}"


def lived(weeks: list[Week], waivers: dict[str, date] | None = None, gates: tuple[str, ...] = ("procure", "deliver"),
          version: dict[int, str] | None = None) -> duckdb.DuckDBPyConnection:  # fmt: skip
    """Return the database of the last of some weeks, each made after the one before and kept.

    Args:
        weeks: from 2026-W40 on, with data dates on Fridays.
        waivers: last day of each waiver.
        gates: in their order.
        version: of the playbook, from a week on.
    """
    con = duckdb.connect(config={"threads": "1"})
    con.execute(_TABLES)
    for number, gate in enumerate(gates, start=1):
        con.execute("INSERT INTO core.gates VALUES ('mine', $1, $1, NULL, $2, 'manager')", [gate, number])
    for number, criteria in enumerate(weeks):
        if version and number in version:
            con.execute("UPDATE core.systems SET playbook_version = $1", [version[number]])
        _one_week(con, number, criteria, waivers or {}, gates)
    return con


def _one_week(con: Any, number: int, criteria: Week, waivers: dict[str, date], gates: tuple[str, ...]) -> None:
    as_of = FIRST + timedelta(weeks=number)
    if number:
        con.execute("INSERT INTO hist.systems VALUES ($1)", [label(number - 1)])
        made = "CREATE TABLE hist.gates AS" if number == 1 else "INSERT INTO hist.gates BY NAME"
        con.execute(f"{made} SELECT $1 AS week, * FROM mart.gates", [label(number - 1)])
    con.execute("DELETE FROM mart.criteria; DELETE FROM core.waivers; DELETE FROM core.waiver_covers")
    con.execute(
        "CREATE OR REPLACE TABLE core.settings AS SELECT $1::DATE AS as_of, $2 AS week, $3 AS previous_week",
        [as_of, label(number), label(number - 1) if number else None],
    )
    for name, last_day in waivers.items():
        flaw = "expired" if last_day < as_of else None
        con.execute("INSERT INTO core.waivers VALUES ($1, $2)", [name, flaw is None])
        for gate in gates:
            con.execute("INSERT INTO core.waiver_covers VALUES ($1, $1, 'a', $2, $3, $4)", [name, gate, flaw, last_day])
    for place, (what, state) in enumerate(criteria):
        gate, criterion = what.split(".")
        words = state.split(" by ")
        con.execute(
            "INSERT INTO mart.criteria VALUES ('a', 'all', $1, $2, $3, $4, 'success', $5, $6, $7)",
            [gates.index(gate) + 1, gate, criterion, place, words[0], f"{criterion} is {words[0]}", (*words, None)[1]],
        )
    write_macros(con)
    write_history_views(con)
    for file in ("gates/gates.sql", "mart/gate_events.sql"):
        model = read_model(SQL / file)
        con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")


def events(con: duckdb.DuckDBPyConnection, until: str = "9999") -> list[tuple[Any, ...]]:
    """Return (week, gate, event, day) of every event, as they happened."""
    found = rows(con, "SELECT * FROM mart.gate_events ORDER BY week, gate_no, event_no")
    return [(r["week"][5:], r["gate"], r["event"], r["occurred_on"]) for r in found if r["week"] <= until]
