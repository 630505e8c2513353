"""What the scheduler offers: by snapshot, by node over the week, who came and went, and what is withheld."""

from __future__ import annotations

from datetime import timedelta

import duckdb
import pytest

from tests.readiness.cluster import BASELINES, cluster, snapshots
from tests.readiness.tiny import CUT_OFF, built, modelled, rows
from turnup.warehouse.macros import write_macros

CLUSTER = "c-1"
SYSTEM = {"system_id": "S-1", "name": "S", "kind": "gpu_cluster", "site_id": "X", "supply_model": "owned",
          "cluster": CLUSTER}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "flags", "standing"),
    [
        ("mixed", "DRAIN", "withdrawn"),
        ("idle", "DRAIN, REBOOT_REQUESTED", "withdrawn"),
        ("drained", "DRAIN", "withdrawn"),
        ("idle", "RESERVED", "withdrawn"),
        ("Ready", "SchedulingDisabled, node.kubernetes.io/unschedulable:NoSchedule", "withdrawn"),
        ("Ready", "team=research:NoSchedule", "withdrawn"),
        ("idle", "MAINTENANCE", "maintenance"),
        ("maint", None, "maintenance"),
        ("down", "REBOOT_ISSUED", "maintenance"),
        ("Ready", "maintenance=psu-swap:NoSchedule", "maintenance"),
        ("down", None, "fault"),
        ("down*", None, "fault"),
        ("down", "DRAIN, NOT_RESPONDING", "fault"),
        ("idle", "NOT_RESPONDING", "fault"),
        ("error", None, "fault"),
        ("idle", "FAIL", "fault"),
        ("idle", "INVALID_REG", "fault"),
        ("down", "POWERED_DOWN", "fault"),
        ("NotReady", "node.kubernetes.io/not-ready:NoSchedule", "fault"),
        ("Ready", "DiskPressure, node.kubernetes.io/disk-pressure:NoSchedule", "fault"),
        ("Ready", "no-gpu, nvidia.com/gpu=present:NoSchedule", "fault"),
        ("idle", "POWERED_DOWN", "power saving"),
        ("allocated", "POWERING_UP", "power saving"),
        ("idle~", None, "power saving"),
        ("idle", "POWER_DOWN", "power saving"),
        ("unknown", None, "unknown"),
        ("future", None, "unknown"),
        ("Unknown", None, "unknown"),
    ],
)
def test_why_a_node_is_withheld(state, flags, standing):
    con = duckdb.connect()
    write_macros(con)
    query = "SELECT node_standing($offered, $state, $flags)"
    assert con.execute(query, {"offered": False, "state": state, "flags": flags}).fetchone() == (standing,)
    assert con.execute(query, {"offered": True, "state": state, "flags": flags}).fetchone() == ("offered",)


def seen(node, hours, offered=True, **changes):
    """A node in the snapshot so many hours before the cut-off."""
    more = {} if offered else {"state": "idle", "flags": "DRAIN", "reason": "cable"}
    return snapshots(CLUSTER, node, (hours,), allocatable=offered, installed=8, **(more | changes))[0]


def capacity(*held):
    con = modelled(
        {"systems": [SYSTEM], "scheduler_nodes": list(held)}, "mart.scheduler_capacity", "mart.scheduler_churn"
    )
    return con, rows(con, "FROM mart.scheduler_capacity ORDER BY observed_at")


def test_capacity_by_snapshot_and_churn_between_them():
    held = [
        *(seen(node, 50) for node in ("n1", "n2", "n3")),
        *(seen(node, 30) for node in ("n1", "n2")),
        seen("n1", 10), seen("n2", 10, offered=False), seen("n3", 10, capacity=7), seen("n4", 10, capacity=None),
    ]  # fmt: skip
    con, found = capacity(*held)
    shown = [(r["nodes"], r["offered_nodes"], r["offered"], r["entered"], r["departed"]) for r in found]
    assert shown == [(3, 3, 24, 0, 0), (2, 2, 16, 0, 1), (4, 3, 15, 2, 0)]
    newest = found[-1]
    assert (newest["newest"], newest["counts"], newest["withdrawn"], newest["short_nodes"]) == (True, True, 1, 1)
    assert (newest["systems"], newest["without_capacity"], newest["installed"]) == ("S-1", 1, 32)
    changes = rows(con, "SELECT node, change FROM mart.scheduler_churn ORDER BY observed_at, node")
    assert [(r["node"], r["change"]) for r in changes] == [("n3", "left"), ("n3", "entered"), ("n4", "entered")]


def test_a_snapshot_older_than_its_limit_counts_as_no_data():
    _, (old,) = capacity(seen("n1", 25))
    assert (old["newest"], old["counts"]) == (True, False)
    _, (fresh,) = capacity(seen("n1", 24))
    assert fresh["counts"]


def availability(*held, **changes):
    data = {"systems": [SYSTEM], "scheduler_nodes": list(held)}
    con = modelled(data, "core.node_availability", "mart.scheduler_availability", **changes)
    hours = "known_hours, offered_hours, withdrawn_hours, no_data_hours, share"
    return {r["node"]: r for r in rows(con, f"SELECT node, {hours} FROM core.node_availability")}, con


