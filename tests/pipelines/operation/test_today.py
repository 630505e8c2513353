"""What a day asks, by hand from the fixture's files; gates from a table of our own."""

from datetime import UTC, datetime

import pytest

from turnup.warehouse.connection import connect
from turnup.working_day import today as module
from turnup.working_day.records import records

SATURDAY = "2026-10-10T08:00:00+00:00"


@pytest.fixture(scope="module")
def found(working):
    from turnup.working_day.today import today

    with connect(working.warehouse.resolve(), read_only=True) as con:
        return today(con, working.load(), datetime.fromisoformat(SATURDAY))


def test_what_arrives_within_48_hours(found):
    # KS-1 comes on 12 October, which is 48 hours from the morning of the 10th; MS-1 comes on the 30th.
    assert [(row["shipment"], row["parts"], row["quantity"], str(row["eta"])) for row in found.arrivals] == [
        ("KS-1", "K-NODE", 8, "2026-10-12")
    ]


def test_which_days_of_arrival_moved(found):
    assert [(row["shipment"], str(row["eta_before"]), str(row["eta"]), row["days"]) for row in found.eta_moves] == [
        ("KS-1", "2026-10-10", "2026-10-12", 2)
    ]


def test_how_far_installs_are(found):
    # Of four devices one is provisioned (7 October), a second racked (6 October). Three are left.
    (row,) = found.installs
    counted = [row[name] for name in ("listed", "racked", "cabled", "powered", "provisioned")]
    assert counted == [4, 2, 1, 1, 1]
    assert (row["racked_in_7_days"], row["provisioned_in_7_days"]) == (1, 1)


def test_what_is_due_and_what_is_overdue(found):
    assert [(row["id"], row["who"], row["overdue"]) for row in found.due] == [
        ("A-3", "Merlin", True), ("A-1", "Ana Ruiz", False), ("D-1", "Vera Lang", False),
    ]  # fmt: skip


def test_which_files_are_missing(found):
    missing = {(owner, item.source, item.reason) for owner, item in found.missing}
    assert ("Merlin", "counts", "never came") in missing
    assert not any(source == "orders" for _, source, _ in missing)


def test_the_command_says_what_lies_in_the_inbox(mine, turnup):
    (mine.inbox / "grn9.csv").write_text("receipt\n")
    found = turnup(mine, "today", "--now", SATURDAY)
    assert found.not_taken_yet == ["grn9.csv"]
    assert [row["shipment"] for row in found.arrivals] == ["KS-1"]
    assert {item["owner"] for item in found.missing_files} >= {"Merlin"}


CRITERIA = """CREATE SCHEMA mart; CREATE TABLE mart.criteria AS SELECT * FROM (VALUES
    ('s', 'A', 'deliver', 'parts', 'met'), ('s', 'A', 'deliver', 'gate_decision_approved', 'no data'),
    ('s', 'A', 'install', 'racked', 'met'),
    ('s', 'A', 'power', 'powered', 'waived'), ('s', 'A', 'power', 'gate_decision_approved', 'not met'),
    ('s', 'A', 'fabric', 'links', 'not met'),
    ('s', 'B', 'deliver', 'parts', 'met'),
    ('s', 'B', 'install', 'racked', 'stale'), ('s', 'B', 'install', 'gate_decision_approved', 'no data')
) AS c(system_key, block, gate, metric, state)"""
GATES = """CREATE TABLE mart.gates AS SELECT 's' AS system_key, 'S' AS system_id, '' AS owner_role,
    0 AS waiting_capacity, * FROM (VALUES
    ('A', 1, 'deliver', 'Deliver', 'in progress', true), ('A', 2, 'install', 'Install', 'in progress', false),
    ('A', 3, 'power', 'Power', 'in progress', false), ('A', 4, 'fabric', 'Fabric', 'not started', false),
    ('B', 1, 'deliver', 'Deliver', 'passed', false), ('B', 2, 'install', 'Install', 'in progress', true)
) AS g(block, gate_no, gate, title, state, is_current)"""


def test_gates_that_can_pass_wait_for_a_signature_or_a_gate_before():
    with connect() as con:
        con.execute(CRITERIA)
        con.execute(GATES)
        rows = records(con, module._GATES)
    assert [(row["block"], row["gate"], row["waits_for"], row["gate_before"]) for row in rows] == [
        ("A", "deliver", "signature", ""),
        ("A", "install", "gate before it", "Deliver"),
        ("A", "power", "signature and gate before it", "Deliver"),
    ]


def test_a_day_is_one_of_the_programme_s_zone(working):
    from turnup.working_day.today import today

    # 30 minutes past midnight UTC on the 11th it is still the 10th in Chicago, and 48 hours later the 12th.
    programme = working.load().model_copy(update={"time_zone": "America/Chicago"})
    with connect(working.warehouse.resolve(), read_only=True) as con:
        late = today(con, programme, datetime(2026, 10, 10, 0, 30, tzinfo=UTC))
        later = today(con, programme, datetime(2026, 10, 11, 0, 30, tzinfo=UTC))
    assert [row["shipment"] for row in late.arrivals] == []
    assert [row["shipment"] for row in later.arrivals] == ["KS-1"]
