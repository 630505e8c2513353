"""NetBox's records as rows: devices and modules to installs, cables to links, names to node_names, and circuits.

Belongs here: what a field of NetBox means. Does not: which documents are NetBox's (``netbox``), or what is wrong with
them (``netbox_checks``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from turnup.formats.content import canonical
from turnup.formats.tabular.json_records import dicts

Groups = Mapping[str, list[dict[str, Any]]]
Row = dict[str, str | int | None]
End = tuple[str | None, str | None]
_KBPS_PER_GBPS = Decimal(1_000_000)


def text(value: Any) -> str | None:
    """The plain text of a field that may be a value, a choice (``value``, ``label``) or a nested object."""
    if isinstance(value, Mapping):
        for key in ("value", "slug", "model", "name", "display"):
            if value.get(key) not in (None, ""):
                return text(value[key])
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value not in (None, "") else None


def name_of(value: Any) -> str | None:
    """The name of a nested object, else its text."""
    return text(value.get("name")) or text(value) if isinstance(value, Mapping) else text(value)


def type_name(value: Any) -> str | None:
    """The model of a device or module type: its part number when NetBox has one."""
    if isinstance(value, Mapping):
        return text(value.get("part_number")) or text(value.get("model")) or text(value.get("display"))
    return text(value)


def device_id(record: Mapping[str, Any]) -> str | None:
    """The id of the device that a module sits in."""
    device = record.get("device")
    return text(device.get("id")) if isinstance(device, Mapping) else text(record.get("device_id"))


def gbps(kbps: str | None) -> str | None:
    """Gbit/s of NetBox's kbit/s (commit rate, port speed), exact; the text itself when it is no number."""
    if kbps is None:
        return None
    try:
        rate = Decimal(kbps) / _KBPS_PER_GBPS
    except InvalidOperation:
        return kbps
    return f"{rate.normalize():f}"


def ends(terminations: Any) -> list[End]:
    """Device and port of each end of one side of a cable."""
    found: list[End] = []
    for end in dicts(terminations or []):
        nested = end.get("object")
        held = nested if isinstance(nested, Mapping) else end
        device = held.get("device")
        name = name_of(device) if device is not None else text(held.get("device_name"))
        found.append((name, text(held.get("name"))))
    return found


def _maker(record: Mapping[str, Any], kind: str) -> str | None:
    held = record.get(kind)
    nested = held.get("manufacturer") if isinstance(held, Mapping) else None
    return name_of(nested) or name_of(record.get("manufacturer"))


def _installs(groups: Groups, document: Any) -> Iterator[Row]:
    hosts = {text(device.get("id")): device for device in groups.get("devices", [])}
    for number, device in enumerate(groups.get("devices", []), start=1):
        yield _install(device, "device", number) | {"name": text(device.get("name"))} | _place(device)
    for number, module in enumerate(groups.get("modules", []), start=1):
        host_id = device_id(module)
        host = hosts.get(host_id, {})
        parent: Row = {
            "parent_asset": f"nb-device-{host_id}" if host_id else None,
            "parent_serial": text(host.get("serial")),
        }
        yield _install(module, "module", number) | parent | _place(host)


def _install(record: Mapping[str, Any], kind: str, number: int) -> Row:
    """What a device and a module have in common."""
    return {
        "asset_id": f"nb-{kind}-{text(record.get('id'))}",
        "name": None,
        "part_number": type_name(record.get(f"{kind}_type")),
        "manufacturer": _maker(record, f"{kind}_type"),
        "serial": text(record.get("serial")),
        "parent_asset": None,
        "parent_serial": None,
        "status": text(record.get("status")),
        "_row": number,
        "_sheet": f"{kind}s",
        "_given": canonical(record),
    }


def _place(device: Mapping[str, Any]) -> Row:
    return {
        "site_id": text(device.get("site")),
        "rack": name_of(device.get("rack")),
        "position": text(device.get("position")),
    }


def _links(groups: Groups, document: Any) -> Iterator[Row]:
    for number, cable in enumerate(groups.get("cables", []), start=1):
        pairs = _pairs(ends(cable.get("a_terminations")), ends(cable.get("b_terminations")))
        for index, (a_end, b_end) in enumerate(pairs):
            yield {
                "link_id": text(cable.get("id")),
                "view": "planned",
                "a_device": a_end[0],
                "a_port": a_end[1],
                "b_device": b_end[0],
                "b_port": b_end[1],
                "media": text(cable.get("type")),
                "state": "planned",
                "status_claimed": text(cable.get("status")),
                "_row": number,
                "_sheet": "cables" if index == 0 else f"cables, end {index + 1}",
                "_given": canonical(cable),
            }


def _pairs(a_ends: list[End], b_ends: list[End]) -> list[tuple[End, End]]:
    """Ends that belong together: one to one, or a breakout's single end with each of the others."""
    longest = max(len(a_ends), len(b_ends), 1)
    return list(zip(_stretched(a_ends, longest), _stretched(b_ends, longest), strict=True))


def _stretched(sides: list[End], length: int) -> list[End]:
    return sides * length if len(sides) == 1 else sides + [(None, None)] * (length - len(sides))


def _node_names(groups: Groups, document: Any) -> Iterator[Row]:
    metadata = document.get("metadata") if isinstance(document, dict) else None
    generated = text(metadata.get("generated_at")) if isinstance(metadata, Mapping) else None
    for number, device in enumerate(groups.get("devices", []), start=1):
        if text(device.get("name")) is None:
            continue
        yield {
            "node": text(device.get("name")),
            "valid_from": (text(device.get("created")) or generated or "")[:10] or None,
            "serial": text(device.get("serial")),
            "cluster": name_of(device.get("cluster")),
            "_row": number,
            "_sheet": "devices",
            "_given": canonical(device),
        }


def _circuits(groups: Groups, document: Any) -> Iterator[Row]:
    """Circuits; the status is a claim of our own side, and a date of installation counts where it is active."""
    terminations = {
        (text(_nested(end.get("circuit"), "id")), text(end.get("term_side"))): end
        for end in groups.get("circuit_terminations", [])
    }
    for number, circuit in enumerate(groups.get("circuits", []), start=1):
        sides = {
            side: terminations.get((text(circuit.get("id")), side)) or circuit.get(f"termination_{side.lower()}") or {}
            for side in ("A", "Z")
        }
        status = text(circuit.get("status"))
        rate = text(circuit.get("commit_rate")) or next(filter(None, map(_port_speed, sides.values())), None)
        yield {
            "circuit": text(circuit.get("cid")),
            "a_site": _site_of(sides["A"]),
            "z_site": _site_of(sides["Z"]),
            "provider": name_of(circuit.get("provider")),
            "type": name_of(circuit.get("type")),
            "gbps": gbps(rate),
            "customer_state": status,
            "in_service": text(circuit.get("install_date")) if status == "active" else None,
            "_row": number,
            "_sheet": "circuits",
            "_given": canonical(circuit),
        }


def _nested(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else value


def _port_speed(end: Any) -> str | None:
    return text(_nested(end, "port_speed")) if isinstance(end, Mapping) else None


def _site_of(end: Any) -> str | None:
    """The site of a termination: ``site`` of old releases, ``termination`` of newer ones."""
    if not isinstance(end, Mapping):
        return None
    return text(end.get("site")) or text(end.get("termination"))


READERS: dict[str, Callable[[Groups, Any], Iterator[Row]]] = {
    "installs": _installs,
    "links": _links,
    "node_names": _node_names,
    "circuits": _circuits,
}
