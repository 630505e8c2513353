"""Parts, bills of material and purchase orders: what must be bought, and from whom it was.

Belongs here: order-side tables. Does not: what moved (``logistics``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Part:
    """A part number with its maker, category and price."""

    part_number: str
    manufacturer: str
    description: str
    category: str
    cost: str
    currency: str = "USD"


PARTS: dict[str, Part] = {
    part.part_number: part
    for part in (
        Part("DGXH-G1141F+P2CMI36", "NVIDIA", "DGX H200 system, 8x H200 141GB SXM", "server", "338000.00"),
        Part("SYS-821GE-TNHR", "Supermicro", "8U server, HGX H200 8-GPU, 8x ConnectX-7 400G", "server", "291500.00"),
        Part("AS-1125HS-TNR", "Supermicro", "1U server, 2x EPYC 9654, 1.5 TB", "server", "21400.00"),
        Part("MQM9790-NS2F", "NVIDIA", "QM9790 NDR InfiniBand switch, 64x 400G, C2P", "switch", "24800.00"),
        Part("MSN4600-CS2FC", "NVIDIA", "SN4600C Ethernet switch, 64x 100G", "switch", "19900.00"),
        Part("MMA4Z00-NS400", "NVIDIA", "400G OSFP flat top SR4 transceiver, 50 m", "optic", "690.00"),
        Part("MMA4Z00-NS", "NVIDIA", "800G twin-port OSFP 2xSR4 finned transceiver, 50 m", "optic", "1240.00"),
        Part("MFP7E10-N030", "NVIDIA", "MPO-12/APC passive fibre cable, 30 m", "cable", "148.00"),
        Part("MCP1600-C003E30L", "NVIDIA", "100G QSFP28 passive copper cable, 3 m", "cable", "62.00"),
        Part("VR3350-42U", "Vertiv", "42U rack 800x1200 with side panels", "rack", "2150.00"),
        Part("NVE-24-61T", "Caldera Storage", "NVMe enclosure, 24x 61.44 TB QLC", "storage", "402000.00"),
        Part("RSE-5124/EU", "Rheinwerk Speichertechnik", "NVMe-Einschub 24x 51,2 TB", "storage", "371500.00", "EUR"),
        Part("PTX10001-36MR", "Juniper Networks", "36x 400G packet transport router", "router", "96000.00"),
        Part("QDD-400G-ZR+", "Juniper Networks", "400G QSFP-DD coherent ZR+ optic", "optic", "8900.00"),
        Part("OPTIC-TBD-400G-LR4", "to be selected", "400G LR4 optic, vendor to be selected", "optic", "0.00"),
        Part("CAB-MGMT-2U", "Panduit", "2U cable manager", "other", "84.00"),
    )
}


@dataclass(frozen=True)
class BomLine:
    """A line of a system's bill of material."""

    system: str
    line: str
    part: str
    quantity: int
    basis: str = "per_system"
    parent: str = ""
    capacity: str | None = None
    orderable: bool = True
    since: str = "A"


