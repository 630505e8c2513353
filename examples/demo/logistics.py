"""What moved: shipments and receipts, drawn from the fleet and from a short list of component lots.

Belongs here: movements and their dates. Does not: the orders behind them (``parts``) or the files (``supply_files``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from examples.demo.fabric import Switch, switches
from examples.demo.fleet import PART_OF_SYSTEM, Unit
from examples.demo.parts import ORDERS, OrderLine
from examples.demo.systems import BY_ID
from examples.demo.weeks import MON, THU, TUE, day


@dataclass(frozen=True)
class Movement:
    """One shipment line; ``delivered`` is empty while it is on its way."""

    number: int
    order: OrderLine
    quantity: int
    serials: tuple[str, ...]
    site: str
    shipped: date
    scheduled: date
    delivered: date | None
    rejected: int = 0

    @property
    def shipment(self) -> str:
        """Shipment number."""
        return f"{'RST' if self.european else 'KF'}-26{self.number:05d}"

    @property
    def european(self) -> bool:
        """Sent by the European vendor, who keeps a file of his own."""
        return self.order.vendor == "Rheinwerk Speichertechnik"

    @property
    def customs(self) -> bool:
        """Crosses a customs border."""
        return self.site == "DUB" and not self.european


# po, line, lots of (quantity, week shipped, week received, quantity rejected on the dock)
_LOTS: dict[tuple[str, str], tuple[tuple[int, int, int | None, int], ...]] = {
    ("4500018811", "30"): ((8, 23, 24, 0),),
    ("4500018812", "10"): ((256, 24, 25, 0),),
    ("4500018812", "20"): ((192, 24, 25, 0),),
    ("4500018812", "30"): ((256, 24, 26, 0),),
    ("4500019204", "30"): ((16, 31, 32, 0),),
    ("4500019205", "10"): ((128, 36, 38, 4), (64, 41, 43, 0)),
    ("4500019205", "20"): ((192, 36, 38, 0),),
    ("4500019205", "30"): ((256, 34, 35, 0), (256, 36, 37, 0)),
    ("4500019310", "30"): ((12, 29, 30, 0),),
    ("4500019311", "10"): ((256, 30, 31, 0), (128, 34, 36, 0)),
    ("4500019311", "20"): ((288, 30, 31, 0),),
    ("4500019311", "30"): ((384, 29, 31, 0),),
    ("4500019312", "10"): ((24, 34, 35, 0),),
    ("4500018990", "30"): ((80, 25, 26, 0),),
    ("4500019077", "30"): ((48, 27, 28, 0),),
    ("4500019415", "30"): ((32, 35, 38, 0),),
    ("4500018875", "20"): ((8, 28, 29, 0),),
    ("4500019420", "20"): ((4, 34, 39, 0),),
    ("4500019330", "20"): ((8, 33, 34, 0),),
}
# Promised day of deliveries that came after it: the planted late deliveries.
LATE: dict[tuple[str, str, int], date] = {
    ("4500019204", "10", 36): day(35, THU),
    ("4500019205", "10", 43): day(41, TUE),
    ("4500019420", "10", 39): day(37, 5),
}
_SLACK = (0, 1, 2)
_LINES = {(order.po, order.line): order for order in ORDERS}


def movements(units: list[Unit]) -> list[Movement]:
    """Return all shipments, by day shipped and purchase order line."""
    raw = [*_unit_lots(units), *_switch_lots(), *_component_lots()]
    raw.sort(key=lambda lot: (lot[2], lot[0].po, lot[0].line, lot[3] or date.max))
    found = []
    for number, (order, serials, shipped, delivered, quantity, rejected) in enumerate(raw, start=41):
        site = BY_ID[order.system].site
        scheduled = _scheduled(order, shipped, delivered, number)
        found.append(Movement(number, order, quantity, serials, site, shipped, scheduled, delivered, rejected))
    return found


Lot = tuple[OrderLine, tuple[str, ...], date, date | None, int, int]


def _unit_lots(units: list[Unit]) -> list[Lot]:
    moved = [unit for unit in units if unit.shipped is not None]
    lots: list[Lot] = []
    for key, group in groupby(moved, key=lambda unit: (unit.system.system_id, unit.block, unit.shipped, unit.received)):
        serials = tuple(unit.serial for unit in group)
        order = next(item for item in ORDERS if item.system == key[0] and item.part == PART_OF_SYSTEM[key[0]])
        lots.append((order, serials, key[2] or date.max, key[3], len(serials), 0))
    return lots


def _switch_lots() -> list[Lot]:
    def system(switch: Switch) -> str:
        return switch.system_id

    lots: list[Lot] = []
    for name, group in groupby(switches(), key=system):
        members = list(group)
        order = next(item for item in ORDERS if item.system == name and item.part == members[0].part)
        serials = tuple(switch.serial for switch in members)
        lots.append((order, serials, members[0].shipped, members[0].received, len(serials), 0))
    return lots


def _component_lots() -> list[Lot]:
    return [
        (_LINES[key], (), day(shipped, MON), None if received is None else day(received, TUE), quantity, rejected)
        for key, lots in _LOTS.items()
        for quantity, shipped, received, rejected in lots
    ]


def _scheduled(order: OrderLine, shipped: date, delivered: date | None, number: int) -> date:
    if delivered is None:
        return shipped + timedelta(days=25)
    late = LATE.get((order.po, order.line, delivered.isocalendar().week))
    return late or delivered + timedelta(days=_SLACK[number % len(_SLACK)])
