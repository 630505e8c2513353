"""The forecast as tables of the warehouse: ``core.forecasts``, ``core.curves`` and what stands behind them.

Belongs here: columns, and frames to tables. Does not: any figure (``outcomes``, ``causes``).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

_QUANTITY, _ODDS = "DECIMAL(18, 3)", "DECIMAL(6, 4)"
FORECASTS: dict[str, str] = {
    "scope_type": "VARCHAR", "scope": "VARCHAR", "key": "VARCHAR", "unit": "VARCHAR", "target": _QUANTITY,
    "remaining": _QUANTITY, "weeks_of_history": "INTEGER", "method": "VARCHAR", "iterations": "INTEGER",
    "seed": "BIGINT", "p50": "DATE", "p80": "DATE", "p95": "DATE", "confidence": _ODDS, "contract_date": "DATE",
    "complete_on": "DATE", "note": "VARCHAR", "kind": "VARCHAR", "commit_date": "DATE", "commit_confidence": _ODDS,
    "need_date": "DATE", "need_confidence": _ODDS, "likely": "DATE", "merge_bias_days": "DECIMAL(8, 1)",
}  # fmt: skip
"""``core.forecasts``; weeks_of_history was of the method before this one and stays empty."""
CURVES = {"kind": "VARCHAR", "series": "VARCHAR", "week_end": "DATE", "quantity": _QUANTITY}
GATES = {
    "system_key": "VARCHAR", "system_id": "VARCHAR", "block": "VARCHAR", "gate_no": "INTEGER", "gate": "VARCHAR",
    "title": "VARCHAR", "likely": "DATE", "p50": "DATE", "p80": "DATE", "p95": "DATE", "note": "VARCHAR",
}  # fmt: skip
"""``core.gate_forecasts``: gates that have not passed."""
DRIVERS = {
    "scope_type": "VARCHAR", "scope": "VARCHAR", "rank": "INTEGER", "node": "VARCHAR", "name": "VARCHAR",
    "role": "VARCHAR", "owner": "VARCHAR", "system_id": "VARCHAR", "likely": "DATE", "criticality": _ODDS,
    "sensitivity": _ODDS, "basis": "VARCHAR",
}  # fmt: skip
"""``core.forecast_drivers``: what decides when a target is reached, most often first."""
TORNADO = {
    "scope_type": "VARCHAR", "scope": "VARCHAR", "rank": "INTEGER", "node": "VARCHAR", "name": "VARCHAR",
    "p80_low": "DATE", "p80_high": "DATE", "swing_days": "DECIMAL(8, 1)",
}  # fmt: skip
"""``core.forecast_tornado``: P80 with one input at its own P10 and P90."""
ASSUMPTIONS = {
    "node": "VARCHAR", "name": "VARCHAR", "role": "VARCHAR", "system_id": "VARCHAR", "block": "VARCHAR",
    "gate": "VARCHAR", "method": "VARCHAR", "of": "VARCHAR", "n": "INTEGER", "p10_days": "DECIMAL(8, 1)",
    "p50_days": "DECIMAL(8, 1)", "p90_days": "DECIMAL(8, 1)", "day_kind": "VARCHAR", "note": "VARCHAR",
}  # fmt: skip
"""``core.forecast_assumptions``: the distribution of every open node, where it comes from and how many cases speak."""
CLAIMS = {
    "project": "VARCHAR", "task": "VARCHAR", "code": "VARCHAR", "name": "VARCHAR", "system_key": "VARCHAR",
    "gate": "VARCHAR", "blocks": "VARCHAR", "claimed_finish": "DATE", "remaining_days": "DECIMAL(8, 1)",
}  # fmt: skip
"""``core.activity_claims``: activities claimed to be done without the evidence of their gate."""


def store(
    con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]], columns: Mapping[str, str]
) -> None:
    """Create a table of these columns, in the order of the rows."""
    fields = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
    con.execute(f"CREATE OR REPLACE TABLE {table} ({fields})")
    if not rows:
        return
    data = {name: [_plain(row.get(name)) for row in rows] for name in columns}
    con.register("forecast_frame", pl.DataFrame(data, infer_schema_length=None))
    con.execute(f"INSERT INTO {table} SELECT * FROM forecast_frame")
    con.unregister("forecast_frame")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Decimal) else value


def tenths(value: float) -> Decimal:
    """A number of days to a tenth."""
    return Decimal(str(round(value, 1)))


def share(value: float) -> Decimal:
    """A share to four places."""
    return Decimal(str(round(value, 4)))
