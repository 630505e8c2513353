"""Retention: what no kept week needs, and its removal.

Belongs here: results that a newer result of the same week took the place of, what was kept with them, and rows that
only an earlier version or configuration of turnup read. Does not: received files, the register, manifests,
configuration and issued reports, which always stay.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from turnup.durable import canonical_json, replace_bytes
from turnup.upkeep.needed import needed, readings
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.parts import PartStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from expectations.contract import Contract
    from turnup.landing import Landing
    from turnup.programme import Home, Programme

_SETTLED = timedelta(days=1)


@dataclass(frozen=True)
class Prunable:
    """A file that no kept week needs: its place under the programme, its size in bytes, and why."""

    path: str
    size: int
    why: str


def prunable(
    home: Home, programme: Programme, contracts: dict[str, Contract], landing: Landing, now: datetime
) -> tuple[Prunable, ...]:
    """What would go, by path; nothing where ``programme.yaml`` has no ``retention``.

    A file of the last day stays, whatever it is: a refresh that is running may be about to name it.

    Raises:
        StoreDamaged: a manifest or batch record cannot be read back, so that nobody can say what is needed.
    """
    if programme.retention.weeks is None:
        return ()
    wanted = needed(ManifestStore(home.store), programme.retention.weeks)
    results = {path.rsplit("/", 1)[0] for manifest in wanted.results.values() for path in manifest.results.values()}
    checks = {f"{manifest.fingerprint}.json" for manifest in wanted.rebuilt.values()}
    ingests = {item.ingest for manifest in wanted.rebuilt.values() for item in manifest.in_force}
    ingests |= readings(home, programme, contracts, landing, wanted.rebuilt).keys()
    files = [
        *_results(home, results), *_checks(home, checks), *_parts(home, contracts, ingests)
    ]  # fmt: skip
    before = (now - _SETTLED).timestamp()
    return tuple(
        Prunable(file.relative_to(home.root).as_posix(), file.stat().st_size, why)
        for file, why in sorted(files)
        if file.stat().st_mtime < before
    )


def prune(home: Home, files: tuple[Prunable, ...], now: datetime) -> Path | None:
    """Write down what goes, then remove it; returns the record, or None when nothing goes."""
    if not files:
        return None
    record = home.store / "pruned" / f"{now:%Y-%m-%dT%H%M%S}.json"
    replace_bytes(record, canonical_json([asdict(item) for item in files]))
    # A batch record goes before its parts: parts without a record count for nobody, a record without parts is a fault.
    for item in sorted(files, key=lambda each: ("/batches/" not in each.path, each.path)):
        (home.root / item.path).unlink(missing_ok=True)
    for folder in sorted((home.store / "results").glob("*")):
        if not any(folder.iterdir()):
            folder.rmdir()
    return record


def _results(home: Home, wanted: set[str]) -> Iterator[tuple[Path, str]]:
    for folder in (home.store / "results").glob("*"):
        if folder.relative_to(home.store).as_posix() not in wanted:
            for file in folder.glob("*"):
                yield file, "result that a newer one took the place of"


def _checks(home: Home, wanted: set[str]) -> Iterator[tuple[Path, str]]:
    for file in (home.store / "checks").glob("*.json"):
        if file.name not in wanted:
            yield file, "checks of a result that is not made again"


def _parts(home: Home, contracts: dict[str, Contract], wanted: set[str]) -> Iterator[tuple[Path, str]]:
    store = PartStore(home.store)
    for dataset in contracts:
        for batch in store.batches(dataset):
            if wanted.isdisjoint(batch.ingests):
                yield home.store / "batches" / dataset / f"{batch.batch_id}.json", "rows that no kept week reads"
                for part in batch.parts.values():
                    if (home.store / part).exists():
                        yield home.store / part, "rows that no kept week reads"
