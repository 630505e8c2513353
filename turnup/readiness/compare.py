"""Two weeks side by side, from the results that each was committed with.

Belongs here: which rows of two weeks differ. Does not: why a figure moved (``mart.change_evidence`` says so of a week
and the one before), nor printing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnup.warehouse.connection import connect, literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

Record = dict[str, Any]

_KEYS: dict[str, tuple[str, ...]] = {
    "classes": ("kind",),
    "systems": ("system_id", "kind"),
    "gates": ("system_id", "block", "gate"),
    "forecast": ("scope_type", "scope"),
    "blockers": ("blocker_id",),
    "findings": ("finding_id",),
    "definitions": ("what", "subject", "name"),
}
_COMPARED: dict[str, tuple[str, ...]] = {
    "classes": ("contracted", "due", "schedulable", "systems", "sites", "status"),
    "systems": ("contracted", "due", "schedulable", "status", "current_gate"),
    "gates": ("state", "passed_on"),
    "forecast": ("p50", "p80"),
    "definitions": ("says",),
}
_TOLD: dict[str, tuple[str, ...]] = {
    "classes": ("unit",),
    "systems": ("unit",),
    "blockers": ("system_id", "block", "gate", "title", "message", "capacity_held", "unit", "owner", "first_seen_week"),
    "findings": ("code", "severity", "system_id", "message", "file", "sheet", "row"),
}


def compare_weeks(before: Mapping[str, Path], after: Mapping[str, Path]) -> dict[str, list[Record]]:
    """Compare the results of two weeks.

    Args:
        before: result table to Parquet file of the one week.
        after: the same of the other.

    Returns:
        Per table the rows that differ, sorted by key: the key, and each compared figure as ``<name>_before`` and
        ``<name>``. Of blockers and findings, those of one week only, each with ``is`` new or closed. A table that one
        of the weeks did not keep has no rows, as nothing is known of it.
    """
    with connect() as con:
        return {
            table: _differing(con, table, before[table], after[table]) if table in before and table in after else []
            for table in _KEYS
        }


def _differing(con: duckdb.DuckDBPyConnection, table: str, before: Path, after: Path) -> list[Record]:
    con.execute(f"CREATE OR REPLACE TEMP VIEW a AS FROM read_parquet({literal(str(before))})")
    con.execute(f"CREATE OR REPLACE TEMP VIEW b AS FROM read_parquet({literal(str(after))})")
    keys, compared = _KEYS[table], _COMPARED.get(table, ())
    fields = [f'coalesce(b."{key}", a."{key}") AS "{key}"' for key in keys]
    fields += [_either(con, column) for column in _TOLD.get(table, ())]
    fields += [f'{side} AS "{name}"' for column in compared for side, name in _sides(con, column)]
    if not compared:
        fields.append(f"CASE WHEN a.{keys[0]} IS NULL THEN 'new' ELSE 'closed' END AS \"is\"")
    same = " AND ".join(f'a."{key}" IS NOT DISTINCT FROM b."{key}"' for key in keys)
    differs = "".join(
        f" OR {one} IS DISTINCT FROM {other}" for one, other in (_values(con, column) for column in compared)
    )
    absent = f"a.{keys[0]} IS NULL OR b.{keys[0]} IS NULL"
    found = con.sql(f"SELECT {', '.join(fields)} FROM a FULL JOIN b ON {same} WHERE {absent}{differs} ORDER BY ALL")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def _values(con: duckdb.DuckDBPyConnection, column: str) -> tuple[str, str]:
    """A column on both sides; NULL where a week did not keep it."""
    one, other = (f'{side}."{column}"' if column in _columns(con, side) else "NULL" for side in ("a", "b"))
    return one, other


def _sides(con: duckdb.DuckDBPyConnection, column: str) -> list[tuple[str, str]]:
    one, other = _values(con, column)
    return [(one, f"{column}_before"), (other, column)]


def _either(con: duckdb.DuckDBPyConnection, column: str) -> str:
    one, other = _values(con, column)
    return f'coalesce({other}, {one}) AS "{column}"'


def _columns(con: duckdb.DuckDBPyConnection, view: str) -> list[str]:
    return con.sql(f"FROM {view} LIMIT 0").columns
