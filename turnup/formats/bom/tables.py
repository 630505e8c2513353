"""Bills of material that everybody's tools export, by their header."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from turnup.formats.bom.lines import NOT_FITTED_WORDS
from turnup.formats.bom.nested_sets import nested_set
from turnup.formats.model import RawTable
from turnup.formats.profiles import Profile
from turnup.formats.tabular.names import name_key

_AVL = range(1, 10)
_NOT_FITTED = dict.fromkeys(sorted(NOT_FITTED_WORDS), "false")
_MARKED = {**_NOT_FITTED, "x": "false", "yes": "false", "true": "false", "1": "false", "y": "false",
           "no": "true", "false": "true", "0": "true", "n": "true", "fitted": "true"}  # fmt: skip
"""A column called DNP: whatever marks it takes the part out."""
_FITTED = {**_NOT_FITTED, "fitted": "true", "populated": "true", "installed": "true"}
_CATEGORIES = {"server": "server", "switch": "switch", "nic": "nic", "router": "router", "rack": "rack",
               "storage": "storage", "power": "power", "pdu": "power"}  # fmt: skip


def _given(table: RawTable) -> list[dict[str, str | None]]:
    """The rows as delivered, by comparing form of their column names."""
    rows = table.frame.get_column("_given").to_list()
    return [{name_key(name): value for name, value in json.loads(row).items()} for row in rows]


def _text(name: str, values: list[str | None]) -> pl.Series:
    return pl.Series(name, values, dtype=pl.String)


def _with_alternates(table: RawTable) -> RawTable:
    """Approved vendors from the second position on are the approved alternates of a line."""
    if "alternates" in table.frame.columns:
        return table
    alternates = []
    for row in _given(table):
        numbers = [row.get(f"manufacturer_part_number_{place}") for place in _AVL[1:]]
        alternates.append("; ".join(number.strip() for number in numbers if number and number.strip()) or None)
    if not any(alternates):
        return table
    return replace(table, frame=table.frame.with_columns(_text("alternates", alternates)))


def category(section: str | None) -> str | None:
    """The class of parts that a section of a cluster's bill holds."""
    if not section:
        return None
    words = name_key(section)
    if "transceiver" in words or "optic" in words:
        return "optic"
    if "cable" in words:
        return "cable"
    return _CATEGORIES.get(words, "other")


def _with_categories(table: RawTable) -> RawTable:
    """Categories from the sections; the class of a device describes it where nothing else does."""
    classes = [row.get("hedgehog_class") or row.get("class") for row in _given(table)]
    kind = _text("kind", [text.strip() or None if text else None for text in classes])
    if "description" in table.frame.columns:
        described = table.frame.with_columns(pl.coalesce("description", kind).alias("description"))
        table = replace(table, frame=described)
    if "bill_section" not in table.frame.columns or "category" in table.frame.columns:
        return table
    made = [category(section) for section in table.frame.get_column("bill_section")]
    return replace(table, frame=table.frame.with_columns(_text("category", made)))


def _with_nested_set(table: RawTable) -> RawTable:
    """Parent lines from the left and right numbers of a nested set."""
    rows = _given(table)
    bounds = [(row.get("lft") or row.get("left"), row.get("rgt") or row.get("right")) for row in rows]
    depths = nested_set(bounds)
    if depths is None or "level" in table.frame.columns:
        return table
    order = sorted(range(len(bounds)), key=lambda position: int(bounds[position][0] or 0))
    frame = table.frame.with_columns(_text("level", [str(depth) for depth in depths]))[order]
    return replace(table, frame=frame)


def _altium(name: str, title: str, signature: tuple[str, ...], columns: Mapping[str, str]) -> Profile:
    later = [f"{label} {place}" for place in _AVL[1:] for label in ("Manufacturer", "Manufacturer Part Number",
             "Manufacturer Lifecycle", "Supplier", "Supplier Part Number", "Supplier Unit Price", "Supplier Subtotal",
             "Supplier Stock", "Supplier Order Qty", "Supplier Currency")]  # fmt: skip
    other = ("Revision State", "Footprint", "Comment", "Value", "Notes", "Variation", "Library Name",
             "Supplier Stock 1", "Supplier Order Qty 1", "Component Type", "Design Item ID")  # fmt: skip
    taken = {name_key(label) for label in columns}
    ignored = tuple(label for label in (*later, *other) if name_key(label) not in taken)
    values = {"fitted": _MARKED if "DNP" in columns else _FITTED}
    return Profile(name, title, "bom", signature, columns, ignored, values, finish=_with_alternates)


