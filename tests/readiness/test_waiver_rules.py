"""Who may waive what and for how long, who may sign, storage that a cluster needs, and claims against evidence."""

from datetime import date

import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.gate_weeks import SQL
from tests.readiness.tiny import built, rows
from turnup.readiness.history import write_history_views
from turnup.warehouse.models import read_model

ROLES = {"programme director": ["Cy Moss"], "service owner": ["Bo Lind"]}


def waiver(name, gate, criterion, **changes):
    """Return a waiver of TRAIN-1 by the programme director, of September to mid November."""
    return {
        "id": name, "type": "waiver", "title": name, "system_id": "TRAIN-1", "gate": gate, "criterion": criterion,
        "approver": "Cy Moss, VP", "owner": "Ana Ruiz", "opened": date(2026, 9, 1), "expiry": date(2026, 11, 15),
        "compensating_action": "checked each week",
    } | changes  # fmt: skip


@pytest.fixture(scope="module")
def judged():
    data = cluster(2)
    data["benchmarks"][0].update(value=400.0, correctness="wrong")
    data["links"][1].update(state="down")
    data["bom"].append({"system_id": "TRAIN-1", "line": "2", "part_number": "CAGE", "quantity": 3})
    data["installs"][0].update(provisioned=None)
    data["raid"] = [
        waiver("W-1", "deliver", "no_part_short"),
        waiver("W-2", "power_bringup", "provisioned", approver="Ana Ruiz"),
        waiver("W-3", "acceptance", "values_correct"),
        # High severity: 90 days from 1 September end on 30 November.
        waiver("W-4", "l1", "links_up", expiry=date(2027, 6, 1), compensating_action=None),
        waiver("W-5", "l1", "links_upp"),
        waiver("W-6", "acceptance", "bandwidth_passed", expiry=date(2026, 10, 29)),
        waiver("W-7", "acceptance", "bandwidth_passed", expiry=date(2026, 10, 30)),
    ]
    decision = data["gate_decisions"][0]
    data["gate_decisions"].append(
        decision | {"decided": date(2026, 10, 28), "outcome": "disapprove", "approver": "Ana Ruiz"}
    )
    return built(data, acceptance=BASELINES, roles=ROLES)


def test_a_waiver_stands_only_for_what_its_approver_may_waive_and_no_longer_than_allowed(judged):
    found = {
        row["id"]: row for row in rows(judged, "SELECT id, expired, flaw, expiry, written_expiry FROM mart.waivers")
    }
    assert {name: row["flaw"] for name, row in found.items()} == {
        "W-1": None, "W-2": "not entitled", "W-3": "not waivable", "W-4": None, "W-5": "covers nothing",
        "W-6": "expired", "W-7": None,
    }  # fmt: skip
    assert sorted(name for name, row in found.items() if row["expired"]) == ["W-2", "W-3", "W-5", "W-6"]
    assert (found["W-4"]["expiry"], found["W-4"]["written_expiry"]) == (date(2026, 11, 30), date(2027, 6, 1))


def test_criteria_are_waived_by_those_that_stand(judged):
    query = "SELECT criterion, state, waiver_id FROM mart.criteria WHERE state <> 'met' ORDER BY gate_no, criterion_no"
    found = {row["criterion"]: (row["state"], row["waiver_id"]) for row in rows(judged, query)}
    assert found["no_part_short"] == ("waived", "W-1")
    assert found["provisioned"] == ("not met", None)
    assert found["links_up"] == ("waived", "W-4")
    assert found["values_correct"] == ("not met", None)
    assert found["bandwidth_passed"] == ("waived", "W-7")  # on its last day


def test_each_breach_is_a_finding(judged):
    query = "SELECT code, subject FROM mart.findings WHERE code LIKE 'waiver%' OR code LIKE 'decision%' ORDER BY ALL"
    assert [tuple(row.values()) for row in rows(judged, query)] == [
        ("decision_not_entitled", "TRAIN-1"),
        ("waiver_covers_nothing", "W-5"),
        ("waiver_not_allowed", "W-3"),
        ("waiver_not_entitled", "W-2"),
        ("waiver_too_long", "W-4"),
        ("waiver_without_action", "W-4"),
    ]
    (found,) = rows(judged, "SELECT message FROM mart.findings WHERE code = 'waiver_not_entitled'")
    assert found["message"] == (
        "W-2 (power_bringup.provisioned) is approved by Ana Ruiz, who may not waive it; it stands for nothing. "
        "May waive: programme director"
    )