def test_availability_over_the_week_with_gaps_as_no_data():
    # 160 h before the cut-off offered, 150 h drained, then nothing until 12 h before: two days of silence and more.
    found, con = availability(seen("n1", 160), seen("n1", 150, offered=False), seen("n1", 12))
    one = found["n1"]
    assert (one["offered_hours"], one["withdrawn_hours"], one["no_data_hours"]) == (10 + 12, 24, 168 - 46)
    assert one["share"] == pytest.approx(22 / 46)
    (whole,) = rows(con, "SELECT nodes, known_hours, share, worst_node FROM mart.scheduler_availability")
    assert (whole["nodes"], whole["known_hours"], whole["worst_node"]) == (1, 46, "n1")


def test_a_state_from_before_the_week_speaks_for_its_first_hours_only():
    found, _ = availability(seen("n1", 180, offered=False))
    assert (found["n1"]["withdrawn_hours"], found["n1"]["known_hours"]) == (12, 12)
    assert availability(seen("n1", 200))[0] == {}


def test_a_node_that_left_is_not_known_after_the_snapshot_without_it():
    found, _ = availability(seen("n1", 20), seen("n2", 20), seen("n2", 8))
    assert (found["n1"]["offered_hours"], found["n2"]["offered_hours"]) == (12, 20)


def test_the_limit_of_a_snapshot_is_that_of_the_programme():
    found, _ = availability(seen("n1", 100), thresholds={"scheduler_snapshot_hours": 48})
    assert found["n1"]["known_hours"] == 48


@pytest.fixture(scope="module")
def short_cluster():
    """A cluster of seven: drained, short, unknown to the scheduler, whole, not accepted, silent, and new."""
    data = cluster(7)
    data["benchmarks"] = [row for row in data["benchmarks"] if row["node"] != "TRAIN-1-n4"]
    held = {n: snapshots("c-TRAIN-1", f"TRAIN-1-n{n}") for n in (0, 1, 3)}
    for row in held[0][2:]:  # the snapshots of 24 h and 1 h before the cut-off
        row.update(allocatable=False, state="idle", flags="DRAIN", reason="replace optic port 3", reason_by="mfeld")
    held[1][3].update(capacity=7)
    silent = snapshots("c-TRAIN-1", "TRAIN-1-n5", (120, 96, 73, 48))
    data["scheduler_nodes"] = [
        *(row for told in held.values() for row in told),
        *silent,
        *snapshots("c-TRAIN-1", "TRAIN-1-n6", (1,)),
    ]
    return built(data, acceptance=BASELINES)


@pytest.fixture(scope="module")
def withheld(short_cluster):
    return {row["unit_id"]: row for row in rows(short_cluster, "SELECT * FROM mart.not_offered")}


def test_accepted_and_not_offered_with_its_reason_and_since_when(withheld):
    shown = {name: (r["standing"], float(r["withheld"]), r["reason"], r["reason_by"]) for name, r in withheld.items()}
    assert shown == {
        "TRAIN-1-n0": ("withdrawn", 8, "replace optic port 3", "mfeld"),
        "TRAIN-1-n1": ("short", 1, "offers 7 of 8", None),
        "TRAIN-1-n2": ("no data", 8, "the scheduler has not told of it in 35 days", None),
        "TRAIN-1-n5": ("no data", 8, "no snapshot since 28 Oct 23:00", None),
        "TRAIN-1-n6": ("not yet continuous", 8, None, None),
    }
    assert withheld["TRAIN-1-n0"]["since"] == CUT_OFF - timedelta(hours=24)


def test_an_offered_node_with_a_gpu_missing_is_a_finding_with_its_row(short_cluster):
    query = "SELECT subject, system_id, file, row, message FROM mart.findings WHERE code = 'accelerators_short'"
    assert rows(short_cluster, query) == [
        {"subject": "TRAIN-1-n1", "system_id": "TRAIN-1", "file": "scheduler_nodes.csv", "row": 9,
         "message": "TRAIN-1-n1 of TRAIN-1 offers 7 of 8 accelerators"}
    ]  # fmt: skip


def test_a_cluster_without_a_snapshot_that_counts_is_a_finding():
    def silent(*held):
        con = modelled({"systems": [SYSTEM], "scheduler_nodes": list(held)}, "core.found_nodes")
        return rows(con, "SELECT subject, _row, message FROM core.found_nodes WHERE code = 'scheduler_silent'")

    assert silent(seen("n1", 25), seen("n1", 24), seen("n2", 30)) == []
    assert silent() == []
    (found,) = silent(seen("n1", 49), seen("n2", 25), seen("n1", 73))
    assert (found["subject"], found["_row"]) == (CLUSTER, 3)
    assert found["message"] == f"no snapshot of cluster {CLUSTER} since 29 Oct 22:00 UTC: what S-1 offers is no data"
