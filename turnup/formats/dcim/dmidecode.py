"""dmidecode dumps: the as-installed serial numbers of a server and its parts, and its BIOS version.

One structure that names a part (system, board, chassis, processor, memory, power supply) is one row of installs; a
slot without a part is none. Values such as "To Be Filled By O.E.M." are no serial numbers and never keys.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import Content, canonical
from turnup.formats.dcim.naming import Origin, origin, time_unknown
from turnup.formats.decoding import decode
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Request
from turnup.identity import is_placeholder_serial, normal_form

FEEDS = ("installs", "versions")
_HANDLE = re.compile(r"^Handle (0x[0-9A-Fa-f]+), DMI type (\d+), \d+ bytes")
_HANDLES = re.compile(r"(?m)^Handle 0x[0-9A-Fa-f]+, DMI type \d+, \d+ bytes")
_NO_VALUE = frozenset({"", "none", "unknown", "no module installed", "not installed", "not provided", "unspecified"})
_END = 127
_IDENTITY = ("Serial Number", "Asset Tag")


@dataclass
class Structure:
    """One DMI structure: its type, first line, and fields of its first level."""

    kind: int
    row: int
    title: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    def value(self, *names: str) -> str | None:
        """The first of some fields that says something; placeholders say nothing."""
        for name in names:
            text = self.fields.get(name)
            if text is not None and not _says_nothing(text):
                return text
        return None


def _says_nothing(text: str) -> bool:
    return (normal_form(text) or "") in _NO_VALUE or is_placeholder_serial(text)


def is_dmidecode(content: Content) -> bool:
    """Whether a text is a dump of dmidecode."""
    head = content.head_text
    return _HANDLES.search(head) is not None


def parse_dmidecode(request: Request) -> RawTable:
    """Read a dump for installs or versions.

    Raises:
        FileRejected: ``dmidecode`` when another dataset is asked for or the dump is cut; ``several_hosts``.
    """
    dataset = request.contract.name
    if dataset not in FEEDS:
        raise FileRejected(
            "dmidecode", f"dmidecode feeds {', '.join(FEEDS)}, not {dataset}", value=dataset, expected=", ".join(FEEDS)
        )
    decoded = decode(request.content.data, request.source.encoding)
    lines = decoded.text.removesuffix("\n").split("\n")
    structures = _structures(lines)
    if not structures or structures[-1].kind != _END:
        message = f"the dump has {len(structures)} structures and no end marker (type 127): it was cut"
        raise FileRejected("dmidecode", message, row=len(lines), expected="End Of Table")
    systems = sum(item.kind == 1 for item in structures)
    if systems > 1:
        message = f"the file holds the dumps of {systems} systems: give each host a file of its own, named after it"
        raise FileRejected("several_hosts", message, value=str(systems), expected="the dump of one host")
    place = origin(request, "name" if dataset == "installs" else "node")
    maker = _installs if dataset == "installs" else _versions
    rows = list(maker(structures, place))
    ledger = Ledger(lines=len(lines), data=len(rows), other=len(lines) - len(rows))
    findings = [*decoded.findings, *place.findings, *_findings(structures, place, dataset)]
    frame = pl.DataFrame(rows, schema=_SCHEMA[dataset])
    return adapted(request, "dmidecode", frame, ledger, findings, facts=_facts(structures))


_SCHEMA: dict[str, dict[str, pl.DataType]] = {
    "installs": {
        name: pl.String()
        for name in ("asset_id", "name", "manufacturer", "part_number", "serial", "parent_serial", "parent_asset",
                     "position", "status", "_sheet", "_given")
    } | {"_row": pl.Int64()},
    "versions": {
        name: pl.String() for name in ("node", "component", "version", "observed_at", "_sheet", "_given")
    } | {"_row": pl.Int64()},
}  # fmt: skip
_Row = dict[str, str | int | None]


def _structures(lines: list[str]) -> list[Structure]:
    found: list[Structure] = []
    for row, line in enumerate(lines, start=1):
        text = line.rstrip("\r ")
        handle = _HANDLE.match(text)
        if handle:
            found.append(Structure(int(handle[2]), row))
        elif found and text and not text.startswith("\t") and not found[-1].title:
            found[-1].title = text
        elif found and text.startswith("\t") and not text.startswith("\t\t") and ":" in text:
            name, _, value = text.strip().partition(":")
            found[-1].fields.setdefault(name, value.strip())
    return found


_PARTS = {1: "system", 2: "board", 3: "chassis", 4: "processor", 17: "memory", 39: "power supply"}


def _present(item: Structure) -> bool:
    if item.kind == 17:
        return (normal_form(item.fields.get("Size")) or "") not in {"no module installed", "unknown", "0"}
    if item.kind == 4:
        return "unpopulated" not in (normal_form(item.fields.get("Status")) or "")
    if item.kind == 39:
        return (normal_form(item.fields.get("Status")) or "").startswith("present") or item.value(
            "Serial Number"
        ) is not None
    return item.kind in _PARTS


def _installs(structures: list[Structure], place: Origin) -> Iterator[_Row]:
    parts = [item for item in structures if item.kind in _PARTS and _present(item)]
    system = next((item.value("Serial Number") for item in parts if item.kind == 1), None)
    taken: set[tuple[str | None, str]] = set()
    for number, item in enumerate(parts):
        serial = item.value("Serial Number")
        key = (normal_form(item.value("Manufacturer")), normal_form(serial) or "")
        if item.kind != 1 and serial is not None and key in taken:
            continue  # the chassis or board repeats the system's serial number: it is the same asset
        taken.add(key)
        yield _install(item, place, system, number)


def _install(item: Structure, place: Origin, system: str | None, number: int) -> _Row:
    serial = item.value("Serial Number")
    where = item.value("Locator", "Socket Designation", "Location", "Location In Chassis")
    is_system = item.kind == 1
    label = _PARTS[item.kind] if is_system else f"{_PARTS[item.kind]} {where or number}"
    return {
        # The place is the record: the host's next dump replaces it, and a part seen in two hosts stays two records.
        "asset_id": f"{place.host}/{label}" if place.host else None if serial else f"{system or 'unknown'}/{label}",
        "name": place.host if is_system else None,
        "manufacturer": item.value("Manufacturer"),
        "part_number": item.value("Part Number", "Model Part Number", "Product Name", "Version", "Type"),
        "serial": item.fields.get("Serial Number"),
        "parent_serial": None if is_system else system,
        "parent_asset": None if is_system or system else place.host,
        "position": where,
        "status": "active",
        "_row": item.row,
        "_sheet": _PARTS[item.kind],
        "_given": canonical({"title": item.title, **item.fields}),
    }


def _versions(structures: list[Structure], place: Origin) -> Iterator[_Row]:
    names = {"bios": "Version", "bios_revision": "BIOS Revision", "embedded_controller": "Firmware Revision"}
    for item in structures:
        for component, name in names.items() if item.kind == 0 else ():
            version = item.value(name)
            if version is not None:
                yield {
                    "node": place.host,
                    "component": component,
                    "version": version,
                    "observed_at": place.observed_at,
                    "_row": item.row,
                    "_sheet": component,
                    "_given": canonical(item.fields),
                }


def _placeholders(structures: list[Structure]) -> Counter[str]:
    """Serial numbers and asset tags that identify nothing, as written."""
    return Counter(
        item.fields[name].strip()
        for item in structures
        for name in _IDENTITY
        if name in item.fields and (not item.fields[name].strip() or is_placeholder_serial(item.fields[name]))
    )


def _facts(structures: list[Structure]) -> list[Fact]:
    serials = {item.kind: item.value("Serial Number") for item in reversed(structures)}
    lost = _placeholders(structures)
    parts = Counter(_PARTS[item.kind] for item in structures if item.kind in _PARTS and _present(item))
    empty = sum(item.kind == 17 and not _present(item) for item in structures)
    return [
        Fact("structures", len(structures)),
        *(Fact(f"{_PARTS[kind]}_serial", serials[kind] or "not captured") for kind in (1, 2, 3) if kind in serials),
        Fact("parts", tuple(f"{name}: {times}" for name, times in sorted(parts.items()))),
        Fact("empty_memory_slots", empty),
        Fact("identifiers_not_captured", sum(lost.values()), note="serial numbers and asset tags"),
        Fact("placeholders", tuple(f"{value or '(blank)'}: {times}" for value, times in sorted(lost.items()))),
    ]


def _findings(structures: list[Structure], place: Origin, dataset: str) -> Iterator[Finding]:
    lost = [
        (item, name)
        for item in structures
        for name in _IDENTITY
        if name in item.fields and (not item.fields[name].strip() or is_placeholder_serial(item.fields[name]))
    ]
    if lost:
        item, name = lost[0]
        message = (
            f"{len(lost)} serial numbers and asset tags are placeholders, such as '{item.fields[name]}' ({item.title}, "
            f"line {item.row}): not captured, never used as keys"
        )
        yield Finding("serial_not_captured", "info", item.row, name, item.fields[name], message)
    if dataset == "versions" and place.observed_at is None:
        yield time_unknown("observed_at")
