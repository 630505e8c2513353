"""Failures per running time with exact intervals, early failures beside later ones, and the spares that they ask for.

Counts are Poisson. The interval is Garwood's (1936): limits are chi-square quantiles, exact for any count, also none:
zero faults in T node-days still leave room for 3.69 / T (two-sided 95 %).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from scipy.stats import chi2, poisson

if TYPE_CHECKING:
    import duckdb

    from turnup.thresholds import Thresholds

PER = 1000
"""Rates are given for so many node-days."""
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Rate:
    """Faults per 1,000 node-days with its exact interval; None without exposure."""

    faults: int
    node_days: float
    rate: float | None
    low: float | None
    high: float | None


def rate(faults: int, node_days: float, confidence: float = _CONFIDENCE) -> Rate:
    """The rate of a count over an exposure.

    Args:
        faults: how many.
        node_days: days of running, summed over nodes.
        confidence: of the two-sided interval.
    """
    if node_days <= 0:
        return Rate(faults, node_days, None, None, None)
    tail = (1 - confidence) / 2
    low = chi2.ppf(tail, 2 * faults) / 2 if faults else 0.0
    high = chi2.ppf(1 - tail, 2 * faults + 2) / 2
    scale = PER / node_days
    return Rate(faults, node_days, faults * scale, float(low) * scale, float(high) * scale)


def spares(expected_faults: float, service_level: float) -> int:
    """The least stock that covers the faults until the next delivery with a probability of ``service_level``."""
    return int(poisson.ppf(service_level, expected_faults)) if expected_faults > 0 else 0


_COUNTS = """
SELECT
    y.system_id, y.system_key, count(*) AS units, sum(e.days)::DOUBLE AS node_days,
    sum(e.infant_days)::DOUBLE AS infant_days,
    coalesce(any_value(f.faults), 0) AS faults, coalesce(any_value(f.infant), 0) AS infant_faults,
    coalesce(any_value(f.open), 0) AS open_faults
FROM core.unit_exposure e
JOIN core.systems y ON y.system_key = e.system_key
LEFT JOIN (
    SELECT system_key, count(*) AS faults, count(*) FILTER (age_days < 30) AS infant,
        count(*) FILTER (closed IS NULL) AS open
    FROM core.unit_failures GROUP BY system_key
) f ON f.system_key = e.system_key
WHERE e.running_since IS NOT NULL
GROUP BY y.system_id, y.system_key
ORDER BY y.system_id
"""


def write_reliability(con: duckdb.DuckDBPyConnection, limits: Thresholds) -> None:
    """Create ``mart.reliability``: one row a system with running units; no rate where failures are not delivered."""
    delivered = bool(con.sql("SELECT 1 FROM meta.sources WHERE dataset = 'failures' LIMIT 1").fetchall())
    relation = con.sql(_COUNTS)
    rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    made = [_row(row, limits) for row in rows] if delivered else []
    con.register("made_here", pl.DataFrame(made, schema=_SCHEMA))
    con.execute("CREATE OR REPLACE TABLE mart.reliability AS SELECT * FROM made_here ORDER BY system_id")
    con.unregister("made_here")


_SCHEMA: dict[str, type[pl.DataType]] = {
    **dict.fromkeys(("system_id", "system_key"), pl.String),
    **dict.fromkeys(("units", "faults", "infant_faults", "open_faults", "spares", "lead_days"), pl.Int64),
    **dict.fromkeys(
        ("node_days", "rate", "rate_low", "rate_high", "infant_rate", "infant_low", "infant_high", "later_rate",
         "later_low", "later_high", "service_level"),
        pl.Float64,
    ),
}  # fmt: skip


def _row(row: dict[str, object], limits: Thresholds) -> dict[str, object]:
    faults, infant = int(str(row["faults"])), int(str(row["infant_faults"]))
    days, infant_days = float(str(row["node_days"])), float(str(row["infant_days"]))
    whole, early, later = rate(faults, days), rate(infant, infant_days), rate(faults - infant, days - infant_days)
    expected = (whole.rate or 0.0) / PER * int(str(row["units"])) * limits.spares_lead_days
    return {
        "system_id": row["system_id"], "system_key": row["system_key"], "units": row["units"], "node_days": days,
        "faults": faults, "infant_faults": infant, "open_faults": row["open_faults"],
        "rate": whole.rate, "rate_low": whole.low, "rate_high": whole.high,
        "infant_rate": early.rate, "infant_low": early.low, "infant_high": early.high,
        "later_rate": later.rate, "later_low": later.low, "later_high": later.high,
        "spares": spares(expected, limits.spares_service_level), "lead_days": limits.spares_lead_days,
        "service_level": limits.spares_service_level,
    }  # fmt: skip
