"""Paddle: the machine model of an HPE Cray system (JSON), nodes with their ports, to planned links.

Every cable stands at both of its nodes, so a model of 192 port records has 96 cables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.cabling.ends import link_key
from turnup.formats.content import canonical, cell_text
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.tabular.json_records import dicts

Row = dict[str, str | int | None]
_COLUMNS = ("view", "state", "a_device", "a_port", "a_role", "a_rack", "a_position", "b_device", "b_port", "b_role",
            "b_rack", "b_position", "speed_gbps", "_sheet", "_given")  # fmt: skip


def is_paddle(document: Any) -> bool:
    """Whether a document is such a model: a topology of nodes with ports."""
    nodes = document.get("topology") if isinstance(document, dict) else None
    return isinstance(nodes, list) and bool(nodes) and isinstance(nodes[0], dict) and "common_name" in nodes[0]


def parse_paddle(request: Request) -> RawTable:
    """Read every port record as one end of a planned link.

    Raises:
        FileRejected: ``paddle`` when another dataset is asked for, or there is no node.
    """
    if request.contract.name != "links":
        raise FileRejected("paddle", f"a machine model feeds links, not {request.contract.name}", expected="links")
    document = request.content.document.value
    if not is_paddle(document):
        raise FileRejected("paddle", "the document has no topology of nodes with common names", expected="paddle")
    nodes = {str(node.get("id")): node for node in dicts(document["topology"])}
    rows: list[Row] = []
    rejected = []
    number = 0
    for node in nodes.values():
        for port in dicts(node.get("ports") or []):
            number += 1
            other = nodes.get(str(port.get("destination_node_id")))
            if other is None:
                rejected.append(_nowhere(number, node, port))
            else:
                rows.append(_row(number, node, port, other))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String) | {"_row": pl.Int64})
    ledger = Ledger(lines=number, data=len(rows), rejected=len(rejected))
    facts = _facts(nodes, number)
    return adapted(request, "paddle", frame, ledger, _one_sided(frame), rejected=rejected, facts=facts)


def port_name(slot: Any, port: Any) -> str | None:
    """A port counts within its slot: ``ocp:1``."""
    number = cell_text(port)
    return f"{slot}:{number}" if slot and number else number


def _row(number: int, node: Mapping[str, Any], port: Mapping[str, Any], other: Mapping[str, Any]) -> Row:
    return {
        "view": "planned",
        "state": "planned",
        "a_port": port_name(port.get("slot"), port.get("port")),
        "b_port": port_name(port.get("destination_slot"), port.get("destination_port")),
        **_end("a", node),
        **_end("b", other),
        "speed_gbps": cell_text(port.get("speed")),
        "_row": number,
        "_sheet": None,
        "_given": canonical({"common_name": node.get("common_name"), **port}),
    }


def _end(end: str, node: Mapping[str, Any]) -> Row:
    held = node.get("location")
    place = held if isinstance(held, Mapping) else {}
    return {
        f"{end}_device": cell_text(node.get("common_name")),
        f"{end}_role": cell_text(node.get("type")),
        f"{end}_rack": cell_text(place.get("rack")),
        f"{end}_position": cell_text(place.get("elevation")),
    }


def _nowhere(number: int, node: Mapping[str, Any], port: Mapping[str, Any]) -> Rejected:
    target = cell_text(port.get("destination_node_id"))
    message = f"port record {number} of {node.get('common_name')} leads to node {target}, which the model does not have"
    given = canonical(port)
    return Rejected(number, None, "destination_node_id", target, "paddle_node", "the id of a node", message, given)


def _facts(nodes: Mapping[str, Mapping[str, Any]], records: int) -> list[Fact]:
    vendors = Counter(str(node.get("vendor") or "none") for node in nodes.values())
    counts = [Fact(f"nodes_{vendor.lower()}", count) for vendor, count in sorted(vendors.items())]
    keys = ("common_name", "id", "model", "vendor", "ports", "location")
    held = tuple(key for key in keys if all(key in node for node in nodes.values()))
    return [Fact("nodes", len(nodes)), Fact("port_records", records), *counts, Fact("node_keys", held)]


def _one_sided(frame: pl.DataFrame) -> list[Finding]:
    """Cables that only one of their nodes knows."""
    counted = frame.with_columns(link_key(frame).alias("link"))
    alone = counted.filter(pl.len().over("link") == 1).select("_row", "a_device", "a_port", "b_device").rows()
    return [
        Finding(
            "one_sided_link",
            "warning",
            row,
            "a_port",
            port,
            f"{device} {port} leads to {other}, which has no such port",
        )
        for row, device, port, other in alone
    ]
