"""What a fault is, and what every search for one needs to know of the programme."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from turnup.warehouse.manifest import ManifestStore

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from expectations.contract import Contract
    from turnup.landing import Landing
    from turnup.programme import Home, Programme

Kind = Literal[
    "leftover",
    "register_gap",
    "register_torn",
    "content_wrong",
    "content_missing",
    "content_unnamed",
    "batch_torn",
    "part_missing",
    "part_torn",
    "part_unnamed",
    "rows_missing",
    "manifest_torn",
    "manifest_missing",
    "results_missing",
    "not_published",
    "publication_unknown",
    "publication_torn",
    "warehouse_link",
    "report_missing",
    "report_changed",
    "report_unknown",
    "not_issued",
]
_RUNNING = timedelta(days=1)


@dataclass(frozen=True, order=True)
class Fault:
    """One fault.

    Attributes:
        path: the file or folder, relative to the programme.
        kind: family of the fault.
        message: what is wrong, in a sentence.
        cure: what ``--mend`` does about it; empty where only a person can, and then the message says how.
        subject: manifest, batch or content that it is about, where that is not the path.
    """

    path: str
    kind: Kind
    message: str
    cure: str = ""
    subject: str = field(default="", compare=False)


@dataclass(frozen=True)
class Patient:
    """A programme under examination at an instant."""

    home: Home
    programme: Programme
    contracts: dict[str, Contract]
    landing: Landing
    now: datetime

    @property
    def manifests(self) -> ManifestStore:
        """The manifests of the programme."""
        return ManifestStore(self.home.store)

    def relative(self, path: Path) -> str:
        """A path as faults name it."""
        return path.relative_to(self.home.root).as_posix()

    def abandoned(self, path: Path) -> bool:
        """Whether nothing that is running can still be about to name or finish a file: it is a day old."""
        try:
            return path.lstat().st_mtime < (self.now - _RUNNING).timestamp()
        except FileNotFoundError:
            return False
