"""``kubectl get nodes -o json``: nodes with conditions, taints, cordon and accelerators.

The scheduler places pods where Ready is True, nothing is cordoned, and no taint keeps every pod away. A taint that only
keeps pods without accelerators off accelerator nodes withholds nothing. ``capacity`` is what the kubelet found,
``allocatable`` what it hands out: a GPU that the device plugin calls unhealthy is in the first only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnup.formats.content import Content, canonical, cell_text
from turnup.formats.model import FileRejected, Finding, RawTable, Rejected, Request
from turnup.formats.scheduler.snapshot import Place, Row, placed, require, table
from turnup.formats.tabular.json_records import dicts

Node = Mapping[str, Any]

RESOURCES = ("nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi",
             "google.com/tpu", "aws.amazon.com/neuron")  # fmt: skip
"""Names under which device plugins offer accelerators."""

_DEDICATED = frozenset({*RESOURCES, "sku=gpu", "cloud.google.com/gke-accelerator"})
_CONTROL = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_CLUSTERS = ("cluster.x-k8s.io/cluster-name", "alpha.eksctl.io/cluster-name", "kubernetes.azure.com/cluster")
_POOLS = ("kubernetes.azure.com/agentpool", "agentpool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
          "karpenter.sh/nodepool")  # fmt: skip
_TOPOLOGY = ("topology.kubernetes.io/region", "topology.kubernetes.io/zone", "topology.kubernetes.io/block",
             "cloud.google.com/gce-topology-block", "cloud.google.com/gce-topology-subblock",
             "topology.kubernetes.io/rack")  # fmt: skip
_RACKS = ("topology.kubernetes.io/rack",)
_LEAVES = ("network.topology.nvidia.com/leaf",)
_COUNTED = "nvidia.com/gpu.count"
_GOOD_WHEN_TRUE = ("Ready", "Healthy", "Passed")
"""Endings of conditions that are in order when True, as Ready is; any other tells of a problem by True."""


def is_nodes(content: Content) -> bool:
    """Whether a document is a list of nodes, or one node, of Kubernetes."""
    document = content.json
    if not isinstance(document, dict):
        return False
    items = document.get("items")
    return document.get("kind") in ("Node", "NodeList") or (
        document.get("kind") == "List" and isinstance(items, list) and any(
            isinstance(item, dict) and item.get("kind") == "Node" for item in items)
    )  # fmt: skip


def parse_nodes(request: Request) -> RawTable:
    """Read every node; those of the control plane without accelerators are counted as other.

    Raises:
        FileRejected: ``kubernetes_nodes`` when the document is no list, or another dataset is asked for.
    """
    require(request, "kubernetes_nodes")
    document = request.content.document.value
    if not is_nodes(request.content):
        message = "expected what kubectl get nodes -o json prints: a List of Nodes"
        raise FileRejected("kubernetes_nodes", message, expected="a List of Nodes")
    items = [document] if document.get("kind") == "Node" else document.get("items") or []
    nodes = [(number, item) for number, item in enumerate(items, start=1) if _is_node(item)]
    rejected = [_refused(number, item) for number, item in enumerate(items, start=1) if not _is_node(item)]
    workers = [(number, node) for number, node in nodes if not _controls(node)]
    place, findings = placed(request, Place(_cluster([node for _, node in nodes]), None))
    if place.observed_at is None:
        place, findings = _by_heartbeat(place, findings, [node for _, node in nodes])
    rows = [_row(number, node, place) for number, node in workers]
    return table(request, "kubernetes_nodes", rows, len(items), findings, rejected)


def _is_node(item: Any) -> bool:
    return isinstance(item, dict) and item.get("kind", "Node") == "Node" and bool(_name(item))


def _refused(number: int, item: Any) -> Rejected:
    message = f"item {number} is no node with a name"
    given = canonical(item) if isinstance(item, dict) else str(item)
    return Rejected(number, None, "node", None, "kubernetes_node", "a Node with metadata.name", message, given)


def _part(node: Node, *names: str) -> Mapping[str, Any]:
    held: Any = node
    for name in names:
        held = held.get(name) if isinstance(held, Mapping) else None
    return held if isinstance(held, Mapping) else {}


def _name(node: Node) -> str | None:
    return cell_text(_part(node, "metadata").get("name"))


def _labels(node: Node) -> dict[str, Any]:
    return {**_part(node, "metadata", "annotations"), **_part(node, "metadata", "labels")}


def _cluster(nodes: list[Node]) -> str | None:
    """The cluster that every node's labels name alike."""
    named = {next((cell_text(held[key]) for key in _CLUSTERS if held.get(key)), None) for held in map(_labels, nodes)}
    return named.pop() if len(named) == 1 else None


def _controls(node: Node) -> bool:
    labels = _part(node, "metadata", "labels")
    return any(name in labels for name in _CONTROL) and not _accelerators(node)[1]


def _by_heartbeat(place: Place, findings: list[Finding], nodes: list[Node]) -> tuple[Place, list[Finding]]:
    """The newest heartbeat: the snapshot was taken then or later, so it is never made newer than it is."""
    beats = [cell_text(held.get("lastHeartbeatTime")) for node in nodes for held in _conditions(node)]
    newest = max(filter(None, beats), default=None)
    if newest is None:
        return place, findings
    message = f"nothing says when the snapshot was taken; its newest heartbeat, {newest}, stands for it"
    kept = [finding for finding in findings if finding.column != "observed_at"]
    return Place(place.cluster, newest), [
        *kept,
        Finding("time_from_heartbeat", "info", None, "observed_at", newest, message),
    ]