_ALTIUM = {
    "Line #": "line", "Name": "design_name", "Description": "description", "Designator": "designators",
    "Revision ID": "revision", "Revision Status": "revision_status", "Quantity": "quantity",
    "Manufacturer 1": "manufacturer", "Manufacturer Part Number 1": "part_number",
    "Manufacturer Lifecycle 1": "lifecycle", "Supplier 1": "supplier",
    "Supplier Part Number 1": "supplier_part_number", "Supplier Unit Price 1": "unit_price",
    "Supplier Subtotal 1": "extended_price", "Supplier Currency 1": "currency",
}  # fmt: skip
_VARIANT = {
    "Line #": "line", "Designator": "designators", "Description": "description", "Comment": "design_name",
    "Quantity": "quantity", "Manufacturer": "manufacturer", "Fitted": "fitted",
    "Manufacturer Part Number": "part_number", "Supplier": "supplier", "Supplier Part Number": "supplier_part_number",
    "Manufacturer 1": "manufacturer", "Manufacturer Part Number 1": "part_number", "Supplier 1": "supplier",
    "Supplier Part Number 1": "supplier_part_number",
}  # fmt: skip
_CART = ("Index", "Quantity", "Manufacturer Part Number")
_CART_COLUMNS = {
    "Index": "line", "Quantity": "quantity", "Part Number": "supplier_part_number",
    "Digi-Key Part Number": "supplier_part_number", "DK Part #": "supplier_part_number",
    "Manufacturer Part Number": "part_number", "Manufacturer": "manufacturer", "Description": "description",
    "Customer Reference": "designators", "Unit Price": "unit_price", "Unit Price USD": "unit_price",
    "Extended Price": "extended_price", "Extended Price USD": "extended_price",
}  # fmt: skip


def _dnp_lists() -> tuple[Profile, ...]:
    """Any list with a column that marks what is not fitted; its other columns have their usual names."""
    return tuple(
        Profile(f"bom_with_{name_key(mark)}", f"a bill of material with a column {mark}", "bom", (mark, quantity),
                {mark: "fitted"}, values={"fitted": _MARKED})
        for mark in ("DNP", "DNI", "DNF", "DNM", "Do Not Populate", "Do Not Install", "Do Not Fit", "Not Fitted")
        for quantity in ("Quantity", "Qty")
    )  # fmt: skip


_CLUSTER = Profile(
    "cluster_bom", "a cluster's bill of material by section", "bom",
    ("section", "module_type_model", "quantity"),
    {"section": "bill_section", "module_type_model": "part_number", "module_type_description": "description",
     "manufacturer": "manufacturer", "quantity": "quantity"},
    ("hedgehog_class", "class", "cage_type", "medium", "connector", "standard", "reach_class", "wavelength_nm",
     "host_lane_count", "host_serdes_gbps_per_lane", "optical_lane_count", "optical_lane_pattern", "gearbox_present",
     "cable_assembly_type", "breakout_topology", "is_cable_assembly"),
    finish=_with_categories,
)  # fmt: skip


def _nested_set(left: str, right: str, finish: Callable[[RawTable], RawTable]) -> Profile:
    columns = {"Qty_per": "quantity", "RequiredQty": "extended_quantity", "Required_Qty": "extended_quantity"}
    title = "a bill of material as a nested set"
    return Profile(f"nested_set_{left}", title, "bom", (left, right), columns, (left, right), finish=finish)


PROFILES: tuple[Profile, ...] = (
    Profile("digikey_cart", "a distributor's cart", "bom", (*_CART, "Customer Reference"), _CART_COLUMNS,
            ("Available", "Backorder", "Requested Quantity", "Packaging"), defaults={"currency": "USD"}),
    Profile("mouser_cart", "a distributor's cart", "bom", ("Mouser #:", "Mfr. #:", "Order Qty."),
            {"Mouser #:": "supplier_part_number", "Mfr. #:": "part_number", "Manufacturer:": "manufacturer",
             "Customer #:": "designators", "Description:": "description", "Order Qty.": "quantity",
             "Price (USD)": "unit_price", "Ext.: (USD)": "extended_price"},
            ("RoHS", "Lifecycle", "Availability", "No."), defaults={"currency": "USD"}),
    _altium("altium_activebom", "an Altium ActiveBOM",
            ("Name", "Designator", "Quantity", "Manufacturer Part Number 1"), {**_ALTIUM, "DNP": "fitted"}),
    _altium("altium_variant", "an Altium bill of one variant",
            ("Designator", "Comment", "Quantity", "Fitted"), _VARIANT),
    _CLUSTER,
    *_dnp_lists(),
    _nested_set("lft", "rgt", _with_nested_set),
    _nested_set("left", "right", _with_nested_set),
)  # fmt: skip