def test_a_decision_by_somebody_who_may_not_sign_takes_nothing_back(judged):
    (found,) = rows(judged, "SELECT state FROM mart.criteria WHERE criterion = 'decision_signed'")
    assert found == {"state": "met"}


def test_a_changed_criterion_is_told_and_without_a_new_version_it_is_silent(judged):
    judged.execute(
        "CREATE TABLE hist.playbook_criteria AS SELECT '2026-W43' AS week, * REPLACE ("
        "CASE WHEN criterion = 'links_up' THEN 'other' ELSE rule END AS rule, "
        "CASE WHEN playbook = 'pop' THEN '1' ELSE version END AS version) FROM mart.playbook_criteria "
        "WHERE NOT (playbook = 'storage' AND criterion = 'healthy')"
    )
    write_history_views(judged)
    model = read_model(SQL / "mart" / "playbook_changes.sql")
    query = f"SELECT playbook, gate, criterion, change, is_silent FROM ({model.sql}) ORDER BY ALL"
    assert [tuple(row.values()) for row in rows(judged, query)] == [
        ("backbone_node", "l1", "links_up", "changed", True),
        ("cpu_cluster", "l1", "links_up", "changed", True),
        ("gpu_cluster", "l1", "links_up", "changed", True),
        ("pop", "l1", "links_up", "changed", False),
        ("storage", "l1", "links_up", "changed", True),
        ("storage", "schedulable", "healthy", "added", True),
    ]


@pytest.fixture(scope="module")
def claimed():
    """Return TRAIN-1 (16 of 40 schedulable) and STO-1 (0 of 10 PB), which TRAIN-1 needs, both claimed green."""
    data = cluster(2)
    data["commitments"] = [line("TRAIN-1", "1", 40, date(2026, 10, 1))]
    data["systems"][0].update(claimed_status="green")
    data["systems"].append(
        data["systems"][0]
        | {"system_id": "STO-1", "kind": "storage", "claimed_stage": "installed", "owner": "Eve Lund"}
    )
    data["commitments"].append(line("STO-1", "2", 10, date(2026, 10, 1), unit="PB"))
    data["dependencies"] = [{"from_system": "TRAIN-1", "to_system": "STO-1", "type": "storage"}]
    data["installs"].append(
        data["installs"][0]
        | {"asset_id": "A-new", "serial": "SN-new", "name": "new", "racked": None, "claimed_percent": 100}
    )
    return built(data, acceptance=BASELINES)


def test_claims_stand_beside_the_evidence_ranked_by_capacity_and_severity(claimed):
    found = rows(claimed, "SELECT rank, subject, claimed, computed, capacity, severity, weight FROM mart.watermelons")
    found.sort(key=lambda row: row["rank"])
    # 24 missing accelerators, red: 24 x 4. A node of 8 at 100 %, medium: 8 x 2. Storage: 10 PB red, 10 PB at a stage.
    assert [tuple(row.values()) for row in found] == [
        (1, "TRAIN-1", "green", "red", 24, "critical", 96),
        (2, "new", "100 %", "not racked", 8, "medium", 16),
        (3, "STO-1", "green", "red", 10, "critical", 40),
        (4, "STO-1", "installed", "0 of 10 PB", 10, "high", 30),
    ]
    findings = rows(claimed, "SELECT count(*) AS n FROM mart.findings WHERE code = 'watermelon'")
    assert findings == [{"n": 4}]


def test_storage_that_a_cluster_needs_holds_its_gate(claimed):
    found = rows(claimed, "SELECT system_id, criterion, state, value FROM mart.criteria WHERE gate = 'storage_ready'")
    assert found == [{"system_id": "TRAIN-1", "criterion": "needs:sto-1:schedulable", "state": "not met", "value": 0}]
