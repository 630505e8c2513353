"""Every capacity-bearing asset and the day it reached each stage: the one story that all files are drawn from.

Belongs here: units and their true dates. Does not: files. A unit's evidence in any file is this story seen on that
file's date, so the files agree with each other except where ``defects`` makes them disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random

from examples.demo.systems import BY_ID, System
from examples.demo.weeks import MON, THU, TUE, WED, day

Week = int | None


@dataclass(frozen=True)
class Tranche:
    """Units of one block that move together; a stage is the ISO week it was reached, or None for not yet."""

    system: str
    block: str
    count: int
    shipped: Week = None
    received: Week = None
    racked: Week = None
    powered: Week = None
    linked: Week = None
    tested: Week = None
    handed: Week = None
    offered: Week = None


TRANCHES: tuple[Tranche, ...] = (
    Tranche("ABL-GPU-1", "B1", 8, 26, 27, 29, 30, 31, 33, 33, 34),
    Tranche("ABL-GPU-1", "B2", 8, 26, 28, 30, 31, 33, 34, 34, 35),
    Tranche("ABL-GPU-1", "B3", 8, 28, 29, 31, 33, 34, 35, 35, 36),
    Tranche("ABL-GPU-1", "B4", 8, 28, 30, 32, 34, 35, 36, 36, 37),
    Tranche("HIL-GPU-1", "H1", 8, 30, 31, 33, 34, 35, 36, 37, 38),
    Tranche("HIL-GPU-1", "H2", 8, 30, 31, 33, 35, 36, 37, 38, 39),
    Tranche("HIL-GPU-1", "H3", 8, 32, 33, 34, 36, 37, 38, 39, 40),
    Tranche("HIL-GPU-1", "H4", 8, 33, 34, 35, 37, 38, 39, 40, 41),
    Tranche("HIL-GPU-1", "H5", 8, 34, 35, 36, 38, 39, 41, 41, 42),
    Tranche("HIL-GPU-1", "H6", 8, 36, 37, 38, 40, 42, 43),
    Tranche("ABL-GPU-2", "SU1", 14, 34, 36, 37, 39, 40, 42, 43, 44),
    Tranche("ABL-GPU-2", "SU1", 2, 34, 36, 37, 39),
    Tranche("ABL-GPU-2", "SU2", 8, 36, 38, 39, 41, 43),
    Tranche("ABL-GPU-2", "SU2", 8, 36, 38, 39, 41),
    Tranche("ABL-GPU-2", "SU3", 4, 39, 41, 43, 44),
    Tranche("ABL-GPU-2", "SU3", 4, 39, 41, 43),
    Tranche("ABL-GPU-2", "SU3", 8, 39, 41),
    Tranche("ABL-GPU-2", "SU4", 8, 43),
    Tranche("ABL-GPU-2", "SU4", 8),
    Tranche("EUS2-GPU-1", "R", 8, linked=34, tested=35, handed=35, offered=36),
    Tranche("EUS2-GPU-1", "R", 8, linked=36, tested=37, handed=37, offered=38),
    Tranche("HIL-CPU-1", "C1", 20, 26, 27, 29, 31, 32, 33, 34, 35),
    Tranche("HIL-CPU-1", "C2", 20, 29, 30, 32, 34, 35, 36, 36, 37),
    Tranche("ABL-STO-1", "S1", 8, 29, 30, 32, 34, 35, 36, 37, 38),
    Tranche("ABL-STO-1", "S2", 4, 37, 39, 41, 43),
    Tranche("DUB-STO-1", "S1", 8, 35, 38, 40),
    Tranche("IAD-POP-1", "P1", 2, 28, 29, 31, 32, 34, 35, 36, 37),
    Tranche("DUB-POP-1", "P1", 1, 34, 39, 41),
    Tranche("DUB-POP-1", "P1", 1, 34, 39),
    Tranche("HIL-BBN-1", "N1", 2, 33, 34, 37, 39, 41),
)

PART_OF_SYSTEM: dict[str, str] = {
    "ABL-GPU-1": "DGXH-G1141F+P2CMI36",
    "ABL-GPU-2": "DGXH-G1141F+P2CMI36",
    "HIL-GPU-1": "SYS-821GE-TNHR",
    "HIL-CPU-1": "AS-1125HS-TNR",
    "ABL-STO-1": "NVE-24-61T",
    "DUB-STO-1": "RSE-5124/EU",
    "IAD-POP-1": "PTX10001-36MR",
    "DUB-POP-1": "PTX10001-36MR",
    "HIL-BBN-1": "PTX10001-36MR",
}
_SERIALS = {
    "ABL-GPU-1": "1660324{:06d}", "ABL-GPU-2": "1660325{:06d}", "HIL-GPU-1": "S{:06d}X4A", "HIL-CPU-1": "S{:06d}X3C",
    "ABL-STO-1": "NVE24J{:05d}", "DUB-STO-1": "RS-26-{:05d}", "IAD-POP-1": "JN11A{:04d}ASA",
    "DUB-POP-1": "JN12B{:04d}ASA",
    "HIL-BBN-1": "JN11C{:04d}ASA",
}  # fmt: skip
_PER_RACK = {"gpu_cluster": 4, "cpu_cluster": 20, "storage": 4}
_HALL = {"ABL-GPU-1": "A1", "ABL-GPU-2": "A2", "ABL-STO-1": "A1"}


@dataclass(frozen=True)
class Unit:
    """One capacity-bearing asset with its true dates.

    Attributes:
        number: place in its system, from 1.
        serial: empty for cloud nodes.
        offered: first day on which the scheduler offers it.
    """

    system: System
    block: str
    number: int
    asset_id: str
    serial: str
    rack: str
    position: str
    shipped: date | None
    received: date | None
    racked: date | None
    cabled: date | None
    powered: date | None
    provisioned: date | None
    linked: date | None
    tested: date | None
    handed: date | None
    offered: date | None

    @property
    def host(self) -> str:
        """Host name."""
        return f"{self.system.host}-{self.number:03d}"


def fleet(seed: int) -> list[Unit]:
    """Return all units; the seed decides serial numbers and the day of the week within each stage."""
    random = Random(seed)
    counters: dict[str, int] = {}
    first_serial = {
        system: random.randrange(1000, 9000 if "JN" in mask else 90000) for system, mask in _SERIALS.items()
    }
    units = []
    for tranche in TRANCHES:
        for _ in range(tranche.count):
            number = counters[tranche.system] = counters.get(tranche.system, 0) + 1
            serial = _SERIALS.get(tranche.system, "").format(first_serial.get(tranche.system, 0) + number * 3)
            units.append(_unit(random, tranche, number, serial))
    return units


def _unit(random: Random, tranche: Tranche, number: int, serial: str) -> Unit:
    system = BY_ID[tranche.system]
    racked = _on(tranche.racked, random.choice((MON, TUE)))
    per_rack = _PER_RACK.get(system.kind, 2)
    row = f"{system.site}-{_HALL.get(system.system_id, 'M1')}-{system.host[-2:].upper()}"
    powered = _on(tranche.powered, random.choice((MON, TUE)))
    return Unit(
        system=system,
        block=tranche.block,
        number=number,
        asset_id=f"{system.host.upper()}-{number:04d}",
        serial=serial,
        rack=f"{row}{(number - 1) // per_rack + 1:02d}",
        position=f"U{((number - 1) % per_rack) * (8 if system.kind == 'gpu_cluster' else 2) + 3:02d}",
        shipped=_on(tranche.shipped, MON),
        received=_on(tranche.received, TUE),
        racked=racked,
        cabled=_on(tranche.racked, WED),
        powered=powered,
        provisioned=_on(tranche.powered, WED),
        linked=_on(tranche.linked, random.choice((TUE, WED))),
        tested=_on(tranche.tested, THU),
        handed=_on(tranche.handed, THU),
        offered=_on(tranche.offered, TUE),
    )


def _on(week: Week, weekday: int) -> date | None:
    return None if week is None else day(week, weekday)


def reached(moment: date | None, today: date) -> bool:
    """Tell whether a stage was reached by the end of a day."""
    return moment is not None and moment <= today
