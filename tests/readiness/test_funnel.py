"""The funnel on a few nodes, worked by hand: 4 nodes of 8 accelerators, all schedulable unless a test takes it away."""

from datetime import date, datetime, timedelta

import pytest

from tests.readiness.cluster import BASELINES, cluster, snapshots
from tests.readiness.tiny import CUT_OFF, built, rows


def funnel(datasets, **changes):
    """Return stage -> (reached, held, excess)."""
    con = built(datasets, acceptance=BASELINES, **changes)
    found = rows(con, "SELECT stage, reached, held, excess FROM core.funnel ORDER BY system_key, stage_no")
    return {row["stage"]: tuple(int(row[name]) for name in ("reached", "held", "excess")) for row in found}


def node(datasets, table, number, column="name"):
    """Return the rows of a table that belong to a node."""
    return [row for row in datasets[table] if str(row[column]).endswith(f"-n{number}")]


def test_a_finished_cluster_is_schedulable_in_full():
    stages = funnel(cluster(4))
    assert list(stages.values()) == [(32, 0, 0)] * 10


def test_capacity_is_held_at_the_first_missing_stage_only():
    data = cluster(4)
    node(data, "installs", 0)[0].update(racked=None)  # held at installed, though powered and in the scheduler
    node(data, "links", 1, "a_device")[1].update(state="down")  # held at L1
    node(data, "scheduler_nodes", 2, "node")[3].update(allocatable=False)  # held at the last stage
    stages = funnel(data)
    assert stages["received"] == (32, 0, 0)
    assert stages["installed"] == (24, 8, 0)
    assert stages["powered"] == (24, 0, 0)
    assert stages["l1_valid"] == (16, 8, 0)
    assert stages["handed_over"] == (16, 0, 0)
    assert stages["schedulable"] == (8, 8, 0)


def test_excess_over_the_commitment_is_printed_and_not_counted():
    data = cluster(4)
    data["commitments"][0]["quantity"] = 20
    stages = funnel(data)
    assert stages["contracted"] == (20, 0, 0)
    assert stages["schedulable"] == (20, 0, 12)


@pytest.mark.parametrize("purpose", ["spare", "loan", "evaluation"])
def test_spares_loans_and_evaluation_units_carry_no_capacity(purpose):
    data = cluster(2)
    node(data, "installs", 0)[0].update(purpose=purpose)
    assert funnel(data)["schedulable"] == (8, 0, 0)


def test_goods_at_an_integrator_are_shipped_and_not_received():
    data = cluster(4)
    data["receipts"][0].update(place="integrator")
    stages = funnel(data)
    assert stages["shipped"] == (32, 0, 0)
    assert stages["received"] == (0, 32, 0)
    assert stages["schedulable"] == (0, 0, 0)


def test_partial_receipt_covers_units_furthest_in_the_works():
    data = cluster(4)
    data["receipts"][0].update(qty_good=3)
    node(data, "installs", 0)[0].update(racked=None, powered=None, provisioned=None)
    stages = funnel(data)
    assert stages["received"] == (24, 8, 0)
    assert stages["installed"] == (24, 0, 0)


def test_a_serial_on_the_receipt_names_the_unit():
    data = cluster(3)
    data["receipts"][0].update(serials="SN-TRAIN-1-n0; sn-train-1-N1", qty_good=2)
    con = built(data, acceptance=BASELINES)
    got = rows(con, "SELECT unit_id, has FROM core.unit_stages WHERE stage = 'received' ORDER BY unit_id")
    assert [row["has"] for row in got] == [True, True, False]


def test_a_received_parent_brings_its_components():
    data = cluster(1)
    data["installs"][0].update(parent_serial="RACK-7")
    data["receipts"][0].update(serials="RACK-7")
    assert funnel(data)["received"] == (8, 0, 0)


def test_rejected_allocation_of_a_cancelled_order_is_not_ordered():
    data = cluster(2)
    data["purchase_orders"][0].update(status="cancelled")
    assert funnel(data)["ordered"] == (0, 16, 0)


