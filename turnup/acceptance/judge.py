"""Judging in the database: the expectations as tables, and the models over them.

The models read ``core.subjects`` (who is judged), ``core.subject_skus`` (what they are), ``core.figures`` (what was
measured) and the tables made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.acceptance import units
from turnup.acceptance.expectations import Acceptance, Baseline, Peak, Rule, in_force

if TYPE_CHECKING:
    import duckdb

MODELS = Path(__file__).parent / "sql"

_BASELINES: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(
        ("label", "system_key", "sku_key", "test_key", "metric_key", "statistic", "placement", "direction", "unit",
         "dimension", "limit_text", "category", "missing", "source"),
        pl.String,
    ),
    **dict.fromkeys(("factor", "reference", "low", "high", "warn_low", "warn_high"), pl.Float64),
    **dict.fromkeys(("peak", "review_above"), pl.Float64),
    **dict.fromkeys(("baseline_no", "size_bytes", "nodes"), pl.Int64),
    **dict.fromkeys(("is_open", "required", "decides", "verified"), pl.Boolean),
}  # fmt: skip


def write_expectations(con: duckdb.DuckDBPyConnection, acceptance: Acceptance, day: date) -> None:
    """Create ``core.baselines``, ``rules``, ``rule_terms``, ``golden``, ``judging`` and ``measures`` in ``core``."""
    con.execute("CREATE SCHEMA IF NOT EXISTS core; CREATE SCHEMA IF NOT EXISTS acceptance")
    held = in_force(acceptance.baselines, day)
    rows = [_baseline_row(baseline, number, acceptance) for number, baseline in enumerate(held, start=1)]
    _write(con, "core.baselines", rows, _BASELINES)
    texts = dict.fromkeys(("rule_key", "category", "sku_key", "violated", "text", "source"), pl.String)
    _write(
        con, "core.rules", [_rule_row(rule) for rule in acceptance.rules],
        {**texts, "limit": pl.Float64, "is_ratio": pl.Boolean},
    )  # fmt: skip
    terms = [row for rule in acceptance.rules for row in _term_rows(rule)]
    _write(con, "core.rule_terms", terms, dict.fromkeys(("rule_key", "side", "take", "pattern"), pl.String))
    golden = [
        {"golden_no": number, "system_key": row.system.strip().casefold(), "sku_key": row.sku.strip().casefold(),
         "component_key": row.component.strip().casefold(), "versions": list(row.versions), "source": row.source}
        for number, row in enumerate(acceptance.golden, start=1) if (row.valid_from or date.min) <= day
    ]  # fmt: skip
    _write(
        con, "core.golden", golden,
        {"golden_no": pl.Int64, **dict.fromkeys(("system_key", "sku_key", "component_key", "source"), pl.String),
         "versions": pl.List(pl.String)},
    )  # fmt: skip
    relative = acceptance.relative
    judging = {
        "tolerance": relative.tolerance,
        "robust_z": relative.robust_z,
        "minimum_nodes": relative.minimum_nodes,
        "scaling_minimum": acceptance.scaling_minimum,
        "regression_tolerance": acceptance.regression_tolerance,
    }
    _write(con, "core.judging", [judging], dict.fromkeys(judging, pl.Float64))
    measures = [
        {"unit": name, "dimension": unit.dimension, "factor": float(unit.factor)}
        for name, unit in sorted(units.all_units().items())
    ]
    _write(con, "core.measures", measures, {"unit": pl.String, "dimension": pl.String, "factor": pl.Float64})


def _write(
    con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]], schema: Mapping[str, Any]
) -> None:
    frame = pl.DataFrame(list(rows), schema=dict(schema))
    con.register("made_here", frame)
    con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM made_here")
    con.unregister("made_here")


def _baseline_row(baseline: Baseline, number: int, acceptance: Acceptance) -> dict[str, Any]:
    bounds = baseline.bounds
    unit = units.unit(baseline.unit)
    return {
        "baseline_no": number,
        "label": baseline.id,
        "system_key": baseline.system.strip().casefold(),
        "sku_key": baseline.sku.strip().casefold(),
        "test_key": baseline.test.strip().casefold(),
        "metric_key": baseline.metric.strip().casefold(),
        "statistic": baseline.statistic,
        "placement": baseline.placement,
        "direction": baseline.direction,
        "nodes": baseline.nodes,
        "size_bytes": baseline.size if isinstance(baseline.size, int) else None,
        "unit": baseline.unit,
        "dimension": unit.dimension,
        "factor": float(unit.factor),
        "reference": baseline.value,
        "low": bounds.low,
        "high": bounds.high,
        "is_open": bounds.open,
        "warn_low": bounds.warn_low,
        "warn_high": bounds.warn_high,
        "peak": _peak(baseline, acceptance.peaks),
        "review_above": acceptance.review_above,
        "limit_text": limit_text(baseline),
        "category": baseline.category,
        "required": baseline.required and baseline.decides,
        "decides": baseline.decides,
        "missing": baseline.missing,
        "verified": baseline.verified,
        "source": baseline.source,
    }


def _peak(baseline: Baseline, peaks: Sequence[Peak]) -> float | None:
    """The physical limit in the baseline's unit: the one that names the test before the one for any."""
    found = [
        peak
        for peak in peaks
        if peak.sku.casefold() == baseline.sku.casefold()
        and peak.metric.casefold() == baseline.metric.casefold()
        and peak.test.casefold() in ("*", baseline.test.casefold())
    ]
    for peak in sorted(found, key=lambda item: item.test == "*"):
        return units.convert(peak.value, peak.unit, baseline.unit)
    return None


def limit_text(baseline: Baseline) -> str:
    """The limit in words: ``at least 460 GB/s``."""
    bounds = baseline.bounds
    unit = "" if baseline.unit in ("count", "native") else f" {baseline.unit}"
    if baseline.operator == "==":
        return f"exactly {baseline.value:g}{unit}"
    if bounds.low is not None and bounds.high is not None:
        return f"{bounds.low:g} to {bounds.high:g}{unit}"
    words = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}
    return f"{words[baseline.operator]} {bounds.low if bounds.low is not None else bounds.high:g}{unit}"


def _rule_row(rule: Rule) -> dict[str, Any]:
    left = f"{rule.left.take} of {', '.join(rule.left.of)}"
    right = f" over {rule.right.take} of {', '.join(rule.right.of)}" if rule.right else ""
    return {
        "rule_key": rule.id,
        "category": rule.category,
        "sku_key": rule.sku.strip().casefold(),
        "violated": rule.violated,
        "limit": rule.limit,
        "is_ratio": rule.right is not None,
        "text": f"{left}{right} must not be {rule.violated} {rule.limit:g}",
        "source": rule.source,
    }


def _term_rows(rule: Rule) -> list[dict[str, str]]:
    return [
        {"rule_key": rule.id, "side": side, "take": term.take, "pattern": pattern}
        for side, term in (("left", rule.left), ("right", rule.right))
        if term is not None
        for pattern in term.of
    ]
