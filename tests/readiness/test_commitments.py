"""Commitment lines, status and idle cost, worked by hand. Data date 30 October 2026; the cluster has 4 nodes of 8.

What remains takes a triangle of 3, 6 and 12 working days from Monday 2 November: half of the runs are done within 6.80
days, on Tuesday 10 November; four of five within 8.71, on Thursday 12 November; a third within 6, on Monday the 9th.
"""

from datetime import date
from decimal import Decimal

import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.past import label
from tests.readiness.tiny import built, modelled, rows, timed

LEFT = timed((3, 6, 12))


def half_done(contract_date, **changes):
    """Return a cluster of 4 finished nodes of 6 contracted: 16 of 48 remain."""
    data = cluster(4)
    data["commitments"] = [line("TRAIN-1", "1", 48, contract_date, **changes)]
    return data


def commitments(data, past=None, **changes):
    """Return the commitment lines after a build."""
    return rows(
        built(data, past, acceptance=BASELINES, **changes), "SELECT * FROM mart.commitments ORDER BY line, phase"
    )


class TestInForce:
    """What counts as contracted."""

    def test_the_latest_signed_amendment_counts(self):
        data = cluster(1)
        data["commitments"] = [
            line("TRAIN-1", "1", 8, date(2026, 10, 1)),
            line("TRAIN-1", "1", 16, date(2026, 12, 1), amendment=1),
            line("TRAIN-1", "1", 64, date(2027, 1, 1), amendment=2, signed=False),
        ]
        (found,) = commitments(data)
        assert (found["amendment"], found["quantity"], found["contract_date"]) == (1, 16, date(2026, 12, 1))
        assert found["first_contract_date"] == date(2026, 10, 1)

    def test_options_count_only_when_exercised(self):
        data = cluster(1)
        data["commitments"] += [
            line("TRAIN-1", "2", 8, date(2027, 1, 1), is_option=True),
            line("TRAIN-1", "3", 16, date(2027, 2, 1), is_option=True, option_exercised=True),
        ]
        assert [(row["line"], row["quantity"]) for row in commitments(data)] == [("1", 8), ("3", 16)]

    def test_a_line_in_another_unit_is_left_out_and_found(self):
        data = cluster(1)
        data["commitments"].append(line("TRAIN-1", "2", 1, date(2027, 1, 1), unit="PB"))
        con = built(data, acceptance=BASELINES)
        assert rows(con, "SELECT contracted FROM mart.classes") == [{"contracted": 8}]
        assert rows(con, "SELECT subject FROM mart.findings WHERE code = 'unit_conflict'") == [{"subject": "C-1/2/1"}]


def test_capacity_serves_lines_by_contract_date_and_never_offsets():
    data = cluster(4)  # 32 schedulable
    data["commitments"] = [
        line("TRAIN-1", "A", 24, date(2026, 10, 20)),
        line("TRAIN-1", "B", 16, date(2026, 9, 1)),
        line("TRAIN-1", "C", 8, date(2027, 1, 1)),
    ]
    found = {row["line"]: (row["schedulable"], row["shortfall"]) for row in commitments(data)}
    assert found == {"A": (16, 8), "B": (16, 0), "C": (0, 0)}  # C is not due, so it has no shortfall yet


@pytest.mark.parametrize(
    ("contract_date", "status"),
    [
        (date(2026, 11, 9), "red"),  # P50 10 November is after it
        (date(2026, 11, 10), "amber"),  # P80 12 November is after it
        (date(2026, 11, 11), "amber"),
        (date(2026, 11, 12), "green"),
        (date(2026, 10, 30), "amber"),  # due today, P50 within 14 days
        (date(2026, 10, 26), "red"),  # overdue, P50 later than 14 days after it
    ],
)
def test_status_follows_the_dates(contract_date, status):
    (found,) = commitments(half_done(contract_date), books=LEFT)
    assert (found["p50"], found["p80"]) == (date(2026, 11, 10), date(2026, 11, 12))
    assert found["status"] == status


def test_confidence_is_the_share_of_runs_on_time():
    (found,) = commitments(half_done(date(2026, 11, 9)), books=LEFT)
    assert float(found["confidence"]) == pytest.approx(1 / 3, abs=0.03)
    assert found["margin_days"] == -1


def test_without_a_lead_time_there_is_no_forecast_and_no_green():
    (found,) = commitments(half_done(date(2027, 6, 1)), books=timed(None))
    assert (found["status"], found["p50"], found["confidence"]) == ("grey", None, None)
    assert found["status_reason"] == "no forecast: gate 'schedulable' has no lead_time in its playbook"


def test_overdue_without_a_forecast_is_red():
    (found,) = commitments(half_done(date(2026, 10, 1)), books=timed(None))
    assert (found["status"], found["p50"]) == ("red", None)
    assert found["shortfall"] == 16


