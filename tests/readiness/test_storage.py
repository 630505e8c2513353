"""A storage system: everything it is judged by, and why it is not ready."""

from datetime import date, datetime

import pytest

from tests.readiness.test_kinds import LIMIT, boxes
from tests.readiness.tiny import built, modelled, rows

OWN = {
    "system": "S-1", "sku": "*", "test": "io500", "metric": "score", "unit": "native", "value": 300.0,
    "verified": False, "source": "plan",
}  # fmt: skip
"""The system's own limit, for the file system as a whole."""


def state(day, **changes):
    """Return an observation: 9.6 of 10 PB usable, healthy, serving 12 of 16 clients."""
    row = {
        "system_id": "S-1", "observed_at": datetime(2026, 10, day, 8), "usable": 9.6, "used": 4.0 + day / 10,
        "degraded": False, "rebuilding": False, "client_mounts": 12, "clients_expected": 16, "serving": True,
    }  # fmt: skip
    return row | changes


def io500(score, system="S-1"):
    """Return the result of a run over the whole file system, from client nodes."""
    return {
        "run": f"io500-{system}", "node": "client-1", "system_id": system, "test": "io500", "metric": "score",
        "statistic": "value", "value": score, "unit": "native", "measured_at": datetime(2026, 10, 20),
        "correctness": "unverified", "complete": True,
    }  # fmt: skip


@pytest.fixture(scope="module")
def short():
    """Two boxes of 5 PB that pass everything, with 9.6 PB usable."""
    data = boxes("storage", 2, 10, "PB", 5)
    data["systems"][0] |= {"design_kw": 20, "racks": 2}
    data["facility_capacity"] = [
        {
            "site_id": "LON1", "hall": "H1", "phase": "1", "racks": 4, "kw_energised": 40, "air_kw": 40,
            "actual_ready": date(2026, 1, 1),
        }
    ]  # fmt: skip
    data["storage_state"] = [
        state(15), state(22, degraded=True), state(24, degraded=True, rebuilding=True), state(26),
        state(28, rebuilding=True), state(29, rebuilding=True),
    ]  # fmt: skip
    data["benchmarks"].append(io500(420.0))
    limits = {"baselines": [*LIMIT["baselines"], OWN, OWN | {"system": "S-2", "value": 900.0}]}
    return built(data, acceptance=limits)


def one(con, query):
    """Return the only row of a query."""
    (found,) = rows(con, query)
    return found


def test_four_percent_short_of_usable_is_not_ready_though_every_test_passes(short):
    found = one(short, "SELECT * FROM mart.storage")
    assert (found["limits"], found["limits_passed"]) == (4, 4)  # two boxes, a limit of the box and one of the system
    assert (float(found["short"]), float(found["short_share"])) == (0.4, 0.04)
    assert "Usable capacity as measured covers the commitment: 9.6 (wanted >= 10)" in found["not_ready"]
    gates = {row["gate"]: row["state"] for row in rows(short, "SELECT gate, state FROM mart.gates")}
    assert (gates["l1"], gates["acceptance"], gates["schedulable"]) == ("passed", "in progress", "in progress")
    criteria = rows(short, "SELECT criterion, state FROM mart.criteria WHERE gate = 'acceptance'")
    assert {row["criterion"]: row["state"] for row in criteria} == {
        "covered": "met", "passed": "met", "usable_measured": "not met", "accepted_in_full": "met",
    }  # fmt: skip
    line = one(short, "SELECT status, shortfall, driver FROM mart.commitments")
    assert (line["status"], float(line["shortfall"])) == ("red", 0.4)


def test_the_limit_of_another_system_is_none_of_its_business(short):
    tests = rows(short, "SELECT DISTINCT test_key, verdict FROM core.unit_tests ORDER BY ALL")
    assert tests == [{"test_key": "io500", "verdict": "pass"}, {"test_key": "throughput", "verdict": "pass"}]


def test_a_rebuild_is_told_with_the_day_it_began(short):
    found = one(short, "SELECT degraded, degraded_since, rebuilding, rebuilding_since FROM mart.storage")
    assert found == {
        "degraded": False, "degraded_since": None, "rebuilding": True, "rebuilding_since": datetime(2026, 10, 28, 8),
    }  # fmt: skip
    assert one(short, "SELECT state FROM mart.criteria WHERE criterion = 'healthy'") == {"state": "not met"}


def test_clients_that_should_mount_it_and_do_not(short):
    found = one(short, "SELECT value, state, message FROM mart.criteria WHERE criterion = 'mounted'")
    assert (found["value"], found["state"]) == (0.75, "not met")
    assert found["message"] == "Every client that should has the storage mounted: 75 % (wanted >= 100 %)"


def test_room_without_a_demand_curve_needs_enough_weeks(short):
    # observations of three weeks are two increments: nothing is said
    found = one(short, "SELECT demand_basis, headroom_now, run_out_on FROM mart.storage")
    assert found == {"demand_basis": "no data", "headroom_now": None, "run_out_on": None}


def test_room_by_week_with_a_demand_curve():
    data = boxes("storage", 2, 10, "PB", 5)
    data["storage_state"] = [state(29, usable=10.0)]
    data["demand"] = [
        {"scope": "S-1", "week": f"2026-W{week}", "low": mid, "mid": mid, "high": mid}
        for week, mid in ((44, 8), (46, 9), (48, 10), (49, 11))
    ]
    con = built(data, acceptance=LIMIT)
    weeks = rows(con, "SELECT week_end, headroom_p50 FROM mart.storage_outlook ORDER BY week_no LIMIT 7")
    assert [float(row["headroom_p50"]) if row["headroom_p50"] is not None else None for row in weeks] == [
        2, 2, 1, 1, 0, -1, None,
    ]  # fmt: skip
    found = one(con, "SELECT run_out_on, run_out_early, covered_to, odds_run_out FROM mart.storage")
    assert (found["run_out_on"], found["run_out_early"]) == (date(2026, 12, 4), date(2026, 12, 4))
    assert (found["covered_to"], float(found["odds_run_out"])) == (date(2026, 12, 4), 1)


def test_a_row_of_a_demand_curve_that_nothing_can_use_is_a_finding():
    data = boxes("storage", 1, 10, "PB", 10)
    data["demand"] = [
        {"scope": "S-1", "week": "2026-W45", "low": 1, "mid": 2, "high": 3},
        {"scope": "S-1", "week": "W46", "low": 1, "mid": 2, "high": 3},
        {"scope": "S-1", "week": "2026-W54", "low": 1, "mid": 2, "high": 3},
        {"scope": "S-1", "week": "2026-W47", "low": 1, "high": 3},
        {"scope": "S1", "week": "2026-W45", "mid": 2},
        {"scope": "us:eu", "week": "2026-W45", "mid": 2},
    ]
    con = modelled(data, "core.found_demand")
    found = rows(con, "SELECT subject, _row, message FROM core.found_demand ORDER BY _row")
    assert [(row["subject"], row["_row"], row["message"].partition("not used: ")[2]) for row in found] == [
        ("S-1", 3, "expected an ISO week such as 2026-W42"),
        ("S-1", 4, "expected an ISO week such as 2026-W42"),
        ("S-1", 5, "it has no middle case"),
        ("S1", 6, "no system is called 'S1'"),
    ]
