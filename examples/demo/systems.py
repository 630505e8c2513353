"""The twelve systems, their blocks, contracts and dependencies.

Belongs here: what was promised and in which pieces. Does not: the hardware (``fleet``) or parts (``supply``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class System:
    """A deployable unit of the programme.

    Attributes:
        blocks: block name, number of units in it, date needed.
        per_unit: capacity borne by one unit, in the kind's unit.
        host: host name stem of its units.
    """

    system_id: str
    name: str
    kind: str
    site: str
    supply_model: str
    cluster: str
    design_kw: int
    racks: int
    priority: int
    owner: str
    playbook: str
    host: str
    per_unit: str
    blocks: tuple[tuple[str, int, date], ...]


def _d(month: int, day: int) -> date:
    return date(2026, month, day)


SYSTEMS: tuple[System, ...] = (
    System(
        "ABL-GPU-1", "Abilene training cluster 1", "gpu_cluster", "ABL", "owned", "abl-slurm-1", 340, 8, 1,
        "Priya Raman", "gpu_cluster", "abl-g1", "8",
        (("B1", 8, _d(8, 28)), ("B2", 8, _d(8, 28)), ("B3", 8, _d(9, 11)), ("B4", 8, _d(9, 11))),
    ),
    System(
        "ABL-GPU-2", "Abilene training cluster 2", "gpu_cluster", "ABL", "owned", "abl-slurm-2", 680, 16, 2,
        "Priya Raman", "gpu_cluster", "abl-g2", "8",
        (("SU1", 16, _d(10, 16)), ("SU2", 16, _d(10, 30)), ("SU3", 16, _d(12, 4)), ("SU4", 16, _d(12, 18))),
    ),
    System(
        "HIL-GPU-1", "Hillsboro inference cluster 1", "gpu_cluster", "HIL", "owned", "hil-slurm-1", 420, 12, 3,
        "Marcus Feld", "gpu_cluster", "hil-g1", "8",
        tuple((f"H{n}", 8, _d(9, 25) if n < 4 else _d(10, 23)) for n in range(1, 7)),
    ),
    System(
        "EUS2-GPU-1", "Azure H200 reservation", "gpu_cluster", "EUS2", "cloud", "aks-eus2-h200", 0, 0, 4,
        "Aisha Bello", "gpu_cluster", "aks-h200", "8", (("R", 16, _d(9, 18)),),
    ),
    System(
        "HIL-CPU-1", "Hillsboro data preparation cluster", "cpu_cluster", "HIL", "owned", "hil-slurm-cpu", 48, 2, 5,
        "Marcus Feld", "cpu_cluster", "hil-c1", "192", (("C1", 20, _d(9, 11)), ("C2", 20, _d(9, 30))),
    ),
    System(
        "ABL-STO-1", "Abilene training store", "storage", "ABL", "owned", "", 36, 3, 2,
        "Wen Zhao", "storage", "abl-s1", "1.5", (("S1", 8, _d(9, 30)), ("S2", 4, _d(11, 30))),
    ),
    System(
        "DUB-STO-1", "Dublin corpus store", "storage", "DUB", "owned", "", 22, 2, 6,
        "Wen Zhao", "storage", "dub-s1", "1.25", (("S1", 8, _d(10, 16)),),
    ),
    System(
        "IAD-POP-1", "Ashburn point of presence", "pop", "IAD", "owned", "", 6, 1, 3,
        "Tomasz Nowak", "pop", "iad-pr", "36", (("P1", 2, _d(9, 25)),),
    ),
    System(
        "DUB-POP-1", "Dublin point of presence", "pop", "DUB", "owned", "", 6, 1, 6,
        "Tomasz Nowak", "pop", "dub-pr", "36", (("P1", 2, _d(10, 9)),),
    ),
    System(
        "HIL-BBN-1", "Hillsboro backbone node", "backbone_node", "HIL", "owned", "", 8, 1, 4,
        "Tomasz Nowak", "backbone_node", "hil-bb", "36", (("N1", 2, _d(10, 23)),),
    ),
    System(
        "WAN-ABL-IAD", "Abilene to Ashburn 400G waves", "wan_link", "ABL", "leased", "", 0, 0, 3,
        "Renata Silva", "wan_link", "", "400", (("W", 4, _d(11, 13)),),
    ),
    System(
        "IAD-AZX-1", "Ashburn ExpressRoute Direct pair", "cloud_interconnect", "IAD", "leased", "", 0, 0, 4,
        "Renata Silva", "cloud_interconnect", "", "100", (("X", 2, _d(10, 2)),),
    ),
)  # fmt: skip

HALLS: dict[str, dict[str, str]] = {
    "ABL-GPU-1": dict.fromkeys(("B1", "B2", "B3", "B4"), "Hall A"),
    "ABL-GPU-2": {"SU1": "Hall A", "SU2": "Hall A", "SU3": "Hall B", "SU4": "Hall C"},
    "ABL-STO-1": {"S1": "Hall A", "S2": "Hall A"},
}
"""Hall of each block at the campus; the other sites have one hall each."""
ROLL_IN: dict[tuple[str, str], date] = {("ABL-GPU-2", "SU4"): _d(11, 27)}
"""Day on which racks are planned to stand, where somebody planned it: two weeks before Hall C has power."""

BY_ID: dict[str, System] = {system.system_id: system for system in SYSTEMS}


@dataclass(frozen=True)
class Promise:
    """One contract line as amended: quantity, dates and money (unit cost per unit and month)."""

    contract: str
    line: str
    phase: str
    amendment: int
    system_id: str
    quantity: str
    unit: str
    due: date
    internal: date
    unit_cost: str
    option: bool = False
    signed: bool = True
    supersedes: str | None = None
    since: int = 33
    reason: str = ""
    decision: str = ""


PROMISES: tuple[Promise, ...] = (
    Promise("MSA-2025-117", "010", "P1", 0, "ABL-GPU-1", "256", "accelerators", _d(9, 11), _d(9, 4), "1450.00"),
    Promise("MSA-2025-117", "020", "P1", 0, "ABL-GPU-2", "256", "accelerators", _d(10, 16), _d(10, 9), "1450.00"),
    Promise("MSA-2025-117", "020", "P1", 1, "ABL-GPU-2", "256", "accelerators", _d(10, 30), _d(10, 23), "1450.00",
            supersedes="MSA-2025-117/020/P1/0", since=36, reason="Second allocation of optics", decision="C-045"),
    Promise("MSA-2025-117", "020", "P2", 0, "ABL-GPU-2", "256", "accelerators", _d(12, 18), _d(12, 11), "1450.00"),
    Promise("MSA-2025-117", "020", "P3", 0, "ABL-GPU-2", "256", "accelerators", date(2027, 3, 31), date(2027, 3, 19),
            "1395.00", option=True),
    Promise("MSA-2025-117", "030", "P1", 0, "HIL-GPU-1", "192", "accelerators", _d(9, 25), _d(9, 18), "1510.00"),
    Promise("MSA-2025-117", "030", "P2", 0, "HIL-GPU-1", "192", "accelerators", _d(10, 23), _d(10, 16), "1510.00"),
    Promise("MSA-2025-117", "030", "P3", 0, "HIL-GPU-1", "128", "accelerators", date(2027, 1, 29), date(2027, 1, 22),
            "1480.00", signed=False, since=41),
    Promise("CSP-2026-044", "010", "R", 0, "EUS2-GPU-1", "128", "accelerators", _d(9, 18), _d(9, 18), "2890.00"),
    Promise("MSA-2025-121", "010", "P1", 0, "HIL-CPU-1", "7680", "cores", _d(9, 30), _d(9, 23), "3.10"),
    Promise("STO-2026-009", "010", "P1", 0, "ABL-STO-1", "12", "PB", _d(9, 30), _d(9, 25), "9800.00"),
    Promise("STO-2026-009", "010", "P2", 0, "ABL-STO-1", "6", "PB", _d(11, 30), _d(11, 20), "9800.00"),
    Promise("STO-2026-015", "010", "P1", 0, "DUB-STO-1", "10", "PB", _d(10, 16), _d(10, 9), "10450.00"),
    Promise("NET-2026-031", "010", "P1", 0, "IAD-POP-1", "72", "ports", _d(9, 30), _d(9, 25), "410.00"),
    Promise("NET-2026-031", "020", "P1", 0, "DUB-POP-1", "72", "ports", _d(10, 9), _d(10, 2), "455.00"),
    Promise("NET-2026-031", "030", "P1", 0, "HIL-BBN-1", "72", "ports", _d(10, 30), _d(10, 23), "430.00"),
    Promise("WAN-2026-007", "010", "P1", 0, "WAN-ABL-IAD", "800", "Gbit/s", _d(9, 30), _d(9, 23), "38.00"),
    Promise("WAN-2026-007", "010", "P2", 0, "WAN-ABL-IAD", "800", "Gbit/s", _d(11, 13), _d(11, 6), "38.00"),
    Promise("XCN-2026-012", "010", "P1", 0, "IAD-AZX-1", "200", "Gbit/s", _d(10, 2), _d(9, 25), "52.00"),
)  # fmt: skip

DEPENDENCIES: tuple[tuple[str, str, str, str], ...] = (
    ("ABL-GPU-1", "WAN-ABL-IAD", "network", ""),
    ("ABL-GPU-2", "ABL-STO-1", "storage", ""),
    ("ABL-GPU-2", "WAN-ABL-IAD", "network", ""),
    ("HIL-GPU-1", "HIL-CPU-1", "data", ""),
    ("HIL-GPU-1", "HIL-BBN-1", "network", ""),
    ("WAN-ABL-IAD", "IAD-POP-1", "network", ""),
    ("IAD-AZX-1", "IAD-POP-1", "network", ""),
    ("EUS2-GPU-1", "IAD-AZX-1", "network", ""),
    ("DUB-STO-1", "DUB-POP-1", "network", ""),
)
