"""Gates and criteria: states, order, history; blocks; stale evidence."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import BASELINES, cluster, snapshots
from tests.readiness.past import label
from tests.readiness.tiny import built, rows


def states(con, table="gates", key="gate", block="all"):
    """Return gate or criterion -> state of one block."""
    order = "gate_no" if table == "gates" else "gate_no, criterion_no"
    found = rows(con, f"SELECT {key}, state FROM mart.{table} WHERE lower(block) = '{block}' ORDER BY {order}")
    return {row[key]: row["state"] for row in found}


def test_a_finished_cluster_has_passed_every_gate():
    con = built(cluster(2), acceptance=BASELINES)
    assert set(states(con).values()) == {"passed"}
    assert rows(con, "SELECT current_gate FROM mart.systems") == [{"current_gate": "done"}]
    assert rows(con, "SELECT * FROM mart.blockers") == []


def test_no_evidence_is_no_data_and_never_passes():
    data = {name: cluster(2)[name] for name in ("sites", "systems", "commitments")}
    con = built(data, acceptance=BASELINES)
    assert set(states(con, "criteria", "criterion").values()) == {"no data"}
    assert states(con)["procure"] == "in progress"
    assert set(list(states(con).values())[1:]) == {"not started"}


def test_a_gate_whose_predecessor_has_not_passed_cannot_pass():
    data = cluster(2)
    data["bom"][0]["orderable"] = False
    con = built(data, acceptance=BASELINES)
    assert set(states(con).values()) == {"in progress"}
    (found,) = rows(con, "SELECT gate, criterion, state, capacity_held FROM mart.blockers")
    assert found == {"gate": "procure", "criterion": "bom_orderable", "state": "not met", "capacity_held": 0}


def test_capacity_waits_at_the_gate_of_its_first_missing_stage():
    data = cluster(4)
    data["installs"][0].update(racked=None, powered=None, provisioned=None)
    data["facility_capacity"][0].update(kw_energised=50)  # site ready is open, so what is not installed waits there
    con = built(data, acceptance=BASELINES)
    waiting = rows(con, "SELECT gate, waiting_capacity FROM mart.gates WHERE waiting_capacity > 0")
    assert waiting == [{"gate": "site_ready", "waiting_capacity": 8}]
    data["facility_capacity"][0].update(kw_energised=200)
    con = built(data, acceptance=BASELINES)
    waiting = rows(con, "SELECT gate, waiting_capacity FROM mart.gates WHERE waiting_capacity > 0")
    assert waiting == [{"gate": "install", "waiting_capacity": 8}]


def test_failed_units_stay_behind_when_enough_pass():
    data = cluster(20)
    data["benchmarks"][0].update(value=400.0)  # 19 of 20 are 95 %
    con = built(data, acceptance=BASELINES)
    assert states(con)["acceptance"] == "passed"
    assert rows(con, "SELECT gate, waiting_capacity AS held FROM mart.gates WHERE waiting_capacity > 0") == [
        {"gate": "acceptance", "held": 8}
    ]


@pytest.mark.parametrize(("seen", "state"), [(datetime(2026, 10, 20), "met"), (datetime(2026, 10, 10), "stale")])
def test_old_evidence_of_an_open_gate_is_stale(seen, state):
    data = cluster(1)
    data["links"][1].update(observed_at=seen)
    con = built(data, acceptance=BASELINES)
    assert states(con, "criteria", "criterion")["links_up"] == state


def test_age_does_not_undo_a_passed_gate_unless_the_criterion_stands():
    data = cluster(1)
    data["links"][1].update(observed_at=datetime(2026, 10, 10))
    data["scheduler_nodes"] = snapshots("c-TRAIN-1", "TRAIN-1-n0", hours=(120, 96, 72, 30))
    past = {
        "gates": [
            {
                "week": label(1),
                "system_key": "train-1",
                "block": "all",
                "gate": gate,
                "state": "passed",
                "entered_on": date(2026, 9, 1),
                "passed_on": date(2026, 10, 1),
            }
            for gate in ("l1", "schedulable")
        ]
    }
    con = built(data, past, acceptance=BASELINES)
    assert states(con)["l1"] == "passed"
    assert rows(con, "SELECT passed_on FROM mart.gates WHERE gate = 'l1'") == [{"passed_on": date(2026, 10, 1)}]
    assert states(con, "criteria", "criterion")["nodes_offered"] == "stale"
    assert states(con)["schedulable"] == "regressed"


def test_a_gate_behind_one_that_regressed_is_in_progress_again():
    data = cluster(1)
    data["bom"][0].update(orderable=False)
    before = {"week": label(1), "system_key": "train-1", "block": "all", "state": "passed"}
    con = built(data, {"gates": [before | {"gate": gate} for gate in ("procure", "deliver")]}, acceptance=BASELINES)
    found = states(con)
    assert (found["procure"], found["deliver"], found["schedulable"]) == ("regressed", "in progress", "in progress")


def test_blocks_advance_by_themselves():
    data = cluster(4)
    data["blocks"] = [
        {"system_id": "TRAIN-1", "block": name, "units": 16, "planned_order": number}
        for number, name in enumerate(("SU1", "SU2"), start=1)
    ]
    for number, row in enumerate(data["installs"]):
        row["block"] = "SU1" if number < 2 else "SU2"
    data["receipts"][0].update(qty_good=3)  # 24 of 32: SU1 is whole, SU2 has half
    data["installs"][3].update(racked=None, powered=None, provisioned=None, status="planned")
    data["facility_capacity"][0].update(actual_ready=date(2026, 1, 2))
    con = built(data, acceptance=BASELINES)
    values = {
        row["block"]: row["value"]
        for row in rows(con, "SELECT block, value FROM mart.criteria WHERE criterion = 'received_in_full'")
    }
    assert values == {"SU1": 16, "SU2": 8}
    assert states(con, block="su1")["procure"] == "passed"
    held = rows(
        con, "SELECT block, gate, waiting_capacity AS held FROM mart.gates WHERE waiting_capacity > 0 ORDER BY ALL"
    )
    assert held == [{"block": "SU2", "gate": "deliver", "held": 8}]


class TestBlockers:
    """Ranked by accelerators held downstream x days."""

    def test_age_comes_from_the_first_week_and_ranks(self):
        data = cluster(4)
        data["installs"][0].update(racked=None, powered=None, provisioned=None)
        past = {
            "blockers": [
                {
                    "week": label(1),
                    "blocker_id": "train-1:all:install:racked",
                    "first_seen_week": label(3),
                    "first_seen": date(2026, 10, 9),
                }
            ]
        }
        con = built(data, past, acceptance=BASELINES)
        found = rows(
            con, "SELECT rank, criterion, age_days, capacity_held, capacity_days, first_seen_week FROM mart.blockers"
        )
        assert found[0] == {
            "rank": 1,
            "criterion": "racked",
            "age_days": 21,
            "capacity_held": 8,
            "capacity_days": 168,
            "first_seen_week": label(3),
        }
        assert {row["age_days"] for row in found[1:]} == {0}

    def test_what_others_wait_for_counts_downstream(self):
        data = cluster(2)
        data["systems"].append(
            {
                "system_id": "STO-1",
                "name": "Scratch",
                "kind": "storage",
                "site_id": "DFW1",
                "supply_model": "owned",
                "owner": "Eve Lund",
            }
        )
        data["commitments"].append(
            {
                "contract": "C-2",
                "line": "1",
                "phase": "1",
                "amendment": 0,
                "system_id": "STO-1",
                "quantity": 10,
                "unit": "PB",
                "contract_date": date(2026, 10, 1),
            }
        )
        data["scheduler_nodes"] = []
        data["dependencies"] = [{"from_system": "TRAIN-1", "to_system": "STO-1", "type": "data", "gate": "schedulable"}]
        con = built(data, acceptance=BASELINES)
        found = rows(
            con,
            "SELECT own_capacity, capacity_held, unit FROM mart.blockers WHERE system_id = 'STO-1' AND gate_no = 1",
        )
        assert found[0] == {"own_capacity": 10, "capacity_held": 16, "unit": "accelerators"}
