"""Immutable Parquet parts and the batch records that make them count.

A part holds the rows of one table that one batch brought; it is written once. A batch record names its parts and the
ingests in them, and is created exclusively after they are complete: parts without a record do not exist for any reader.
Belongs here: writing and finding parts. Does not: parsing, or which deliveries are in force.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged, canonical_json, create_exclusive, read_json, staged
from turnup.warehouse.batches import Batch, batch_id, holders
from turnup.warehouse.connection import identifier, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    import duckdb


class PartStore:
    """The parts of one programme, under its ``store`` folder."""

    def __init__(self, store: Path) -> None:
        """Open the store; nothing is created until something is written."""
        self._store = store

    @property
    def takes_several(self) -> bool:
        """Every batch has files of its own."""
        return True

    def batches(self, dataset: str) -> list[Batch]:
        """Every committed batch of a dataset, by id.

        Raises:
            StoreDamaged: a batch record cannot be read back.
        """
        found = []
        for file in sorted((self._store / "batches" / dataset).glob("[0-9a-f]*.json")):
            record = read_json(file)
            try:
                found.append(Batch(record["batch"], dataset, tuple(record["ingests"]), dict(record["parts"])))
            except (KeyError, TypeError, ValueError) as error:
                raise StoreDamaged(f"{file}: is no batch record ({error}); restore this file from a backup") from error
        return found

    def known(self, datasets: Iterable[str]) -> dict[str, str]:
        """Map every ingest of the datasets to the batch that holds it; of two racing batches the first by id counts."""
        return holders(batch for dataset in sorted(datasets) for batch in self.batches(dataset))

    def attach(self, con: duckdb.DuckDBPyConnection) -> None:
        """Nothing to do: any connection reads Parquet files."""

    def write(
        self, con: duckdb.DuckDBPyConnection, dataset: str, ingests: Iterable[str], tables: Mapping[str, str]
    ) -> Batch:
        """Write one batch and commit it.

        Args:
            con: connection in which the queries run.
            dataset: dataset of the batch.
            ingests: ids of the ingests covered, with or without rows.
            tables: table name to the SELECT that yields its rows, sorted, with a column ``_ingest``.
        """
        covered = tuple(sorted(ingests))
        load = batch_id(dataset, covered)
        parts = {}
        for table, query in sorted(tables.items()):
            target = self._store / "parts" / table / f"{load}.parquet"
            if not target.exists():
                with staged(target) as temporary, one_thread(con):
                    selected = f"SELECT *, {literal(load)} AS _batch FROM ({query})"
                    con.execute(f"COPY ({selected}) TO {literal(str(temporary))} (FORMAT parquet)")
                    temporary.chmod(0o444)
            parts[table] = target.relative_to(self._store).as_posix()
        batch = Batch(load, dataset, covered, parts)
        record = {"batch": load, "dataset": dataset, "ingests": covered, "parts": parts}
        create_exclusive(self._store / "batches" / dataset / f"{load}.json", canonical_json(record))
        return batch

    def rows(self, batch: Batch, table: str) -> str:
        """SQL of one table's rows of a batch as they were written, without the column that the store adds."""
        return f"SELECT * EXCLUDE (_batch) FROM read_parquet({literal(str(self._store / batch.parts[table]))})"

    def scan(self, con: duckdb.DuckDBPyConnection | None, table: str, datasets: Iterable[str]) -> str | None:
        """SQL that reads every committed part of a table, with ``_batch`` and ``_ingest``; None when there is none."""
        files = [
            literal(str(self._store / batch.parts[table]))
            for dataset in sorted(datasets)
            for batch in self.batches(dataset)
            if table in batch.parts
        ]
        return f"read_parquet([{', '.join(files)}], union_by_name = true)" if files else None


@contextlib.contextmanager
def one_thread(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Threads cut a large table into other row groups each time, and the same rows must give the same bytes."""
    (before,) = con.sql("SELECT current_setting('threads')").fetchall()
    con.execute("SET threads = 1")
    try:
        yield
    finally:
        con.execute(f"SET threads = {before[0]}")


def create_table_as(con: duckdb.DuckDBPyConnection, name: str, query: str) -> None:
    """Create or replace ``schema.table`` from a SELECT."""
    schema, table = name.split(".")
    con.execute(f"CREATE SCHEMA IF NOT EXISTS {identifier(schema)}")
    con.execute(f"CREATE OR REPLACE TABLE {identifier(schema)}.{identifier(table)} AS {query}")
