"""Parts and batch records: every row that a manifest counts can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from turnup.durable import StoreDamaged, read_json
from turnup.upkeep.doctor.fault import Fault
from turnup.warehouse.connection import connect, literal
from turnup.warehouse.lake import LakeStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from turnup.upkeep.doctor.fault import Patient
    from turnup.warehouse.manifest import Manifest

_AGAIN = "it is moved aside and its files are read again"
_READ_AGAIN = "its batch is moved aside and read again from the received files"


def rows(patient: Patient, manifests: dict[str, Manifest]) -> Iterator[Fault]:
    """Torn batch records, parts that are gone or torn or unnamed, and ingests of ``manifests`` that no batch holds."""
    store = patient.home.store
    held: set[str] = set()
    named: set[Path] = set()
    with connect() as con:
        for file in sorted((store / "batches").glob("*/*.json")):
            record = _record(file)
            if record is None:
                message, cure = "this batch record cannot be read back: its rows count for nobody", _AGAIN
                yield Fault(patient.relative(file), "batch_torn", message, cure)
                continue
            held |= set(record["ingests"])
            named |= {store / part for part in record["parts"].values()}
            yield from _parts(con, patient, file, record)
    for part in sorted((store / "parts").glob("*/*.parquet")):
        if part not in named and patient.abandoned(part):
            message = "no batch record names it: the refresh that wrote it was ended"
            yield Fault(patient.relative(part), "part_unnamed", message, "it is moved aside")
    if patient.programme.lake is not None:
        held |= LakeStore(patient.programme.lake).known(patient.contracts).keys()
    for manifest in manifests.values():
        lost = {item.ingest for item in manifest.in_force} - held
        if lost:
            message = f"rows of {len(lost)} files that week {manifest.name} counts are in no batch"
            path = f"store/weeks/{manifest.name}.json"
            yield Fault(path, "rows_missing", message, "the received files are read again", manifest.name)


def readable(con: duckdb.DuckDBPyConnection, part: Path) -> bool:
    """Whether every value of a Parquet file can be read; ``con`` is any connection, for many files the same."""
    try:
        con.sql(f"SELECT bit_xor(hash(p)) FROM read_parquet({literal(str(part))}) AS p").fetchall()
    except (duckdb.Error, OSError):
        return False
    return True


def _record(file: Path) -> dict[str, Any] | None:
    try:
        record = read_json(file)
        return {"ingests": list(record["ingests"]), "parts": dict(record["parts"])}
    except (StoreDamaged, KeyError, TypeError, ValueError):
        return None


def _parts(con: duckdb.DuckDBPyConnection, patient: Patient, file: Path, record: dict[str, Any]) -> Iterator[Fault]:
    for place in sorted(record["parts"].values()):
        part = patient.home.store / place
        if not part.exists():
            yield Fault(patient.relative(part), "part_missing", "rows that were read are gone", _READ_AGAIN, str(file))
        elif not readable(con, part):
            yield Fault(patient.relative(part), "part_torn", "its rows cannot be read", _READ_AGAIN, str(file))
