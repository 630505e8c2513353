"""What readers open: the link ``warehouse.duckdb``, and the issued reports in ``out/``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turnup.upkeep.doctor.fault import Fault
from turnup.upkeep.doctor.received import sha256_of
from turnup.warehouse.issued import issued_hashes
from turnup.warehouse.publish import published_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turnup.upkeep.doctor.fault import Patient

_WEEK = re.compile(r"^\d{4}-W\d{2}$")
_LINK = "warehouse.duckdb"


def link(patient: Patient) -> Iterator[Fault]:
    """A warehouse that is no link, leads nowhere, by an absolute path, or to another week than the newest."""
    home, newest = patient.home, patient.manifests.newest()
    there = home.warehouse.is_symlink() or home.warehouse.exists()
    if newest is None or not published_file(home, newest).exists():
        if home.warehouse.is_symlink() and not home.warehouse.exists():
            yield Fault(_LINK, "warehouse_link", "it leads to no file", "it is made again")
        return
    message = ""
    if not there:
        message = "it is gone"
    elif not home.warehouse.is_symlink():
        message = "it is a file of its own and no link to a published week"
    elif home.warehouse.readlink().is_absolute():
        message = "it leads to an absolute path, which breaks when the folder moves"
    elif not home.warehouse.exists():
        message = "it leads to no file"
    elif home.warehouse.resolve() != published_file(home, newest).resolve():
        message = f"it does not lead to the newest week, {newest.name}"
    if message:
        yield Fault(_LINK, "warehouse_link", message, "it is made again")


def reports(patient: Patient) -> Iterator[Fault]:
    """Reports that are gone or are not as they were issued, weeks without any, and folders of no week."""
    home, store = patient.home, patient.manifests
    newest = dict(store.names())
    for week, ordinal in newest.items():
        manifest = store.read(week, ordinal)
        issued = issued_hashes(home, manifest)
        if issued is None:
            message = f"no report was issued for {manifest.name}; turnup refresh --week {week} writes it"
            yield Fault(f"out/{week}", "not_issued", message, "", manifest.name)
            continue
        for name, digest in sorted(issued.items()):
            file = home.out / week / name
            cure = "it is written again where that gives the bytes that were issued"
            if not file.is_file():
                yield Fault(f"out/{week}/{name}", "report_missing", "an issued report is gone", cure, manifest.name)
            elif sha256_of(file) != digest:
                message = "it was changed after it was issued"
                yield Fault(
                    f"out/{week}/{name}", "report_changed", message, f"it is moved aside; {cure}", manifest.name
                )
    for folder in sorted(home.out.glob("*")):
        if folder.is_dir() and _WEEK.match(folder.name) and folder.name not in newest:
            yield Fault(
                f"out/{folder.name}", "report_unknown", "reports of a week without a result", "it is moved aside"
            )
