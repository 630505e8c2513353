"""Nodes of Kubernetes: every family of states, from a list as ``kubectl get nodes -o json`` prints it."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts

NODES = load_contracts()["scheduler_nodes"]
NAME = "kubectl-get-nodes_eus2-a_2026-10-28T1700Z.json"
LOST = {"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown",
        "lastTransitionTime": "2026-10-28T15:04:05Z", "message": "Kubelet stopped posting node status.",
        "lastHeartbeatTime": "2026-10-28T15:00:00Z"}  # fmt: skip


def node(name, *, ready=None, cordoned=False, taints=(), offered="8", there="8", more=(), labels=None):
    """A node as the API has it."""
    condition = ready or {
        "type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status",
        "lastHeartbeatTime": "2026-10-28T16:58:11Z", "lastTransitionTime": "2026-10-01T00:00:00Z",
    }  # fmt: skip
    pressure = [{"type": kind, "status": "False"} for kind in ("MemoryPressure", "DiskPressure", "PIDPressure")]
    pressure = [held for held in pressure if held["type"] not in {other["type"] for other in more}]
    gpus = lambda count: {"nvidia.com/gpu": count} if count is not None else {}  # noqa: E731
    return {
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.azure.com/agentpool": "h200",
                     "topology.kubernetes.io/region": "eastus2", "topology.kubernetes.io/zone": "eastus2-1",
                     **(labels or {})}},
        "spec": {"providerID": f"azure:///{name}", **({"unschedulable": True} if cordoned else {}),
                 **({"taints": list(taints)} if taints else {})},
        "status": {"allocatable": {"cpu": "95", **gpus(offered)}, "capacity": {"cpu": "96", **gpus(there)},
                   "conditions": [*pressure, *more, condition], "images": [{"names": ["x"], "sizeBytes": 1}]},
    }  # fmt: skip


def listed(*nodes):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(nodes), "metadata": {"resourceVersion": ""}})


@pytest.fixture
def snapshot(read):
    def reader(*nodes, name=NAME, **settings):
        table = read(listed(*nodes), contract=NODES, name=name, format="auto", **settings)
        assert table.ledger.balanced
        assert table.format == "kubernetes_nodes"
        return table

    return reader


def taint(key, effect="NoSchedule", value=None, **more):
    return {"key": key, "effect": effect, **({"value": value} if value else {}), **more}


NOT_READY = {"type": "Ready", "status": "False", "reason": "KubeletNotReady",
             "lastTransitionTime": "2026-10-28T12:00:00Z", "message": "container runtime is down"}  # fmt: skip
XID = {"type": "GPUXid", "status": "True", "reason": "XidError", "message": "XID 79 on GPU 3"}
FAMILIES = {
    "ready": (node("n"), ("true", "Ready", None, None)),
    "not ready": (node("n", ready=NOT_READY), ("false", "NotReady", None, "container runtime is down")),
    "unknown": (node("n", ready=LOST), ("false", "Unknown", None, "Kubelet stopped posting node status.")),
    "no condition at all": (
        {"kind": "Node", "metadata": {"name": "n"}, "status": {}}, ("false", "Unknown", None, None)
    ),
    "cordoned": (
        node("n", cordoned=True, taints=[taint("node.kubernetes.io/unschedulable", timeAdded="2026-10-27T08:00:00Z")]),
        ("false", "Ready", "SchedulingDisabled, node.kubernetes.io/unschedulable:NoSchedule", None),
    ),
    "tainted": (
        node("n", taints=[taint("maintenance", value="psu-swap")]),
        ("false", "Ready", "maintenance=psu-swap:NoSchedule", "psu-swap"),
    ),
    "evicting": (
        node("n", taints=[taint("node.kubernetes.io/out-of-service", "NoExecute")]),
        ("false", "Ready", "node.kubernetes.io/out-of-service:NoExecute", None),
    ),
    "preferred elsewhere": (
        node("n", taints=[taint("old", "PreferNoSchedule")]), ("true", "Ready", "old:PreferNoSchedule", None)
    ),
    "kept for GPU work": (
        node("n", taints=[taint("nvidia.com/gpu", value="present"), taint("sku", value="gpu")]),
        ("true", "Ready", "nvidia.com/gpu=present:NoSchedule, sku=gpu:NoSchedule", None),
    ),
    "under pressure": (
        node("n", more=[{"type": "DiskPressure", "status": "True", "message": "ephemeral storage is low"}],
             taints=[taint("node.kubernetes.io/disk-pressure")]),
        ("false", "Ready", "DiskPressure, node.kubernetes.io/disk-pressure:NoSchedule", "ephemeral storage is low"),
    ),
    "told faulty by a probe": (node("n", more=[XID]), ("true", "Ready", "GPUXid", "XID 79 on GPU 3")),
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family(snapshot, family):
    held, expected = FAMILIES[family]
    assert snapshot(held).frame.select("allocatable", "state", "flags", "reason").rows() == [expected]


@pytest.mark.parametrize(
    ("offered", "there", "labels", "expected"),
    [
        ("8", "8", {}, ("true", "8", "8")),
        ("7", "8", {}, ("true", "7", "8")),
        ("0", "8", {}, ("false", "0", "8")),
        ("7", "7", {"nvidia.com/gpu.count": "8"}, ("true", "7", "8")),
        (None, None, {"nvidia.com/gpu.count": "8"}, ("false", "0", "8")),
        (None, None, {}, ("true", None, None)),
    ],
)
def test_gpus_short(snapshot, offered, there, labels, expected):
    table = snapshot(node("n", offered=offered, there=there, labels=labels))
    assert table.frame.select("allocatable", "capacity", "installed").rows() == [expected]
    assert table.frame["flags"].to_list() == ["no-gpu" if expected[1] == "0" else None]
    short = expected[1] is not None and expected[1] != expected[2]
    assert ("accelerators_short" in [finding.code for finding in table.findings]) == short


def test_cluster_time_pool_and_topology(snapshot):
    (row,) = snapshot(node("aks-h200-0", ready=LOST)).frame.rows(named=True)
    assert (row["cluster"], row["node"], row["observed_at"]) == ("eus2-a", "aks-h200-0", "2026-10-28T17:00:00Z")
    assert (row["pool"], row["topology"], row["reason_at"]) == ("h200", "eastus2/eastus2-1", "2026-10-28T15:04:05Z")
    assert "sizeBytes" not in row["_given"]


def test_labels_of_rack_and_leaf(snapshot):
    labels = {"topology.kubernetes.io/rack": "R12", "network.topology.nvidia.com/leaf": "leaf-12"}
    assert snapshot(node("n", labels=labels)).frame.select("rack_label", "leaf_label").rows() == [("R12", "leaf-12")]


def test_labels_name_the_cluster_and_heartbeats_the_time(snapshot):
    named = {"kubernetes.azure.com/cluster": "eus2-b"}
    table = snapshot(node("n", labels=named), node("m", labels=named), name="nodes.json")
    assert table.frame.select("cluster", "observed_at").unique().rows() == [("eus2-b", "2026-10-28T16:58:11Z")]
    assert [finding.code for finding in table.findings] == ["time_from_heartbeat"]
    assert snapshot(node("n"), name="nodes.json", defaults={"cluster": "c"}).frame["cluster"].to_list() == ["c"]


def test_control_plane_and_things_that_are_no_nodes(snapshot):
    control = node("cp-0", offered=None, there=None, labels={"node-role.kubernetes.io/control-plane": ""})
    table = snapshot(control, node("n"), {"kind": "Pod"}, "text")
    assert table.frame["node"].to_list() == ["n"]
    assert (table.ledger.lines, table.ledger.data, table.ledger.other, table.ledger.rejected) == (4, 1, 1, 2)
