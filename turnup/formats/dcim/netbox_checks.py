"""What NetBox says against itself: counts, claims that contradict each other, serial numbers that identify nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from turnup.formats.dcim.netbox_records import Groups, device_id, ends, name_of, text, type_name
from turnup.formats.model import Fact, Finding
from turnup.formats.tabular.json_records import page_findings
from turnup.identity import is_placeholder_serial, normal_form, serial_key

_LISTED = 20
"""So many reused serials get a finding of their own; the figures count all."""

STATUSES = {
    "devices": ("planned", "staged", "active", "inventory", "offline", "failed", "decommissioning"),
    "modules": ("planned", "staged", "active", "inventory", "offline", "failed", "decommissioning"),
    "cables": ("planned", "connected", "decommissioning"),
    "circuits": ("planned", "provisioning", "active", "offline", "deprovisioning", "decommissioned"),
    "racks": ("reserved", "available", "planned", "active", "deprecated", "staging", "decommissioning", "retired"),
}
"""Status values that NetBox ships; a site may add its own, which is told and not refused here."""


def facts(groups: Groups) -> list[Fact]:
    """Counts of every kind of record, what the modules are, and how far serial numbers identify anything."""
    found = [Fact(kind, len(held)) for kind, held in sorted(groups.items())]
    for kind in ("devices", "modules", "cables", "circuits", "racks"):
        statuses = Counter(text(record.get("status")) or "none" for record in groups.get(kind, []))
        if statuses:
            found.append(Fact(f"{kind}_by_status", _counted(statuses)))
    roles = Counter(_role(device) for device in groups.get("devices", []))
    if roles:
        found.append(Fact("devices_by_role", _counted(roles)))
    if groups.get("modules"):
        found += _module_facts(groups)
    height = sum(
        int(units) for rack in groups.get("racks", []) if (units := text(rack.get("u_height")) or "").isdigit()
    )
    return [*found, Fact("rack_units", height)] if groups.get("racks") else found


def _module_facts(groups: Groups) -> list[Fact]:
    roles = {text(device.get("id")): _role(device) for device in groups.get("devices", [])}
    kinds = Counter(
        f"{type_name(module.get('module_type'))} in {roles.get(device_id(module), 'unknown')}"
        for module in groups["modules"]
    )
    serials = _serials(groups)
    return [
        Fact("modules_by_type", _counted(kinds)),
        Fact("module_serials", sum(serials.values())),
        Fact("distinct_module_serials", len(serials)),
        Fact("reused_module_serials", sum(times > 1 for times in serials.values())),
        Fact("most_uses_of_one_serial", max(serials.values(), default=0)),
        Fact("serials_made_from_names", len(_invented(groups)), note="they begin with the name of their device"),
    ]


def _counted(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{name}: {times}" for name, times in sorted(counts.items()))


def _role(device: Mapping[str, Any]) -> str:
    return text(device.get("role")) or text(device.get("device_role")) or "none"


def _serials(groups: Groups) -> Counter[str]:
    keys = (serial_key(text(module.get("serial"))) for module in groups.get("modules", []))
    return Counter(key for key in keys if key is not None)


def _invented(groups: Groups) -> list[int]:
    """Rows of modules whose serial number begins with the name of their own device."""
    found = []
    for number, module in enumerate(groups.get("modules", []), start=1):
        held = module.get("device")
        host = normal_form(name_of(held) if held is not None else text(module.get("device_name")))
        serial = serial_key(text(module.get("serial")))
        if host and serial and serial != host and serial.startswith(host):
            found.append(number)
    return found


def findings(document: Any, groups: Groups, unused: int) -> list[Finding]:
    """Everything about the document that its users should know."""
    found: list[Finding] = []
    if unused:
        message = f"{unused} records name nothing that this dataset can hold (such as devices without a name)"
        found.append(Finding("records_unused", "info", None, None, str(unused), message))
    if isinstance(document, dict):
        found += _count_findings(document, groups)
    found += _status_findings(groups)
    found += _name_findings(groups)
    found += _cable_findings(groups)
    found += _module_findings(groups)
    found += _serial_findings(groups)
    return found


def _count_findings(document: dict[str, Any], groups: Groups) -> Iterator[Finding]:
    if isinstance(document.get("results"), list):
        yield from page_findings(document, "results", len(document["results"]))
    metadata = document.get("metadata")
    counts = metadata.get("counts") if isinstance(metadata, Mapping) else None
    for name, stated in sorted(counts.items()) if isinstance(counts, Mapping) else []:
        held = len(groups.get(name, []))
        if str(stated) != str(held):
            message = f"the export says that it has {stated} {name}, it holds {held}"
            yield Finding("count_mismatch", "error", None, name, str(stated), message)


def _status_findings(groups: Groups) -> Iterator[Finding]:
    for kind, known in STATUSES.items():
        for number, record in enumerate(groups.get(kind, []), start=1):
            status = text(record.get("status"))
            if status is not None and status.lower() not in known:
                message = f"{kind} row {number}: '{status}' is none of NetBox's own states ({', '.join(known)})"
                yield Finding("unknown_status", "warning", number, "status", status, message)


def _name_findings(groups: Groups) -> Iterator[Finding]:
    """NetBox's device names are unique within a site only; by name alone a cable's end may mean several devices."""
    rows: dict[str, list[int]] = {}
    for number, device in enumerate(groups.get("devices", []), start=1):
        key = normal_form(text(device.get("name")))
        if key is not None:
            rows.setdefault(key, []).append(number)
    for key, at in rows.items():
        if len(at) > 1:
            sites = sorted({text(groups["devices"][number - 1].get("site")) or "no site" for number in at})
            message = (
                f"{len(at)} devices are named {key} (rows {', '.join(map(str, at[:10]))}; {', '.join(sites[:10])}): "
                "links and node names cannot tell them apart"
            )
            yield Finding("duplicate_name", "warning", at[1], "name", key, message)


def _cable_findings(groups: Groups) -> Iterator[Finding]:
    """Cables that are connected although a device at an end is only planned: the lower state wins."""
    status = {text(device.get("name")): text(device.get("status")) for device in groups.get("devices", [])}
    planned = {name for name, state in status.items() if name is not None and state == "planned"}
    cables, devices, first = 0, set(), None
    for number, cable in enumerate(groups.get("cables", []), start=1):
        sides = [*ends(cable.get("a_terminations")), *ends(cable.get("b_terminations"))]
        touched = {name for name, _ in sides if name in planned}
        if text(cable.get("status")) == "connected" and touched:
            cables += 1
            devices |= touched
            first = first or number
    if cables:
        message = (
            f"{cables} of {len(groups['cables'])} cables are connected while {len(devices)} of {len(status)} devices "
            "at their ends are planned: a device that is not there has no connected cable; the lower state counts"
        )
        yield Finding("planned_but_connected", "warning", first, "status", str(cables), message)


def _module_findings(groups: Groups) -> Iterator[Finding]:
    planned = {
        text(device.get("id")) for device in groups.get("devices", []) if text(device.get("status")) == "planned"
    }
    rows = [
        number
        for number, module in enumerate(groups.get("modules", []), start=1)
        if text(module.get("status")) == "active" and device_id(module) in planned
    ]
    if rows:
        message = f"{len(rows)} modules are active in devices that are only planned; the lower state counts"
        yield Finding("active_in_planned", "warning", rows[0], "status", str(len(rows)), message)


def _serial_findings(groups: Groups) -> Iterator[Finding]:
    reused = {key: times for key, times in _serials(groups).items() if times > 1}
    rows: dict[str, list[int]] = {key: [] for key in reused}
    given: dict[str, str] = {}
    lost: list[tuple[str, int, str]] = []
    for kind in ("devices", "modules"):
        for number, record in enumerate(groups.get(kind, []), start=1):
            serial = text(record.get("serial"))
            if is_placeholder_serial(serial):
                lost.append((kind, number, serial or ""))
            key = serial_key(serial)
            if kind == "modules" and key in rows:
                rows[key].append(number)
                given.setdefault(key, serial or "")
    for key in list(rows)[:_LISTED]:
        message = f"serial {given[key]} stands on {reused[key]} modules (rows {', '.join(map(str, rows[key][:10]))})"
        yield Finding("serial_reused", "warning", rows[key][0], "serial", given[key], message)
    if len(rows) > _LISTED:
        message = f"{len(rows) - _LISTED} more serials stand on several modules each"
        yield Finding("serial_reused", "warning", None, "serial", None, message)
    if lost:
        kind, number, serial = lost[0]
        message = f"{len(lost)} serials are placeholders such as '{serial}' ({kind} row {number}): not captured"
        yield Finding("serial_not_captured", "info", number, "serial", serial, message)
    invented = _invented(groups)
    if invented:
        message = (
            f"{len(invented)} of {len(groups['modules'])} module serials begin with their device's name: made up for "
            "the plan, not read from a label"
        )
        yield Finding("serial_invented", "warning", invented[0], "serial", None, message)
