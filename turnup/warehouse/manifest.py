"""Manifests: the commit of a week's result.

A manifest names what a week was made from (deliveries, configuration, code, the week before as issued) and where its
result tables are. It is created exclusively: of two refreshes that race, one commits and the other finds the number
taken. Belongs here: reading, comparing and creating manifests. Does not: how a result is computed.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from turnup.durable import StoreDamaged, canonical_json, create_exclusive, read_json

if TYPE_CHECKING:
    from pathlib import Path

State = Literal["open", "closed", "restated"]
_NAME = re.compile(r"^(\d{4}-W\d{2})\.(\d+)$")


@dataclass(frozen=True)
class InForce:
    """A delivery that counts in a week: for which source and dataset, read as which ingest, held in which batch.

    ``corrects`` is the content whose rows a returned send-back corrects, empty for every other delivery.
    """

    delivery_id: str
    source: str
    dataset: str
    ingest: str
    batch: str
    corrects: str = ""


@dataclass(frozen=True)
class Manifest:
    """One committed result of one week.

    Attributes:
        week: label such as 2026-W44.
        ordinal: 1 for the first result of the week, counting up.
        state: ``open`` before the cut-off, ``closed`` after it, ``restated`` when a closed week was re-opened on
        request. fingerprint: hash of everything the result depends on. inputs: the parts of the fingerprint, for
        people. in_force: deliveries that count. previous: name of the manifest of the week before that this result
        compares itself with, or None. results: result table to Parquet path, relative to the store. reason: why a
        person asked for this result, when one did. history: names of all earlier weeks' manifests that it was made
        with. register: number of the last segment of the register that it knew.
    """

    week: str
    ordinal: int
    state: State
    fingerprint: str
    inputs: dict[str, str]
    in_force: tuple[InForce, ...]
    previous: str | None
    results: dict[str, str] = field(default_factory=dict)
    reason: str = ""
    history: tuple[str, ...] = ()
    register: int | None = None

    @property
    def name(self) -> str:
        """For example ``2026-W44.1``."""
        return f"{self.week}.{self.ordinal}"


class ManifestStore:
    """The manifests of one programme."""

    def __init__(self, store: Path) -> None:
        """Open the folder ``weeks`` of a store."""
        self._folder = store / "weeks"

    def names(self) -> list[tuple[str, int]]:
        """Every (week, ordinal), sorted."""
        matches = (_NAME.match(file.stem) for file in self._folder.glob("*.json"))
        return sorted((found[1], int(found[2])) for found in matches if found)

    def latest(self, week: str) -> Manifest | None:
        """The newest manifest of a week, or None."""
        ordinals = [ordinal for label, ordinal in self.names() if label == week]
        return self.read(week, max(ordinals)) if ordinals else None

    def first_issued(self, week: str, before: int) -> Manifest | None:
        """The first result of a closed week with a smaller number than ``before``, or None: what was issued first.

        What was shown while the week was open was no issue; where nothing else was made, there is none.
        """
        for label, ordinal in self.names():
            if label == week and ordinal < before and (found := self.read(week, ordinal)).state != "open":
                return found
        return None

    def latest_before(self, week: str) -> list[Manifest]:
        """The newest manifest of every earlier week, oldest week first."""
        newest = {label: ordinal for label, ordinal in self.names() if label < week}
        return [self.read(label, ordinal) for label, ordinal in sorted(newest.items())]

    def newest(self) -> Manifest | None:
        """The newest manifest of the newest week, or None."""
        names = self.names()
        return self.read(*names[-1]) if names else None

    def read(self, week: str, ordinal: int) -> Manifest:
        """Read one manifest.

        Raises:
            StoreDamaged: it cannot be read back.
        """
        file = self._folder / f"{week}.{ordinal}.json"
        record: dict[str, Any] = read_json(file)
        try:
            record["in_force"] = tuple(InForce(**item) for item in record["in_force"])
            record["history"] = tuple(record.get("history", ()))
            return Manifest(**record)
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreDamaged(f"{file}: is no manifest ({error}); restore this file from a backup") from error

    def named(self, name: str) -> Manifest:
        """Read the manifest of a name such as ``2026-W44.1``."""
        week, _, ordinal = name.partition(".")
        return self.read(week, int(ordinal))

    def create(self, manifest: Manifest) -> bool:
        """Commit a manifest; False when its number was taken by another refresh meanwhile."""
        return create_exclusive(self._folder / f"{manifest.name}.json", canonical_json(asdict(manifest)))


def fingerprint(inputs: dict[str, str], in_force: tuple[InForce, ...]) -> str:
    """Hash of what a week's result depends on; the batch that holds the rows is storage, not identity."""
    rows = sorted((item.delivery_id, item.source, item.dataset, item.ingest, item.corrects) for item in in_force)
    return hashlib.sha256(json.dumps([inputs, rows], sort_keys=True).encode()).hexdigest()[:16]
