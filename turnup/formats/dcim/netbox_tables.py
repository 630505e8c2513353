"""NetBox's tables as CSV: what its list pages export and what its bulk import takes.

The rows become the same rows as those of its JSON: the same asset ids, links of the planned view, Gbit/s.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl

from turnup.formats.dcim.given import given_rows
from turnup.formats.dcim.netbox_checks import STATUSES
from turnup.formats.dcim.netbox_records import gbps
from turnup.formats.model import Fact, Finding, RawTable
from turnup.formats.profiles import Profile

_EVERYWHERE = (
    "tenant", "tenant_group", "description", "comments", "tags", "created", "last_updated", "owner", "config_template",
    "contacts", "actions", "display", "url",
)  # fmt: skip
_DEVICE = (
    *_EVERYWHERE, "asset_tag", "role", "device_role", "location", "region", "site_group", "face", "platform", "airflow",
    "cluster", "virtual_chassis", "vc_position", "vc_priority", "primary_ip", "primary_ip4", "primary_ip6",
    "ip_address", "ipv4_address", "ipv6_address", "oob_ip", "latitude", "longitude", "parent", "parent_device",
    "device_bay", "device_bay_position", "local_context_data", "u_height", "type",
)  # fmt: skip
_MODULE = (*_EVERYWHERE, "asset_tag", "module_bay", "replicate_components", "adopt_components")
_CABLE = (
    *_EVERYWHERE, "side_a_type", "side_b_type", "side_a_site", "side_b_site", "side_a_parent", "side_b_parent",
    "color", "length", "length_unit", "profile", "bundle", "location_a", "location_b", "rack_a", "rack_b", "site_a",
    "site_b", "colour",
)  # fmt: skip
_CIRCUIT = (
    *_EVERYWHERE, "id", "provider_account", "termination_date", "distance", "distance_unit", "assignments",
    "install_date",
)  # fmt: skip
_PLAN = {"view": "planned", "state": "planned"}


class _Finish:
    """Figures and findings of one kind of table; ids get the prefix that the JSON reader gives them."""

    def __init__(self, kind: str, column: str, prefix: str = "") -> None:
        self.kind = kind
        self.column = column
        self.prefix = prefix

    def __call__(self, table: RawTable) -> RawTable:
        statuses = Counter((text or "none").lower() for text in _cells(table, self.column))
        facts = [
            Fact(self.kind, table.frame.height),
            Fact(f"{self.kind}_by_status", tuple(f"{name}: {times}" for name, times in sorted(statuses.items()))),
        ]
        frame = table.frame
        if self.prefix and "asset_id" in frame.columns:
            frame = frame.with_columns((pl.lit(self.prefix) + pl.col("asset_id")).alias("asset_id"))
        if "gbps" in frame.columns:
            rates = pl.Series("gbps", [gbps(text) for text in frame["gbps"].to_list()], dtype=pl.String)
            frame = frame.with_columns(rates)
        found = [*table.findings, *self._unknown(table)]
        return replace(table, frame=frame, facts=(*table.facts, *facts), findings=tuple(found))

    def _unknown(self, table: RawTable) -> list[Finding]:
        known = STATUSES[self.kind]
        seen = zip(table.frame["_row"].to_list(), _cells(table, self.column), strict=True)
        return [
            Finding(
                "unknown_status", "warning", row, self.column, text,
                f"row {row}: '{text}' is none of NetBox's own states of {self.kind} ({', '.join(known)})",
            )
            for row, text in seen
            if text is not None and text.lower() not in known
        ]  # fmt: skip


def _cells(table: RawTable, column: str) -> list[str | None]:
    if column in table.frame.columns:
        return table.frame[column].to_list()
    return [row.get(column) for row in given_rows(table)]


PROFILES: tuple[Profile, ...] = (
    Profile(
        "netbox_devices", "NetBox's table of devices", "installs",
        ("id", "name", "device_type", "site", "status"),
        columns={"id": "asset_id", "name": "name", "device_type": "part_number"},
        ignore=_DEVICE, finish=_Finish("devices", "status", "nb-device-"),
    ),
    Profile(
        "netbox_devices_export", "NetBox's list of devices", "installs",
        ("id", "name", "type", "site", "status", "role"),
        columns={"id": "asset_id", "name": "name", "type": "part_number"},
        ignore=tuple(name for name in _DEVICE if name != "type"), finish=_Finish("devices", "status", "nb-device-"),
    ),
    Profile(
        "netbox_devices_import", "NetBox's import table of devices", "installs",
        ("name", "device_type", "site", "status"),
        columns={"name": "name", "device_type": "part_number"},
        ignore=tuple(name for name in _DEVICE if name != "asset_tag"), finish=_Finish("devices", "status"),
    ),
    Profile(
        "netbox_modules", "NetBox's table of modules", "installs",
        ("id", "device", "module_bay", "module_type", "status"),
        columns={"id": "asset_id", "device": "parent_asset", "module_type": "part_number"},
        ignore=_MODULE, finish=_Finish("modules", "status", "nb-module-"),
    ),
    Profile(
        "netbox_modules_import", "NetBox's import table of modules", "installs",
        ("device", "module_bay", "module_type", "status"),
        columns={"device": "parent_asset", "module_type": "part_number"},
        ignore=tuple(name for name in _MODULE if name != "asset_tag"), finish=_Finish("modules", "status"),
    ),
    Profile(
        "netbox_cables", "NetBox's import table of cables", "links",
        ("side_a_device", "side_a_name", "side_b_device", "side_b_name", "status"),
        columns={"status": "status_claimed"}, ignore=_CABLE, defaults=_PLAN,
        finish=_Finish("cables", "status_claimed"),
    ),
    Profile(
        "netbox_cables_with_id", "NetBox's table of cables", "links",
        ("id", "side_a_device", "side_a_name", "side_b_device", "side_b_name", "status"),
        columns={"id": "link_id", "status": "status_claimed"}, ignore=(*_CABLE, "label"), defaults=_PLAN,
        finish=_Finish("cables", "status_claimed"),
    ),
    Profile(
        "netbox_cables_export", "NetBox's list of cables", "links",
        ("id", "device a", "termination a", "device b", "termination b", "status"),
        columns={"id": "link_id", "termination a": "a_port", "termination b": "b_port", "status": "status_claimed"},
        ignore=(*_CABLE, "label"), defaults=_PLAN, finish=_Finish("cables", "status_claimed"),
    ),
    Profile(
        "netbox_racks", "NetBox's table of racks", None,
        ("name", "site", "status", "u_height"),
        columns={"name": "name", "site": "site", "status": "status", "u_height": "u_height"},
        ignore=("*",), finish=_Finish("racks", "status"),
    ),
    Profile(
        "netbox_circuits", "NetBox's table of circuits", "circuits",
        ("cid", "provider", "type", "status", "commit_rate"),
        columns={"cid": "circuit", "status": "customer_state", "commit_rate": "gbps"},
        ignore=_CIRCUIT, finish=_Finish("circuits", "customer_state"),
    ),
)  # fmt: skip
"""Longer signatures win, so a table with ids is known as such."""
