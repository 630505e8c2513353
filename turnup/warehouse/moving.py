"""Rows of a programme moved between its own store and a lake: batch by batch, each whole, with the id it had.

Nothing is read from received files and nothing is judged again; where the rows came from stays as it is. What was
moved before is not moved again, so a move that was ended goes on where it stood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.warehouse.connection import connect
from turnup.warehouse.lake import LakeStore
from turnup.warehouse.parts import PartStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from turnup.warehouse.lake_settings import Lake


def store_to_lake(store: Path, lake: Lake, datasets: Iterable[str]) -> int:
    """Write the batches of a programme's ``store`` folder that the lake has not; returns how many.

    Raises:
        ConfigurationError: the lake cannot be opened.
        StoreDamaged: a batch record cannot be read back.
        duckdb.Error: rows that a record names are gone.
    """
    parts, target = PartStore(store), LakeStore(lake)
    with connect() as con:
        target.attach(con)
        wanted = sorted(datasets)
        there = {batch.batch_id for batch in target.batches(con, wanted)}
        missing = [b for dataset in wanted for b in parts.batches(dataset) if b.batch_id not in there]
        for batch in missing:
            tables = {table: parts.rows(batch, table) for table in batch.parts}
            target.write(con, batch.dataset, batch.ingests, tables)
    return len(missing)


def lake_to_store(store: Path, lake: Lake, datasets: Iterable[str]) -> int:
    """Write the batches of a lake that the ``store`` folder has not; returns how many.

    Raises:
        ConfigurationError: the lake cannot be opened.
        StoreDamaged: a batch record cannot be read back.
    """
    parts, source = PartStore(store), LakeStore(lake)
    with connect() as con:
        source.attach(con)
        wanted = sorted(datasets)
        there = {batch.batch_id for dataset in wanted for batch in parts.batches(dataset)}
        missing = [batch for batch in source.batches(con, wanted) if batch.batch_id not in there]
        for batch in missing:
            tables = {table: source.rows(batch, table) for table in batch.parts}
            parts.write(con, batch.dataset, batch.ingests, tables)
    return len(missing)
