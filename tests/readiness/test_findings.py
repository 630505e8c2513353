"""Contradictions between claims, records and evidence: each planted once, each found once."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.tiny import built, rows


def findings(data, past=None, **changes):
    """Return (code, subject) of every finding."""
    con = built(data, past, acceptance=BASELINES, thresholds=changes)
    return [(row["code"], row["subject"]) for row in rows(con, "SELECT code, subject FROM mart.findings ORDER BY ALL")]


def test_a_clean_cluster_has_none():
    assert findings(cluster(3)) == []


def plant_watermelon(data):
    data["systems"][0].update(claimed_status="green")
    data["scheduler_nodes"] = []
    return ("watermelon", "TRAIN-1")


def plant_placeholder(data):
    text = "200G SR2 (MPO-12) - generic placeholder; replace with vendor SKU when qualified"
    data["bom"].append(
        {"system_id": "TRAIN-1", "line": "9", "part_number": "OPTIC", "quantity": 4, "description": text}
    )
    return ("placeholder_part", "OPTIC")


def plant_connected(data):
    data["installs"].append(
        {
            "asset_id": "A-new",
            "name": "new",
            "part_number": "X",
            "system_id": "TRAIN-1",
            "site_id": "DFW1",
            "status": "planned",
        }
    )
    ends = {"a_device": "new", "a_port": "p", "b_device": "leaf-1", "b_port": "q"}
    data["links"] += [
        {"view": "planned", "state": "planned", **ends},
        {"view": "observed", "state": "connected", **ends},
    ]
    return ("planned_but_connected", "new")


def plant_unreceived(data):
    data["receipts"][0].update(qty_good=2)
    return ("installed_without_receipt", "A-TRAIN-1-n2")


def plant_over_receipt(data):
    data["receipts"].append(dict(data["receipts"][0], receipt="R2", qty_good=1))
    return ("over_receipt", "P1/1")


def plant_serial(data):
    spare = dict(data["installs"][0], asset_id="B-1", name="b-1", purpose="spare")
    data["installs"].append(spare)
    return ("serial_conflict", "SN-TRAIN-1-n0")


def plant_node(data):
    ghost = dict(data["scheduler_nodes"][0], node="ghost")
    data["scheduler_nodes"].append(ghost)
    return ("node_without_asset", "ghost")


def plant_late(data):
    data["shipments"][0].update(delivered=date(2026, 8, 3))
    return ("late_delivery", "S1")


def plant_reference(data):
    data["po_allocations"].append({"po": "P1", "line": "1", "system_id": "TRAIN1", "quantity": 1})
    return ("unknown_reference", "TRAIN1")


def plant_skip(data):
    data["links"][1].update(state="down")
    return ("stage_skipped", "TRAIN-1-n0")


def plant_wrong(data):
    again = dict(data["benchmarks"][0], run="run-2", correctness="wrong", measured_at=datetime(2026, 10, 1))
    data["benchmarks"].append(again)
    return ("wrong_values", "run-2")


def plant_capacity(data):
    data["bom"][0].update(capacity_per_unit=None)
    return ("capacity_unknown", "TRAIN-1")


PLANTS = [value for name, value in sorted(globals().items()) if name.startswith("plant_")]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__.removeprefix("plant_"))
def test_each_is_found(plant):
    data = cluster(3)
    expected = plant(data)
    found = findings(data)
    also = {
        plant_wrong: {("stage_skipped", "TRAIN-1-n0")},  # a failed retest of a node in production skips acceptance
        plant_unreceived: {("asn_short", "S1")},  # without serial numbers nobody knows that it is the same piece
    }
    assert expected in found
    assert set(found) - {expected} == also.get(plant, set())


def test_many_late_lines_of_a_vendor_are_one_finding():
    data = cluster(1)
    late = dict(data["shipments"][0], vendor="Vantor", delivered=date(2026, 8, 5))
    data["shipments"] = [dict(late, line=str(number), quantity=1) for number in range(4)]
    assert findings(data, late_shipments_listed=3) == [("late_delivery", "Vantor")]
    assert findings(data, late_shipments_listed=4) == [("late_delivery", "S1")] * 4


def test_the_same_finding_keeps_the_week_in_which_it_was_first_seen():
    data = cluster(3)
    plant_skip(data)
    past = {
        "findings": [
            {"week": "2026-W43", "finding_id": "stage_skipped:train-1/a-train-1-n0", "first_seen_week": "2026-W40"}
        ]
    }
    con = built(data, past, acceptance=BASELINES)
    (found,) = rows(con, "SELECT first_seen_week, system_id, file, row FROM mart.findings")
    assert found == {"first_seen_week": "2026-W40", "system_id": "TRAIN-1", "file": "links.csv", "row": 3}


def test_a_stale_source_is_a_finding_and_its_criteria_are_stale():
    data = cluster(1)
    from tests.readiness import tiny
    from turnup.readiness.build import build

    con = tiny.staged(data)
    con.execute("INSERT INTO meta.sources VALUES ('links', 'links', 'Ana', true, 7, 'links.csv', 12, 'stale')")
    build(con, tiny.programme(acceptance=BASELINES), tiny.playbooks(), tiny.AS_OF)
    assert rows(con, "SELECT code, severity, subject FROM mart.findings") == [
        {"code": "stale_source", "severity": "error", "subject": "links"}
    ]
    assert rows(con, "SELECT DISTINCT state FROM mart.criteria WHERE criterion = 'links_up'") == [{"state": "stale"}]
