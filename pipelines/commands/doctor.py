"""``turnup doctor``: faults of a programme on disk, and their mending."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expectations.contract import load_contracts
from pipelines.commands.refresh import parse_instant
from turnup.durable import one_at_a_time
from turnup.landing import Landing
from turnup.programme import Home
from turnup.upkeep.doctor.examine import examine
from turnup.upkeep.doctor.fault import Patient

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.upkeep.doctor.fault import Fault
    from turnup.warehouse.manifest import Manifest


def see_doctor(folder: Path, now: str, output: Output, *, mends: bool) -> None:
    """Print every fault, mend those that can be mended when asked; exit code 1 while any is left."""
    home = Home(folder)
    programme = home.load()
    patient = Patient(home, programme, load_contracts(), Landing(home, programme.time_zone), parse_instant(now))
    faults = examine(patient)
    mended: tuple[Fault, ...] = ()
    aside, left = None, faults
    if mends and any(fault.cure for fault in faults):
        from turnup.upkeep.doctor.mend import mend

        with one_at_a_time(home.store / "reports.lock"):
            aside = mend(patient, faults, _written)
        left = examine(patient)
        mended = tuple(fault for fault in faults if fault not in left)
    output.document(
        {
            "faults": [_record(fault) for fault in left],
            "mended": [_record(fault) for fault in mended],
            "set_aside": aside,
        }
    )
    for fault in mended:
        output.line(f"mended  {fault.path}: {fault.message}")
    if aside is not None:
        output.line(f"What did not belong lies in {aside}; delete that folder when nothing of it is missed.")
    for fault in left:
        output.line(f"fault   {fault.path}: {fault.message}{_advice(fault, mends=mends)}")
    if not left:
        output.line("No fault is left." if mended else "No fault found.")
    else:
        raise SystemExit(1)


def _advice(fault: Fault, *, mends: bool) -> str:
    return f" (--mend: {fault.cure})" if fault.cure and not mends else ""


def _record(fault: Fault) -> dict[str, str]:
    return {"path": fault.path, "kind": fault.kind, "message": fault.message, "cure": fault.cure}


def _written(home: Home, manifest: Manifest, database: Path, names: Iterable[str]) -> dict[str, bytes]:
    from reports.issue import written_again  # the templates of the reports load slowly

    return written_again(home, manifest, database, names)
