"""NetBox exports and REST pages: devices and modules to installs, cables to planned links, names, circuits.

NetBox is the plan of record: its cables are links of the planned view, whatever status it claims for them. The claim
is kept beside the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import Content
from turnup.formats.dcim.netbox_checks import facts, findings
from turnup.formats.dcim.netbox_records import READERS, Row
from turnup.formats.model import FileRejected, Ledger, Look, RawTable, Request
from turnup.formats.tabular.json_records import dicts

FEEDS = {
    "installs": ("devices", "modules"),
    "links": ("cables",),
    "node_names": ("devices",),
    "circuits": ("circuits",),
}
"""Per dataset the kinds of records that become its rows."""

_KINDS = {
    "cables": ({"a_terminations", "b_terminations"},),
    "modules": ({"module_type", "device"}, {"module_type", "device_id"}),
    "devices": ({"device_type", "role"}, {"device_type", "device_role"}),
    "circuits": ({"cid", "provider"},),
    "circuit_terminations": ({"circuit", "term_side"},),
    "racks": ({"u_height", "desc_units"}, {"u_height", "starting_unit"}),
}
"""Per kind of record the fields that only it has."""


def groups_of(document: Any) -> dict[str, list[dict[str, Any]]] | None:
    """The record groups of a document, or None when it is not NetBox's."""
    main = ("devices", "cables", "modules", "circuits", "racks")
    if isinstance(document, dict) and "results" not in document:
        if any(isinstance(document.get(name), list) and _fits(name, document[name]) for name in main):
            return {name: dicts(held) for name, held in document.items() if isinstance(held, list)}
        return None
    records = document.get("results") if isinstance(document, dict) else document
    if not isinstance(records, list) or not records or not isinstance(records[0], dict):
        return None
    kind = _kind(records[0])
    return {kind: dicts(records)} if kind else None


def _fits(name: str, records: list[Any]) -> bool:
    """Whether a named group holds NetBox's records of that name; an empty one and devices of any shape may."""
    return not records or (isinstance(records[0], dict) and (_kind(records[0]) == name or "id" in records[0]))


def _kind(record: Mapping[str, Any]) -> str | None:
    held = record.keys()
    return next((kind for kind, proofs in _KINDS.items() if any(proof <= held for proof in proofs)), None)


def feeds_a_dataset(content: Content) -> bool:
    """Whether a file is NetBox's and holds records that become rows."""
    groups = groups_of(content.json)
    return groups is not None and any(kind in groups for kinds in FEEDS.values() for kind in kinds)


def holds_others(content: Content) -> bool:
    """Whether a file is NetBox's and holds only records that no dataset takes, such as racks."""
    return groups_of(content.json) is not None and not feeds_a_dataset(content)


def look_at_others(content: Content) -> Look:
    """Describe racks and circuit terminations."""
    groups = groups_of(content.json) or {}
    lines = sum(map(len, groups.values()))
    return Look(Ledger(lines=lines, other=lines), tuple(facts(groups)), tuple(findings(content.json, groups, 0)))


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
    if dataset not in FEEDS:
        feeds = ", ".join(sorted(FEEDS))
        raise FileRejected("netbox", f"NetBox exports feed {feeds}, not {dataset}", value=dataset, expected=feeds)
    wanted = [name for name in FEEDS[dataset] if name in groups]
    if not wanted:
        held = ", ".join(sorted(groups))
        raise FileRejected("netbox", f"{dataset} come from {' and '.join(FEEDS[dataset])}; the file holds {held}")
    rows = list(READERS[dataset](groups, document))
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(schema=_SCHEMA)
    texts = [pl.col(name).cast(pl.String) for name in frame.columns if name != "_row"]
    frame = frame.with_columns(*texts, pl.col("_row").cast(pl.Int64))
    skipped = sum(len(held) for name, held in groups.items() if name not in wanted)
    unused = sum(len(groups[name]) for name in wanted) - len({(_group(row), row["_row"]) for row in rows})
    ledger = Ledger(lines=len(rows) + skipped + unused, data=len(rows), other=skipped + unused)
    return adapted(request, "netbox", frame, ledger, findings(document, groups, unused), facts=facts(groups))


_SCHEMA = {"_row": pl.Int64, "_sheet": pl.String, "_given": pl.String}


def _group(row: Row) -> str:
    return str(row["_sheet"]).partition(",")[0]
