"""Install trackers of the campuses and the colocation sites, and the host name register.

Belongs here: how three teams save the same kind of thing in three ways. Does not: when an asset was racked (``fleet``).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from examples.demo.fabric import Switch, switches
from examples.demo.fleet import PART_OF_SYSTEM, Unit, reached
from examples.demo.parts import PARTS
from examples.demo.sheet import Dialect, Drop, Table
from examples.demo.systems import BY_ID
from examples.demo.weeks import THU, WED, WEEKS, at, day, label

_TRACKER = {
    "Asset tag": "asset_id", "Host": "name", "Make": "manufacturer", "P/N": "part_number", "Serial": "serial",
    "System": "system_id", "Block": "block", "Site": "site_id", "Planned rack": "planned_rack",
    "Planned U": "planned_position",
    "Rack": "rack", "U": "position", "Racked": "racked", "Cabled": "cabled", "Powered": "powered",
    "Provisioned": "provisioned", "Status": "status", "% done": "claimed_percent", "Crew": "crew",
}  # fmt: skip
_DCIM = {
    "asset_tag": "asset_id", "name": "name", "manufacturer": "manufacturer", "device_type": "part_number",
    "serial": "serial",
    "tenant": "system_id", "cf_block": "block", "site": "site_id", "cf_planned_rack": "planned_rack",
    "cf_planned_position": "planned_position", "rack": "rack", "position": "position", "cf_racked": "racked",
    "cf_cabled": "cabled", "cf_powered": "powered", "cf_provisioned": "provisioned", "status": "status",
    "cf_percent": "claimed_percent", "cf_crew": "crew",
}  # fmt: skip
_COLO = {
    "CI": "asset_id", "Hostname": "name", "Vendor": "manufacturer", "Model": "part_number", "S/N": "serial",
    "Service": "system_id", "Phase": "block", "Facility": "site_id", "Cabinet (plan)": "planned_rack",
    "RU (plan)": "planned_position", "Cabinet": "rack", "RU": "position", "Mounted": "racked", "Patched": "cabled",
    "Energised": "powered", "Configured": "provisioned", "State": "status", "Complete %": "claimed_percent",
    "Remote hands": "crew",
}  # fmt: skip

SOURCES: dict[str, dict[str, Any]] = {
    "abl-install-tracker": {
        "dataset": "installs", "files": "*ABL install tracker*.xlsx", "format": "xlsx", "columns": _TRACKER,
        "values": {"status": {"Planned": "planned", "In store": "inventory", "Racked": "staged", "Live": "active"}},
        "owner": "Luis Ortega", "required": True, "expected": "thursday", "max_age_days": 8,
    },
    "hil-dcim": {
        "dataset": "installs", "files": "*hil_dcim_devices_*.json", "format": "json", "columns": _DCIM,
        "owner": "Ingrid Solberg", "required": True, "expected": "thursday", "max_age_days": 8,
    },
    "colo-remote-hands": {
        "dataset": "installs", "files": "*remote_hands_*.csv", "dates": "dmy", "columns": _COLO,
        "values": {"status": {"Ordered": "planned", "Store room": "inventory", "Mounted": "staged",
        "In use": "active"}},
        "owner": "Sean Gallagher", "required": True, "max_age_days": 15,
    },
    "host-names": {
        "dataset": "node_names", "files": "*host_register_*.csv", "owner": "Ingrid Solberg", "required": True,
        "max_age_days": 8,
    },
}  # fmt: skip

_DMY = Dialect(dates="%d/%m/%Y")
_STATUS = {
    "abl": {"planned": "Planned", "inventory": "In store", "staged": "Racked", "active": "Live"},
    "hil": {"planned": "planned", "inventory": "inventory", "staged": "staged", "active": "active"},
    "colo": {"planned": "Ordered", "inventory": "Store room", "staged": "Mounted", "active": "In use"},
}
_PERCENT = {"planned": 0, "inventory": 20, "staged": 60, "active": 100}
_COLO_WEEKS = (33, 35, 36, 37, 39, 41, 43)


def drops(units: list[Unit]) -> list[Drop]:
    """Return all trackers and host registers of all weeks."""
    built = switches()
    found = []
    for week in WEEKS:
        today = day(week, THU)
        found.append(
            Drop(
                at(week, THU, "16:20"),
                f"ABL install tracker {label(week)}.xlsx",
                "abl-install-tracker",
                _tracker(units, built, "abl", today),
                Dialect("xlsx", tab="Tracker"),
            )
        )
        found.append(
            Drop(
                at(week, THU, "13:05"),
                f"hil_dcim_devices_{today:%Y%m%d}.json",
                "hil-dcim",
                _tracker(units, built, "hil", today),
                Dialect("json"),
            )
        )
        found.append(Drop(at(week, WED, "18:30"), f"host_register_{day(week, WED):%Y%m%d}.csv", "host-names",
                          _hosts(units, day(week, WED))))  # fmt: skip
    for week in _COLO_WEEKS:
        today = day(week, THU)
        name = f"remote_hands_{today:%Y%m%d}.csv"
        found.append(
            Drop(at(week, THU, "11:40"), name, "colo-remote-hands", _tracker(units, built, "colo", today), _DMY)
        )
    return found


def _tracker(units: list[Unit], built: list[Switch], team: str, today: date) -> Table:
    sites = {"abl": {"ABL"}, "hil": {"HIL"}, "colo": {"IAD", "DUB"}}[team]
    rows = [_asset(unit, team, today) for unit in units if unit.serial and unit.system.site in sites]
    rows += [_switch(item, team, today) for item in built if BY_ID[item.system_id].site in sites]
    columns = list({"abl": _TRACKER, "hil": _DCIM, "colo": _COLO}[team])
    titles: list[list[Any]] = []
    if team == "abl":
        titles = [["Abilene rack and stack tracker"], [f"as of {today:%d %b %Y}", None, "L. Ortega"], [None]]
    return Table(columns, rows, titles)


def _status(received: date | None, racked: date | None, powered: date | None, today: date) -> str:
    if reached(powered, today):
        return "active"
    if reached(racked, today):
        return "staged"
    return "inventory" if reached(received, today) else "planned"


def _asset(unit: Unit, team: str, today: date) -> list[Any]:
    part = PARTS[PART_OF_SYSTEM[unit.system.system_id]]
    status = _status(unit.received, unit.racked, unit.powered, today)
    placed = reached(unit.racked, today)
    days = [
        moment if reached(moment, today) else None
        for moment in (unit.racked, unit.cabled, unit.powered, unit.provisioned)
    ]
    return [
        unit.asset_id, unit.host, part.manufacturer, part.part_number, unit.serial if status != "planned" else None,
        unit.system.system_id, unit.block, unit.system.site, unit.rack, unit.position, unit.rack if placed else None,
        unit.position if placed else None, *days, _STATUS[team][status], _PERCENT[status], _crew(team, unit.number),
    ]  # fmt: skip


def _switch(item: Switch, team: str, today: date) -> list[Any]:
    system = BY_ID[item.system_id]
    status = _status(item.received, item.racked, item.powered, today)
    placed = reached(item.racked, today)
    rack, position = f"{system.site}-NET-{system.host[-2:].upper()}", f"U{item.number * 2:02d}"
    powered = item.powered if reached(item.powered, today) else None
    racked = item.racked if placed else None
    return [
        item.asset_id, item.host, PARTS[item.part].manufacturer, item.part,
        item.serial if status != "planned" else None,
        system.system_id, None, system.site, rack, position, rack if placed else None, position if placed else None,
        racked,
        racked, powered, powered, _STATUS[team][status], _PERCENT[status], _crew(team, item.number),
    ]  # fmt: skip


def _crew(team: str, number: int) -> str:
    crews = {"abl": ("Crew A", "Crew B"), "hil": ("Day shift", "Night shift"), "colo": ("Remote hands",)}[team]
    return crews[number % len(crews)]


def _hosts(units: list[Unit], today: date) -> Table:
    rows: list[list[Any]] = []
    for unit in units:
        since = unit.racked if unit.serial else unit.linked
        if unit.system.cluster and reached(since, today):
            rows.append([unit.system.cluster, unit.host, since, unit.serial or None, unit.system.system_id, None])
    return Table(["cluster", "node", "valid_from", "serial", "system_id", "valid_to"], rows)
