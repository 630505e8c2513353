"""What a store of typed rows does, whichever lies below it.

Belongs here: the interface and what its stores share. Does not: which one a programme has
(``turnup.warehouse.store``), nor how rows are kept (``turnup.warehouse.parts`` for files of the
programme's own folder, ``turnup.warehouse.lake`` for a lake that several machines share).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb


@dataclass(frozen=True)
class Batch:
    """One committed batch: the dataset, the ingests it covers and where the rows of each of its tables are."""

    batch_id: str
    dataset: str
    ingests: tuple[str, ...]
    parts: dict[str, str]


class Store(Protocol):
    """Rows of batches: written once, whole or not at all, and never changed."""

    @property
    def takes_several(self) -> bool:
        """Whether several connections of one process may write at once."""

    def known(self, datasets: Iterable[str]) -> dict[str, str]:
        """Map every ingest of the datasets to the batch that holds it; of two racing batches the first by id counts."""

    def attach(self, con: duckdb.DuckDBPyConnection) -> None:
        """Make what ``scan`` says readable in a connection."""

    def scan(self, con: duckdb.DuckDBPyConnection, table: str, datasets: Iterable[str]) -> str | None:
        """SQL that reads every committed row of a table, with ``_batch`` and ``_ingest``; None when there is none.

        Rows come by dataset and batch, and within a batch as they were written.
        """

    def write(
        self, con: duckdb.DuckDBPyConnection, dataset: str, ingests: Iterable[str], tables: Mapping[str, str]
    ) -> Batch:
        """Write one batch and commit it; what was committed before is not written again.

        Args:
            con: connection in which the queries run.
            dataset: dataset of the batch.
            ingests: ids of the ingests covered, with or without rows.
            tables: table name to the SELECT that yields its rows, sorted, with a column ``_ingest``.
        """


def batch_id(dataset: str, ingests: Iterable[str]) -> str:
    """The load id: the same ingests of a dataset are the same batch."""
    return hashlib.sha256("\n".join((dataset, *ingests)).encode()).hexdigest()[:16]


def holders(batches: Iterable[Batch]) -> dict[str, str]:
    """Ingest to the first batch, in the order given, that holds it."""
    found: dict[str, str] = {}
    for batch in batches:
        for ingest in batch.ingests:
            found.setdefault(ingest, batch.batch_id)
    return found
