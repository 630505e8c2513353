"""The register against the store: every delivery has its bytes, every stored file its name and a delivery."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged
from turnup.upkeep.doctor.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turnup.landing import Delivery
    from turnup.upkeep.doctor.fault import Patient


def received(patient: Patient) -> Iterator[Fault]:
    """Gaps and torn segments of the register; contents that are wrong, gone, or named by no delivery."""
    gaps = list(_gaps(patient))
    yield from gaps
    try:
        deliveries = patient.landing.deliveries()
    except StoreDamaged as error:
        yield Fault("store/register", "register_torn", str(error))
        return
    stored = {file.name: file for file in sorted((patient.home.store / "files").glob("*/*")) if _is_content(file)}
    wrong = {name for name, file in stored.items() if sha256_of(file) != name}
    for name in sorted(wrong):
        message = "its bytes are not those that it is named by"
        cure = "it is moved aside, and taken again from the inbox where it still lies there"
        yield Fault(patient.relative(stored[name]), "content_wrong", message, cure, name)
    named = {delivery.sha256: delivery for delivery in deliveries}
    for sha256, delivery in sorted(named.items()):
        if sha256 not in stored:
            yield _missing(patient, delivery)
    for name in sorted(stored.keys() - named.keys() - wrong):
        if not gaps and patient.abandoned(stored[name]):
            message = "no delivery of the register names it: the scan that stored it was ended"
            yield Fault(patient.relative(stored[name]), "content_unnamed", message, "it is moved aside", name)


def sha256_of(file: Path) -> str:
    """Hash of a file's bytes, in hexadecimal."""
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def lying_in_inbox(patient: Patient, sha256: str) -> Path | None:
    """A file of the inbox with this content, at a place where it was received, or None."""
    for delivery in patient.landing.deliveries():
        file = patient.home.inbox / delivery.path
        if delivery.sha256 == sha256 and file.is_file() and not file.is_symlink() and sha256_of(file) == sha256:
            return file
    return None


def _missing(patient: Patient, delivery: Delivery) -> Fault:
    path = patient.relative(patient.landing.content(delivery.sha256))
    message = f"the content of {delivery.path}, received {delivery.received_at:%Y-%m-%d %H:%M} UTC, is gone"
    if lying_in_inbox(patient, delivery.sha256) is None:
        return Fault(path, "content_missing", f"{message}; restore this file from a backup", "", delivery.sha256)
    return Fault(path, "content_missing", message, "it is taken again from the inbox", delivery.sha256)


def _is_content(file: Path) -> bool:
    return file.is_file() and not file.name.startswith(".")


def _gaps(patient: Patient) -> Iterator[Fault]:
    folder = patient.home.store / "register"
    for number in range(1, patient.landing.last_segment() + 1):
        file = folder / f"{number:08d}.jsonl"
        if not file.exists():
            message = "this segment of the register is gone, and with it arrivals; restore it from a backup"
            yield Fault(patient.relative(file), "register_gap", message)
