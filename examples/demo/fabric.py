"""Switches and the cables that join units to them, with the day each link came up.

Belongs here: the cable plan and its truth. Does not: files (``network_files``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from examples.demo.fleet import Unit
from examples.demo.systems import BY_ID
from examples.demo.weeks import MON, TUE, WED, day


@dataclass(frozen=True)
class Switch:
    """A switch as an asset; it bears no capacity."""

    system_id: str
    host: str
    part: str
    number: int
    serial: str
    shipped: date
    received: date
    racked: date
    powered: date

    @property
    def asset_id(self) -> str:
        """Asset tag."""
        return self.host.upper().replace("-", "") + "-SW"


# system, part, leaves, spines, serial pattern, weeks: shipped, received, racked, powered
_PLAN: tuple[tuple[str, str, int, int, str, int, int, int, int], ...] = (
    ("ABL-GPU-1", "MQM9790-NS2F", 8, 4, "MT2412X{:05d}", 25, 26, 28, 29),
    ("ABL-GPU-2", "MQM9790-NS2F", 16, 8, "MT2431X{:05d}", 33, 34, 36, 38),
    ("HIL-GPU-1", "MQM9790-NS2F", 8, 4, "MT2427X{:05d}", 29, 31, 33, 34),
    ("HIL-CPU-1", "MSN4600-CS2FC", 2, 0, "MT2419K{:05d}", 25, 26, 28, 29),
    ("ABL-STO-1", "MSN4600-CS2FC", 2, 0, "MT2420K{:05d}", 27, 28, 31, 32),
    ("DUB-STO-1", "MSN4600-CS2FC", 2, 0, "MT2438K{:05d}", 35, 38, 40, 44),
)


def switches() -> list[Switch]:
    """Return all switches, by system."""
    found = []
    for system_id, part, leaves, spines, serial, shipped, received, racked, powered in _PLAN:
        stem = BY_ID[system_id].host
        names = [f"{stem}-leaf{n:02d}" for n in range(1, leaves + 1)]
        names += [f"{stem}-spine{n:02d}" for n in range(1, spines + 1)]
        days = (day(shipped, MON), day(received, MON), day(racked, TUE), day(powered, WED))
        found += [
            Switch(system_id, name, part, number, serial.format(100 + number * 7), *days)
            for number, name in enumerate(names, start=1)
        ]
    return found


@dataclass(frozen=True)
class Link:
    """A planned cable; ``cabled`` is the day it was plugged, ``up`` the day it carried traffic at full rate."""

    system_id: str
    a: str
    a_port: str
    b: str
    b_port: str
    media: str
    gbps: int
    cabled: date | None
    up: date | None


def links(units: list[Unit]) -> list[Link]:
    """Return all planned links, unit by unit, then leaf to spine; cloud nodes have none that we can see."""
    return [*(link for unit in units for link in _of(unit)), *_trunks()]


def _of(unit: Unit) -> Iterator[Link]:
    system, stem = unit.system, unit.system.host
    if system.supply_model == "cloud":
        return
    if system.kind == "gpu_cluster":
        pod = (unit.number - 1) // 32 * 8 if system.system_id == "ABL-GPU-2" else 0
        for rail in range(1, 9):
            leaf = f"{stem}-leaf{pod + rail:02d}"
            yield _link(unit, f"mlx5_{rail - 1}", leaf, f"sw{unit.number:02d}p1", "MFP7E10-N030", 400)
    elif system.kind in {"cpu_cluster", "storage"}:
        for port in (1, 2):
            yield _link(
                unit, f"eth{port - 1}", f"{stem}-leaf{port:02d}", f"Eth1/{unit.number}", "MCP1600-C003E30L", 100
            )
    else:
        for port in range(4 if unit.system.system_id != "DUB-POP-1" else 2):
            yield _link(
                unit, f"et-0/0/{port}", f"{system.site.lower()}-odf-01", f"P{unit.number}-{port + 1:02d}", "smf", 400
            )


def _link(unit: Unit, port: str, far: str, far_port: str, media: str, gbps: int) -> Link:
    return Link(unit.system.system_id, unit.host, port, far, far_port, media, gbps, unit.cabled, unit.linked)


def _trunks() -> Iterator[Link]:
    built = switches()
    for system_id in ("ABL-GPU-1", "ABL-GPU-2", "HIL-GPU-1"):
        own = [switch for switch in built if switch.system_id == system_id]
        leaves = [switch for switch in own if "leaf" in switch.host]
        for spine in (switch for switch in own if "spine" in switch.host):
            for leaf in leaves:
                # Nodes hold the first port of each leaf cage, spines the second.
                ports = f"sw{40 + spine.number - len(leaves)}p2", f"sw{leaf.number}p1"
                yield Link(
                    system_id,
                    leaf.host,
                    ports[0],
                    spine.host,
                    ports[1],
                    "MFP7E10-N030",
                    400,
                    spine.racked,
                    spine.powered,
                )
