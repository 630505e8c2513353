"""The change of a week to the row: which unit, line, playbook or restatement is behind each part, worked by hand.

The present week: TRAIN-1 has 6 nodes of 8 and 48 contracted, and offers n0 and n1; TRAIN-2 has 3 nodes and 24
contracted, TRAIN-3 one node and 4 contracted, all offered. Schedulable 16 + 24 + 4 = 44.
"""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.past import label
from tests.readiness.reconciled import BEFORE, as_of_now, behind, compared, parts
from tests.readiness.tiny import built, rows

AWAY = {
    "TRAIN-1-n2": {"state": "drained", "reason": "firmware upgrade"},
    "TRAIN-1-n3": {"state": "down"},
    "TRAIN-1-n4": {"state": "drained", "reason": "given to research"},
}


@pytest.fixture(scope="module")
def con():
    data, second, third = cluster(6), cluster(3, "TRAIN-2"), cluster(1, "TRAIN-3")
    for name in data:
        data[name] = data[name] + ([] if name in ("sites", "facility_capacity") else second[name] + third[name])
    for number, row in enumerate(data["commitments"], start=1):
        row["contract"] = f"C-{number}"
    data["commitments"][1].update(amendment=1)
    data["commitments"][2].update(quantity=4)
    for table, key in (("purchase_orders", "po"), ("po_allocations", "po"), ("shipments", "po"), ("receipts", "po")):
        for number, row in enumerate(data[table], start=1):
            row[key] = f"P{number}"
    for table, key in (("shipments", "shipment"), ("receipts", "receipt")):
        for number, row in enumerate(data[table], start=1):
            row[key] = f"{table[0].upper()}{number}"
    for node, change in AWAY.items():
        [row for row in data["scheduler_nodes"] if row["node"] == node][-1].update(allocatable=False, **change)
    data["scheduler_nodes"] = [row for row in data["scheduler_nodes"] if row["node"] != "TRAIN-1-n5"]
    return built(data, acceptance=BASELINES)


@pytest.fixture
def past(con):
    return as_of_now(con)


def unit(past, name, **changes):
    """Change what the week before kept of a unit."""
    (row,) = [row for row in past["hist.unit_states"] if row["unit_id"] == name]
    row.update(changes)
    return row


def system(past, name, **changes):
    """Change what the week before kept of a system."""
    (row,) = [row for row in past["hist.systems"] if row["system_id"] == name]
    row.update(changes)
    return row


def scheduler_row(con, node):
    """Return where the newest snapshot of a node stands."""
    query = "SELECT max(_row) FROM stg.scheduler_nodes WHERE node = $1"
    return con.sql(query, params=[node]).fetchall()[0][0]


def test_nothing_changed_and_no_row_says_so(con, past):
    compared(con, past)
    assert parts(con) == {"opening": 44, "closing": 44}
    assert rows(con, "SELECT * FROM mart.change_evidence") == []


def test_a_unit_that_came_is_named_with_its_row(con, past):
    unit(past, "TRAIN-1-n1", capacity=0, held_at="l1_valid")
    system(past, "TRAIN-1", schedulable=8)
    compared(con, past)
    assert parts(con) == {"opening": 36, "flow_in": 8, "closing": 44}
    assert behind(con, "flow_in", "unit_id", "quantity", "cause", "dataset", "file", "row") == [
        ("TRAIN-1-n1", 8, "became schedulable", "scheduler_nodes", "scheduler_nodes.csv",
         scheduler_row(con, "TRAIN-1-n1"))
    ]  # fmt: skip


def test_units_that_came_and_units_that_went_are_not_set_off(con, past):
    unit(past, "TRAIN-1-n1", capacity=0, held_at="schedulable")
    unit(past, "TRAIN-1-n3", capacity=8, held_at=None)
    compared(con, past)
    assert parts(con) == {"opening": 44, "flow_in": 8, "withdrawn": 8, "closing": 44}


