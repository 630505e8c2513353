"""Upkeep of a lake: many small files made few, and files that no reader needs removed. Rows stay as they are.

Belongs here: what DuckLake itself offers for that, in the order that loses nothing. Does not: which rows count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from turnup.warehouse.connection import connect, literal
from turnup.warehouse.lake import LakeStore, until_alone
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from datetime import datetime

    from turnup.warehouse.lake_settings import Lake


@dataclass(frozen=True)
class Tidied:
    """What was done: files merged, the files made of them, old states of the catalog forgotten, files removed."""

    merged: int
    made: int
    forgotten: int
    removed: int


def tidy_lake(lake: Lake, before: datetime) -> Tidied:
    """Merge small files; forget states of the catalog, and remove files, that nothing since an instant can be using.

    Merged files and those that a killed writer left go once they are older than the instant, so at a later call:
    a reader that began before may still read them.

    Args:
        lake: where it is.
        before: instant (aware); readers and writers that began before it have ended.

    Raises:
        ConfigurationError: the lake cannot be opened, or its upkeep fails.
    """
    with connect() as con:
        LakeStore(lake).attach(con)

        def call(function: str, *arguments: str) -> list[tuple[object, ...]]:
            given = ", ".join(("'lake'", *arguments))
            return until_alone(lambda: con.execute(f"CALL {function}({given})").fetchall())

        older = f"older_than => {literal(before.isoformat())}::TIMESTAMPTZ"
        try:
            merged = call("ducklake_merge_adjacent_files")
            forgotten = call("ducklake_expire_snapshots", older)
            removed = [
                *call("ducklake_cleanup_old_files", older),
                *call("ducklake_delete_orphaned_files", older),
            ]
        except duckdb.Error as error:
            raise ConfigurationError(f"lake {lake.catalog}: its upkeep failed ({error})") from error
    # Of each table: schema, name, files merged, files made.
    return Tidied(
        sum(int(str(row[2])) for row in merged), sum(int(str(row[3])) for row in merged), len(forgotten), len(removed)
    )
