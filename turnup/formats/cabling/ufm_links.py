"""UFM's list of links (REST API, ``GET /ufmRest/resources/links``): what its manager of the fabric sees, as observed.

Belongs here: the names of both ends, as UFM's own network descriptions write them. Does not: comparing with a plan.
``node_description`` names a switch with its port (``leaf-1:19``, ``director:L03/U1/20``, with a label of its own
``leaf-1:1/3/1``) and an adapter by host and device (``gpu001 mlx5_0``). Releases before it give GUIDs only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical, cell_text
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

_NEEDED = ("source_guid", "source_port", "destination_guid", "destination_port")
_SIDES = {"a": "source", "b": "destination"}
_COLUMNS = (
    "view",
    "state",
    "a_device",
    "a_port",
    "b_device",
    "b_port",
    "lanes",
    "both_ends_report",
    "_sheet",
    "_given",
)
_OF_DIRECTOR = re.compile(r"^L(\d+)/U(\d+)/(\d+)$")
_WIDTH = re.compile(r"^(?:IB_)?(\d+)x$", re.IGNORECASE)
Record = Mapping[str, Any]
Row = dict[str, str | int | None]


def is_links(document: Any) -> bool:
    """Whether a document is such a list."""
    first = document[0] if isinstance(document, list) and document else None
    return isinstance(first, dict) and all(name in first for name in _NEEDED)


def parse_links(request: Request) -> RawTable:
    """Read every link.

    Raises:
        FileRejected: ``ufm_links`` when another dataset is asked for, or the document is no list of links.
    """
    if request.contract.name != "links":
        raise FileRejected("ufm_links", f"a list of links feeds links, not {request.contract.name}", expected="links")
    document = request.content.document.value
    if not is_links(document):
        raise FileRejected("ufm_links", f"the document is no list of objects with {', '.join(_NEEDED)}")
    rows: list[Row] = []
    rejected: list[Rejected] = []
    for number, link in enumerate(document, start=1):
        lacking = _lacking(link)
        if lacking:
            message = f"link {number} has no {' and no '.join(lacking)}"
            rejected.append(Rejected(number, None, lacking[0], None, "ufm_link", "both ends", message, canonical(link)))
        else:
            rows.append(_row(number, link))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String) | {"_row": pl.Int64})
    ledger = Ledger(lines=len(document), data=len(rows), rejected=len(rejected))
    facts = [Fact("links", len(rows)), Fact("devices", len({*frame["a_device"], *frame["b_device"]}))]
    return adapted(request, "ufm_links", frame, ledger, list(_nameless(document)), rejected=rejected, facts=facts)


def _lacking(link: Any) -> list[str]:
    if not isinstance(link, dict):
        return list(_NEEDED)
    return [name for name in _NEEDED if not (cell_text(link.get(name)) or "").strip()]


def _row(number: int, link: Record) -> Row:
    width = _WIDTH.match((cell_text(link.get("width")) or "").strip())
    ends: Row = {}
    for end, side in _SIDES.items():
        ends[f"{end}_device"], ends[f"{end}_port"] = end_of(
            _description(link, side), str(link[f"{side}_guid"]), str(link[f"{side}_port"])
        )
    return {
        "view": "observed", "state": "up", **ends, "lanes": width.group(1) if width else None,
        "both_ends_report": "true", "_row": number, "_sheet": None, "_given": canonical(link),
    }  # fmt: skip


def _description(link: Record, side: str) -> str:
    return (cell_text(link.get(f"{side}_port_node_description")) or "").strip()


def end_of(description: str, guid: str, port: str) -> tuple[str, str]:
    """Device and port of one end, ports as network descriptions write them.

    Args:
        description: the node description of the port; empty where the release has none.
        guid: of the node, its name when nothing better is known.
        port: number of the port within the node.
    """
    device, colon, label = description.partition(":")
    if colon and device.strip() and label.strip():
        director = _OF_DIRECTOR.match(label.strip())
        if director is not None:
            blade, chip, number = (int(part) for part in director.groups())
            return device.strip(), f"Blade {blade:02d}_Port {chip}/{number}"
        return device.strip(), f"Port {label.strip()}"
    host, blank, _ = description.partition(" ")
    if blank:
        return host, description if port == "1" else f"{description}/{port}"
    return description or guid, f"Port {port}"


def _nameless(links: list[Any]) -> Iterator[Finding]:
    """Links whose ends have no name: they fit no plan."""
    whole = [(number, link) for number, link in enumerate(links, start=1) if not _lacking(link)]
    without = [number for number, link in whole if not all(_description(link, side) for side in _SIDES.values())]
    if without:
        message = (
            f"{len(without)} links name a device by its GUID only, so no plan can be compared with them; "
            "take the list from a release of UFM that writes node descriptions"
        )
        yield Finding("names_missing", "warning", without[0], "a_device", str(len(without)), message)
