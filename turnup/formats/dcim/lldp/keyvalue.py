"""LLDP as ``lldpctl -f keyvalue``: one line a field, fields of a neighbour together, values over several lines.

A neighbour begins with ``via``. A key that comes again is another value (addresses) and is kept; one that stands among
the lines of another interface is told, because it may belong there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from turnup.formats.content import Content
from turnup.formats.dcim.lldp.neighbours import Neighbour, said
from turnup.formats.model import Finding

_SECTION = "via|rid|age|ttl|chassis|port|vlan|ppvid|pi|lldp-med|unknown-tlvs|unknown|power|cdp|dot1|dot3|identification"
_LINE = re.compile(rf"^lldp\.(?P<port>.+?)\.(?P<key>(?:{_SECTION})(?:\.[^=]*)?)=(?P<value>.*)$")
_MANY = frozenset({"chassis.mgmt-ip", "chassis.mgmt-iface", "vlan.vlan-id", "vlan", "vlan.pvid", "pi"})
_MANY_SECTIONS = ("unknown", "ppvid", "pi", "vlan", "lldp-med", "port.auto-negotiation")


@dataclass
class _Block:
    interface: str
    row: int
    fields: dict[str, list[tuple[str, int]]] = field(default_factory=dict)


def is_keyvalue(content: Content) -> bool:
    """Whether a text is keyvalue output of lldpctl."""
    return _LINE.match(content.head_text.split("\n", 1)[0].rstrip("\r")) is not None


def read_keyvalue(text: str) -> tuple[list[Neighbour], list[Finding], int]:
    """Neighbours, what was noticed, and the number of lines."""
    lines = text.removesuffix("\n").split("\n")
    blocks: list[_Block] = []
    newest: dict[str, _Block] = {}
    findings: list[Finding] = []
    last: list[tuple[str, int]] | None = None
    for row, line in enumerate(lines, start=1):
        found = _LINE.match(line.rstrip("\r"))
        if found is None:
            _continue(last, line)
            continue
        interface, key = found["port"], found["key"]
        block = newest.get(interface)
        if block is None or (key == "via" and "via" in block.fields):
            block = newest[interface] = _Block(interface, row)
            blocks.append(block)
        last = block.fields.setdefault(key, [])
        last.append((found["value"].strip(), row))
        if len(last) > 1:
            findings += _repeated(block, key, last, blocks[-1])
    return [_neighbour(block) for block in blocks], findings, len(lines)


def _continue(last: list[tuple[str, int]] | None, line: str) -> None:
    """A line without a key continues the value before it."""
    if last:
        value, row = last[-1]
        last[-1] = (f"{value}\n{line}", row)


def _repeated(block: _Block, key: str, values: list[tuple[str, int]], present: _Block) -> list[Finding]:
    if key in _MANY or key.startswith(_MANY_SECTIONS):
        return []
    value, row = values[-1]
    name = f"lldp.{block.interface}.{key}"
    among = f"; it stands among the lines of {present.interface} and may belong there" if present is not block else ""
    message = f"line {row}: {name} was given before in line {values[0][1]}, which is kept{among}"
    return [Finding("repeated_key", "warning", row, name, value, message)]


def _neighbour(block: _Block) -> Neighbour:
    def first(*keys: str) -> str | None:
        return next((text for key in keys for value, _ in block.fields.get(key, []) if (text := said(value))), None)

    port_kind = next((kind for kind in ("ifname", "local", "mac") if f"port.{kind}" in block.fields), None)
    management = tuple(value for value, _ in block.fields.get("chassis.mgmt-ip", []))
    return Neighbour(
        block.interface,
        block.row,
        name=first("chassis.name"),
        chassis=first("chassis.mac", "chassis.local", "chassis.ifname", "chassis.ip"),
        port=first(f"port.{port_kind}") if port_kind else None,
        port_kind=port_kind,
        description=first("port.descr"),
        management=management,
        speed=first("port.auto-negotiation.current"),
        linked=True,
        given={
            "interface": block.interface,
            **{key: [value for value, _ in values] for key, values in block.fields.items()},
        },
    )
