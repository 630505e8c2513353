"""``turnup blockers``: what holds capacity back, of all systems or of one system, site, owner or kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipelines.commands.output import plain
from pipelines.commands.published import published_week
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

    from pipelines.commands.output import Output

_COLUMNS = {"system": "s.system_id", "site": "s.site_id", "owner": "s.owner", "kind": "s.kind"}
_BLOCKERS = """SELECT b.rank, b.blocker_id, b.system_id, s.site_id, b.kind, b.block, b.gate, b.criterion, b.title,
        b.message, b.state, b.severity, b.capacity_held, b.unit, b.first_seen_week, b.age_days, b.capacity_days,
        b.owner, b.owner_role, b.metric, b.evidence_rows
    FROM mart.blockers b JOIN mart.systems s ON s.system_key = b.system_key"""
_SHOWN = 40


def show_blockers(folder: Path, asked: Mapping[str, str], week: str, output: Output) -> None:
    """Print blockers by rank; ``asked`` limits them to a system, site, owner or kind where it is not empty.

    Raises:
        ConfigurationError: what is asked for does not exist in the week; the message lists what does.
    """
    home = Home(folder)
    home.load()
    with connect(published_week(home, week), read_only=True) as con:
        label = con.sql("SELECT week FROM meta.week").fetchall()[0][0]
        wanted = {name: _known(con, name, value) for name, value in asked.items() if value}
        where = " AND ".join(f"{_COLUMNS[name]} = ${place}" for place, name in enumerate(wanted, start=1)) or "true"
        found = con.sql(f"{_BLOCKERS} WHERE {where} ORDER BY b.rank", params=list(wanted.values()))
        records = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    output.document({"week": label, **wanted, "blockers": records})
    if not records:
        output.line(f"Week {label}: nothing holds capacity back{' there' if wanted else ''}.")
        return
    output.table(f"What holds capacity back, week {label}", tuple(_HEADS.values()), map(_shown, records[:_SHOWN]))
    if len(records) > _SHOWN:
        output.line(f"... and {len(records) - _SHOWN} more; --json prints all")
    output.line("turnup explain METRIC SYSTEM shows the rows behind a criterion.")


_HEADS = {
    "rank": "rank", "system_id": "system", "block": "block", "gate": "gate", "message": "criterion not met",
    "state": "state", "held": "holds back", "age_days": "days", "owner": "owner", "metric": "metric",
}  # fmt: skip


def _shown(record: dict[str, Any]) -> list[Any]:
    held = {**record, "held": f"{plain(record['capacity_held'])} {record['unit']}"}
    return [held[name] for name in _HEADS]


def _known(con: duckdb.DuckDBPyConnection, name: str, value: str) -> str:
    query = f"SELECT DISTINCT {_COLUMNS[name]} FROM mart.systems s WHERE {_COLUMNS[name]} IS NOT NULL ORDER BY 1"
    known = [str(row[0]) for row in con.sql(query).fetchall()]
    for one in known:
        if one.casefold() == value.strip().casefold():
            return one
    raise ConfigurationError(f"no system has the {name} '{value}'; known: {', '.join(known[:20])}")
