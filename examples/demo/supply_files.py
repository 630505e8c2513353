"""Files of procurement and logistics: bill of material, orders, promises, freight, dock log.

Belongs here: how each sender saves ``parts`` and ``logistics``. Does not: what was ordered or moved.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from examples.demo.logistics import Movement
from examples.demo.parts import BOM, ORDERS, PARTS, OrderLine
from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.supply_sources import BOM_COLUMNS, DOCK_COLUMNS, EU_COLUMNS, FREIGHT_COLUMNS, ORDER_COLUMNS
from examples.demo.weeks import MON, THU, TUE, WEEKS, at, day, label

_ERP_WEEKS = (33, 35, 37, 39, 41, 43)
_EU_WEEKS = (34, 36, 38, 40, 42, 44)
_EUROPE = Dialect(delimiter=";", encoding="cp1252", decimal=",", dates="%d.%m.%Y")
_US = Dialect(dates="%m/%d/%Y")
_FREIGHT_STATUS = {"booked": "Booked", "in_transit": "In Transit", "customs": "Customs Hold", "delivered": "Delivered"}
_FROM = {
    "Northline Systems": "USAUS", "Lumaray Optics": "USSJC", "Cascade Compute": "USPDX", "Caldera Storage": "USDEN",
    "Harbour Networks": "USBOS", "Rheinwerk Speichertechnik": "DEKEL",
}  # fmt: skip
_EU_STATUS = {"booked": "Gebucht", "in_transit": "Unterwegs", "customs": "Zoll", "delivered": "Zugestellt"}


def drops(moved: list[Movement]) -> list[Drop]:
    """Return all supply files of all weeks."""
    found = [
        Drop(
            at(week, TUE, "10:30"),
            f"BOM release rev {revision}.xlsx",
            "bom",
            _bom(revision),
            Dialect("xlsx", tab="BOM"),
        )
        for week, revision in ((33, "A"), (35, "B"), (41, "C"))
    ]
    for week in _ERP_WEEKS:
        today = day(week, TUE)
        stamp = f"{today:%Y%m%d}"
        found.append(
            Drop(at(week, TUE, "06:15"), f"ME2N_open_po_{stamp}.csv", "purchase-orders", _orders(moved, today))
        )
        found.append(Drop(at(week, TUE, "06:20"), f"ME2N_schedule_{stamp}.csv", "po-schedule", _schedule(moved, today)))
    found += [
        Drop(at(week, TUE, "15:00"), f"PO allocations {label(week)}.xlsx", "po-allocations", _allocations(),
             Dialect("xlsx", tab="Allocations")) for week in (33, 37, 41)
    ]  # fmt: skip
    for week in WEEKS:
        today = day(week, THU)
        found.append(
            Drop(at(week, THU, "07:45"), f"kestrel_freight_{today:%Y%m%d}.csv", "freight", _freight(moved, today), _US)
        )
        found.append(Drop(at(week, THU, "12:30"), f"Dock log {label(week)}.xlsx", "dock-log", _dock(moved, today),
                          Dialect("xlsx", tab="Goods in")))  # fmt: skip
    for week in _EU_WEEKS:
        today = day(week, MON)
        found.append(
            Drop(at(week, MON, "05:50"), f"Lieferliste_{today:%d%m%Y}.csv", "rheinwerk", _europe(moved, today), _EUROPE)
        )
    return found


def _bom(revision: str) -> Table:
    rows: list[list[Any]] = []
    for item in BOM:
        if item.since > revision:
            continue
        part = PARTS[item.part]
        capacity = None if item.capacity is None else Decimal(item.capacity)
        rows.append([
            item.system, item.line, item.parent or None, item.part, part.manufacturer, part.description, part.category,
            item.quantity, item.basis, "ea", True, revision, capacity, item.orderable,
        ])  # fmt: skip
    titles: list[list[Any]] = [["Engineering BOM, released"], [f"Revision {revision}", None, "Quantities in pieces"]]
    return Table(list(BOM_COLUMNS), rows, titles, totals=("Qty",))


def _received(moved: list[Movement], order: OrderLine, today: date) -> int:
    return sum(m.quantity for m in moved if m.order == order and m.delivered and m.delivered <= today)


def _orders(moved: list[Movement], today: date) -> Table:
    rows: list[list[Any]] = []
    for order in ORDERS:
        got = _received(moved, order, today)
        status = "Received" if got >= order.quantity else "Partly received" if got else "Confirmed"
        acknowledged = order.ordered + timedelta(days=9)
        currency = PARTS[order.part].currency
        rows.append([
            order.po, order.line, order.part, order.quantity, order.vendor, order.ordered, order.requested,
            acknowledged,
            status, order.cost, currency,
        ])  # fmt: skip
    return Table(list(ORDER_COLUMNS), rows)


def _schedule(moved: list[Movement], today: date) -> Table:
    rows: list[list[Any]] = []
    for order in ORDERS:
        lots = [m for m in moved if m.order == order and m.shipped <= today + timedelta(days=28)]
        for number, lot in enumerate(lots, start=1):
            rows.append([order.po, order.line, f"{number:04d}", lot.quantity, lot.scheduled])
        rest = order.quantity - sum(lot.quantity for lot in lots)
        if rest > 0:
            rows.append(
                [order.po, order.line, f"{len(lots) + 1:04d}", rest, max(order.requested, today + timedelta(days=35))]
            )
    return Table(["PO", "Item", "Sched. line", "Sched. qty", "Promised"], rows)


def _allocations() -> Table:
    rows: list[list[Any]] = [[order.po, order.line, order.system, None, order.quantity] for order in ORDERS]
    return Table(["PO", "Line", "System", "Block", "Qty"], rows, [["Allocation of purchase orders to systems"]])


def _state(move: Movement, today: date) -> str:
    if move.delivered and move.delivered <= today:
        return "delivered"
    if move.shipped > today:
        return "booked"
    return "customs" if move.customs and today > move.shipped + timedelta(days=14) else "in_transit"


def _known(moved: list[Movement], today: date, *, european: bool) -> list[Movement]:
    return [m for m in moved if m.european == european and m.shipped <= today + timedelta(days=10)]


def _freight(moved: list[Movement], today: date) -> Table:
    rows: list[list[Any]] = []
    for m in _known(moved, today, european=False):
        state = _state(m, today)
        delivered = m.delivered if state == "delivered" else None
        rows.append([
            m.shipment, 1, m.order.po, m.order.line, m.order.part, PARTS[m.order.part].description, m.quantity,
            " ".join(m.serials), m.site, m.order.vendor, _FROM[m.order.vendor], "Kestrel Freight",
            "Air" if m.customs else "Road", f"KFT{m.number:08d}",
            "DAP", m.shipped if state != "booked" else None, m.scheduled, m.scheduled, delivered, delivered,
            _FREIGHT_STATUS[state], m.order.cost * m.quantity, "USD",
        ])  # fmt: skip
    return Table(list(FREIGHT_COLUMNS), rows)


def _europe(moved: list[Movement], today: date) -> Table:
    rows: list[list[Any]] = []
    for m in _known(moved, today, european=True):
        state = _state(m, today)
        rows.append([
            m.shipment, "1", m.order.po, m.order.line, m.order.part, PARTS[m.order.part].description,
            Decimal(m.quantity).quantize(Decimal("0.001")), " ".join(m.serials), m.site, "Müller & Söhne Spedition",
            _FROM[m.order.vendor], "LKW",
            f"MS-{m.number:06d}", "DAP", m.shipped if state != "booked" else None, m.scheduled, m.scheduled,
            m.delivered if state == "delivered" else None, _EU_STATUS[state], m.order.cost * m.quantity, "EUR",
        ])  # fmt: skip
    return Table(list(EU_COLUMNS), rows)


def _dock(moved: list[Movement], today: date) -> Table:
    rows: list[list[Any]] = []
    for m in moved:
        if not m.delivered or m.delivered > today:
            continue
        rows.append([
            f"GRN-{m.number:06d}", 1, m.order.po, m.order.line, m.shipment, m.order.part, m.site, "site",
            m.quantity - m.rejected, m.rejected, 0, " ".join(m.serials) or None, m.delivered,
        ])  # fmt: skip
    titles: list[list[Any]] = [
        ["Goods received, all sites"],
        [f"Week {label(today.isocalendar().week)}", None, "closed Thursday noon"],
    ]
    return Table(list(DOCK_COLUMNS), rows, titles, totals=("Qty good", "Qty rejected"))
