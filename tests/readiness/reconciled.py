"""One programme's present week against any week before: only what compares the two is computed again."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from tests.readiness.past import label
from tests.readiness.tiny import rows
from turnup.readiness.checks import check_change_closes
from turnup.readiness.history import write_history_views
from turnup.warehouse.models import check_key, in_order, read_model

if TYPE_CHECKING:
    import duckdb

    from tests.readiness.tiny import Row

BEFORE = label(1)
COMPARING = (
    "definition_changes", "change_systems", "unit_changes", "line_changes", "change_evidence", "change_rows", "change",
    "restatements",
)  # fmt: skip
_SQL = Path(__file__).resolve().parents[2] / "turnup" / "warehouse" / "sql" / "mart"


def as_of_now(con: duckdb.DuckDBPyConnection) -> dict[str, list[Row]]:
    """Return what the present week keeps for the next, as if it had been the week before."""
    kept = {
        "hist.systems": "SELECT system_key, system_id, kind, unit, contracted, schedulable, playbook FROM mart.systems",
        "hist.commitments": "SELECT contract, line, phase, amendment, system_key, kind, quantity FROM mart.commitments",
        "hist.unit_states": "SELECT * EXCLUDE (unit, loss, observed_at) FROM mart.unit_states",
        "hist.definitions": "SELECT * FROM mart.definitions",
    }
    return {
        table: [{"week": BEFORE, **row} for row in rows(con, f"{query} ORDER BY ALL")] for table, query in kept.items()
    }


def compared(con: duckdb.DuckDBPyConnection, past: dict[str, list[Row]]) -> None:
    """Compare the present week with another week before; raises ClosingError when it does not close to the row."""
    con.execute("DROP SCHEMA IF EXISTS hist CASCADE; DROP SCHEMA IF EXISTS issued CASCADE")
    con.execute("CREATE SCHEMA hist; CREATE SCHEMA issued; DROP TABLE IF EXISTS meta.restatements")
    for table, given in past.items():
        con.register("given", pl.DataFrame(given, infer_schema_length=None))
        con.execute(f"CREATE TABLE {table} AS FROM given")
        con.unregister("given")
    write_history_views(con)
    for model in in_order([read_model(_SQL / f"{name}.sql") for name in COMPARING]):
        con.execute(f"CREATE OR REPLACE TABLE {model.table} AS {model.sql}")
        check_key(con, model)
    check_change_closes(con)


def parts(con: duckdb.DuckDBPyConnection) -> dict[str, Decimal]:
    """Return the parts of the change of accelerators that are not 0, opening and closing."""
    (found,) = rows(con, "SELECT * EXCLUDE (kind, unit) FROM mart.change WHERE kind = 'gpu_cluster'")
    return {name: int(value) for name, value in found.items() if value or name in ("opening", "closing")}


def behind(con: duckdb.DuckDBPyConnection, component: str, *columns: str) -> list[tuple[Any, ...]]:
    """Return columns of the rows behind a component, in their order."""
    chosen = ", ".join(f'"{column}"' for column in columns)
    query = f"SELECT {chosen} FROM mart.change_evidence WHERE component = $1 ORDER BY system_key, row_no"
    return con.sql(query, params=[component]).fetchall()
