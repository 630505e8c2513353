"""The value of every criterion: the metric's own aggregate, taken over the block, the system or each unit.

Belongs here: bringing metrics to the scope a playbook asks for. Does not: whether a criterion is met
(``mart.criteria``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.readiness.registry import load_metrics

if TYPE_CHECKING:
    import duckdb

    from turnup.readiness.registry import Metric

_TABLES = """
CREATE OR REPLACE TABLE core.metric_scopes (
    metric VARCHAR, scope VARCHAR, system_key VARCHAR, block_key VARCHAR, value DOUBLE, evidence_rows BIGINT,
    evidence_at TIMESTAMP, stale_rows BIGINT);
CREATE OR REPLACE TABLE core.unit_shares (
    metric VARCHAR, comparison VARCHAR, threshold DOUBLE, system_key VARCHAR, block_key VARCHAR, value DOUBLE,
    evidence_rows BIGINT, evidence_at TIMESTAMP, stale_rows BIGINT);
"""
_FIGURES = "count(e.value) AS evidence_rows, min(e.observed_at) AS evidence_at, count(x.ingest) AS stale_rows"
_SOURCE = "LEFT JOIN core.stale_ingests x ON x.ingest = e._ingest"
OPERATORS = {">=": ">=", "<=": "<=", ">": ">", "<": "<", "==": "=", "!=": "<>"}


def write_criterion_values(con: duckdb.DuckDBPyConnection) -> None:
    """Create ``core.metric_scopes`` (metrics by system and block) and ``core.unit_shares`` (units that pass)."""
    con.execute(_TABLES)
    asked = con.sql("SELECT DISTINCT metric FROM core.criteria WHERE scope <> 'unit' ORDER BY metric").fetchall()
    for (name,) in asked:
        _write_scopes(con, load_metrics()[name])
    shares = con.sql(
        "SELECT DISTINCT metric, comparison, threshold FROM core.criteria WHERE scope = 'unit' ORDER BY ALL"
    ).fetchall()
    for name, comparison, threshold in shares:
        _write_share(con, load_metrics()[name], comparison, threshold)


def _write_scopes(con: duckdb.DuckDBPyConnection, metric: Metric) -> None:
    con.execute(
        f"""INSERT INTO core.metric_scopes
        SELECT $1, 'system', e.system_key, '*', {metric.expression}, {_FIGURES}
        FROM {metric.view} e {_SOURCE} GROUP BY e.system_key""",
        [metric.name],
    )
    con.execute(_of_whole_system(metric) if metric.spread == "system" else _of_own_rows(metric), [metric.name])


def _of_whole_system(metric: Metric) -> str:
    """A figure without blocks: capacity fills the blocks in planned order, anything else is true of each."""
    value = "v.value"
    if metric.unit == "capacity":
        filled = "greatest(0, least(b.planned, v.value - b.planned_before))"
        value = f"CASE WHEN b.blocks > 1 THEN {filled} ELSE v.value END"
    return f"""INSERT INTO core.metric_scopes
        SELECT $1, 'block', b.system_key, b.block_key, {value}, v.evidence_rows, v.evidence_at, v.stale_rows
        FROM core.block_sizes b
        JOIN core.metric_scopes v ON v.metric = $1 AND v.scope = 'system' AND v.system_key = b.system_key"""


def _of_own_rows(metric: Metric) -> str:
    """A figure with rows per block; the only block of a system also takes the rows that name no block."""
    return f"""INSERT INTO core.metric_scopes
        SELECT $1, 'block', b.system_key, b.block_key, {metric.expression}, {_FIGURES}
        FROM core.block_sizes b
        JOIN {metric.view} e ON e.system_key = b.system_key AND (b.blocks = 1 OR e.block_key = b.block_key)
        {_SOURCE} GROUP BY b.system_key, b.block_key"""


def _write_share(con: duckdb.DuckDBPyConnection, metric: Metric, comparison: str, threshold: float) -> None:
    """Add the share of a block's units that satisfy a comparison; units without evidence do not satisfy it."""
    con.execute(
        f"""INSERT INTO core.unit_shares
        WITH per_unit AS (
            SELECT e.system_key, e.unit_key, {metric.expression} {OPERATORS[comparison]} $3 AS passes,
                   {_FIGURES}
            FROM {metric.view} e {_SOURCE} GROUP BY e.system_key, e.unit_key
        )
        SELECT $1, $2, $3, b.system_key, b.block_key,
               count(*) FILTER (p.passes)::DOUBLE / nullif(count(*), 0),
               coalesce(sum(p.evidence_rows), 0)::BIGINT, min(p.evidence_at), coalesce(sum(p.stale_rows), 0)::BIGINT
        FROM core.block_sizes b
        JOIN core.units u ON u.system_key = b.system_key AND (b.blocks = 1 OR u.block_key = b.block_key)
        LEFT JOIN per_unit p ON p.system_key = u.system_key AND p.unit_key = u.unit_key
        GROUP BY b.system_key, b.block_key""",
        [metric.name, comparison, threshold],
    )
