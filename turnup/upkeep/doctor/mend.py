"""Mending: what does not belong is moved aside, what can be made again is made again; nothing is deleted.

Belongs here: the cure of each kind of fault. Does not: writing reports, which the caller hands in.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes
from turnup.ingest import ingest_dataset, ingest_datasets
from turnup.refresh import Refresh
from turnup.upkeep.doctor.received import lying_in_inbox
from turnup.upkeep.needed import needed, readings
from turnup.warehouse.issued import issued_hashes
from turnup.warehouse.publish import point_warehouse
from turnup.warehouse.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from turnup.ingest import Claim
    from turnup.programme import Home
    from turnup.upkeep.doctor.fault import Fault, Patient
    from turnup.warehouse.manifest import Manifest

    WriteReports = Callable[[Home, Manifest, Path, Iterable[str]], dict[str, bytes]]
    """A week's report files by name, made again from its database in the formats of the names that were issued."""


@dataclass(frozen=True)
class Aside:
    """The folder into which one mending moves things, under their own paths."""

    home: Path
    folder: Path

    def take(self, path: Path) -> None:
        """Move a file, link or folder of the programme aside; one that is gone already is no matter."""
        target = self.folder / path.relative_to(self.home)
        target.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            path.rename(target)


def mend(patient: Patient, faults: tuple[Fault, ...], write_reports: WriteReports) -> Path:
    """Cure every fault that has a cure.

    Args:
        patient: the programme.
        faults: what was found.
        write_reports: makes the report files of a published database.

    Returns:
        The folder with what was moved aside, and ``faults.json``, the list of what was found.
    """
    home = patient.home
    aside = Aside(home.root, home.set_aside / f"{patient.now:%Y-%m-%dT%H%M%S}")
    replace_bytes(
        aside.folder / "faults.json",
        canonical_json([{"path": item.path, "kind": item.kind, "message": item.message} for item in faults]),
    )
    curable = [fault for fault in faults if fault.cure]
    for fault in curable:
        if fault.kind in _MOVED:
            aside.take(home.root / fault.path)
    # Without the whole register nobody knows what was received; the other cures need none of it.
    with contextlib.suppress(StoreDamaged):
        _take_again(patient, curable)
        _read_again(patient, curable, aside)
    _make_again(patient, curable, aside)
    if any(fault.kind == "warehouse_link" for fault in curable):
        aside.take(home.warehouse)
    point_warehouse(home)
    _write_again(patient, curable, aside, write_reports)
    return aside.folder


_MOVED = frozenset(
    {"leftover", "content_wrong", "content_unnamed", "batch_torn", "part_unnamed", "publication_unknown",
     "publication_torn", "report_unknown"}
)  # fmt: skip


def _take_again(patient: Patient, faults: list[Fault]) -> None:
    """Store contents again that the inbox still has."""
    for fault in faults:
        if fault.kind in ("content_missing", "content_wrong"):
            file = lying_in_inbox(patient, fault.subject)
            if file is not None:
                patient.landing.keep(file)


def _read_again(patient: Patient, faults: list[Fault], aside: Aside) -> None:
    """Read the files again whose rows are lost; a batch of which any file cannot be read as then stays as it is."""
    records = {Path(fault.subject) for fault in faults if fault.kind in ("part_missing", "part_torn")}
    lost = any(fault.kind in ("batch_torn", "rows_missing") for fault in faults)
    if not records and not lost:
        return
    wanted = needed(patient.manifests, patient.programme.retention.weeks)
    known = readings(patient.home, patient.programme, patient.contracts, patient.landing, wanted.rebuilt)
    for record in sorted(records):
        _read_batch(patient, record, known, [fault for fault in faults if fault.subject == str(record)], aside)
    if lost:
        claimed = [claim for claim in known.values() if _is_here(patient, claim)]
        ingest_datasets(open_store(patient.home, patient.programme), patient.landing, patient.contracts, claimed)


def _read_batch(patient: Patient, record: Path, known: dict[str, Claim], faults: list[Fault], aside: Aside) -> None:
    with contextlib.suppress(StoreDamaged):
        held = set(read_json(record)["ingests"])
        claimed = [known[ingest] for ingest in sorted(held) if ingest in known and _is_here(patient, known[ingest])]
        if len(claimed) == len(held):
            # The same ingests make the same batch again, so that its other parts keep their names.
            aside.take(record)
            for fault in faults:
                aside.take(patient.home.root / fault.path)
            dataset = record.parent.name
            ingest_dataset(
                open_store(patient.home, patient.programme),
                patient.landing,
                dataset,
                patient.contracts[dataset],
                claimed,
            )


def _is_here(patient: Patient, claim: Claim) -> bool:
    return patient.landing.content(claim.delivery.sha256).is_file()


def _make_again(patient: Patient, faults: list[Fault], aside: Aside) -> None:
    """Make weeks again whose results are torn or that are not published."""
    for fault in faults:
        if fault.kind == "results_missing":
            aside.take(patient.home.root / fault.path)
            manifest = patient.manifests.named(fault.subject)
            with contextlib.suppress(StoreDamaged):
                Refresh(patient.home, manifest.week, patient.now).restore(manifest)
    newest = patient.manifests.newest()
    torn = any(fault.kind in ("not_published", "publication_torn") for fault in faults)
    if newest is not None and torn:
        with contextlib.suppress(StoreDamaged):
            Refresh(patient.home, newest.week, patient.now).restore(newest)


def _write_again(patient: Patient, faults: list[Fault], aside: Aside, write_reports: WriteReports) -> None:
    """Write reports again where that gives the issued bytes; others stay lost, and are not replaced by other ones."""
    lost: dict[str, list[Fault]] = {}
    for fault in faults:
        if fault.kind in ("report_missing", "report_changed"):
            lost.setdefault(fault.subject, []).append(fault)
    for name, those in sorted(lost.items()):
        manifest = patient.manifests.named(name)
        issued = issued_hashes(patient.home, manifest) or {}
        with contextlib.suppress(StoreDamaged):
            _write_week(patient, manifest, issued, those, aside, write_reports)


def _write_week(
    patient: Patient, manifest: Manifest, issued: dict[str, str], faults: list[Fault], aside: Aside,
    write_reports: WriteReports,
) -> None:  # fmt: skip
    database = Refresh(patient.home, manifest.week, patient.now).restore(manifest)
    written = write_reports(patient.home, manifest, database, issued)
    for fault in faults:
        file = patient.home.root / fault.path
        name = file.relative_to(patient.home.out / manifest.week).as_posix()
        content = written.get(name)
        if content is not None and sha256(content).hexdigest() == issued.get(name):
            aside.take(file)
            replace_bytes(file, content)