def test_an_order_line_shared_by_priority_never_counts_twice():
    data, other = cluster(4), cluster(4, "TRAIN-2")
    for name in ("systems", "commitments", "bom", "po_allocations"):
        data[name] += other[name]
    data["systems"][0]["priority"], data["systems"][1]["priority"] = 2, 1
    data["commitments"][1].update(contract="C-2")
    con = built(data, acceptance=BASELINES)
    got = rows(con, "SELECT system_id, reached FROM mart.funnel WHERE stage = 'ordered' ORDER BY system_id")
    assert [int(row["reached"]) for row in got] == [0, 32]  # the line has 4 servers; the first priority takes them


class TestScheduler:
    """The last stage is the scheduler's own snapshot."""

    def test_a_snapshot_older_than_a_day_is_no_data(self):
        data = cluster(1)
        data["scheduler_nodes"] = snapshots("c-TRAIN-1", "TRAIN-1-n0", hours=(97, 73, 48, 25))
        assert funnel(data)["schedulable"] == (0, 8, 0)

    def test_the_first_time_needs_72_hours_without_a_break(self):
        data = cluster(1)
        data["scheduler_nodes"][1].update(allocatable=False)  # 48 h before the cut-off
        assert funnel(data)["schedulable"] == (0, 8, 0)

    def test_one_snapshot_is_not_continuous(self):
        data = cluster(1)
        data["scheduler_nodes"] = snapshots("c-TRAIN-1", "TRAIN-1-n0", hours=(1,))
        assert funnel(data)["schedulable"] == (0, 8, 0)

    def test_afterwards_the_point_value_counts(self):
        data = cluster(1)
        days = (240, 216, 192, 168, 48, 1)
        data["scheduler_nodes"] = snapshots("c-TRAIN-1", "TRAIN-1-n0", hours=days)
        data["scheduler_nodes"][4].update(allocatable=False)
        assert funnel(data)["schedulable"] == (8, 0, 0)

    def test_a_node_that_offers_less_counts_less(self):
        data = cluster(1)
        data["scheduler_nodes"][3].update(capacity=7)
        assert funnel(data)["schedulable"] == (7, 1, 0)


class TestAcceptance:
    """A node passes when complete, clean, at or over its limit, and newer than the hardware."""

    @pytest.mark.parametrize(
        "change",
        [
            {"value": 459.9},
            {"correctness": "wrong"},
            {"correctness": "unverified"},
            {"complete": False},
            {"measured_at": datetime(2026, 9, 2)},
            {"measured_at": None},
            {"unit": "Gbit/s"},
            {"placement": "in_place"},
        ],
    )
    def test_what_does_not_pass(self, change):
        data = cluster(2)
        node(data, "benchmarks", 0, "node")[0].update(change)
        assert funnel(data)["accepted"] == (8, 8, 0)

    def test_no_limit_for_the_sku_is_no_acceptance(self):
        con = built(cluster(1))
        assert rows(con, "SELECT reached FROM core.funnel WHERE stage = 'accepted'") == [{"reached": 0}]

    def test_the_largest_size_is_judged(self):
        data = cluster(1)
        small = dict(data["benchmarks"][0], size_bytes=1024, value=2.0)
        data["benchmarks"].append(small)
        assert funnel(data)["accepted"] == (8, 0, 0)

    def test_a_result_of_several_nodes_counts_for_each(self):
        data = cluster(2)
        both = dict(data["benchmarks"][0], node="TRAIN-1-n0,TRAIN-1-n1")
        data["benchmarks"] = [both]
        assert funnel(data)["accepted"] == (16, 0, 0)

    def test_a_hardware_swap_makes_the_result_void(self):
        data = cluster(1)
        data["failures"] = [
            {
                "failure_id": "F1",
                "kind": "rma",
                "opened": date(2026, 10, 1),
                "closed": date(2026, 10, 5),
                "replaced_serial": "SN-TRAIN-1-n0",
            }
        ]
        assert funnel(data)["accepted"] == (0, 8, 0)