def test_losses_are_split_by_what_the_evidence_says(con, past):
    for number in range(2, 6):
        unit(past, f"TRAIN-1-n{number}", capacity=8, held_at=None)
    system(past, "TRAIN-1", schedulable=48)
    compared(con, past)
    assert parts(con) == {"opening": 76, "withdrawn": 32, "closing": 44}
    assert behind(con, "withdrawn", "unit_id", "quantity", "loss") == [
        ("TRAIN-1-n2", -8, "maintenance"),
        ("TRAIN-1-n3", -8, "fault"),
        ("TRAIN-1-n4", -8, "withdrawal"),
        ("TRAIN-1-n5", -8, "no data"),
    ]
    (found,) = rows(con, "SELECT cause, evidence FROM mart.change_rows")
    assert found["cause"] == "held at schedulable (fault 8, maintenance 8, no data 8, withdrawal 8)"
    assert found["evidence"] == "4 units of TRAIN-1"


def test_a_unit_that_moved_is_a_transfer_and_nets_to_zero(con, past):
    unit(past, "TRAIN-2-n0", system_key="train-1", system_id="TRAIN-1")
    system(past, "TRAIN-1", schedulable=24)
    system(past, "TRAIN-2", schedulable=16)
    compared(con, past)
    assert parts(con) == {"opening": 44, "closing": 44}
    assert behind(con, "transfer", "system_id", "unit_id", "quantity", "cause") == [
        ("TRAIN-1", "TRAIN-2-n0", -8, "moved to TRAIN-2"),
        ("TRAIN-2", "TRAIN-2-n0", 8, "moved from TRAIN-1"),
    ]


def test_what_moves_where_the_commitment_is_full_no_longer_counts(con, past):
    unit(past, "TRAIN-3-n0", system_key="train-1", system_id="TRAIN-1")
    system(past, "TRAIN-1", schedulable=24)
    system(past, "TRAIN-3", schedulable=0)
    compared(con, past)  # 8 left TRAIN-1; of the 8 that TRAIN-3 got, its commitment counts 4
    assert parts(con) == {"opening": 48, "withdrawn": 4, "closing": 44}
    assert behind(con, "withdrawn", "system_id", "quantity", "cause") == [
        ("TRAIN-3", -4, "over the commitment, not counted")
    ]


def test_an_excess_makes_up_for_what_went(con, past):
    row = unit(past, "TRAIN-3-n0")
    past["hist.unit_states"].append(row | {"unit_key": "gone", "unit_id": "TRAIN-3-n9", "identity": "sn-9"})
    compared(con, past)  # 16 stood against 4 contracted; now 8 do
    assert parts(con) == {"opening": 44, "closing": 44}
    assert behind(con, "withdrawn", "unit_id", "quantity", "cause") == [
        ("TRAIN-3-n9", -8, "no longer a unit of the system"),
        (None, 8, "was over the commitment, counts now"),
    ]


def test_an_amendment_is_scope_with_its_row(con, past):
    past["hist.commitments"][1].update(quantity=16, amendment=0)
    system(past, "TRAIN-2", contracted=16, schedulable=16)
    compared(con, past)
    assert parts(con) == {"opening": 36, "scope": 8, "closing": 44}
    assert behind(con, "scope", "unit_id", "quantity", "note", "file", "row") == [
        ("C-2/1/1", 8, "amendment 1: 16 -> 24", "commitments.csv", 3)
    ]


def test_an_amendment_counts_as_far_as_capacity_is_there(con, past):
    past["hist.commitments"][0].update(quantity=8)
    system(past, "TRAIN-1", contracted=8, schedulable=8)
    compared(con, past)  # 8 -> 48, of which n1 alone was waiting
    assert parts(con) == {"opening": 36, "scope": 8, "closing": 44}
    assert behind(con, "scope", "unit_id", "quantity") == [("C-1/1/1", 8)]


