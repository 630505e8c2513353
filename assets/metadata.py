"""Metadata that a manager reads in the Dagster UI: counts, a preview, a summary, where the report is."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from dagster import MetadataValue

from turnup.warehouse.connection import connect
from turnup.warehouse.store import open_store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
    store = open_store(run.refresh.home, run.refresh.programme)
    found: Metadata = {
        "files_read_now": MetadataValue.int(summary.files),
        "files_refused_now": MetadataValue.int(summary.rejected_files),
        "rows_accepted_now": MetadataValue.int(summary.accepted),
        "rows_quarantined_now": MetadataValue.int(summary.quarantined),
    }
    with connect() as con:
        store.attach(con)
        rows, ledger = (store.scan(con, table, [contract.name]) for table in (contract.name, "_ledger"))
        if rows is None or ledger is None:
            return found
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


def report_metadata(files: Sequence[Path], summary: str, folder: Path) -> dict[str, Metadata]:
    """Per report its state, headline and files; of the executive one the summary, of the other how many sheets."""
    paths = {file.relative_to(folder).as_posix(): MetadataValue.path(str(file)) for file in files}
    said = json.loads((folder / "executive.json").read_text(encoding="utf-8"))
    header = said["header"]
    state: Metadata = {
        "state": MetadataValue.text(header["issue_state"]),
        "why": MetadataValue.text("; ".join(header["issue_reasons"]) or "every test of the issue gate holds"),
    }
    if header["released"]:
        state["released"] = MetadataValue.text(f"by {header['released']['by']}: {header['released']['reason']}")
    return {
        "governance_report": {
            **state,
            "headline": MetadataValue.text(said["what_changed"]["answer"]),
            **_files_of("governance", paths),
            **_sheets(paths, folder),
        },
        "executive_report": {
            **state,
            "headline": MetadataValue.text(said["how_much"]["answer"]),
            "summary": MetadataValue.md(summary),
            **_files_of("executive", paths),
        },
    }


def _files_of(report: str, paths: Mapping[str, MetadataValue]) -> Metadata:
    """Each format of a report that was written: `report` is its page, `model` its JSON."""
    names = {"html": "report", "json": "model"}
    own = {name: path for name, path in sorted(paths.items()) if name.partition(".")[0] == report}
    return {names.get(name.rpartition(".")[2], name.rpartition(".")[2]): path for name, path in own.items()}


def _sheets(paths: Mapping[str, MetadataValue], folder: Path) -> Metadata:
    """How many systems and sites have a page of their own, and where those lie."""
    found: Metadata = {}
    for name in ("systems", "sites"):
        found[name] = MetadataValue.int(sum(path.startswith(f"{name}/") for path in paths))
        found[f"pages_of_{name}"] = MetadataValue.path(str(folder / name))
    return found


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