def test_a_line_that_is_met_is_green_and_dated():
    past = {
        "commitments": [
            {
                "week": label(1),
                "contract": "C-1",
                "line": "1",
                "phase": "1",
                "complete_on": date(2026, 9, 25),
                "status": "green",
                "weeks_in_status": 5,
            }
        ]
    }
    (found,) = commitments(cluster(4), past)
    assert (found["status"], found["weeks_in_status"], found["p50"]) == ("green", 6, date(2026, 9, 25))
    assert found["confidence"] == 1  # reached before 1 October


def test_missing_evidence_is_grey_even_when_the_quantity_is_there():
    data = cluster(4)
    del data["facility_capacity"]  # gate site_ready is open and has no data
    (found,) = commitments(data)
    assert found["status"] == "grey"
    assert "site_ready: Energised power" in found["status_reason"]


class TestWaivers:
    """A criterion that is met by a waiver only."""

    def waived(self, **changes):
        data = cluster(4)
        data["benchmarks"][0].update(value=400.0)
        data["raid"] = [
            {
                "id": "W-1", "type": "waiver", "title": "n0 at 400 GB/s", "system_id": "TRAIN-1", "gate": "acceptance",
                "criterion": "bandwidth_passed", "approver": "Cy Moss", "owner": "Ana Ruiz", "opened": date(2026, 9, 1),
            }
            | changes
        ]  # fmt: skip
        return data

    def test_one_that_expires_soon_is_amber(self):
        con = built(self.waived(expiry=date(2026, 11, 15)), acceptance=BASELINES)
        (found,) = rows(con, "SELECT status, status_reason FROM mart.commitments")
        assert found == {"status": "amber", "status_reason": "carried by waiver W-1, which expires on 2026-11-15"}
        assert rows(con, "SELECT state FROM mart.gates WHERE gate = 'acceptance'") == [{"state": "waived"}]
        (found,) = rows(con, "SELECT waived_quantity, waiver_ids FROM mart.classes")
        assert found == {"waived_quantity": 8, "waiver_ids": "W-1"}  # one node of 8 rests on it

    def test_one_that_expires_late_is_green(self):
        assert commitments(self.waived(expiry=date(2027, 1, 31)))[0]["status"] == "green"

    @pytest.mark.parametrize("change", [{"expiry": date(2026, 10, 29)}, {"expiry": None}, {"approver": None}])
    def test_an_expired_or_unsigned_one_covers_nothing(self, change):
        con = built(self.waived(**{"expiry": date(2027, 1, 31), **change}), acceptance=BASELINES)
        assert rows(con, "SELECT state FROM mart.gates WHERE gate = 'acceptance'") == [{"state": "in progress"}]
        assert rows(con, "SELECT expired FROM mart.waivers") == [{"expired": True}]


class TestIdle:
    """Capacity paid for but not schedulable."""

    def test_from_billing_start(self):
        data = half_done(date(2026, 10, 1), billing_start=date(2026, 10, 1), unit_cost=1000)
        (found,) = commitments(data)
        # 16 accelerators x 1000 a month x 12 / 365 x 29 days
        assert (found["idle_quantity"], found["idle_days"], float(found["idle_cost"])) == (16, 29, 15254.79)

    def test_grows_by_the_week_as_issued(self):
        data = half_done(date(2026, 10, 1), billing_start=date(2026, 10, 1), unit_cost=1000)
        past = {
            "commitments": [
                {"week": label(1), "contract": "C-1", "line": "1", "phase": "1", "idle_days": 22, "idle_cost": 20000}
            ]
        }
        (found,) = commitments(data, past)
        # 20000 + 16 x 1000 x 12 / 365 x 7
        assert (found["idle_days"], float(found["idle_cost"])) == (29, 23682.19)

    def test_a_line_that_is_partly_schedulable_pays_for_the_rest_only(self):
        # 32 are schedulable and serve the lines by contract date: 24 of A, 8 of 16 of B, none of C
        data = cluster(4)
        money = {"unit_cost": 1000, "currency": "USD"}
        data["commitments"] = [
            line("TRAIN-1", "A", 24, date(2026, 9, 1), billing_start=date(2026, 9, 1), **money),
            line("TRAIN-1", "B", 16, date(2026, 10, 1), billing_start=date(2026, 10, 10), **money),
            line("TRAIN-1", "C", 8, date(2027, 1, 1), billing_start=date(2026, 10, 20), **money),
        ]
        con = built(data, acceptance=BASELINES)
        found = rows(con, "SELECT line, idle_quantity, idle_days, idle_cost FROM mart.commitments ORDER BY line")
        # B: 8 x 1000 x 12 / 365 x 20 days; C: 8 x 1000 x 12 / 365 x 10 days
        assert [(r["idle_quantity"], r["idle_days"], float(r["idle_cost"])) for r in found] == [
            (0, 0, 0), (8, 20, 5260.27), (8, 10, 2630.14),
        ]  # fmt: skip
        (week,) = rows(con, "SELECT * EXCLUDE (of_week) FROM mart.idle_weeks")
        assert week == {
            "kind": "gpu_cluster", "unit": "accelerators", "currency": "USD", "quantity": 16, "lines": 2,
            "longest_days": 20, "cost": Decimal("7890.41"), "added": Decimal("7890.41"), "unpriced": 0,
        }  # fmt: skip

    def test_cost_by_week_keeps_what_was_paid_when_the_capacity_comes(self):
        data = cluster(4)  # all of it
        money = {"billing_start": date(2026, 10, 1), "unit_cost": 10, "currency": "USD"}
        data["commitments"] = [line("TRAIN-1", "1", 32, date(2026, 10, 1), **money)]
        told = {"contract": "C-1", "line": "1", "phase": "1", "kind": "gpu_cluster", "currency": "USD"}
        past = {
            "commitments": [
                told | {"week": label(2), "idle_days": 15, "idle_cost": 100, "idle_quantity": 16},
                told | {"week": label(1), "idle_days": 22, "idle_cost": 150, "idle_quantity": 16},
            ]
        }
        con = built(data, past, acceptance=BASELINES)
        found = rows(con, "SELECT of_week, quantity, cost, added FROM mart.idle_weeks ORDER BY of_week")
        assert [tuple(row.values()) for row in found] == [
            (label(2), 16, 100, 100), (label(1), 16, 150, 50), ("2026-W44", 0, 150, 0),
        ]  # fmt: skip

    def test_without_a_unit_cost_the_cost_is_not_known_and_not_zero(self):
        data = half_done(date(2026, 10, 1), billing_start=date(2026, 10, 1))
        (found,) = commitments(data)
        assert (found["idle_quantity"], found["idle_days"], found["idle_cost"]) == (16, 29, None)