def _gpu(system: str, part: str, nodes: int, switches: int, twins: int) -> tuple[BomLine, ...]:
    return (
        BomLine(system, "0010", part, nodes, capacity="8"),
        BomLine(system, "0020", "MQM9790-NS2F", switches),
        BomLine(system, "0030", "MMA4Z00-NS400", 8, "per_parent", "0010"),
        BomLine(system, "0040", "MMA4Z00-NS", twins),
        BomLine(system, "0050", "MFP7E10-N030", nodes * 8),
        BomLine(system, "0060", "VR3350-42U", nodes // 4),
    )


BOM: tuple[BomLine, ...] = (
    *_gpu("ABL-GPU-1", "DGXH-G1141F+P2CMI36", 32, 12, 192),
    *_gpu("ABL-GPU-2", "DGXH-G1141F+P2CMI36", 64, 24, 384),
    *_gpu("HIL-GPU-1", "SYS-821GE-TNHR", 48, 12, 288),
    BomLine("HIL-GPU-1", "0070", "CAB-MGMT-2U", 24),
    BomLine("HIL-CPU-1", "0010", "AS-1125HS-TNR", 40, capacity="192"),
    BomLine("HIL-CPU-1", "0020", "MSN4600-CS2FC", 2),
    BomLine("HIL-CPU-1", "0030", "MCP1600-C003E30L", 80),
    BomLine("ABL-STO-1", "0010", "NVE-24-61T", 12, capacity="1.5"),
    BomLine("ABL-STO-1", "0020", "MSN4600-CS2FC", 2),
    BomLine("ABL-STO-1", "0030", "MCP1600-C003E30L", 48),
    BomLine("DUB-STO-1", "0010", "RSE-5124/EU", 8, capacity="1.25"),
    BomLine("DUB-STO-1", "0020", "MSN4600-CS2FC", 2),
    BomLine("DUB-STO-1", "0030", "MCP1600-C003E30L", 32),
    BomLine("IAD-POP-1", "0010", "PTX10001-36MR", 2, capacity="36"),
    BomLine("IAD-POP-1", "0020", "QDD-400G-ZR+", 8),
    BomLine("DUB-POP-1", "0010", "PTX10001-36MR", 2, capacity="36"),
    BomLine("DUB-POP-1", "0020", "QDD-400G-ZR+", 4),
    BomLine("HIL-BBN-1", "0010", "PTX10001-36MR", 2, capacity="36"),
    BomLine("HIL-BBN-1", "0020", "QDD-400G-ZR+", 8),
    BomLine("HIL-BBN-1", "0030", "OPTIC-TBD-400G-LR4", 4, orderable=False, since="B"),
)


@dataclass(frozen=True)
class OrderLine:
    """A purchase order line; ``share`` says for which system it was bought."""

    po: str
    line: str
    part: str
    quantity: int
    vendor: str
    ordered: date
    requested: date
    system: str
    since: int = 33

    @property
    def cost(self) -> Decimal:
        """Unit price."""
        return Decimal(PARTS[self.part].cost)


def _d(month: int, day: int) -> date:
    return date(2026, month, day)


ORDERS: tuple[OrderLine, ...] = (
    OrderLine("4500018811", "10", "DGXH-G1141F+P2CMI36", 32, "Northline Systems", _d(3, 9), _d(7, 10), "ABL-GPU-1"),
    OrderLine("4500018811", "20", "MQM9790-NS2F", 12, "Northline Systems", _d(3, 9), _d(6, 26), "ABL-GPU-1"),
    OrderLine("4500018811", "30", "VR3350-42U", 8, "Northline Systems", _d(3, 9), _d(6, 19), "ABL-GPU-1"),
    OrderLine("4500018812", "10", "MMA4Z00-NS400", 256, "Lumaray Optics", _d(3, 11), _d(6, 26), "ABL-GPU-1"),
    OrderLine("4500018812", "20", "MMA4Z00-NS", 192, "Lumaray Optics", _d(3, 11), _d(6, 26), "ABL-GPU-1"),
    OrderLine("4500018812", "30", "MFP7E10-N030", 256, "Lumaray Optics", _d(3, 11), _d(6, 26), "ABL-GPU-1"),
    OrderLine("4500019204", "10", "DGXH-G1141F+P2CMI36", 64, "Northline Systems", _d(5, 4), _d(9, 4), "ABL-GPU-2"),
    OrderLine("4500019204", "20", "MQM9790-NS2F", 24, "Northline Systems", _d(5, 4), _d(8, 21), "ABL-GPU-2"),
    OrderLine("4500019204", "30", "VR3350-42U", 16, "Northline Systems", _d(5, 4), _d(8, 14), "ABL-GPU-2"),
    OrderLine("4500019205", "10", "MMA4Z00-NS400", 512, "Lumaray Optics", _d(5, 6), _d(9, 18), "ABL-GPU-2"),
    OrderLine("4500019205", "20", "MMA4Z00-NS", 384, "Lumaray Optics", _d(5, 6), _d(9, 18), "ABL-GPU-2"),
    OrderLine("4500019205", "30", "MFP7E10-N030", 512, "Lumaray Optics", _d(5, 6), _d(9, 18), "ABL-GPU-2"),
    OrderLine("4500019310", "10", "SYS-821GE-TNHR", 48, "Cascade Compute", _d(4, 20), _d(9, 11), "HIL-GPU-1"),
    OrderLine("4500019310", "20", "MQM9790-NS2F", 12, "Cascade Compute", _d(4, 20), _d(7, 31), "HIL-GPU-1"),
    OrderLine("4500019310", "30", "VR3350-42U", 12, "Cascade Compute", _d(4, 20), _d(7, 24), "HIL-GPU-1"),
    OrderLine("4500019311", "10", "MMA4Z00-NS400", 384, "Lumaray Optics", _d(4, 22), _d(8, 7), "HIL-GPU-1"),
    OrderLine("4500019311", "20", "MMA4Z00-NS", 288, "Lumaray Optics", _d(4, 22), _d(8, 7), "HIL-GPU-1"),
    OrderLine("4500019311", "30", "MFP7E10-N030", 384, "Lumaray Optics", _d(4, 22), _d(8, 7), "HIL-GPU-1"),
    OrderLine("4500019312", "10", "CAB-MGMT-2U", 24, "Cascade Compute", _d(8, 3), _d(8, 28), "HIL-GPU-1"),
    OrderLine("4500018990", "10", "AS-1125HS-TNR", 40, "Cascade Compute", _d(3, 30), _d(7, 24), "HIL-CPU-1"),
    OrderLine("4500018990", "20", "MSN4600-CS2FC", 2, "Cascade Compute", _d(3, 30), _d(7, 3), "HIL-CPU-1"),
    OrderLine("4500018990", "30", "MCP1600-C003E30L", 80, "Cascade Compute", _d(3, 30), _d(7, 3), "HIL-CPU-1"),
    OrderLine("4500019077", "10", "NVE-24-61T", 12, "Caldera Storage", _d(4, 13), _d(9, 25), "ABL-STO-1"),
    OrderLine("4500019077", "20", "MSN4600-CS2FC", 2, "Caldera Storage", _d(4, 13), _d(7, 17), "ABL-STO-1"),
    OrderLine("4500019077", "30", "MCP1600-C003E30L", 48, "Caldera Storage", _d(4, 13), _d(7, 17), "ABL-STO-1"),
    OrderLine("4500019415", "10", "RSE-5124/EU", 8, "Rheinwerk Speichertechnik", _d(5, 18), _d(9, 18), "DUB-STO-1"),
    OrderLine("4500019415", "20", "MSN4600-CS2FC", 2, "Rheinwerk Speichertechnik", _d(5, 18), _d(9, 11), "DUB-STO-1"),
    OrderLine(
        "4500019415", "30", "MCP1600-C003E30L", 32, "Rheinwerk Speichertechnik", _d(5, 18), _d(9, 11), "DUB-STO-1"
    ),
    OrderLine("4500018875", "10", "PTX10001-36MR", 2, "Harbour Networks", _d(3, 16), _d(7, 17), "IAD-POP-1"),
    OrderLine("4500018875", "20", "QDD-400G-ZR+", 8, "Harbour Networks", _d(3, 16), _d(7, 17), "IAD-POP-1"),
    OrderLine("4500019420", "10", "PTX10001-36MR", 2, "Harbour Networks", _d(5, 20), _d(9, 4), "DUB-POP-1"),
    OrderLine("4500019420", "20", "QDD-400G-ZR+", 4, "Harbour Networks", _d(5, 20), _d(9, 4), "DUB-POP-1"),
    OrderLine("4500019330", "10", "PTX10001-36MR", 2, "Harbour Networks", _d(4, 27), _d(8, 21), "HIL-BBN-1"),
    OrderLine("4500019330", "20", "QDD-400G-ZR+", 8, "Harbour Networks", _d(4, 27), _d(8, 21), "HIL-BBN-1"),
)
