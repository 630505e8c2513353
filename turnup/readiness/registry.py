"""The metric registry: each metric is one SQL file that selects its evidence, and says what the figure means.

Belongs here: reading metrics, their evidence views and their values per system. Does not: any metric.
A metric's value is its aggregate over exactly the rows of its evidence view, so no figure can part from its rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    import duckdb

FOLDER = Path(__file__).parent / "metrics"
PROGRAMME = "(programme)"
"""Stands for the system in metrics of the whole programme."""
EVIDENCE_COLUMNS = (
    "system_key",
    "system_id",
    "unit_key",
    "unit_id",
    "block_key",
    "value",
    "weight",
    "dataset",
    "_ingest",
    "_row",
    "_sheet",
    "observed_at",
    "note",
)
_DEFINITION = ("metric", "title", "unit", "definition", "formula", "aggregate", "spread")
AGGREGATES: dict[str, str] = {
    "sum": "sum(value)::DOUBLE",
    "mean": "sum(value * weight)::DOUBLE / nullif(sum(weight), 0)::DOUBLE",
    "ratio": "sum(value)::DOUBLE / nullif(sum(weight), 0)::DOUBLE",
    "min": "min(value)::DOUBLE",
    "max": "max(value)::DOUBLE",
    "p50": "quantile_disc(value, 0.5)::DOUBLE",
    "p90": "quantile_disc(value, 0.9)::DOUBLE",
}


class MetricError(Exception):
    """A metric file that cannot be used."""


@dataclass(frozen=True)
class Metric:
    """One metric.

    Attributes:
        unit: ``capacity`` (the unit of the system's kind), ``share`` (0 to 1), ``count``, or a unit in words.
        aggregate: how evidence rows become the value: sum, mean (weighted), ratio (sum of values over sum of
            weights), min, max, p50 or p90 (a case: the smallest value that so many percent of the rows do not exceed).
        spread: ``unit`` when evidence rows belong to units of a block, ``system`` when they belong to the whole system.
    """

    name: str
    title: str
    unit: str
    definition: str
    formula: str
    aggregate: str
    spread: str
    sql: str

    @property
    def view(self) -> str:
        """Name of the view with the evidence rows."""
        return f"evidence.{self.name}"

    @property
    def is_dated(self) -> bool:
        """Whether any evidence row bears the time of its observation."""
        times = re.findall(r"(\S+)\s+AS observed_at", self.sql)
        return any(time != "NULL::TIMESTAMP" for time in times) or not times

    @property
    def expression(self) -> str:
        """SQL aggregate over the evidence rows."""
        return AGGREGATES[self.aggregate]


@cache
def load_metrics(folder: Path = FOLDER) -> dict[str, Metric]:
    """Read every metric of the package, by name.

    Raises:
        MetricError: a file has no front matter, or names an unknown aggregate.
    """
    return {file.stem: _read(file) for file in sorted(folder.glob("*.sql"))}


def _read(file: Path) -> Metric:
    parts = file.read_text(encoding="utf-8").split("-- ---\n")
    if len(parts) != 3 or parts[0]:
        raise MetricError(f"{file.name}: expected YAML in comments between two lines '-- ---', then the SELECT")
    front = "\n".join(line.removeprefix("--").removeprefix(" ") for line in parts[1].splitlines())
    fields = yaml.safe_load(front)
    if fields["aggregate"] not in AGGREGATES:
        raise MetricError(f"{file.name}: aggregate '{fields['aggregate']}'; allowed: {', '.join(AGGREGATES)}")
    return Metric(name=file.stem, sql=parts[2].strip().rstrip(";"), **fields)


def write_definitions(con: duckdb.DuckDBPyConnection) -> None:
    """Create ``core.metric_definitions``, one row a metric, and the same as a mart for the glossary."""
    columns = ", ".join(f"{name} VARCHAR" for name in _DEFINITION)
    con.execute(f"CREATE OR REPLACE TABLE core.metric_definitions ({columns})")
    marks = ", ".join(f"${place}" for place in range(1, len(_DEFINITION) + 1))
    for metric in load_metrics().values():
        described = [metric.name, *(getattr(metric, name) for name in _DEFINITION[1:])]
        con.execute(f"INSERT INTO core.metric_definitions VALUES ({marks})", described)
    con.execute("CREATE OR REPLACE TABLE mart.metric_definitions AS FROM core.metric_definitions")


def create_evidence_views(con: duckdb.DuckDBPyConnection) -> None:
    """Create one view ``evidence.<metric>`` for every metric."""
    con.execute("CREATE SCHEMA IF NOT EXISTS evidence")
    for metric in load_metrics().values():
        columns = ", ".join(f"e.{column}" for column in EVIDENCE_COLUMNS if column not in {"value", "weight"})
        con.execute(
            f"CREATE OR REPLACE VIEW {metric.view} AS SELECT {columns}, "
            f"e.value::DECIMAL(28, 6) AS value, e.weight::DECIMAL(28, 6) AS weight FROM ({metric.sql}) e"
        )


def write_metrics(con: duckdb.DuckDBPyConnection) -> None:
    """Create ``mart.metrics``: every metric of every system; no evidence means no value, never 0."""
    con.execute(
        "CREATE OR REPLACE TABLE mart.metrics (metric VARCHAR, system_key VARCHAR, system_id VARCHAR, value DOUBLE, "
        "unit VARCHAR, evidence_rows BIGINT, evidence_at TIMESTAMP)"
    )
    for metric in load_metrics().values():
        con.execute(_values(metric), [metric.name, metric.unit, metric.spread, PROGRAMME])


def _values(metric: Metric) -> str:
    return f"""INSERT INTO mart.metrics
        SELECT $1, s.system_key, s.system_id, v.value, CASE $2 WHEN 'capacity' THEN s.unit ELSE $2 END,
               coalesce(v.evidence_rows, 0), v.evidence_at
        FROM (
            SELECT system_key, system_id, unit FROM core.systems WHERE $3 <> 'programme'
            UNION ALL
            SELECT $4, $4, '' WHERE $3 = 'programme'
        ) s
        LEFT JOIN (
            SELECT system_key, {metric.expression} AS value, count(*) AS evidence_rows,
                   min(observed_at) AS evidence_at
            FROM {metric.view} GROUP BY system_key
        ) v ON v.system_key = s.system_key
        ORDER BY s.system_key"""
