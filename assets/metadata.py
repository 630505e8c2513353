"""Metadata that a manager reads in the Dagster UI: counts, a preview, a summary, where the report is."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from dagster import MetadataValue

from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

    from assets.context import WeekRun
    from expectations.contract import Contract
    from turnup.ingest import IngestSummary
    from turnup.landing import Scan

Metadata = dict[str, MetadataValue]
_PREVIEW_ROWS = 8
_PREVIEW_COLUMNS = 8


def inbox_metadata(scan: Scan, run: WeekRun) -> Metadata:
    """New arrivals and files left alone."""
    arrivals = [(item.path, item.received_at.isoformat(), item.size) for item in scan.deliveries[:_PREVIEW_ROWS]]
    return {
        "week": MetadataValue.text(run.week.label),
        "new_files": MetadataValue.int(len(scan.deliveries)),
        "files_in_store": MetadataValue.int(len(run.refresh.landing.deliveries())),
        "newest": MetadataValue.md(markdown_table(("file", "received", "bytes"), arrivals)),
        "not_taken": MetadataValue.md(
            markdown_table(("file", "why"), [(item.path, item.reason) for item in scan.skipped])
        ),
    }


def ingest_metadata(summary: IngestSummary, contract: Contract, run: WeekRun) -> Metadata:
    """Rows read now and ever, rows quarantined, and a preview of the newest accepted rows."""
    store = PartStore(run.refresh.home.store)
    found: Metadata = {
        "files_read_now": MetadataValue.int(summary.files),
        "files_refused_now": MetadataValue.int(summary.rejected_files),
        "rows_accepted_now": MetadataValue.int(summary.accepted),
        "rows_quarantined_now": MetadataValue.int(summary.quarantined),
    }
    rows, ledger = store.scan(contract.name, [contract.name]), store.scan("_ledger", [contract.name])
    if rows is None or ledger is None:
        return found
    with connect() as con:
        totals = con.sql(f"SELECT sum(accepted)::BIGINT, sum(quarantined)::BIGINT FROM {ledger}").fetchall()[0]
        columns = ", ".join(f'"{column.name}"' for column in contract.columns[:_PREVIEW_COLUMNS])
        preview = con.sql(f"SELECT {columns} FROM {rows} ORDER BY _batch, _ingest, _row LIMIT {_PREVIEW_ROWS}")
        found["preview"] = MetadataValue.md(markdown_table(preview.columns, preview.fetchall()))
    found["dagster/row_count"] = MetadataValue.int(int(totals[0] or 0))
    found["rows_quarantined_ever"] = MetadataValue.int(int(totals[1] or 0))
    return found


def table_metadata(con: duckdb.DuckDBPyConnection, table: str) -> Metadata:
    """Row count and preview of one result table."""
    rows = con.sql(f"SELECT count(*) FROM {table}").fetchall()[0][0]
    preview = con.sql(f"SELECT * FROM {table} ORDER BY ALL LIMIT {_PREVIEW_ROWS}")
    return {
        "dagster/row_count": MetadataValue.int(int(rows)),
        "preview": MetadataValue.md(markdown_table(preview.columns, preview.fetchall())),
    }


def executive_summary(con: duckdb.DuckDBPyConnection) -> str:
    """The executive report's first answer as a Markdown table."""
    rows = con.sql(
        "SELECT kind, contracted, due, schedulable, delta, unit, status FROM mart.classes ORDER BY kind"
    ).fetchall()
    return markdown_table(("kind", "contracted", "due now", "schedulable", "since last week", "unit", "status"), rows)


def report_metadata(files: Sequence[Path], summary: str) -> dict[str, Metadata]:
    """Per report: the paths of its files by format and, for the executive one, the summary."""
    return {
        "governance_report": _paths(files, "governance"),
        "executive_report": {**_paths(files, "executive"), "summary": MetadataValue.md(summary)},
    }


def _paths(files: Sequence[Path], report: str) -> Metadata:
    named = {"html": "report", "json": "model"}
    return {
        named.get(file.suffix[1:], file.suffix[1:]): MetadataValue.path(str(file))
        for file in files
        if file.stem == report
    }


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; text is kept from acting as Markdown or HTML."""
    if not rows:
        return "none"
    head = "| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns) + "\n"
    return head + "\n".join("| " + " | ".join(_cell(value) for value in row) + " |" for row in rows)


def _cell(value: object) -> str:
    text = "" if value is None else f"{value.normalize():f}" if isinstance(value, Decimal) else str(value)
    for mark, harmless in (("&", "&amp;"), ("<", "&lt;"), ("|", "&#124;"), ("[", "&#91;"), ("`", "&#96;"), ("\n", " ")):
        text = text.replace(mark, harmless)
    return text if len(text) <= 80 else text[:79] + "…"
