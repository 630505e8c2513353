"""``turnup status``: the newest week at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from pipelines.commands.output import Output

_SYSTEMS = """SELECT system_id, name, kind, site_id, unit, contracted, due, schedulable, current_gate, claimed_status,
    status, status_reason FROM mart.systems ORDER BY kind, system_id"""
_SOURCES = (
    "SELECT source, dataset, owner, state, age_days, max_age_days, quarantined, file FROM meta.sources ORDER BY source"
)
_BLOCKERS = """SELECT rank, system_id, block, gate, title, capacity_held, unit, age_days, owner FROM mart.blockers
    ORDER BY rank LIMIT 20"""


def show_status(folder: Path, output: Output) -> None:
    """Print systems, sources and blockers of the published week."""
    home = Home(folder)
    home.load()
    warehouse = open_warehouse(home)
    with connect(warehouse, read_only=True) as con:
        week = _records(con, "SELECT week, state, as_of, cut_off, programme, fingerprint, code_version FROM meta.week")[
            0
        ]
        systems, sources, blockers = (_records(con, query) for query in (_SYSTEMS, _SOURCES, _BLOCKERS))
    output.document({**week, "systems": systems, "sources": sources, "blockers": blockers})
    output.line(f"{week['programme']}, week {week['week']} ({week['state']}), data to {week['cut_off']} UTC")
    _print(
        output,
        "Systems",
        systems,
        ("system_id", "name", "unit", "contracted", "due", "schedulable", "current_gate", "status"),
    )
    _print(
        output,
        "Sources",
        [item for item in sources if item["state"] != "fresh"],
        ("source", "owner", "state", "age_days", "file"),
    )
    _print(
        output,
        "First blockers",
        blockers[:10],
        ("rank", "system_id", "gate", "title", "capacity_held", "unit", "age_days", "owner"),
    )


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


def _print(output: Output, title: str, records: list[dict[str, Any]], columns: tuple[str, ...]) -> None:
    if records:
        output.table(title, columns, [[record[column] for column in columns] for record in records])
