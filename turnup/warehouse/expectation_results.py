"""Where expectation results are kept, and which findings stop a week from being published.

Only three things stop it: a row ledger that does not close, an expectation that could not be computed, and a failed
key of a core dataset. Everything else makes the criteria that need it ``no data`` and the report a draft.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import polars as pl

from expectations.run import ExpectationResult
from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

    from expectations.run import ExpectationResult

_SCHEMA = {
    "dataset": pl.String, "expectation": pl.String, "column_name": pl.String, "severity": pl.String,
    "computed": pl.Boolean, "success": pl.Boolean, "observed": pl.String, "unexpected_count": pl.Int64,
    "message": pl.String, "blocking": pl.Boolean,
}  # fmt: skip


def store_results(con: duckdb.DuckDBPyConnection, results: Sequence[ExpectationResult]) -> None:
    """Write ``meta.expectations``."""
    records = []
    for result in results:
        record = asdict(result)
        record["column_name"] = record.pop("column")
        records.append(record)
    con.register("expectation_records", pl.DataFrame(records, schema=_SCHEMA))
    con.execute("CREATE OR REPLACE TABLE meta.expectations AS SELECT * FROM expectation_records ORDER BY ALL")
    con.unregister("expectation_records")


def save_results(file: Path, results: Sequence[ExpectationResult]) -> None:
    """Keep results beside the parts, so that a result made again is not checked again."""
    replace_bytes(file, canonical_json([asdict(result) for result in results]))


def load_results(file: Path) -> list[ExpectationResult] | None:
    """Results kept earlier, or None when there are none that can be read: they are computed again."""
    try:
        return [ExpectationResult(**record) for record in read_json(file)]
    except (StoreDamaged, TypeError):
        return None


def blocking(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Sentences on what stops publication; empty when nothing does."""
    ledger = con.sql(
        "SELECT file, rows_read, accepted, quarantined FROM meta.ledger WHERE NOT balanced ORDER BY file"
    ).fetchall()
    failed = con.sql("SELECT dataset, message FROM meta.expectations WHERE blocking ORDER BY ALL").fetchall()
    return [
        f"{file}: {read} rows read, but {accepted} accepted + {quarantined} quarantined"
        for file, read, accepted, quarantined in ledger
    ] + [f"{dataset}: {message}" for dataset, message in failed]
