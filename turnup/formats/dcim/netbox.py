"""NetBox exports and REST pages: devices and modules to installs, cables to planned links, names to node_names.

NetBox is the plan of record: its cables are links of the planned view, whatever status it claims for them. The claim
is kept beside the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Request
from turnup.formats.tabular.json_records import dicts, page_findings

Groups = Mapping[str, list[dict[str, Any]]]
Row = dict[str, str | int | None]
End = tuple[str | None, str | None]
_GROUPS = ("devices", "modules", "cables", "interfaces", "racks", "circuits", "sites")
_FEEDS = {"installs": ("devices", "modules"), "links": ("cables",), "node_names": ("devices",)}


def groups_of(document: Any) -> dict[str, list[dict[str, Any]]] | None:
    """The record groups of a document, or None when it is not NetBox's."""
    main = ("devices", "cables", "modules")
    if isinstance(document, dict) and any(isinstance(document.get(name), list) for name in main):
        return {name: dicts(held) for name, held in document.items() if isinstance(held, list)}
    records = document.get("results") if isinstance(document, dict) else document
    if not isinstance(records, list) or not records or not isinstance(records[0], dict):
        return None
    kind = _kind(records[0])
    return {kind: dicts(records)} if kind else None


def _kind(record: Mapping[str, Any]) -> str | None:
    if "a_terminations" in record and "b_terminations" in record:
        return "cables"
    if "module_type" in record and "device" in record:
        return "modules"
    if "device_type" in record and ("role" in record or "device_role" in record):
        return "devices"
    return None


def parse_netbox(request: Request) -> RawTable:
    """Read the groups that feed the source's dataset; the others are counted in the ledger.

    Raises:
        FileRejected: ``netbox`` when the document is another one or feeds another dataset.
    """
    document = request.content.document.value
    groups = groups_of(document)
    dataset = request.contract.name
    if groups is None:
        raise FileRejected("netbox", "no devices, modules or cables of NetBox in this document", expected="NetBox JSON")
    if dataset not in _FEEDS:
        feeds = ", ".join(sorted(_FEEDS))
        raise FileRejected("netbox", f"NetBox exports feed {feeds}, not {dataset}", value=dataset, expected=feeds)
    wanted = [name for name in _FEEDS[dataset] if name in groups]
    if not wanted:
        held = ", ".join(sorted(groups))
        raise FileRejected("netbox", f"{dataset} come from {' and '.join(_FEEDS[dataset])}; the file holds {held}")
    rows = list(_READERS[dataset](groups, document))
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(schema=_SCHEMA)
    texts = [pl.col(name).cast(pl.String) for name in frame.columns if name != "_row"]
    frame = frame.with_columns(*texts, pl.col("_row").cast(pl.Int64))
    skipped = sum(len(held) for name, held in groups.items() if name not in wanted)
    unused = sum(len(groups[name]) for name in wanted) - len({(_group(row), row["_row"]) for row in rows})
    ledger = Ledger(lines=len(rows) + skipped + unused, data=len(rows), other=skipped + unused)
    return adapted(request, "netbox", frame, ledger, _findings(document, groups, unused))


_SCHEMA = {"_row": pl.Int64, "_sheet": pl.String, "_given": pl.String}


def _group(row: Row) -> str:
    return str(row["_sheet"]).partition(",")[0]


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


def _type_name(value: Any) -> str | None:
    """The model of a device or module type: its part number when NetBox has one."""
    if isinstance(value, Mapping):
        return text(value.get("part_number")) or text(value.get("model")) or text(value.get("display"))
    return text(value)


def _maker(record: Mapping[str, Any], kind: str) -> str | None:
    held = record.get(kind)
    nested = held.get("manufacturer") if isinstance(held, Mapping) else None
    return _name(nested) or _name(record.get("manufacturer"))


def _name(value: Any) -> str | None:
    return text(value.get("name")) or text(value) if isinstance(value, Mapping) else text(value)


def _installs(groups: Groups, document: Any) -> Iterator[Row]:
    hosts = {text(device.get("id")): device for device in groups.get("devices", [])}
    for number, device in enumerate(groups.get("devices", []), start=1):
        yield _install(device, "device", number) | {"name": text(device.get("name"))} | _place(device)
    for number, module in enumerate(groups.get("modules", []), start=1):
        host_id = _device_id(module)
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
        "part_number": _type_name(record.get(f"{kind}_type")),
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
        "rack": _name(device.get("rack")),
        "position": text(device.get("position")),
    }


def _device_id(record: Mapping[str, Any]) -> str | None:
    device = record.get("device")
    return text(device.get("id")) if isinstance(device, Mapping) else text(record.get("device_id"))


def _links(groups: Groups, document: Any) -> Iterator[Row]:
    for number, cable in enumerate(groups.get("cables", []), start=1):
        pairs = _pairs(_ends(cable.get("a_terminations")), _ends(cable.get("b_terminations")))
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


def _ends(terminations: Any) -> list[End]:
    ends: list[End] = []
    for end in dicts(terminations or []):
        nested = end.get("object")
        held = nested if isinstance(nested, Mapping) else end
        device = held.get("device")
        name = _name(device) if device is not None else text(held.get("device_name"))
        ends.append((name, text(held.get("name"))))
    return ends


def _pairs(a_ends: list[End], b_ends: list[End]) -> list[tuple[End, End]]:
    """Ends that belong together: one to one, or a breakout's single end with each of the others."""
    longest = max(len(a_ends), len(b_ends), 1)
    return list(zip(_stretched(a_ends, longest), _stretched(b_ends, longest), strict=True))


def _stretched(ends: list[End], length: int) -> list[End]:
    return ends * length if len(ends) == 1 else ends + [(None, None)] * (length - len(ends))


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
            "cluster": _name(device.get("cluster")),
            "_row": number,
            "_sheet": "devices",
            "_given": canonical(device),
        }


_READERS: dict[str, Callable[[Groups, Any], Iterator[Row]]] = {
    "installs": _installs,
    "links": _links,
    "node_names": _node_names,
}


def _findings(document: Any, groups: Groups, unused: int) -> list[Finding]:
    findings = []
    if unused:
        message = f"{unused} records name nothing that this dataset can hold (such as devices without a name)"
        findings.append(Finding("records_unused", "info", None, None, str(unused), message))
    if not isinstance(document, dict):
        return findings
    if isinstance(document.get("results"), list):
        findings += page_findings(document, "results", len(document["results"]))
    metadata = document.get("metadata")
    counts = metadata.get("counts") if isinstance(metadata, Mapping) else None
    for name, stated in sorted(counts.items()) if isinstance(counts, Mapping) else []:
        held = len(groups.get(name, []))
        if str(stated) != str(held):
            message = f"the export says that it has {stated} {name}, it holds {held}"
            findings.append(Finding("count_mismatch", "error", None, name, str(stated), message))
    return findings