@pytest.mark.parametrize("known", [True, False])
def test_a_changed_definition_moves_what_no_newer_row_moved(con, past, known):
    unit(past, "TRAIN-2-n0", capacity=0, held_at="handed_over")  # decided on 20 September
    unit(past, "TRAIN-2-n1", capacity=0, held_at="schedulable")  # the scheduler's own word of this week
    system(past, "TRAIN-2", schedulable=8, playbook="gpu_cluster 0")
    ((now,),) = con.sql("SELECT DISTINCT playbook FROM mart.systems").fetchall()
    changes = f"playbook gpu_cluster 0 -> {now}"
    if known:
        (row,) = [
            row for row in past["hist.definitions"]
            if (row["what"], row["subject"]) == ("criterion", "gpu_cluster") and row["name"].startswith("install/")
        ][:1]  # fmt: skip
        changes += f"; {row['name']}: {row['says']} (was racked_share >= 0.5)"
        row["says"] = "racked_share >= 0.5"
    compared(con, past)
    assert parts(con) == {"opening": 28, "flow_in": 8, "definition": 8, "closing": 44}
    assert behind(con, "definition", "unit_id", "cause") == [("TRAIN-2-n0", "the definition changed")]
    assert behind(con, "definition", "note")[0][0].startswith(changes)
    assert behind(con, "flow_in", "unit_id") == [("TRAIN-2-n1",)]


def test_a_new_acceptance_limit_is_a_definition(con, past):
    unit(past, "TRAIN-2-n0", capacity=0, held_at="accepted")
    system(past, "TRAIN-2", schedulable=16)
    (row,) = [row for row in past["hist.definitions"] if row["what"] == "acceptance limit"]
    row["says"] = "at least 480 GB/s, required"
    compared(con, past)
    assert parts(con) == {"opening": 36, "definition": 8, "closing": 44}
    assert rows(con, "SELECT what, before, now FROM mart.definition_changes") == [
        {"what": "acceptance limit", "before": "at least 480 GB/s, required", "now": "at least 460 GB/s, required"}
    ]


def test_a_restatement_names_its_unit_and_what_it_was_made_from(con, past):
    past["issued.systems"] = [dict(row) for row in past["hist.systems"]]
    past["issued.unit_states"] = [dict(row) for row in past["hist.unit_states"]]
    for row in past["issued.systems"]:
        row["schedulable"] = 8 if row["system_id"] == "TRAIN-1" else row["schedulable"]
    for row in past["issued.unit_states"]:
        if row["unit_id"] == "TRAIN-1-n1":
            row.update(capacity=0, held_at="accepted")
    reason = {
        "week": BEFORE, "name": f"{BEFORE}.2", "first_name": f"{BEFORE}.1", "reason": "late test", "change": "came",
        "what": "2026-10-21/late.csv", "source": "tests", "dataset": "benchmarks", "delivery_id": "d",
    }  # fmt: skip
    past["meta.restatements"] = [reason]
    compared(con, past)
    assert parts(con) == {"opening": 36, "restated": 8, "closing": 44}
    assert behind(con, "restated", "unit_id", "quantity", "note") == [
        ("TRAIN-1-n1", 8, f"{BEFORE}.2: came 2026-10-21/late.csv; allocatable, idle")
    ]
    assert rows(con, "SELECT week, name, first_name, issued, now, difference, made_from FROM mart.restatements") == [
        {"week": BEFORE, "name": f"{BEFORE}.2", "first_name": f"{BEFORE}.1", "issued": 36, "now": 44, "difference": 8,
         "made_from": "came 2026-10-21/late.csv"}
    ]  # fmt: skip


def test_a_week_made_again_shows_its_own_difference(con, past):
    now = label(0)
    past["issued.systems"] = [row | {"week": now, "schedulable": 0} for row in past["hist.systems"]]
    head = {"name": f"{now}.2", "first_name": f"{now}.1", "reason": "", "source": "", "dataset": "", "delivery_id": ""}
    past["meta.restatements"] = [head | {"week": now, "change": "changed", "what": "programme.yaml"}]
    compared(con, past)
    assert parts(con) == {"opening": 44, "closing": 44}
    assert rows(con, "SELECT name, issued, now, difference, made_from, deliveries FROM mart.restatements") == [
        {"name": f"{now}.2", "issued": 0, "now": 44, "difference": 44, "made_from": "changed programme.yaml",
         "deliveries": 0}
    ]  # fmt: skip


