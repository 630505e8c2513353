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
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import duckdb

    from turnup.warehouse.batches import Batch
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
        here = (batch for dataset in wanted for batch in parts.batches(dataset))
        return _copied(con, [batch for batch in here if batch.batch_id not in there], parts, target)


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
        return _copied(con, missing, source, parts)


def _copied(
    con: duckdb.DuckDBPyConnection, batches: Sequence[Batch], source: PartStore | LakeStore,
    target: PartStore | LakeStore,
) -> int:  # fmt: skip
    for batch in batches:
        target.write(con, batch.dataset, batch.ingests, {table: source.rows(batch, table) for table in batch.parts})
    return len(batches)