def _conditions(node: Node) -> list[dict[str, Any]]:
    held = _part(node, "status").get("conditions")
    return dicts(held) if isinstance(held, list) else []


def _taints(node: Node) -> list[dict[str, Any]]:
    held = _part(node, "spec").get("taints")
    return dicts(held) if isinstance(held, list) else []


def _accelerators(node: Node) -> tuple[int | None, int | None]:
    """How many are handed out, and how many there are; both None on a node that has none."""
    held, there = _part(node, "status", "allocatable"), _part(node, "status", "capacity")
    name = next((key for key in RESOURCES if key in there or key in held), None)
    counted = _count(_part(node, "metadata", "labels").get(_COUNTED))
    if name is None:
        # The GPUs are labelled, but no device plugin offers them.
        return (0, counted) if counted else (None, None)
    offered, found = _count(held.get(name)), _count(there.get(name))
    return offered or 0, max(filter(None, (found, counted, offered)), default=0)


def _count(value: Any) -> int | None:
    text = cell_text(value)
    return int(text) if text and text.isdigit() else None


def _row(number: int, node: Node, place: Place) -> Row:
    conditions = {str(held.get("type")): held for held in _conditions(node)}
    ready = conditions.get("Ready", {})
    keeping = [held for held in _taints(node) if _keeps_away(held)]
    cordoned = cell_text(_part(node, "spec").get("unschedulable")) == "true"
    offered, there = _accelerators(node)
    state = {"True": "Ready", "False": "NotReady"}.get(str(ready.get("status")), "Unknown")
    open_ = state == "Ready" and not cordoned and not keeping and offered != 0
    return {
        "cluster": place.cluster,
        "node": _name(node),
        "observed_at": place.observed_at,
        "allocatable": "true" if open_ else "false",
        "state": state,
        "flags": ", ".join(_flags(cordoned, node, conditions)) or None,
        "reason": _reason(state, ready, conditions, keeping),
        "reason_by": None,
        "reason_at": _since(state, ready, keeping),
        "capacity": str(offered) if offered is not None else None,
        "installed": str(there) if there is not None else None,
        "in_use": None,
        "pool": _first(node, _POOLS),
        "topology": "/".join(text for key in _TOPOLOGY if (text := cell_text(_labels(node).get(key)))) or None,
        "rack_label": _first(node, _RACKS),
        "leaf_label": _first(node, _LEAVES),
        "_row": number,
        "_sheet": None,
        "_given": canonical({"metadata": {"name": _name(node), "labels": dict(_part(node, "metadata", "labels"))},
                             "spec": dict(_part(node, "spec")), "status": _status(node)}),
    }  # fmt: skip


def _status(node: Node) -> dict[str, Any]:
    """The status without its long lists of images and volumes."""
    return {key: _part(node, "status").get(key) for key in ("allocatable", "capacity", "conditions")}


def _first(node: Node, names: tuple[str, ...]) -> str | None:
    return next((text for key in names if (text := cell_text(_labels(node).get(key)))), None)


def _keeps_away(taint: Node) -> bool:
    """Whether a taint keeps away the pods that the node is meant for."""
    key, value = cell_text(taint.get("key")) or "", cell_text(taint.get("value"))
    dedicated = key in _DEDICATED or f"{key}={value}" in _DEDICATED
    # A cordon is told by spec.unschedulable, and its taint goes with it.
    return taint.get("effect") in ("NoSchedule", "NoExecute") and not dedicated


def _flags(cordoned: bool, node: Node, conditions: Mapping[str, Node]) -> Iterator[str]:
    """As ``kubectl get nodes`` says it, then conditions that are not as they should be, then taints."""
    if cordoned:
        yield "SchedulingDisabled"
    offered, there = _accelerators(node)
    if there and not offered:
        yield "no-gpu"
    for name, held in conditions.items():
        if name != "Ready" and _out_of_order(name, held):
            status = str(held.get("status"))
            yield name if status == "True" else f"{name}={status}"
    for taint in _taints(node):
        value = cell_text(taint.get("value"))
        yield f"{taint.get('key')}{f'={value}' if value else ''}:{taint.get('effect')}"


def _out_of_order(name: str, held: Node) -> bool:
    return str(held.get("status")) != ("True" if name.endswith(_GOOD_WHEN_TRUE) else "False")


def _reason(state: str, ready: Node, conditions: Mapping[str, Node], keeping: list[dict[str, Any]]) -> str | None:
    """Why it is not offered: what Ready says, else the message of a condition that is out of order, else a taint."""
    if state != "Ready":
        return cell_text(ready.get("message")) or cell_text(ready.get("reason"))
    for name, held in conditions.items():
        if name != "Ready" and _out_of_order(name, held):
            return cell_text(held.get("message")) or cell_text(held.get("reason"))
    return next((text for taint in keeping if (text := cell_text(taint.get("value")))), None)


def _since(state: str, ready: Node, keeping: list[dict[str, Any]]) -> str | None:
    if state != "Ready":
        return cell_text(ready.get("lastTransitionTime"))
    return min(filter(None, (cell_text(taint.get("timeAdded")) for taint in keeping)), default=None)
