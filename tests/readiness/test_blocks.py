"""Blocks: a line is served from its own blocks, and what holds another block does not touch it."""

from datetime import date

import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.tiny import built, rows


def two_blocks(**waiver):
    """Return 4 nodes: SU1 (2 nodes) finished, SU2 received but neither racked nor seen; one line for each block."""
    data = cluster(4)
    data["blocks"] = [
        {"system_id": "TRAIN-1", "block": name, "units": 16, "planned_order": number}
        for number, name in enumerate(("SU1", "SU2"), start=1)
    ]
    for number, row in enumerate(data["installs"]):
        row["block"] = "SU1" if number < 2 else "SU2"
        if number >= 2:
            row.update(racked=None, cabled=None, powered=None, provisioned=None)
    for table in ("links", "benchmarks", "scheduler_nodes"):
        data[table] = [row for row in data[table] if str(row.get("node", row.get("a_device")))[-1] in "01"]
    data["gate_decisions"][0].update(block="SU1")
    data["commitments"] = [
        line("TRAIN-1", "1", 16, date(2026, 10, 1)),
        line("TRAIN-1", "2", 16, date(2027, 9, 1)),
    ]
    if waiver:
        data["bom"].append({"system_id": "TRAIN-1", "line": "2", "part_number": "CAGE", "quantity": 3})
        row = {"id": "W-7", "type": "waiver", "title": "cages later", "system_id": "TRAIN-1", "gate": "deliver"}
        row |= {"criterion": "no_part_short", "approver": "Cy Moss", "owner": "Ana Ruiz", "opened": date(2026, 9, 1)}
        data["raid"] = [row | waiver]
    return data


def test_a_finished_block_is_not_held_by_the_next_one():
    con = built(two_blocks(), acceptance=BASELINES)
    found = rows(con, "SELECT line, status, driver FROM mart.commitments ORDER BY line")
    assert found[0] == {"line": "1", "status": "green", "driver": None}
    assert found[1]["status"] == "grey"
    assert found[1]["driver"].startswith("install: ")
    passed = rows(
        con, "SELECT block, count(*) AS n FROM mart.gates WHERE state = 'passed' GROUP BY block ORDER BY block"
    )
    assert passed == [{"block": "SU1", "n": 11}, {"block": "SU2", "n": 3}]
    assert rows(con, "SELECT DISTINCT block FROM mart.blockers") == [{"block": "SU2"}]


@pytest.mark.parametrize(("scope", "carried"), [("SU1", 16), (None, 16), ("SU2", 0)])
def test_a_waiver_of_a_block_carries_what_is_schedulable_in_it(scope, carried):
    con = built(two_blocks(scope=scope, expiry=date(2027, 3, 1)), acceptance=BASELINES)
    assert rows(con, "SELECT waived_quantity FROM mart.classes") == [{"waived_quantity": carried}]
    assert rows(con, "SELECT quantity FROM mart.waivers") == [{"quantity": carried}]
    waived = rows(con, "SELECT block FROM mart.gates WHERE gate = 'deliver' AND state = 'waived' ORDER BY block")
    assert [row["block"] for row in waived] == ([scope] if scope else ["SU1", "SU2"])


@pytest.mark.parametrize(("scope", "first", "second"), [("SU1", "amber", "green"), ("SU2", "green", "amber")])
def test_a_waiver_colours_the_lines_of_its_block_only(scope, first, second):
    con = built(two_blocks(scope=scope, expiry=date(2026, 11, 10)), acceptance=BASELINES)
    found = rows(con, "SELECT status, status_reason FROM mart.commitments ORDER BY line")
    assert [row["status"] for row in found] == [first, second]
    carried = found[0 if scope == "SU1" else 1]["status_reason"]
    assert carried == "carried by waiver W-7, which expires on 2026-11-10"


def test_a_waiver_that_names_units_carries_those_only():
    data = cluster(3)
    for row in data["benchmarks"][:2]:
        row.update(value=400.0)
    waiver = {"id": "W-8", "type": "waiver", "title": "slow fans", "system_id": "TRAIN-1", "gate": "acceptance"}
    waiver |= {
        "criterion": "bandwidth_passed",
        "scope": "TRAIN-1-n0",
        "expiry": date(2027, 3, 1),
        "approver": "Cy Moss",
        "owner": "Ana Ruiz",
    }
    data["raid"] = [waiver | {"opened": date(2026, 9, 1)}]
    con = built(data, acceptance=BASELINES)
    assert rows(con, "SELECT reached FROM core.funnel WHERE stage = 'accepted'") == [{"reached": 16}]
    assert rows(con, "SELECT quantity FROM mart.waivers") == [{"quantity": 8}]
    assert rows(con, "SELECT state FROM mart.gates WHERE gate = 'acceptance'") == [{"state": "in progress"}]