def test_a_system_that_changed_its_kind_leaves_one_and_joins_the_other(con, past):
    system(past, "TRAIN-2", kind="cpu_cluster", unit="cores", schedulable=12)
    compared(con, past)
    assert rows(con, "SELECT kind, opening, scope, closing FROM mart.change ORDER BY kind") == [
        {"kind": "cpu_cluster", "opening": 12, "scope": -12, "closing": 0},
        {"kind": "gpu_cluster", "opening": 20, "scope": 24, "closing": 44},
    ]


FATES = {
    "same": {},
    "held": {"capacity": 0, "held_at": "accepted"},
    "away": {"capacity": 0, "held_at": "schedulable"},
    "full": {"capacity": 8, "held_at": None},
    "less": {"capacity": 5, "held_at": None},
    "absent": None,
    **{
        f"moved {system}": {"system_id": system, "system_key": system.lower(), "capacity": 8, "held_at": None}
        for system in ("TRAIN-1", "TRAIN-2", "TRAIN-3", "OLD-1")
    },
}


@st.composite
def weeks_before(draw, past):
    """Another week before: units came, went or moved, commitments and playbooks were others, it was restated."""
    fates = [(row, FATES[draw(st.sampled_from(sorted(FATES)))]) for row in past["hist.unit_states"]]
    states = [row | fate for row, fate in fates if fate is not None]
    lines = [
        row | {"quantity": draw(st.sampled_from([row["quantity"], 4, 16, 60]))}
        for row in past["hist.commitments"]
        if draw(st.integers(0, 4))
    ]
    systems = []
    for row in past["hist.systems"]:
        key = row["system_key"]
        contracted = sum(line["quantity"] for line in lines if line["system_key"] == key)
        stood = sum(one["capacity"] for one in states if one["system_key"] == key)
        playbook = draw(st.sampled_from([row["playbook"], "gpu_cluster 0"]))
        if draw(st.integers(0, 5)):
            amounts = {"contracted": contracted, "schedulable": min(contracted, stood)}
            systems.append(row | amounts | {"playbook": playbook})
    found = past | {"hist.unit_states": states, "hist.commitments": lines, "hist.systems": systems}
    if draw(st.booleans()):
        found["issued.systems"] = [row | {"schedulable": draw(st.integers(0, 30))} for row in systems]
        found["issued.unit_states"] = draw(st.permutations(past["hist.unit_states"]))
    return {table: given for table, given in found.items() if given}


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_every_change_closes_to_the_row(con, data):
    before = data.draw(weeks_before(as_of_now(con)))
    compared(con, before)  # raises when a kind does not close, or transfers do not net to zero
    issued = before.get("issued.systems", before.get("hist.systems", []))
    if not before.get("hist.systems"):
        assert rows(con, "SELECT * FROM mart.change_evidence") == []
        return
    open_at = {row["system_key"]: row["schedulable"] for row in issued}
    close_at = {row["system_key"]: row["schedulable"] for row in rows(con, "SELECT * FROM mart.systems")}
    moved = rows(con, "SELECT system_key, sum(quantity) AS quantity FROM mart.change_evidence GROUP BY ALL")
    sums = {row["system_key"]: row["quantity"] for row in moved}
    for key in open_at.keys() | close_at.keys():
        assert open_at.get(key, 0) + sums.get(key, 0) == close_at.get(key, 0), key
    assert rows(con, "SELECT * FROM mart.change WHERE flow_in < 0 OR withdrawn < 0 OR transfer <> 0") == []
    first = con.sql("SELECT * FROM mart.change_evidence ORDER BY ALL").fetchall()
    mixed = random.Random(data.draw(st.integers(0, 99)))
    compared(con, {table: mixed.sample(given, len(given)) for table, given in before.items()})
    assert con.sql("SELECT * FROM mart.change_evidence ORDER BY ALL").fetchall() == first