class TestAmendments:
    """The history of a line."""

    def amended(self, *given):
        con = modelled({**cluster(1), "commitments": list(given)}, "mart.amendments")
        return rows(con, "SELECT * FROM mart.amendments ORDER BY line, amendment")

    def test_each_says_what_it_changed_and_why(self):
        found = self.amended(
            line("TRAIN-1", "1", 8, date(2026, 10, 1)),
            line("TRAIN-1", "1", 16, date(2026, 10, 1), amendment=1, reason="second hall", decision_id="D-014"),
            line("TRAIN-1", "1", 12, date(2026, 12, 1), amendment=2),
            line("TRAIN-1", "1", 64, date(2027, 1, 1), amendment=3, signed=False),
        )
        assert [(r["state"], r["from_quantity"], r["to_quantity"], r["scope"], r["moved_days"]) for r in found] == [
            ("superseded", None, 8, None, None), ("superseded", 8, 16, 8, 0), ("in force", 16, 12, -4, 61),
            ("not signed", 12, 64, 52, 31),
        ]  # fmt: skip
        assert (found[1]["reason"], found[1]["decision_id"]) == ("second hall", "D-014")

    def test_exercising_an_option_is_scope(self):
        found = self.amended(
            line("TRAIN-1", "1", 8, date(2026, 10, 1), is_option=True),
            line("TRAIN-1", "1", 8, date(2026, 10, 1), amendment=1, is_option=True, option_exercised=True),
            line("TRAIN-1", "2", 4, date(2026, 10, 1), is_option=True),
        )
        assert [(r["line"], r["state"], r["to_quantity"], r["scope"]) for r in found] == [
            ("1", "superseded", 0, None), ("1", "in force", 8, 8), ("2", "option not exercised", 0, None),
        ]  # fmt: skip

    def test_an_amendment_that_was_never_signed_is_nobodys_predecessor(self):
        found = self.amended(
            line("TRAIN-1", "1", 8, date(2026, 10, 1)),
            line("TRAIN-1", "1", 64, date(2026, 10, 1), amendment=1, signed=False),
            line("TRAIN-1", "1", 16, date(2026, 10, 1), amendment=2),
        )
        assert [(r["from_quantity"], r["scope"]) for r in found] == [(None, None), (8, 56), (8, 8)]


def test_slip_is_against_the_dates_as_issued():
    past = {
        "commitments": [
            {
                "week": label(5),
                "contract": "C-1",
                "line": "1",
                "phase": "1",
                "p50": date(2026, 10, 16),
                "confidence": 0.9,
                "status": "green",
            },
            {
                "week": label(1),
                "contract": "C-1",
                "line": "1",
                "phase": "1",
                "p50": date(2026, 11, 6),
                "confidence": 0.7,
                "status": "amber",
            },
        ]
    }
    (found,) = commitments(half_done(date(2026, 11, 13)), past, books=LEFT)
    assert (found["slip_week_days"], found["slip_baseline_days"]) == (4, 25)  # to 10 November
    assert float(found["confidence_prev"]) == 0.7
    assert found["weeks_in_status"] == 1
