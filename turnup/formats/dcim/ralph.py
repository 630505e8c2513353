"""Ralph's export of data centre assets: 46 columns, keys as a number and its text side by side.

The text beside a key (``rack_str`` to ``rack``) is what people know; the number is Ralph's own. States and
orientations are numbers in the export; their meaning is Ralph's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from turnup.formats.dcim.given import given_rows
from turnup.formats.model import Fact, Finding, RawTable
from turnup.formats.profiles import Profile

_RACK = re.compile(r"^(?P<rack>.*?)\s*\((?P<place>[^()]*)\)\s*$")
_CATEGORY = re.compile(r"^\[[^\]]*\]\s*")
STATES = {
    "1": "inventory", "2": "active", "3": "inventory", "4": "failed", "5": "decommissioning", "6": "staged",
    "7": "inventory", "8": "decommissioning", "new": "inventory", "in use": "active", "used": "active",
    "free": "inventory", "damaged": "failed", "liquidated": "decommissioning", "to deploy": "staged",
    "cleaned": "inventory", "pre liquidated": "decommissioning",
}  # fmt: skip
"""1 new, 2 in use, 3 free, 4 damaged, 5 liquidated, 6 to deploy, 7 cleaned, 8 pre-liquidated."""
ORIENTATIONS = {"1": "front", "2": "back", "3": "middle", "101": "left", "102": "right"}

_UNUSED = (
    "rack", "budget_info", "budget_info_str", "parent", "parent_str", "service_env", "service_env_str",
    "management_ip", "model", "created", "modified", "remarks", "configuration_path", "configuration_path_str",
    "barcode", "niw", "required_support", "order_no", "invoice_no", "invoice_date", "price", "provider",
    "depreciation_rate", "force_depreciation", "depreciation_end_date", "task_url", "property_of", "orientation",
    "slot_no", "firmware_version", "bios_version", "source", "delivery_date", "production_year",
    "production_use_date", "tags", "tags_str", "price_currency",
)  # fmt: skip


def _finish(table: RawTable) -> RawTable:
    """Take the rack's place and the model's category apart, and add the figures."""
    given = given_rows(table)
    names = table.frame.columns
    racks = [_rack(row.get("rack_str")) for row in given]
    sites = [place.split("/")[0] or None for _, place in racks]
    models = [_CATEGORY.sub("", row.get("model_str") or "").strip() or None for row in given]
    ids = [f"ralph-{row['id']}" if (row.get("id") or "").strip() else None for row in given]
    frame = table.frame.with_columns(
        pl.Series("rack", [rack or None for rack, _ in racks], dtype=pl.String),
        pl.Series("part_number", models, dtype=pl.String),
        pl.Series("asset_id", ids, dtype=pl.String),
    )
    found = pl.Series("site_id", sites, dtype=pl.String)
    declared = pl.col("site_id") if "site_id" in names else pl.lit(None, dtype=pl.String)
    frame = frame.with_columns(pl.coalesce(declared, found).alias("site_id"))
    findings = (*table.findings, *_findings(table, given))
    return replace(table, frame=frame, facts=(*table.facts, *_facts(given, racks)), findings=findings)


def _rack(text: str | None) -> tuple[str, str]:
    """``R31 (DC/Room)`` as rack and place."""
    found = _RACK.match(text or "")
    return (found["rack"], found["place"]) if found else ((text or "").strip(), "")


def _facts(given: list[dict[str, str | None]], racks: list[tuple[str, str]]) -> Iterator[Fact]:
    names = list(given[0]) if given else []
    pairs = [name for name in names if f"{name}_str" in names]
    yield Fact("assets", len(given))
    yield Fact("columns", len(names))
    yield Fact("key_and_text_pairs", tuple(sorted(pairs)))
    yield Fact("racks", tuple(sorted({f"{rack} in {place}" for rack, place in racks if rack})))
    for name, known in (("status", STATES), ("orientation", ORIENTATIONS)):
        codes = Counter(f"{code} ({known.get(code.lower(), 'unknown')})" for row in given if (code := row.get(name)))
        yield Fact(f"{name}_codes", tuple(f"{code}: {times}" for code, times in sorted(codes.items())))
    yield Fact("positions", tuple(row.get("position") or "" for row in given[:20]))
    prices = Counter(f"{row['price']} {row.get('price_currency') or ''}".strip() for row in given if row.get("price"))
    yield Fact("prices", tuple(f"{price}: {times}" for price, times in sorted(prices.items())))


def _findings(table: RawTable, given: list[dict[str, str | None]]) -> Iterator[Finding]:
    for row, cells in zip(table.frame["_row"].to_list(), given, strict=True):
        code = (cells.get("status") or "").strip()
        if code and code.lower() not in STATES:
            message = f"row {row}: status {code} is none of Ralph's; write values: {{status: {{'{code}': ...}}}}"
            yield Finding("unknown_status", "warning", row, "status", code, message)


PROFILES: tuple[Profile, ...] = (
    Profile(
        "ralph_assets",
        "Ralph's export of data centre assets",
        "installs",
        ("id", "sn", "barcode", "rack_str", "model_str", "service_env_str", "status", "position"),
        columns={
            "id": "asset_id",
            "sn": "serial",
            "hostname": "name",
            "model_str": "part_number",
            "rack_str": "rack",
            "position": "position",
            "status": "status",
            "property_of_str": "owner",
        },
        ignore=_UNUSED,
        values={"status": STATES},
        finish=_finish,
    ),
)
