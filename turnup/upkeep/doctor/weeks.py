"""Half weeks: a manifest without its results or its published file, and published files without a manifest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb

from turnup.durable import StoreDamaged
from turnup.upkeep.doctor.fault import Fault
from turnup.upkeep.doctor.rows import readable
from turnup.version import code_version
from turnup.warehouse.connection import connect
from turnup.warehouse.publish import published_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turnup.upkeep.doctor.fault import Patient
    from turnup.upkeep.needed import Needed
    from turnup.warehouse.manifest import Manifest

_PUBLISHED = re.compile(r"^(\d{4}-W\d{2}\.\d+)\.([0-9a-f]+)\.duckdb$")


def torn_manifests(patient: Patient) -> Iterator[Fault]:
    """Manifests that cannot be read back, and earlier ones that are gone though a later one names them."""
    store = patient.manifests
    names = {f"{week}.{ordinal}" for week, ordinal in store.names()}
    absent: dict[str, str] = {}
    for week, ordinal in store.names():
        try:
            absent |= {name: f"{week}.{ordinal}" for name in store.read(week, ordinal).history if name not in names}
        except StoreDamaged as error:
            yield Fault(f"store/weeks/{week}.{ordinal}.json", "manifest_torn", str(error))
    for name, later in sorted(absent.items()):
        message = f"week {later} compares itself with this result, which is gone; restore this file from a backup"
        yield Fault(f"store/weeks/{name}.json", "manifest_missing", message)


def weeks(patient: Patient, wanted: Needed) -> Iterator[Fault]:
    """Results that are gone or torn, the newest week without its published file, published files of no week."""
    store = patient.home.store
    for name, manifest in sorted(wanted.results.items()):
        with connect() as con:
            lost = [path for path in manifest.results.values() if not _whole(con, store / path)]
        if lost:
            message = f"{len(lost)} of {len(manifest.results)} result tables of week {name} are gone or torn"
            cure = _again(manifest) if name in wanted.rebuilt else ""
            more = "" if cure else "; it is no week that is kept, restore the folder from a backup"
            yield Fault(_folder(manifest, lost[0]), "results_missing", message + more, cure, name)
    newest = patient.manifests.newest()
    known = {f"{week}.{ordinal}" for week, ordinal in patient.manifests.names()}
    yield from _published(patient, known)
    if newest is not None and not published_file(patient.home, newest).exists():
        path = patient.relative(published_file(patient.home, newest))
        yield Fault(
            path, "not_published", f"week {newest.name} was committed and is not published", _again(newest), newest.name
        )


def opens(database: Path, fingerprint: str) -> bool:
    """Whether a published file opens and says that it is the result of this fingerprint."""
    try:
        with connect(database, read_only=True) as con:
            return con.sql("SELECT fingerprint FROM meta.week").fetchall() == [(fingerprint,)]
    except (duckdb.Error, OSError):
        return False


def _published(patient: Patient, known: set[str]) -> Iterator[Fault]:
    for file in sorted(patient.home.published.glob("*.duckdb")):
        found = _PUBLISHED.match(file.name)
        manifest = patient.manifests.named(found[1]) if found and found[1] in known else None
        if manifest is None or published_file(patient.home, manifest) != file:
            message = "no manifest names it: it is no committed week"
            yield Fault(patient.relative(file), "publication_unknown", message, "it is moved aside")
        elif not opens(file, manifest.fingerprint):
            message = f"it cannot be opened as week {manifest.name}"
            cure = "it is moved aside, and made again if it is the newest week"
            yield Fault(patient.relative(file), "publication_torn", message, cure, manifest.name)


def _again(manifest: Manifest) -> str:
    cure, then = "the week is made again from its manifest", manifest.inputs.get("code_version")
    return cure if then == code_version() else f"{cure}, by another turnup ({code_version()}) than made it ({then})"


def _whole(con: duckdb.DuckDBPyConnection, part: Path) -> bool:
    return part.exists() and readable(con, part)


def _folder(manifest: Manifest, lost: str) -> str:
    return f"store/{lost.rsplit('/', 1)[0]}"
