"""Figures of any nodes against any expectations, apart from a programme: what a bring-up engineer asks at the bench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import polars as pl

from turnup.acceptance.expectations import Acceptance
from turnup.acceptance.judge import MODELS, write_expectations
from turnup.warehouse.connection import connect
from turnup.warehouse.macros import write_macros
from turnup.warehouse.models import run_models

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Violation:
    """One figure that breaks an expectation; ``variance`` is (value - reference) / reference where there is one."""

    category: str
    figure: str
    member: str
    value: float | None
    variance: float | None
    limit: str
    note: str


@dataclass(frozen=True)
class NodeDiagnosis:
    """The verdict on a node and everything that speaks against it, in a fixed order."""

    node: str
    verdict: str
    categories: tuple[str, ...]
    violations: tuple[Violation, ...]
    missing: tuple[str, ...]
    note: str


def diagnose(
    benchmarks: pl.DataFrame, acceptance: Acceptance, *, sku: str = "*", day: date = date.max
) -> list[NodeDiagnosis]:
    """Judge the rows of the ``benchmarks`` dataset (typed, with ``_row``), by node.

    Args:
        benchmarks: ``node``, ``run``, ``test``, ``metric``, ``statistic``, ``direction``, ``placement``, ``member``,
            ``size_bytes``, ``value``, ``unit``, ``status``, ``outcome``, ``complete``, ``correctness``,
            ``measured_at``, and ``sku`` where the log names it.
        acceptance: what to judge by.
        sku: what the nodes are, when the expectations name SKUs.
        day: the day whose baselines hold.
    """
    with connect() as con:
        prepare(con, benchmarks, acceptance, sku, day)
        run_models(con, MODELS)
        nodes = con.sql("SELECT subject_id, verdict, categories, note, subject_no FROM acceptance.subject_verdicts "
                        "ORDER BY subject_id").fetchall()  # fmt: skip
        bad = con.sql(_VIOLATIONS).fetchall()
        holes = con.sql(_HOLES).fetchall()
    by_node: dict[int, list[Violation]] = {}
    for key, *told in bad:
        by_node.setdefault(key, []).append(Violation(*told))
    missing = _grouped(holes)
    return [
        NodeDiagnosis(node, verdict, tuple(categories or ()), tuple(by_node.get(key, ())), missing.get(key, ()), note)
        for node, verdict, categories, note, key in nodes
    ]


def prepare(
    con: duckdb.DuckDBPyConnection, benchmarks: pl.DataFrame, acceptance: Acceptance, sku: str, day: date
) -> None:
    """Lay the figures and what they are judged by into the tables that the models read; arguments as for `diagnose`."""
    write_macros(con)
    write_expectations(con, acceptance, day)
    con.register("given", benchmarks)
    con.execute(_FIGURES)
    con.execute(
        "CREATE TABLE core.subject_skus AS SELECT subject_no, $sku AS sku_key FROM core.subjects",
        {"sku": sku.strip().casefold()},
    )
    if "sku" in benchmarks.columns:
        con.execute(_SKUS_OF_LOGS)


def _grouped(holes: list[tuple[int, str]]) -> Mapping[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for key, name in holes:
        found.setdefault(key, []).append(name)
    return {key: tuple(names) for key, names in found.items()}


_FIGURES = """
CREATE TABLE core.figures AS
SELECT
    hash(lower(trim(g.node))) AS subject_no,
    hash(lower(trim(g.test)), lower(trim(g.metric)), coalesce(g.statistic, 'value'), coalesce(g.direction, 'none'),
        coalesce(g.placement, 'none')) AS figure_no,
    hash(lower(g.run)) AS run_no, g._row AS row_no, trim(g.node) AS node,
    lower(trim(g.test)) AS test_key, lower(trim(g.metric)) AS metric_key,
    coalesce(g.statistic, 'value') AS statistic, coalesce(g.direction, 'none') AS direction,
    coalesce(g.placement, 'none') AS placement, NULL::BIGINT AS nodes, coalesce(g.member, 'all') AS member,
    coalesce(g.size_bytes, 0) AS size_bytes, g.value, g.unit, m.dimension, m.factor,
    coalesce(g.status, 'valid') AS status, g.outcome, coalesce(g.complete, false) AS complete,
    coalesce(g.correctness, 'unverified') AS correctness, g.measured_at, NULL::VARCHAR AS stack
FROM given g LEFT JOIN core.measures m ON m.unit = trim(g.unit);
CREATE TABLE core.subjects AS
SELECT subject_no, min(node) AS subject_id, 'all' AS system_key, NULL::TIMESTAMP AS changed_on, false AS dated
FROM core.figures GROUP BY subject_no
"""

_SKUS_OF_LOGS = """
INSERT INTO core.subject_skus
SELECT DISTINCT hash(lower(trim(node))), lower(trim(sku)) FROM given WHERE sku IS NOT NULL
EXCEPT SELECT * FROM core.subject_skus
"""

_VIOLATIONS = """
SELECT j.subject_no, v.category, n.test_key || '/' || n.metric_key AS figure, j.member, j.value,
    j.value / nullif(b.reference, 0) - 1 AS variance, v.limit_text, coalesce(j.reason, '')
FROM acceptance.judged j
JOIN acceptance.figure_names n ON n.figure_no = j.figure_no
JOIN acceptance.verdicts v ON v.subject_no = j.subject_no AND v.baseline_no = j.baseline_no
JOIN core.baselines b ON b.baseline_no = j.baseline_no
WHERE j.rank = 5
UNION ALL
SELECT subject_no, category, rule_key, 'all', number, NULL, '', note FROM acceptance.rule_results WHERE verdict = 'fail'
ORDER BY 1, 2, 3, 4
"""

_HOLES = """
SELECT h.subject_no, b.test_key || '/' || b.metric_key || CASE h.member WHEN 'all' THEN '' ELSE ':' || h.member END
FROM acceptance.holes h JOIN core.baselines b ON b.baseline_no = h.baseline_no
ORDER BY 1, 2
"""
