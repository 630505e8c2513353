"""LLDP as JSON: lldpcli's ``json`` and ``json0``, Cumulus Linux' ``net show interface all json``, NAPALM's neighbours.

``json`` writes an object for one interface and a list for several, ``json0`` always lists; older releases repeat a key
within one object. All of it becomes the same neighbours; repeated keys are kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from turnup.formats.content import Content
from turnup.formats.dcim.lldp.neighbours import Neighbour, said
from turnup.formats.decoding import decode
from turnup.formats.tabular.json_records import dicts

_SECTIONS = frozenset({"via", "rid", "age", "chassis", "port", "ttl", "vlan", "lldp-med", "name"})


class Repeated(list[Any]):
    """The values of a key that stood several times in one object."""


def is_lldpcli(content: Content) -> bool:
    """Whether a document is lldpcli's."""
    document = content.json
    if not isinstance(document, dict) or set(document) != {"lldp"}:
        return False
    held = document["lldp"]
    return isinstance(held, dict) or (isinstance(held, list) and all(isinstance(item, dict) for item in held))


def is_cumulus(content: Content) -> bool:
    """Whether a document is Cumulus Linux' list of interfaces."""
    document = content.json
    return (
        isinstance(document, dict)
        and bool(document)
        and all(isinstance(port, dict) for port in document.values())
        and any("iface_obj" in port for port in document.values())
    )


def is_napalm(content: Content) -> bool:
    """Whether a document is NAPALM's: lists of neighbours by port."""
    document = content.json
    if not isinstance(document, dict) or not document:
        return False
    lists = all(isinstance(held, list) and all(isinstance(item, dict) for item in held) for held in document.values())
    items = [item for held in document.values() for item in held] if lists else []
    return bool(items) and all({"hostname", "port"} <= item.keys() or "remote_port" in item for item in items)


def read_lldpcli(content: Content) -> tuple[list[Neighbour], list[str]]:
    """Neighbours of a document of lldpcli, and the keys that were repeated within one object."""
    repeated: list[str] = []
    document = json.loads(decode(content.data, None).text, object_pairs_hook=lambda pairs: _merged(pairs, repeated))
    found: list[Neighbour] = []
    for held in _each(document["lldp"]):
        for entry in _each(held.get("interface")):
            found += _of_entry(entry, len(found))
    return found, repeated


def _merged(pairs: list[tuple[str, Any]], repeated: list[str]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for key, value in pairs:
        if key not in merged:
            merged[key] = value
        elif isinstance(merged[key], Repeated):
            merged[key].append(value)
        else:
            repeated.append(key)
            merged[key] = Repeated([merged[key], value])
    return merged


def _each(value: Any) -> list[dict[str, Any]]:
    """The objects in a value that may be one object or a list."""
    if isinstance(value, dict):
        return [value]
    return dicts(value) if isinstance(value, list) else []


def _of_entry(entry: dict[str, Any], before: int) -> Iterator[Neighbour]:
    """Neighbours of one entry: named by its key (``json``) or by its field ``name`` (``json0``)."""
    name = entry.get("name")
    if isinstance(name, str) and _SECTIONS & (entry.keys() - {"name"}):
        yield _neighbour(name, entry, before + 1)
        return
    number = before
    for interface, held in entry.items():
        for item in _each(held):
            number += 1
            yield _neighbour(interface, item, number)


def _neighbour(interface: str, held: dict[str, Any], row: int) -> Neighbour:
    chassis = _first(held.get("chassis"))
    name, body = _named_chassis(chassis)
    port = _first(held.get("port"))
    kind, identifier = _identifier(port.get("id"))
    negotiated = _first(port.get("auto-negotiation"))
    return Neighbour(
        interface,
        row,
        name=name,
        chassis=_identifier(body.get("id"))[1],
        port=identifier,
        port_kind=kind,
        description=_text(port.get("descr")),
        management=tuple(_texts(body.get("mgmt-ip"))),
        speed=_text(negotiated.get("current")),
        linked=True,
        given={"interface": interface, **held},
    )


def _named_chassis(chassis: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """``json`` names the chassis by its key when it has a name; ``json0`` in a field."""
    if "id" in chassis or "name" in chassis:
        return _text(chassis.get("name")), chassis
    for name, body in chassis.items():
        if isinstance(body, dict):
            return said(name), body
    return None, chassis


def _first(value: Any) -> dict[str, Any]:
    return next(iter(_each(value)), {})


def _identifier(value: Any) -> tuple[str | None, str | None]:
    held = _first(value)
    if held:
        return _text(held.get("type")), _text(held.get("value"))
    return None, _text(value)


def _text(value: Any) -> str | None:
    return next(iter(_texts(value)), None)


def _texts(value: Any) -> list[str]:
    """Every text in a value that may be a text, ``{"value": ...}`` or a list of either."""
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return _texts(value.get("value"))
    text = said(value) if isinstance(value, str) else None
    return [text] if text is not None else []


def read_cumulus(content: Content) -> tuple[list[Neighbour], int]:
    """Neighbours of a list of interfaces, and the number of interfaces without any."""
    found: list[Neighbour] = []
    document = content.document.value
    for interface, port in document.items():
        inner = port.get("iface_obj")
        inner = inner if isinstance(inner, dict) else {}
        for item in _each(inner.get("lldp")):
            address = said(item.get("adj_mgmt_ip"))
            found.append(
                Neighbour(
                    interface,
                    len(found) + 1,
                    name=said(item.get("adj_hostname")),
                    chassis=said(item.get("adj_mac")) or address,
                    port=said(item.get("adj_port")),
                    management=(address,) if address else (),
                    speed=said(port.get("speed")),
                    linked=(said(port.get("linkstate")) or "").upper() in ("UP", ""),
                    given={"interface": interface, **item},
                )
            )
    return found, len(document) - len({item.interface for item in found})


def read_napalm(content: Content) -> tuple[list[Neighbour], int]:
    """Neighbours in NAPALM's short or detailed form, and the number of ports without any."""
    found: list[Neighbour] = []
    document = content.document.value
    for interface, items in document.items():
        for item in items:
            found.append(
                Neighbour(
                    interface,
                    len(found) + 1,
                    name=said(item.get("hostname")) or said(item.get("remote_system_name")),
                    chassis=said(item.get("remote_chassis_id")),
                    port=said(item.get("port")) or said(item.get("remote_port")),
                    description=said(item.get("remote_port_description")),
                    linked=True,
                    given={"interface": interface, **item},
                )
            )
    return found, sum(not items for items in document.values())
