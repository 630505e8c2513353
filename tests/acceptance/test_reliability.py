"""Failure rates with exact intervals, early failures, spares: figures from tables and from the field."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from tests.readiness.cluster import BASELINES, cluster
from tests.readiness.tiny import built, rows
from turnup.acceptance.reliability import rate, spares


def test_no_fault_leaves_room_for_a_rate():
    found = rate(0, 461, confidence=0.90)  # one-sided 95 %: -ln(0.05) = 2.9957
    assert (found.rate, found.low) == (0, 0)
    assert found.high == pytest.approx(2.9957 / 461 * 1000, rel=1e-4)
    assert found.high < 6.5  # 461 node-days without a fault show less than 6.5 per 1,000


def test_the_published_interval_of_ten_faults():
    found = rate(10, 1000)  # Garwood: 4.795 to 18.390
    assert found.rate == 10
    assert (found.low, found.high) == (pytest.approx(4.7954, abs=1e-4), pytest.approx(18.3904, abs=1e-4))


def test_without_running_time_there_is_no_rate():
    assert rate(3, 0).rate is None


@given(st.integers(0, 200), st.floats(1, 1e6))
def test_the_limits_are_exact(faults, days):
    found = rate(faults, days)
    assert found.low <= found.rate <= found.high
    assert poisson.cdf(faults, found.high * days / 1000) == pytest.approx(0.025, abs=1e-6)
    if faults:
        assert poisson.sf(faults - 1, found.low * days / 1000) == pytest.approx(0.025, abs=1e-6)


@pytest.mark.parametrize(
    ("expected", "level", "stock"), [(0.0, 0.95, 0), (1.0, 0.95, 3), (1.0, 0.99, 4), (5.0, 0.95, 9)]
)
def test_spares_from_the_poisson_table(expected, level, stock):
    assert spares(expected, level) == stock


def fault(number, **changes):
    row = {"failure_id": f"F-{number}", "node": "TRAIN-1-n0", "kind": "xid", "opened": date(2026, 10, 1)}
    return row | changes


def whole(data, **settings):
    return built(data, acceptance=BASELINES, **settings)


def test_rates_by_system_and_repeat_offenders():
    data = cluster(4)
    data["failures"] = [fault(1), fault(2, opened=date(2026, 10, 10)), fault(3, node="TRAIN-1-n1")]
    con = whole(data)
    con.execute("INSERT INTO meta.sources VALUES ('f', 'failures', 'o', false, NULL, 'f.csv', 1, 'fresh')")
    from turnup.acceptance.reliability import write_reliability
    from turnup.thresholds import Thresholds

    write_reliability(con, Thresholds())
    found = rows(con, "SELECT * FROM mart.reliability")[0]
    days = rows(con, "SELECT sum(days)::INT AS days FROM core.unit_exposure")[0]["days"]
    assert (found["faults"], found["units"]) == (3, 4)
    assert found["rate"] == pytest.approx(3000 / days)
    offenders = rows(con, "SELECT unit_id, faults, kinds FROM mart.repeat_offenders")
    assert [(row["unit_id"], row["faults"]) for row in offenders] == [("TRAIN-1-n0", 2)]


def test_without_failures_delivered_there_is_no_rate():
    assert rows(whole(cluster(2)), "SELECT * FROM mart.reliability") == []


GOLDEN = BASELINES | {"golden": [{"component": "driver", "versions": ["550.90", "550.95"], "source": "release note"}]}


def seen(node, version, day):
    return {"node": node, "component": "Driver", "version": version, "observed_at": datetime(2026, *day)}


def test_software_is_compared_with_what_is_laid_down():
    data = cluster(3)
    data["versions"] = [seen("TRAIN-1-n0", "550.90", (9, 1)), seen("TRAIN-1-n1", "535.54", (9, 1))]
    con = built(data, acceptance=GOLDEN)
    found = rows(con, "SELECT component, units, ok, drift, no_data, found FROM mart.software")
    assert found == [{"component": "driver", "units": 3, "ok": 1, "drift": 1, "no_data": 1, "found": "535.54"}]
    assert [row["unit_id"] for row in rows(con, "SELECT unit_id FROM mart.software_drift")] == ["TRAIN-1-n1"]
    share = rows(con, "SELECT value FROM mart.metrics WHERE metric = 'software_conformance_share'"
                      " AND system_id = 'TRAIN-1'")  # fmt: skip
    assert share[0]["value"] == pytest.approx(1 / 3)


def test_a_later_software_change_is_due_for_a_test_and_takes_nothing_away():
    data = cluster(2)
    data["versions"] = [seen("TRAIN-1-n0", "550.90", (9, 1)), seen("TRAIN-1-n0", "550.95", (10, 5))]
    con = built(data, acceptance=GOLDEN)
    due = rows(con, "SELECT unit_id, version_before, version, changed_at FROM mart.revalidations")
    assert due == [{"unit_id": "TRAIN-1-n0", "version_before": "550.90", "version": "550.95",
                    "changed_at": datetime(2026, 10, 5)}]  # fmt: skip
    found = rows(con, "SELECT passed, revalidation_due FROM mart.acceptance")
    assert found == [{"passed": 2, "revalidation_due": 1}]


def test_a_swapped_part_makes_older_results_stale():
    data = cluster(2)
    data["failures"] = [
        fault(1, serial="SN-OLD", replaced_serial="SN-TRAIN-1-n0", closed=date(2026, 10, 2), opened=date(2026, 9, 28))
    ]
    con = built(data, acceptance=BASELINES)
    found = rows(con, "SELECT passed, not_evaluated, stale FROM mart.acceptance")
    assert found == [{"passed": 1, "not_evaluated": 1, "stale": 1}]
    note = rows(con, "SELECT note FROM mart.acceptance_units")[0]["note"]
    assert "older than the hardware of 2026-10-02" in note


def use(device, hour, value, *, allocated=True, counter="SM active"):
    return {"node": "TRAIN-1-n0", "device": device, "observed_at": datetime(2026, 10, 28, hour), "counter": counter,
            "value": value, "allocated": allocated}  # fmt: skip


def test_use_over_allocated_hours_and_its_idle_cost():
    data = cluster(1)
    data["commitments"][0]["unit_cost"] = 730  # 730 x 12 / 8760 = 1 an hour
    data["commitments"][0]["currency"] = "USD"
    data["utilization"] = [
        *(use("gpu0", hour, 20.0) for hour in range(0, 10)),
        *(use("gpu1", hour, 90.0) for hour in range(0, 10)),
        *(use("gpu2", hour, 0.0, allocated=False) for hour in range(0, 10)),
    ]
    found = rows(built(data, acceptance=BASELINES), "SELECT * FROM mart.utilisation")[0]
    assert (found["devices"], found["allocated_devices"], found["under_threshold"]) == (3, 2, 1)
    assert found["allocated_share"] == pytest.approx(2 / 3)
    assert found["active_share"] == pytest.approx(0.55)
    assert float(found["idle_cost"]) == pytest.approx(10 * 0.8)
