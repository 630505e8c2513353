"""A programme of owned clusters, bills, orders and stock in few words; a test says what it is about."""

from __future__ import annotations

from datetime import date
from typing import Any

import duckdb

from tests.readiness.tiny import AS_OF, Datasets, Row, playbooks, staged
from tests.readiness.tiny import programme as configuration
from turnup.readiness.build import build_core

NOV = {day: date(2026, 11, day) for day in range(1, 31)}
OCT = {day: date(2026, 10, day) for day in range(1, 32)}


def netted(data: Datasets) -> duckdb.DuckDBPyConnection:
    """Return the database with ``core`` and the netting alone: no gates, no marts."""
    con = staged(data)
    build_core(con, configuration(), playbooks(), AS_OF)
    return con


def programme(*systems: Row, **datasets: list[Row]) -> Datasets:
    """Return sites, systems and the datasets of a test."""
    names = sorted({row["site_id"] for row in systems} | {row["site_id"] for row in datasets.get("inventory", [])})
    return {"sites": [{"site_id": name, "name": name, "facility": "first_party"} for name in names],
            "systems": list(systems), **datasets}  # fmt: skip


def system(name: str, priority: int | None = None, site: str = "DFW1", **changes: Any) -> Row:
    """Return an owned accelerator cluster."""
    return {"system_id": name, "name": name, "kind": "gpu_cluster", "site_id": site, "supply_model": "owned",
            "owner": "Ana Ruiz", "priority": priority, "design_kw": 100, "racks": 4} | changes  # fmt: skip


def block(name: str, units: float, need: date | None = None, label: str = "B1", order: int = 1) -> Row:
    """Return a block of a system."""
    return {"system_id": name, "block": label, "units": units, "planned_order": order, "need_date": need}


def line(name: str, number: str, part: str, quantity: float, **changes: Any) -> Row:
    """Return a line of a bill of material."""
    return {"system_id": name, "line": number, "part_number": part, "quantity": quantity} | changes


def count(part: str, free: float, day: date = OCT[20], site: str = "DFW1", **changes: Any) -> Row:
    """Return a counted lot."""
    return {"site_id": site, "part_number": part, "lot": "L1", "counted_at": day, "free": free} | changes


def order(po: str, part: str, quantity: float, **changes: Any) -> Row:
    """Return a purchase order line."""
    return {"po": po, "line": "1", "part_number": part, "quantity": quantity, "vendor": "Vantor", "status": "open",
            "ordered": date(2026, 6, 1)} | changes  # fmt: skip


def promise(po: str, quantity: float, day: date, schedule: str = "1") -> Row:
    """Return a promise on an order line."""
    return {"po": po, "line": "1", "schedule": schedule, "quantity": quantity, "promised": day}


def share(po: str, name: str, quantity: float) -> Row:
    """Return the share of an order line for a system."""
    return {"po": po, "line": "1", "system_id": name, "quantity": quantity}


def receipt(name: str, part: str, good: float, po: str | None = None, **changes: Any) -> Row:
    """Return goods received at a site."""
    row = {"receipt": name, "line": "1", "part_number": part, "site_id": "DFW1", "place": "site", "qty_good": good,
           "received": OCT[1]}  # fmt: skip
    return row | ({"po": po, "po_line": "1"} if po else {}) | changes


def shipment(name: str, part: str, quantity: float, po: str | None = None, **changes: Any) -> Row:
    """Return goods on their way."""
    row = {"shipment": name, "line": "1", "part_number": part, "quantity": quantity, "status": "in_transit",
           "ship_to_site": "DFW1", "shipped": OCT[20], "vendor": "Vantor"}  # fmt: skip
    return row | ({"po": po, "po_line": "1"} if po else {}) | changes


def asset(asset_id: str, part: str, owner: str, racked: date | None = OCT[5], **changes: Any) -> Row:
    """Return an installed piece."""
    return {"asset_id": asset_id, "part_number": part, "system_id": owner, "site_id": "DFW1", "racked": racked,
            "serial": f"SN-{asset_id}", "status": "staged" if racked else "planned"} | changes  # fmt: skip
