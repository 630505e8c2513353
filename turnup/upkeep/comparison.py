"""Two makings of one week compared: databases row by row, files byte by byte.

Belongs here: what differs. Does not: why, which the command says from the versions of the code.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.warehouse.connection import connect, identifier, literal
from turnup.warehouse.steps import RECORDS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

_SHOWN = 300
_MISSING = "is not there"
_IDENTITY = "COLUMNS(lambda name: name NOT IN ('_batch', 'code_version'))"
"""In which batch a file was read is storage: files that are read together lie together. The version is told apart."""
_PRINTED = 12
"""Characters of a version that a page prints."""


@dataclass(frozen=True)
class Difference:
    """One thing that is not the same: a table or file, and in words what differs."""

    what: str
    message: str


@dataclass(frozen=True)
class Compared:
    """How many tables or files were compared, and what differs, by name."""

    count: int
    differences: tuple[Difference, ...]


def compare_databases(kept: Path, made: Path) -> Compared:
    """Compare every table of two database files as sets of rows with their counts, and every view by its text.

    Not compared is how a file was come by (``RECORDS``): it names batches and versions, as a build from nothing has
    others than one that began as a copy.
    """
    with connect() as con:
        for name, file in (("kept", kept), ("made", made)):
            con.execute(f"ATTACH {literal(str(file))} AS {name} (READ_ONLY)")
        before, after = _relations(con, "kept"), _relations(con, "made")
        found = [
            Difference(name, message)
            for name in sorted({*before, *after})
            if (message := _table(con, name, before.get(name), after.get(name)))
        ]
        return Compared(len(before), tuple(found))


def compare_results(store: Path, results: Mapping[str, str], made: Path) -> Compared:
    """Compare a week's kept result tables (Parquet) with those of a database, where nothing else of it is kept."""
    with connect() as con:
        con.execute("CREATE SCHEMA mart")
        for table, path in sorted(results.items()):
            con.execute(f"CREATE VIEW mart.{identifier(table)} AS FROM read_parquet({literal(str(store / path))})")
        con.execute(f"ATTACH {literal(str(made))} AS made (READ_ONLY)")
        found = []
        for table in sorted(results):
            kept, again = f"mart.{identifier(table)}", f"made.mart.{identifier(table)}"
            if message := _rows(con, kept, again):
                found.append(Difference(f"mart.{table}", message))
        return Compared(len(results), tuple(found))


def compare_files(kept: Mapping[str, str], again: Mapping[str, bytes], then: str = "", now: str = "") -> Compared:
    """Compare files with the SHA-256 that each was issued with.

    Args:
        kept: name to hash, as issued.
        again: name to bytes, made again.
        then: version of turnup that issued them, where another one makes them now.
        now: version that makes them now; a file that differs only in naming it is no difference.
    """
    found = []
    for name in sorted({*kept, *again}):
        if name not in again:
            found.append(Difference(name, "was issued and is not made any more"))
        elif name not in kept:
            found.append(Difference(name, "was not issued then"))
        elif kept[name] not in {_hash(again[name]), _hash(_renamed(again[name], now, then))}:
            found.append(Difference(name, "has other bytes than when it was issued"))
    return Compared(len(kept), tuple(found))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _renamed(content: bytes, now: str, then: str) -> bytes:
    """A report as it were if the other version had made it: in full, and as far as pages print it."""
    if not now or not then:
        return content
    for length in (len(now), _PRINTED):
        content = content.replace(now[:length].encode(), then[:length].encode())
    return content


def _relations(con: duckdb.DuckDBPyConnection, database: str) -> dict[str, str]:
    """Table or view to what it is made of: columns with types, or the text of the view."""
    columns = con.sql(
        "SELECT schema_name || '.' || table_name, "
        "string_agg(column_name || ' ' || data_type, ', ' ORDER BY column_index) "
        "FROM duckdb_columns() JOIN duckdb_tables() USING (database_name, schema_name, table_name) "
        f"WHERE database_name = {literal(database)} GROUP BY ALL"
    ).fetchall()
    views = con.sql(
        "SELECT schema_name || '.' || view_name, 'view ' || sql FROM duckdb_views() "
        f"WHERE database_name = {literal(database)} AND NOT internal"
    ).fetchall()
    return {str(name): str(text) for name, text in (*columns, *views) if name not in RECORDS}


def _table(con: duckdb.DuckDBPyConnection, name: str, before: str | None, after: str | None) -> str:
    if before is None or after is None:
        return f"{_MISSING} {'in the week as published' if before is None else 'when the week is made again'}"
    if before != after:
        return "has other columns" if not before.startswith("view ") else "has another definition"
    if before.startswith("view "):
        return ""
    schema, table = (identifier(part) for part in name.split(".", 1))
    return _rows(con, f"kept.{schema}.{table}", f"made.{schema}.{table}")


def _rows(con: duckdb.DuckDBPyConnection, kept: str, made: str) -> str:
    """What differs in rows, with an example; empty when nothing does."""
    before, after = (f"SELECT {_IDENTITY} FROM {table}" for table in (kept, made))
    gone = con.sql(f"{before} EXCEPT ALL {after}").fetchall()
    come = con.sql(f"{after} EXCEPT ALL {before}").fetchall()
    if not gone and not come:
        return ""
    sides = ((gone, "only as published"), (come, "only as made again"))
    parts = [f"{len(rows)} rows {where}" for rows, where in sides if rows]
    example = min(map(repr, gone or come))
    return f"{', '.join(parts)}; such as {example[:_SHOWN]}"
