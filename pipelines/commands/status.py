"""``turnup status``: the newest week at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.commands.output import plain
from reports.wording import instant
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from pipelines.commands.output import Output

_WEEK = "SELECT week, state, as_of, cut_off, time_zone, programme, fingerprint, code_version FROM meta.week"
_SYSTEMS = """SELECT system_id, name, kind, site_id, unit, contracted, due, schedulable, current_gate, claimed_status,
    status, status_reason FROM mart.systems ORDER BY kind, system_id"""
_SOURCES = """SELECT source, dataset, owner, state, age_days, max_age_days, rows_read, quarantined, file
    FROM meta.sources ORDER BY source"""
_REFUSED = """SELECT source, file, column_name AS "column", rule, count(*) AS values, min("row") AS first_row,
    arg_min(message, "row") AS what FROM meta.quarantine WHERE in_force
    GROUP BY ALL ORDER BY values DESC, source, "column", rule"""
_FINDINGS = """SELECT code, dataset, count(*) AS findings, min(message) AS what FROM mart.findings
    WHERE severity = 'error' GROUP BY ALL ORDER BY findings DESC, code, dataset"""
_BLOCKERS = """SELECT rank, system_id, block, gate, title, capacity_held, unit, age_days, owner FROM mart.blockers
    ORDER BY rank LIMIT 20"""

_NOT_READ = """SELECT f.file, f.source, f.code, f.message AS what FROM meta.file_findings f
    WHERE (f.in_force OR f.in_window) AND (f.code = 'unclaimed_file' OR f.severity = 'error' AND EXISTS (
        FROM meta.ledger l WHERE l.status = 'rejected' AND l.file = f.file AND l.source = f.source))
    ORDER BY f.file, f.code"""
_SHOWN = 10
_Rows = list[dict[str, Any]]


def show_status(folder: Path, output: Output) -> None:
    """Print systems, sources and blockers of the published week."""
    home = Home(folder)
    home.load()
    warehouse = open_warehouse(home)
    with connect(warehouse, read_only=True) as con:
        week = _records(con, _WEEK)[0]
        queries = (_SYSTEMS, _SOURCES, _NOT_READ, _REFUSED, _FINDINGS, _BLOCKERS)
        systems, sources, not_read, refused, findings, blockers = (_records(con, query) for query in queries)
    output.document(
        {
            **week, "systems": systems, "sources": sources, "not_read": not_read, "refused": refused,
            "errors": findings, "blockers": blockers,
        }
    )  # fmt: skip
    still = ", still open: figures stand at the last refresh" if week["state"] == "open" else ""
    output.line(
        f"{week['programme']}, week {week['week']}, cut-off {instant(week['cut_off'], week['time_zone'])}{still}"
    )
    _print(
        output, "Systems, with what is contracted, due now and schedulable", systems,
        {"system_id": "system", "name": "name", "unit": "unit", "contracted": "contracted", "due": "due",
         "schedulable": "schedulable", "current_gate": "gate", "status": "status"},
    )  # fmt: skip
    for item in systems:
        if item["status"] != "green" and item["status_reason"]:
            output.line(f"  {item['system_id']}: {item['status']}, {item['status_reason']}")
    _print_troubles(output, sources, not_read, refused, findings)
    _print(
        output, "What holds most back: criteria that are not met", [_held(item) for item in blockers[:10]],
        {"rank": "rank", "system_id": "system", "gate": "gate", "title": "criterion not met", "held": "holds back",
         "age_days": "days", "owner": "owner"},
    )  # fmt: skip


def _print_troubles(output: Output, sources: _Rows, not_read: _Rows, refused: _Rows, findings: _Rows) -> None:
    """What is wrong with what was delivered: sources, files, rows that were refused, rows that were read."""
    troubled = [item for item in sources if item["state"] != "fresh" or item["quarantined"]]
    _print(
        output, "Sources that are not fresh, or have refused rows", troubled,
        {"source": "source", "owner": "owner", "state": "state", "age_days": "age, days", "rows_read": "rows",
         "quarantined": "refused", "file": "newest file"},
    )  # fmt: skip
    for item in not_read:
        output.line(f"  {item['file']} was not read: {item['what']}")
    for item in refused[:_SHOWN]:
        output.line(f"  {item['file']}, row {item['first_row']}{_alike(item['values'])}: {item['what']}")
    if len(refused) > _SHOWN:
        output.line(f"  ... and {len(refused) - _SHOWN} more reasons; the governance report, section 11, has every row")
    for item in findings[:_SHOWN]:
        output.line(f"  error in rows that were read: {item['what']}{_alike(item['findings'])}")
    if len(findings) > _SHOWN:
        output.line(f"  ... and {len(findings) - _SHOWN} more kinds; the governance report, section 11, has every one")


def _alike(count: int) -> str:
    return f" (and {count - 1} more like it)" if count > 1 else ""


def _held(blocker: dict[str, Any]) -> dict[str, Any]:
    return {**blocker, "held": f"{plain(blocker['capacity_held'])} {blocker['unit']}"}


def open_warehouse(home: Home) -> Path:
    """The published file, resolved once, so that a later publication does not change what this command reads.

    Raises:
        ConfigurationError: nothing was published yet.
    """
    if not home.warehouse.exists():
        raise ConfigurationError(f"{home.root}: nothing is published yet; run turnup refresh first")
    return home.warehouse.resolve()


def _records(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    result = con.sql(query)
    return [dict(zip(result.columns, row, strict=True)) for row in result.fetchall()]


def _print(output: Output, title: str, records: list[dict[str, Any]], columns: dict[str, str]) -> None:
    if records:
        output.table(title, tuple(columns.values()), [[record[column] for column in columns] for record in records])
