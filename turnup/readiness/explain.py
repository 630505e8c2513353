"""A figure with its definition and exactly the rows it is made of.

Belongs here: reading one metric of one system back out of a published database. Does not: printing it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.readiness.registry import PROGRAMME, load_metrics
from turnup.warehouse.connection import table_exists
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from decimal import Decimal

    import duckdb

    from turnup.readiness.registry import Metric


class ExplainError(ConfigurationError):
    """A metric or a system that is not known; the message lists what is."""


@dataclass(frozen=True)
class EvidenceRow:
    """One row behind a figure, as file, sheet and row where it came from a file."""

    dataset: str
    file: str | None
    sheet: str | None
    row: int | None
    unit_id: str | None
    value: Decimal | None
    note: str | None


@dataclass(frozen=True)
class Explanation:
    """A metric of a system: what it means, its value now and as issued last week, and the rows behind it."""

    metric: str
    title: str
    unit: str
    definition: str
    formula: str
    sql: str
    value: float | None
    last_week: float | None
    rows: list[EvidenceRow]


def explain(con: duckdb.DuckDBPyConnection, metric: str, system_id: str | None) -> Explanation:
    """Explain a metric of a system, or of the programme where the metric is the programme's.

    Args:
        con: a published database or a candidate after ``build``.
        metric: name in the registry.
        system_id: given spelling or normal form of the system; None for a metric of the whole programme.

    Raises:
        ExplainError: unknown metric or system, or a system is needed and none was given.
    """
    found = _metric(metric)
    system, unit = _system(con, found, system_id)
    value = con.sql(f"SELECT {found.expression} FROM {found.view} WHERE system_key = $1", params=[system])
    return Explanation(
        metric=found.name,
        title=found.title,
        unit=unit if found.unit == "capacity" else found.unit,
        definition=found.definition,
        formula=found.formula,
        sql=found.sql,
        value=value.fetchall()[0][0],
        last_week=_last_week(con, found, system),
        rows=_rows(con, found, system),
    )


def _metric(name: str) -> Metric:
    known = load_metrics()
    if name not in known:
        raise ExplainError(f"no metric is called '{name}'; known: {', '.join(sorted(known))}")
    return known[name]


def found_system(con: duckdb.DuckDBPyConnection, given: str) -> tuple[str, str, str]:
    """Key, spelling and capacity unit of a system.

    Raises:
        ExplainError: no such system; the message lists some.
    """
    query = "SELECT system_key, system_id, unit FROM core.systems WHERE system_key = $1"
    found = con.sql(query, params=[given.strip().casefold()]).fetchall()
    if not found:
        raise ExplainError(f"no system is called '{given}'; known: {_some_systems(con)}")
    key, name, unit = found[0]
    return str(key), str(name), str(unit)


def _some_systems(con: duckdb.DuckDBPyConnection) -> str:
    known = con.sql("SELECT system_id FROM core.systems ORDER BY 1 LIMIT 21").fetchall()
    names = ", ".join(name for (name,) in known[:20])
    return f"{names} and more" if len(known) > 20 else names or "none"


def _system(con: duckdb.DuckDBPyConnection, metric: Metric, given: str | None) -> tuple[str, str]:
    if metric.spread == "programme":
        return PROGRAMME, metric.unit
    if given is None:
        raise ExplainError(f"'{metric.name}' is a metric of a system; name one: {_some_systems(con)}")
    key, _, unit = found_system(con, given)
    return key, unit


def _last_week(con: duckdb.DuckDBPyConnection, metric: Metric, system: str) -> float | None:
    """As issued first; ``issued`` holds only weeks that were restated."""
    for schema in ("issued", "hist"):
        if not table_exists(con, schema, "metrics"):
            continue
        rows = con.sql(
            f"""SELECT h.value FROM {schema}.metrics h JOIN core.settings p ON h.week = p.previous_week
            WHERE h.metric = $1 AND h.system_key = $2""",
            params=[metric.name, system],
        ).fetchall()
        if rows:
            value: float | None = rows[0][0]
            return value
    return None


def _rows(con: duckdb.DuckDBPyConnection, metric: Metric, system: str) -> list[EvidenceRow]:
    query = f"""
        SELECT e.dataset, i.file, e._sheet, e._row, e.unit_id, e.value, e.note
        FROM {metric.view} e
        LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = e._ingest
        WHERE e.system_key = $1
        ORDER BY e.dataset, i.file, e._sheet, e._row, e.unit_id, e.value, e.note"""
    return [EvidenceRow(*row) for row in con.sql(query, params=[system]).fetchall()]
