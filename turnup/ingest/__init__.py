"""From landed files to accepted and quarantined rows, once per distinct content and way of reading it.

Belongs here: which files are read together, and several such batches at once. Does not: formats (``turnup.formats``),
rules (``expectations``), or which delivery is in force (``turnup.in_force``).
"""

from __future__ import annotations

import os
import queue
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.ingest.claiming import Claim, claims
from turnup.ingest.reading import FilesRead, read
from turnup.ingest.typed_rows import complete_rows, empty_typed, queries, type_rows
from turnup.isolation import Reader, shared_reader
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from expectations.contract import Contract
    from turnup.landing import Landing
    from turnup.warehouse.batches import Store

__all__ = ["Claim", "IngestSummary", "claims", "complete_rows", "empty_typed", "ingest_dataset", "ingest_datasets"]

BATCH_BYTES = 64 << 20
"""Bytes of files that are read and judged at once: they take some ten times as much memory."""
LANE_BYTES = 16 << 20
"""Bytes of files for which another reading process is worth its start."""
MOST_LANES = 4


@dataclass(frozen=True)
class IngestSummary:
    """What one refresh read for one dataset."""

    dataset: str
    files: int = 0
    accepted: int = 0
    quarantined: int = 0
    rejected_files: int = 0


@dataclass(frozen=True)
class _Batch:
    """Files of one dataset that are read together, and their bytes."""

    contract: Contract
    claims: tuple[Claim, ...]
    size: int


def ingest_dataset(
    store: Store, landing: Landing, dataset: str, contract: Contract, claimed: Iterable[Claim]
) -> IngestSummary:
    """Read every file of a dataset that was not read before, and commit its rows, in batches that fit into memory."""
    return ingest_datasets(store, landing, {dataset: contract}, claimed)[0]


def ingest_datasets(
    store: Store, landing: Landing, contracts: Mapping[str, Contract], claimed: Iterable[Claim]
) -> tuple[IngestSummary, ...]:
    """The same for several datasets, by name, in as many lanes at once as pay; no result shows how many there were."""
    known = store.known(contracts)
    fresh = {
        claim.ingest: claim for claim in claimed if claim.source.dataset in contracts and claim.ingest not in known
    }
    batches = [
        batch
        for dataset, contract in sorted(contracts.items())
        for batch in _batches(landing, contract, [each for each in fresh.values() if each.source.dataset == dataset])
    ]
    done = _in_lanes(store, landing, batches)
    return tuple(_summed(dataset, [one for one in done if one.dataset == dataset]) for dataset in sorted(contracts))


def _summed(dataset: str, parts: Sequence[IngestSummary]) -> IngestSummary:
    return IngestSummary(
        dataset, sum(part.files for part in parts), sum(part.accepted for part in parts),
        sum(part.quarantined for part in parts), sum(part.rejected_files for part in parts),
    )  # fmt: skip


def _batches(landing: Landing, contract: Contract, fresh: Iterable[Claim]) -> Iterator[_Batch]:
    """Files one after another until a batch is full, so that a killed refresh goes on where it was."""
    batch: list[Claim] = []
    held = 0
    for claim in sorted(fresh, key=lambda item: item.ingest):
        size = landing.content(claim.delivery.sha256).stat().st_size
        if batch and held + size > BATCH_BYTES:
            yield _Batch(contract, tuple(batch), held)
            batch, held = [], 0
        batch.append(claim)
        held += size
    if batch:
        yield _Batch(contract, tuple(batch), held)


def lanes_for(batches: Sequence[_Batch], cores: int) -> int:
    """How many batches are read at once: no more than there are cores, and none for a few small files."""
    size = sum(batch.size for batch in batches)
    return max(1, min(cores, MOST_LANES, len(batches), size // LANE_BYTES))


def _in_lanes(store: Store, landing: Landing, batches: Sequence[_Batch]) -> list[IngestSummary]:
    """Read and commit the batches; each lane has a reading process and a connection of its own.

    A batch is the same whichever lane takes it. The largest go first, so that the lanes end together.
    """
    lanes = lanes_for(batches, len(os.sched_getaffinity(0))) if store.takes_several else 1
    if lanes == 1:
        return [_ingest_batch(store, landing, batch, shared_reader(), None) for batch in batches]
    free: queue.SimpleQueue[Reader] = queue.SimpleQueue()
    readers = [shared_reader(), *(Reader() for _ in range(lanes - 1))]
    for reader in readers:
        free.put(reader)

    def ingest(batch: _Batch) -> IngestSummary:
        reader = free.get()
        try:
            return _ingest_batch(store, landing, batch, reader, 1)
        finally:
            free.put(reader)

    pool = ThreadPoolExecutor(lanes, thread_name_prefix="lane")
    try:
        return list(pool.map(ingest, sorted(batches, key=lambda batch: -batch.size)))
    finally:
        pool.shutdown(cancel_futures=True)
        for reader in readers[1:]:
            reader.close()


def _ingest_batch(store: Store, landing: Landing, batch: _Batch, reader: Reader, threads: int | None) -> IngestSummary:
    files = FilesRead()
    contract = batch.contract
    for claim in batch.claims:
        read(reader, landing.content(claim.delivery.sha256), claim, contract, files)
    with connect(threads=threads) as con:
        accepted, quarantined = type_rows(con, contract, files)
        store.write(con, contract.name, [claim.ingest for claim in batch.claims], queries(contract.name))
    failed = sum(row["status"] == "rejected" for row in files.rows["_ledger"])
    return IngestSummary(contract.name, len(batch.claims), accepted, quarantined, failed)