class TestHandover:
    """Handover needs a signed, approving decision and no open class A point."""

    @pytest.mark.parametrize("outcome", ["defer", "disapprove"])
    def test_other_outcomes_do_not_hand_over(self, outcome):
        data = cluster(1)
        data["gate_decisions"][0].update(outcome=outcome)
        assert funnel(data)["handed_over"] == (0, 8, 0)

    def test_an_open_class_a_point_holds_the_block(self):
        data = cluster(1)
        data["punch_list"] = [{"punch_id": "1", "system_id": "TRAIN-1", "class": "A"}]
        assert funnel(data)["handed_over"] == (0, 8, 0)
        data["punch_list"][0]["closed"] = date(2026, 10, 2)
        assert funnel(data)["handed_over"] == (8, 0, 0)

    def test_the_newest_decision_counts(self):
        data = cluster(1)
        later = dict(data["gate_decisions"][0], decided=date(2026, 10, 10), outcome="disapprove")
        data["gate_decisions"].insert(0, later)
        assert funnel(data)["handed_over"] == (0, 8, 0)

    def test_a_block_is_handed_over_by_itself(self):
        data = cluster(4)
        data["blocks"] = [
            {"system_id": "TRAIN-1", "block": name, "units": 16, "planned_order": number}
            for number, name in enumerate(("SU1", "SU2"))
        ]
        for number, row in enumerate(data["installs"]):
            row["block"] = "SU1" if number < 2 else "SU2"
        data["gate_decisions"][0].update(block="SU1")
        assert funnel(data)["handed_over"] == (16, 16, 0)


def test_stages_that_do_not_apply_hold_nothing():
    data = {
        "sites": [{"site_id": "EUS2", "name": "Virginia", "facility": "cloud"}],
        "systems": [
            {
                "system_id": "CLOUD-1",
                "name": "Burst",
                "kind": "gpu_cluster",
                "site_id": "EUS2",
                "supply_model": "cloud",
                "cluster": "burst",
                "owner": "Ana Ruiz",
            }
        ],
        "commitments": [dict(cluster(1)["commitments"][0], system_id="CLOUD-1", quantity=16)],
        "node_names": [
            {"cluster": "burst", "node": f"b{n}", "valid_from": date(2026, 9, 1), "system_id": "CLOUD-1"}
            for n in (1, 2)
        ],
        "benchmarks": [
            {
                "run": "r",
                "node": "b1,b2",
                "test": "all_reduce",
                "metric": "busbw",
                "statistic": "value",
                "size_bytes": 1,
                "placement": "out_of_place",
                "value": 500.0,
                "unit": "GB/s",
                "measured_at": datetime(2026, 9, 5),
                "correctness": "clean",
                "complete": True,
                "sku": "SRV-8G",
            }
        ],
        "gate_decisions": [dict(cluster(1)["gate_decisions"][0], system_id="CLOUD-1")],
        "scheduler_nodes": snapshots("burst", "b1") + snapshots("burst", "b2"),
    }
    con = built(data, acceptance=BASELINES)
    absent = rows(con, "SELECT stage FROM core.funnel WHERE NOT applicable ORDER BY stage_no")
    assert [row["stage"] for row in absent] == ["ordered", "shipped", "received", "installed", "powered", "l1_valid"]
    got = rows(con, "SELECT reached, held FROM core.funnel WHERE stage = 'schedulable'")
    assert got == [{"reached": 16, "held": 0}]


def test_what_lies_in_the_future_is_no_evidence():
    data = cluster(1)
    tomorrow = CUT_OFF.date() + timedelta(days=1)
    data["installs"][0].update(racked=tomorrow, powered=tomorrow, provisioned=tomorrow)
    assert funnel(data)["installed"] == (0, 8, 0)
