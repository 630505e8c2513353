"""``scontrol show node --json`` and ``sinfo --json``.

``scontrol`` lists nodes. ``sinfo`` lists groups of nodes with one state (a node stands once for each of its
partitions), older releases list nodes. A state is a list of words, in older releases one word with ``state_flags``
beside it; a number may be written bare or as ``{"set": true, "number": 5}``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnup.formats.content import Content, canonical, cell_text
from turnup.formats.model import FileRejected, Finding, RawTable, Rejected, Request
from turnup.formats.scheduler.slurm_nodes import SlurmNode, row_of
from turnup.formats.scheduler.slurm_states import state_of
from turnup.formats.scheduler.snapshot import Place, instant, placed, require, table
from turnup.formats.tabular.json_records import dicts


def is_slurm_json(content: Content) -> bool:
    """Whether a document is one of the two."""
    document = content.json
    return isinstance(document, dict) and _entries(document) is not None


def _entries(document: dict[str, Any]) -> list[Any] | None:
    groups = document.get("sinfo")
    if isinstance(groups, list) and ("meta" in document or any(isinstance(g, dict) and "nodes" in g for g in groups)):
        return groups
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        return None
    by_slurm = isinstance(document.get("meta"), dict) and any(key.lower() == "slurm" for key in document["meta"])
    named = any(isinstance(node, dict) and "state" in node and ("gres" in node or "partitions" in node)
                for node in nodes)  # fmt: skip
    return nodes if by_slurm or named else None


def parse_slurm_json(request: Request) -> RawTable:
    """Read every node once.

    Raises:
        FileRejected: ``slurm`` when the document has no nodes, or another dataset is asked for.
    """
    require(request, "slurm_json")
    document = request.content.document.value
    entries = _entries(document) if isinstance(document, dict) else None
    if entries is None:
        message = "expected what scontrol show node --json or sinfo --json prints: an object with nodes or sinfo"
        raise FileRejected("slurm", message, expected="nodes or sinfo")
    place, findings = placed(request, Place(_cluster(document), instant(_number(document.get("last_update")))))
    nodes: dict[str, SlurmNode] = {}
    rejected: list[Rejected] = []
    repeats = 0
    for number, entry in enumerate(entries, start=1):
        found = list(_nodes(number, entry)) if isinstance(entry, dict) else []
        if not found:
            rejected.append(_nameless(number, entry))
        for node in found:
            repeats += node.name in nodes
            nodes[node.name] = _joined(nodes.get(node.name), node, findings)
    rows = [row_of(node, place.cluster, place.observed_at) for node in nodes.values()]
    return table(request, "slurm_json", rows, len(rows) + repeats + len(rejected), findings, rejected)


def _cluster(document: dict[str, Any]) -> str | None:
    meta = document.get("meta")
    held = (
        next((value for key, value in meta.items() if key.lower() == "slurm"), None) if isinstance(meta, dict) else {}
    )
    return cell_text(held.get("cluster")) if isinstance(held, dict) else None


def _nodes(number: int, entry: dict[str, Any]) -> Iterator[SlurmNode]:
    """The nodes of an entry: itself, or those of a group of ``sinfo``."""
    inner = entry.get("node")
    group = entry.get("nodes")
    held = inner if isinstance(inner, dict) else entry
    state = state_of([*_words(held.get("state")), *_words(entry.get("state_flags"))])
    if state is None:
        return
    listed = group.get("nodes") if isinstance(group, dict) else None
    names = [cell_text(name) for name in listed] if isinstance(listed, list) else [cell_text(entry.get("name"))]
    gres = entry.get("gres")
    typed = gres if isinstance(gres, dict) else {"total": gres, "used": entry.get("gres_used")}
    told = entry.get("reason")
    reason = told if isinstance(told, dict) else {
        "description": told, "user": entry.get("reason_set_by_user"), "time": entry.get("reason_changed_at")
    }  # fmt: skip
    partition = entry.get("partition")
    pools = [cell_text(partition.get("name"))] if isinstance(partition, dict) else _words(entry.get("partitions"))
    for name in filter(None, names):
        yield SlurmNode(
            name,
            state,
            number,
            {"name": name, **{key: value for key, value in entry.items() if key != "nodes"}},
            cluster=cell_text(entry.get("cluster_name")) or cell_text(entry.get("cluster")),
            reason=cell_text(reason.get("description")),
            reason_by=cell_text(reason.get("user")),
            reason_at=instant(_number(reason.get("time"))),
            gres=cell_text(typed.get("total")),
            gres_used=cell_text(typed.get("used")),
            gres_drained=cell_text(entry.get("gres_drained")),
            partitions=", ".join(filter(None, pools)) or None,
            topology=cell_text(entry.get("topology")),
        )


def _joined(before: SlurmNode | None, node: SlurmNode, findings: list[Finding]) -> SlurmNode:
    """A node that several partitions list: their names together; of two states the one that places no job stands."""
    if before is None:
        return node
    pools = [name for name in (before.partitions, node.partitions) if name]
    kept = before if not before.state.offered or node.state.offered else node
    if before.state != node.state:
        message = f"{node.name} stands in two states: {_said(before)} and {_said(node)}; {_said(kept)} counts"
        findings.append(Finding("two_states", "warning", node.row, "state", _said(node), message))
    return SlurmNode(**{**vars(kept), "row": before.row, "partitions": ", ".join(dict.fromkeys(pools)) or None})


def _said(node: SlurmNode) -> str:
    return "+".join((node.state.base, *node.state.flags)).lower()


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value if (text := cell_text(item))]
    text = cell_text(value)
    return [text] if text else []


def _number(value: Any) -> str | None:
    """A number, bare or as ``{"set": ..., "infinite": ..., "number": ...}``; None when it is not set."""
    if isinstance(value, dict):
        return cell_text(value.get("number")) if cell_text(value.get("set")) != "false" else None
    return cell_text(value)


def _nameless(number: int, entry: Any) -> Rejected:
    message = f"entry {number} has no name or no state: nothing says which node it is, or what the scheduler does"
    given = canonical(entry) if dicts([entry]) else str(entry)
    return Rejected(number, None, "node", None, "slurm_node", "a node with name and state", message, given)
