"""Escalations over several weeks, from causes that a test names: the two models alone, without a whole build."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import duckdb
import polars as pl

from tests.readiness.tiny import Row, rows
from turnup.readiness.escalation import Escalations, write_escalation_levels
from turnup.readiness.history import write_history_views
from turnup.warehouse.macros import write_macros
from turnup.warehouse.models import check_key, read_model

FIRST = date(2026, 9, 4)
_SQL = Path(__file__).resolve().parents[2] / "turnup" / "warehouse" / "sql" / "mart"
_MODELS = [read_model(_SQL / f"{name}.sql") for name in ("escalations", "escalation_steps")]
_CAUSE = {
    **dict.fromkeys(("escalation_id", "rule", "subject", "system_key", "system_id", "owner"), pl.String),
    "since": pl.Date, "capacity": pl.Float64, "unit": pl.String, "days": pl.Int32, "cause": pl.String,
    "evidence": pl.String,
}  # fmt: skip


def cause(rule: str, subject: str, **changes: object) -> Row:
    """Return a cause; its id is rule and subject."""
    row = dict.fromkeys(_CAUSE) | {"escalation_id": f"{rule}:{subject}", "rule": rule, "subject": subject}
    return row | {"owner": "Ana Ruiz", "cause": f"{subject} stands", "evidence": subject} | changes


class Programme:
    """A programme whose weeks are closed one after the other, each a Friday, with the history that they leave."""

    def __init__(self, **policy: object) -> None:
        """Take changes to the escalation policy."""
        self.con = duckdb.connect(config={"threads": "1"})
        self.con.execute("CREATE SCHEMA core; CREATE SCHEMA mart; CREATE SCHEMA hist; CREATE SCHEMA issued")
        write_macros(self.con)
        self.policy = Escalations.model_validate(policy)
        self.as_of = FIRST - timedelta(days=7)

    def close(self, *causes: Row) -> dict[str, Row]:
        """Close the next week with these causes; returns its escalations by id."""
        before, self.as_of = _label(self.as_of), self.as_of + timedelta(days=7)
        self.con.execute(
            "CREATE OR REPLACE TABLE core.settings AS SELECT $1::DATE AS as_of, $2 AS week, $3 AS previous_week",
            [self.as_of, _label(self.as_of), before],
        )
        write_escalation_levels(self.con, self.policy)
        frame = pl.DataFrame(list(causes), schema=_CAUSE)
        self.con.register("causes_frame", frame)
        self.con.execute("CREATE OR REPLACE TABLE core.escalation_causes AS SELECT * FROM causes_frame")
        write_history_views(self.con)
        for model in _MODELS:
            self.con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")
            check_key(self.con, model)
        self._keep()
        return {row["escalation_id"]: row for row in rows(self.con, "SELECT * FROM mart.escalations")}

    def steps(self, identity: str) -> list[tuple[str, str, str]]:
        """Return what happened to an escalation: step, week and level."""
        found = rows(self.con, "SELECT * FROM mart.escalation_steps ORDER BY escalation_id, step_no")
        return [(r["step"], r["in_week"], r["level"]) for r in found if r["escalation_id"] == identity]

    def _keep(self) -> None:
        for model in _MODELS:
            kept = model.table.replace("mart.", "hist.")
            self.con.execute(
                f"CREATE TABLE IF NOT EXISTS {kept} AS SELECT '' AS week, * FROM {model.table} WHERE false"
            )
            self.con.execute(f"INSERT INTO {kept} SELECT $1, * FROM {model.table}", [_label(self.as_of)])


def _label(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02d}"
