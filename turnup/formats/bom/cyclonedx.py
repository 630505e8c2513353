"""CycloneDX hardware bills (JSON): devices, their quantities in properties, nested as parts of parts.

A nested device is needed once for each of its parent, so its quantity is per parent. Where nothing is nested, a
dependency between two devices says which contains which, as long as a device has one parent only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical, cell_text
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Request
from turnup.formats.tabular.json_records import dicts

_QUANTITY = "cdx:device:quantity"
_COLUMNS = ("line", "parent_line", "part_number", "manufacturer", "supplier", "description", "quantity",
            "quantity_basis", "revision", "_sheet", "_given")  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """A component with its number in the document, its line and the line it is nested in."""

    number: int
    line: str
    parent: str | None
    record: Mapping[str, Any]

    @property
    def device(self) -> bool:
        return str(self.record.get("type", "device")).lower() == "device"

    @property
    def quantity(self) -> str | None:
        for held in dicts(self.record.get("properties") or []):
            if str(held.get("name")).lower() == _QUANTITY:
                return cell_text(held.get("value"))
        return None


def parse_cyclonedx(request: Request) -> RawTable:
    """Read the devices of a document; other components are counted in the ledger.

    Raises:
        FileRejected: ``cyclonedx`` when the document holds no device, or another dataset is asked for.
    """
    if request.contract.name != "bom":
        raise FileRejected("cyclonedx", f"a hardware bill feeds bom, not {request.contract.name}", expected="bom")
    document = request.content.document.value
    components = list(_walk(document.get("components"), None, set()))
    parts = [part for part in components if part.device]
    if not parts:
        raise FileRejected("cyclonedx", "the document holds no component of type device", expected="devices")
    parents, findings = _parents(parts, document)
    top = _name(_product(document))
    rows = [_row(part, parents[part.line]) | {"_row": part.number} for part in parts]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String) | {"_row": pl.Int64})
    others = len(components) - len(parts)
    ledger = Ledger(lines=len(components), data=len(parts), other=others)
    without = [part for part in parts if part.quantity is None]
    for part in without:
        message = f"{part.line} has no quantity ({_QUANTITY}); it was read as 1"
        findings.append(Finding("quantity_assumed", "info", part.number, "quantity", None, message))
    return adapted(request, "cyclonedx", frame, ledger, findings, facts=_facts(document, parts, parents, top))


def _walk(held: Any, parent: str | None, taken: set[str]) -> Iterator[_Part]:
    """All components, parents before what is nested in them."""
    for record in dicts(held or []):
        number = len(taken) + 1
        line = str(record.get("bom-ref") or record.get("name") or number)
        line = line if line not in taken else f"{line} ({number})"
        taken.add(line)
        yield _Part(number, line, parent, record)
        yield from _walk(record.get("components"), line, taken)


def _parents(parts: list[_Part], document: Mapping[str, Any]) -> tuple[dict[str, str | None], list[Finding]]:
    """The parent line of each device: what it is nested in, else the one device that depends on it."""
    devices = {part.line for part in parts}
    parents = {part.line: part.parent if part.parent in devices else None for part in parts}
    if any(parents.values()):
        return parents, []
    above: dict[str, list[str]] = {line: [] for line in parents}
    for entry in dicts(document.get("dependencies") or []):
        for child in entry.get("dependsOn") or []:
            if str(entry.get("ref")) in devices and str(child) in devices:
                above[str(child)].append(str(entry["ref"]))
    findings = []
    for line, held in above.items():
        if len(set(held)) == 1:
            parents[line] = held[0]
        elif held:
            message = f"{line} is part of several devices ({', '.join(sorted(set(held)))}); its quantity is taken once"
            findings.append(Finding("several_parents", "warning", None, "parent_line", line, message))
    return parents, findings


def _row(part: _Part, parent: str | None) -> dict[str, str | None]:
    record = part.record
    return {
        "line": part.line,
        "parent_line": parent,
        "part_number": cell_text(record.get("name")),
        "manufacturer": _name(record.get("manufacturer")) or _name(record.get("supplier")) or record.get("publisher"),
        "supplier": _name(record.get("supplier")),
        "description": cell_text(record.get("description")),
        "quantity": part.quantity or "1",
        "quantity_basis": "per_parent" if parent else "per_system",
        "revision": cell_text(record.get("version")),
        "_sheet": None,
        "_given": canonical({name: value for name, value in record.items() if name != "components"}),
    }


def _name(held: Any) -> str | None:
    return cell_text(held.get("name")) if isinstance(held, Mapping) else None


def _product(document: Mapping[str, Any]) -> Any:
    about = document.get("metadata")
    return about.get("component") if isinstance(about, Mapping) else None


def _facts(
    document: Mapping[str, Any], parts: list[_Part], parents: Mapping[str, str | None], top: str | None
) -> list[Fact]:
    named = Counter(part.quantity or "1" for part in parts)
    return [
        Fact("product", top or ""),
        Fact("spec_version", str(document.get("specVersion") or "")),
        Fact("devices", len(parts)),
        Fact("nested_devices", sum(bool(parent) for parent in parents.values())),
        Fact("dependencies", len(dicts(document.get("dependencies") or []))),
        Fact("quantities", tuple(part.quantity or "1" for part in parts), note=f"{len(named)} different"),
    ]
