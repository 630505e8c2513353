"""How the supply files map to datasets: the part of ``programme.yaml`` that procurement and logistics own.

Belongs here: source definitions. Does not: rows.
"""

from __future__ import annotations

from typing import Any

BOM_COLUMNS = {
    "System": "system_id", "Line": "line", "Parent": "parent_line", "Part number": "part_number",
    "Manufacturer": "manufacturer", "Description": "description", "Category": "category", "Qty": "quantity",
    "Basis": "quantity_basis", "UoM": "uom", "Fitted": "fitted", "Rev": "revision",
    "Capacity per unit": "capacity_per_unit",
    "Orderable": "orderable",
}  # fmt: skip
ORDER_COLUMNS = {
    "Purch.Doc.": "po", "Item": "line", "Material": "part_number", "PO Quantity": "quantity", "Supplier": "vendor",
    "Doc. Date": "ordered", "Requested": "requested", "Confirmed": "acknowledged", "Status": "status",
    "Net Price": "unit_cost", "Crcy": "currency",
}  # fmt: skip
_SCHEDULE_COLUMNS = {
    "PO": "po", "Item": "line", "Sched. line": "schedule", "Sched. qty": "quantity", "Promised": "promised",
}  # fmt: skip
FREIGHT_COLUMNS = {
    "Shipment No": "shipment", "Ln": "line", "Customer PO": "po", "PO Ln": "po_line", "Part No": "part_number",
    "Description": "description", "Qty": "quantity", "Serial Nos": "serials", "Ship To": "ship_to_site",
    "Shipper": "vendor", "From": "origin",
    "Carrier": "carrier", "Mode": "mode", "Tracking": "tracking", "Incoterm": "incoterm", "Ship Date": "shipped",
    "Sched Delivery": "scheduled", "ETA": "eta", "Delivered": "delivered", "Recorded": "recorded",
    "Status": "status", "Decl. Value": "value", "Cur": "currency",
}  # fmt: skip
EU_COLUMNS = {
    "Lieferschein": "shipment", "Pos.": "line", "Bestellung": "po", "Bestellpos.": "po_line", "Artikel": "part_number",
    "Bezeichnung": "description", "Menge": "quantity", "Seriennummern": "serials", "Empfänger": "ship_to_site",
    "Spediteur": "carrier", "Versandort": "origin", "Versandart": "mode", "Sendungsnr.": "tracking",
    "Lieferbedingung": "incoterm",
    "Versanddatum": "shipped", "Liefertermin": "scheduled", "Voraussichtlich": "eta", "Geliefert": "delivered",
    "Status": "status", "Warenwert": "value", "Währung": "currency",
}  # fmt: skip
DOCK_COLUMNS = {
    "GRN": "receipt", "Line": "line", "PO": "po", "PO line": "po_line", "Shipment": "shipment",
    "Part no.": "part_number",
    "Site": "site_id", "Place": "place", "Qty good": "qty_good", "Qty rejected": "qty_rejected",
    "Qty returned": "qty_returned", "Serials": "serials", "Received": "received",
}  # fmt: skip

SOURCES: dict[str, dict[str, Any]] = {
    "bom": {
        "dataset": "bom", "files": "*BOM release*.xlsx", "format": "xlsx", "columns": BOM_COLUMNS,
        "owner": "Hyun-woo Park", "required": True, "max_age_days": 60,
    },
    "purchase-orders": {
        "dataset": "purchase_orders", "files": "*ME2N_open_po_*.csv", "columns": ORDER_COLUMNS,
        "values": {"status": {"Confirmed": "acknowledged", "Partly received": "partial", "Received": "received"}},
        "owner": "Grace Okafor", "required": True, "expected": "tuesday", "max_age_days": 15,
    },
    "po-schedule": {
        "dataset": "po_schedule", "files": "*ME2N_schedule_*.csv", "columns": _SCHEDULE_COLUMNS,
        "owner": "Grace Okafor", "required": True, "expected": "tuesday", "max_age_days": 15,
    },
    "po-allocations": {
        "dataset": "po_allocations", "files": "*PO allocations*.xlsx", "format": "xlsx",
        "columns": {"PO": "po", "Line": "line", "System": "system_id", "Block": "block", "Qty": "quantity"},
        "owner": "Grace Okafor", "required": True, "max_age_days": 40,
    },
    "freight": {
        "dataset": "shipments", "files": "*kestrel_freight_*.csv", "dates": "mdy", "columns": FREIGHT_COLUMNS,
        "values": {
            "status": {
                "Booked": "booked", "In Transit": "in_transit", "Customs Hold": "customs", "Delivered": "delivered",
            },
        },
        "owner": "Kestrel Freight (S. Lindqvist)", "required": True, "expected": "thursday", "max_age_days": 8,
    },
    "rheinwerk": {
        "dataset": "shipments", "files": "*Lieferliste_*.csv", "encoding": "cp1252", "delimiter": ";", "decimal": ",",
        "dates": "dmy", "columns": EU_COLUMNS, "defaults": {"vendor": "Rheinwerk Speichertechnik"},
        "values": {
            "status": {"Gebucht": "booked", "Unterwegs": "in_transit", "Zoll": "customs", "Zugestellt": "delivered"},
        },
        "owner": "Rheinwerk Speichertechnik (K. Brandt)", "max_age_days": 15,
    },
    "dock-log": {
        "dataset": "receipts", "files": "*Dock log*.xlsx", "format": "xlsx", "columns": DOCK_COLUMNS,
        "owner": "Luis Ortega", "required": True, "expected": "thursday", "max_age_days": 9,
    },
}  # fmt: skip
