"""Cable plans that everybody's tools write, by their header."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import polars as pl

from turnup.formats.cabling.shcd import model_figures
from turnup.formats.exact import decimal_of, figure
from turnup.formats.model import Finding, RawTable
from turnup.formats.profiles import Profile
from turnup.formats.tabular.names import name_key, plain

_PLANNED = {"view": "planned", "state": "planned"}
_OF_A_FABRIC = {**_PLANNED, "both_ends_report": "true"}
_MEGABITS_FROM = Decimal(1000)


def _in_gigabits(table: RawTable) -> RawTable:
    """UFM writes speeds in Mbit/s: 200000 is 200 Gbit/s."""
    if "speed_gbps" not in table.frame.columns:
        return table
    speeds = [_gigabits(cell) for cell in table.frame.get_column("speed_gbps")]
    return replace(table, frame=table.frame.with_columns(pl.Series("speed_gbps", speeds, dtype=pl.String)))


def _gigabits(cell: str | None) -> str | None:
    number = decimal_of(cell)
    return cell if number is None or number < _MEGABITS_FROM else figure(number / 1000)


def _slots_in_ports(table: RawTable) -> RawTable:
    """A port number counts within its slot: ``ocp:1``. What each tab lacks is named."""
    rows = [json.loads(row) for row in table.frame.get_column("_given")]
    frame = table.frame
    slots = [_slot(row) for row in rows]
    joined = [
        f"{slot}:{port}" if slot and port else port
        for slot, port in zip(slots, frame.get_column("a_port").to_list(), strict=True)
    ]
    frame = frame.with_columns(pl.Series("a_port", joined, dtype=pl.String))
    facts = model_figures(frame)
    return replace(table, frame=frame, findings=(*table.findings, *_tabs(table, rows), *facts[1]), facts=facts[0])


def _slot(row: dict[str, str | None]) -> str | None:
    for name, value in row.items():
        if name_key(plain(name)) in ("slot", "source_slot") and value and value.strip() not in ("", "-"):
            return value.strip()
    return None


def _tabs(table: RawTable, rows: list[dict[str, str | None]]) -> Iterator[Finding]:
    """Tabs without a Slot column, or with columns that a cabling tab does not have, by the name of the tab."""
    sides = {f"{side}_{name}" for side in ("source", "destination") for name in ("rack", "location", "port", "slot")}
    usual = {"source", "destination", "rack", "location", "port", "slot", "unnamed"} | sides
    seen: dict[str, dict[str, None]] = {}
    for sheet, row in zip(table.frame.get_column("_sheet").to_list(), rows, strict=True):
        seen.setdefault(sheet or "", {}).update(dict.fromkeys(row))
    for sheet, columns in seen.items():
        keys = {name_key(plain(name)) for name in columns}
        if not keys & {"slot", "source_slot"}:
            message = f"the tab '{sheet}' has no column Slot; its ports were read without one"
            yield Finding("tab_without_column", "warning", None, "Slot", sheet, message)
        for name in columns:
            if name_key(plain(name)) not in usual:
                message = f"the tab '{sheet}' has a column '{name}' that cabling tabs do not have; it was not used"
                yield Finding("tab_with_column", "info", None, name, sheet, message)


_SHCD_COLUMNS = {
    "Source": "a_device", "Rack#1": "a_rack", "Location#1": "a_position", "Port#1": "a_port",
    "Destination": "b_device", "Rack#2": "b_rack", "Location#2": "b_position", "Port#2": "b_port",
}  # fmt: skip
_NDT_COLUMNS = {
    "StartDevice": "a_device", "StartPort": "a_port", "StartDeviceLocation": "a_rack", "EndDevice": "b_device",
    "EndPort": "b_port", "EndDeviceLocation": "b_rack", "LinkType": "media", "Speed": "speed_gbps",
    "Cable Length": "length_m", "U height#1": "a_position", "U height#2": "b_position",
}  # fmt: skip
_POINT_TO_POINT = {
    "cable_id": "link_id", "status": "status_claimed", "type": "media", "a_device": "a_device", "a_interface": "a_port",
    "a_role": "a_role", "b_device": "b_device", "b_interface": "b_port", "b_role": "b_role",
}  # fmt: skip

PROFILES: tuple[Profile, ...] = (
    Profile("shcd", "a cabling workbook (SHCD)", "links", ("Source", "Rack", "Location", "Port", "Destination"),
            _SHCD_COLUMNS, ("Slot", "Parent", "unnamed", "Notes", "Comment", "Comments"), defaults=_PLANNED,
            finish=_slots_in_ports),
    Profile("ufm_ndt", "a network description (UFM NDT)", "links", ("StartDevice", "StartPort", "EndDevice", "EndPort"),
            _NDT_COLUMNS, ("rack #", "unnamed", "State", "Domain", "PortMask"), defaults=_OF_A_FABRIC,
            finish=_in_gigabits),
    Profile("point_to_point", "a point-to-point cable list", "links",
            ("cable_id", "a_device", "a_interface", "b_device", "b_interface"), _POINT_TO_POINT, ("plan_id", "zone"),
            defaults=_PLANNED),
)  # fmt: skip
