"""The forecast in the warehouse: curves, quarter ends, slips, gates, and what it rests on, from rows to marts."""

from datetime import date, timedelta

import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.past import label
from tests.readiness.tiny import AS_OF, built, rows, timed
from turnup.schedule.simulation import inverse_ecdf


def half_done(**changes):
    """A cluster of 4 finished nodes of 6 contracted: 16 of 48 accelerators remain."""
    data = cluster(4)
    data["commitments"] = [line("TRAIN-1", "1", 16, date(2026, 10, 1)), line("TRAIN-1", "2", 32, date(2026, 12, 31))]
    return data | changes


@pytest.fixture(scope="module")
def con():
    """Ten working days remain, for certain: to Friday 13 November."""
    return built(half_done(), acceptance=BASELINES, books=timed((10, 10, 10)))


def test_what_remains_is_there_on_its_day(con):
    found = rows(
        con, "SELECT p50, p80, p95, remaining, confidence, likely, method FROM mart.forecast WHERE scope = 'C-1/2/1'"
    )
    done = date(2026, 11, 13)
    assert found == [
        {"p50": done, "p80": done, "p95": done, "remaining": 16, "confidence": 1, "likely": done,
         "method": "Monte Carlo of the bound network"},
    ]  # fmt: skip


def test_a_line_that_is_reached_has_the_day_it_was(con):
    found = rows(con, "SELECT p50, p80, note FROM mart.forecast WHERE scope = 'C-1/1/1'")
    assert found == [{"p50": AS_OF, "p80": AS_OF, "note": "reached"}]


def test_lines_systems_and_kinds_are_forecast(con):
    found = rows(con, "SELECT scope_type, scope, p80 FROM mart.forecast WHERE remaining > 0 ORDER BY ALL")
    assert [(row["scope_type"], row["scope"], row["p80"]) for row in found] == [
        ("commitment", "C-1/2/1", date(2026, 11, 13)),
        ("kind", "gpu_cluster", date(2026, 11, 13)),
        ("system", "TRAIN-1", date(2026, 11, 13)),
    ]


def test_the_curve_starts_at_the_last_actual_and_stops_at_the_contract(con):
    curve = rows(con, "SELECT week_end, quantity FROM mart.s_curve WHERE series = 'p80' ORDER BY week_end LIMIT 4")
    assert [int(row["quantity"]) for row in curve] == [32, 32, 48, 48]
    assert curve[0]["week_end"] == AS_OF
    (last,) = rows(con, "SELECT max(week_end) AS day FROM mart.s_curve WHERE series = 'actual'")
    assert last == {"day": AS_OF}


def test_a_kind_that_is_complete_has_a_flat_curve():
    con = built(cluster(2), acceptance=BASELINES)
    assert rows(con, "SELECT DISTINCT quantity FROM mart.s_curve WHERE series = 'p80'") == [{"quantity": 16}]
    assert rows(con, "SELECT p50, note FROM mart.forecast WHERE scope_type = 'kind'") == [
        {"p50": None, "note": "reached"}
    ]


def test_quarter_ends_are_the_next_three(con):
    found = rows(con, "SELECT quarter_end, due, p50, p80 FROM mart.quarter_ends ORDER BY quarter_end")
    assert [row["quarter_end"] for row in found] == [date(2026, 12, 31), date(2027, 3, 31), date(2027, 6, 30)]
    assert {(int(row["due"]), int(row["p50"]), int(row["p80"])) for row in found} == {(48, 48, 48)}


def test_every_open_gate_has_its_own_forecast(con):
    found = rows(con, "SELECT gate, p50 FROM mart.gate_forecasts ORDER BY gate_no")
    assert found[-1] == {"gate": "schedulable", "p50": date(2026, 11, 13)}
    assert {row["p50"] for row in found[:-1]} == {AS_OF}  # nothing of them is left to do but paper


def test_what_the_forecast_rests_on_is_told(con):
    found = rows(
        con, "SELECT method, of, n, p50_days, day_kind FROM mart.forecast_assumptions WHERE gate = 'schedulable'"
    )
    assert found == [
        {"method": "lead time of the playbook", "of": "schedulable", "n": None, "p50_days": 10, "day_kind": "working"}
    ]


def test_drivers_are_what_the_date_hangs_on():
    con = built(half_done(), acceptance=BASELINES, books=timed((5, 10, 20)))
    (first,) = rows(con, "SELECT * FROM mart.forecast_drivers WHERE scope_type = 'kind'")
    assert (first["rank"], first["criticality"], first["sensitivity"]) == (1, 1, 1)
    assert first["name"] == "Schedulable, TRAIN-1"
    (bar,) = rows(con, "SELECT * FROM mart.forecast_tornado")
    # its own P10 of 7.74 days and P90 of 16.13: Wednesday 11 November and Tuesday 24 November
    assert (bar["p80_low"], bar["p80_high"]) == (date(2026, 11, 11), date(2026, 11, 24))
    assert bar["node"] == first["node"]


def test_slip_of_systems_and_kinds_is_against_what_was_issued():
    past = {
        "forecast": [
            {"week": label(weeks), "scope_type": "system", "scope": "TRAIN-1", "p50": AS_OF + timedelta(days=days)}
            for weeks, days in ((5, 0), (1, 11))
        ]
    }
    con = built(half_done(), past, acceptance=BASELINES, books=timed((10, 10, 10)))
    found = rows(con, "SELECT slip_week_days, slip_baseline_days FROM mart.forecast WHERE scope_type = 'system'")
    assert found == [{"slip_week_days": 3, "slip_baseline_days": 14}]


def test_two_builds_of_the_same_rows_give_the_same_tables():
    tables = ("forecast", "gate_forecasts", "s_curve", "forecast_drivers", "forecast_tornado", "forecast_assumptions")
    first, again = (built(half_done(), acceptance=BASELINES, books=timed((2, 5, 9))) for _ in range(2))
    for table in tables:
        query = f"SELECT * FROM mart.{table} ORDER BY ALL"
        assert first.sql(query).fetchall() == again.sql(query).fetchall(), table


def test_a_risk_of_the_log_delays_its_system():
    risk = {"id": "R-1", "type": "risk", "title": "Late", "system_id": "TRAIN-1", "gate": "Schedulable",
            "probability": 1, "impact_days": 14, "owner": "Ana", "opened": date(2026, 9, 1)}  # fmt: skip
    p50 = "SELECT p50 FROM mart.forecast WHERE scope_type = 'system'"
    books = timed((10, 10, 10))
    assert rows(built(half_done(raid=[risk]), acceptance=BASELINES, books=books), p50) == [{"p50": date(2026, 11, 27)}]
    closed = half_done(raid=[risk | {"closed": date(2026, 10, 1)}])
    assert rows(built(closed, acceptance=BASELINES, books=books), p50) == [{"p50": date(2026, 11, 13)}]


def test_a_decision_of_the_log_costs_what_its_gate_waits():
    decision = {"id": "D-1", "type": "decision", "title": "Which?", "system_id": "TRAIN-1", "gate": "Schedulable",
                "needed_by": date(2026, 11, 6), "owner": "Ana", "opened": date(2026, 9, 1)}  # fmt: skip
    made = [decision, decision | {"id": "D-2", "gate": None}, decision | {"id": "D-3", "closed": AS_OF}]
    con = built(half_done(raid=made), acceptance=BASELINES, books=timed((10, 10, 10)))
    found = rows(con, "SELECT id, p80, p80_later, delay_days, delay_note FROM mart.decisions ORDER BY id")
    # ten working days from Monday 9 November, or a week later
    assert found[0] == {"id": "D-1", "p80": date(2026, 11, 20), "p80_later": date(2026, 11, 27), "delay_days": 7,
                        "delay_note": ""}  # fmt: skip
    assert found[1]["delay_note"] == "the entry names no gate of a system that is forecast"
    assert (found[2]["delay_days"], found[2]["delay_note"]) == (None, None)


class TestDelivered:
    """A schedule among the rows."""

    def built(self, *activities, links=()):
        data = half_done(activities=list(activities), activity_links=list(links))
        return built(data, acceptance=BASELINES, books=timed((10, 10, 10)))

    def task(self, task, days, **changes):
        return {
            "task": task,
            "name": f"Do {task}",
            "duration_d": days,
            "optimistic_d": days,
            "pessimistic_d": days,
        } | changes

    def test_takes_the_place_of_the_lead_time(self):
        con = self.built(
            self.task("A1", 4, system_id="TRAIN-1", gate="schedulable"), self.task("A2", 2),
            links=[{"pred": "A2", "succ": "A1", "type": "FS", "lag_d": 1}],
        )  # fmt: skip
        done = date(2026, 11, 10)  # 2 days, one of lag, 4 days
        assert rows(con, "SELECT p50 FROM mart.forecast WHERE scope_type = 'system'") == [{"p50": done}]
        found = rows(con, "SELECT code, early_finish::DATE AS day, critical FROM mart.activities ORDER BY code")
        assert found == [
            {"code": "A1", "day": done, "critical": True}, {"code": "A2", "day": date(2026, 11, 3), "critical": True},
        ]  # fmt: skip
        found = rows(con, "SELECT * FROM mart.schedule_health WHERE verdict <> 'info'")
        assert {row["data_date"] for row in found} == {AS_OF}  # the rows tell none
        checks = {row["check_id"]: (row["numerator"], row["denominator"], row["verdict"]) for row in found}
        assert checks["3"] == (1, 1, "fail")  # the only link has a lag
        assert checks["12"] == (None, None, "pass")  # compares durations, counts nothing

    def test_is_judged_as_the_programme_chose(self):
        tasks = [self.task("A1", 4, system_id="TRAIN-1", gate="schedulable"), self.task("A2", 2)]
        links = [{"pred": "A2", "succ": "A1", "type": "FS", "lag_d": 1}]
        data = half_done(activities=tasks, activity_links=links)
        chosen = {"limits": {"lags": "<= 100%"}, "durations": {"high_days": 3}}
        con = built(data, acceptance=BASELINES, books=timed((10, 10, 10)), schedule_health=chosen)
        found = rows(con, "SELECT * FROM mart.schedule_health WHERE check_id IN ('3', '8') ORDER BY check_no")
        assert [(row["numerator"], row["denominator"], row["limit_text"], row["verdict"]) for row in found] == [
            (1, 1, "<= 100%", "pass"), (1, 2, "<= 5%", "fail"),
        ]  # fmt: skip
        assert {row["judged_by"] for row in found} == {"DCMA-EA PAM 200.1; limits.lags <= 100%; durations.high_days 3"}

    def test_that_claims_what_evidence_has_not_is_a_finding_and_not_done(self):
        con = self.built(self.task("A1", 4, system_id="TRAIN-1", gate="schedulable", percent=100))
        (found,) = rows(con, "SELECT subject, file, row, message FROM mart.findings WHERE dataset = 'activities'")
        assert (found["subject"], found["file"], found["row"]) == ("A1", "activities.csv", 2)
        assert found["message"] == (
            "A1 (Do A1) is claimed done; gate schedulable of TRAIN-1 has not passed: "
            "10 working days are taken to remain"
        )
        assert rows(con, "SELECT done, contradicted FROM mart.activities") == [{"done": False, "contradicted": True}]
        assert rows(con, "SELECT p50 FROM mart.forecast WHERE scope_type = 'system'") == [{"p50": date(2026, 11, 13)}]


class TestCalibration:
    """Closed gates and contract dates, scored by hand."""

    def past(self, *issued, as_of_weeks=5, **gate):
        passed = {"week": label(1), "system_key": "train-1", "block": "all", "state": "passed", "passed_on": AS_OF}
        gates = [passed | {"gate": name} for name, *_ in issued]
        forecasts = [
            {"week": label(as_of_weeks), "system_key": "train-1", "block": "all", "gate": name, "p50": p50, "p80": p80}
            for name, p50, p80 in issued
        ]
        systems = [{"week": label(weeks), "system_key": "train-1", "system_id": "TRAIN-1", "kind": "gpu_cluster",
                    "schedulable": 0, "contracted": 32} for weeks in (1, as_of_weeks)]  # fmt: skip
        return {"gates": gates, "gate_forecasts": forecasts, "systems": systems}

    def scores(self, past, scope="all", lead=28, **changes):
        con = built(cluster(4) | changes, past, acceptance=BASELINES)
        query = f"SELECT * FROM mart.calibration WHERE scope = '{scope}' AND lead_days = {lead}"
        (found,) = rows(con, query)
        return found

    def test_a_date_holds_when_the_next_data_date_shows_the_gate_passed(self):
        # passed, as seen on Friday 30 October: it may have been any day since the 24th
        dates = [
            ("install", AS_OF, AS_OF),  # both hold
            ("l1", AS_OF - timedelta(days=6), AS_OF),  # both hold
            ("acceptance", AS_OF - timedelta(days=7), AS_OF - timedelta(days=6)),  # P80 holds
            ("handoff", AS_OF - timedelta(days=20), AS_OF - timedelta(days=7)),  # neither
        ]
        found = self.scores(self.past(*dates))
        assert (found["gates"], found["p50_held"], found["p80_held"], found["enough"]) == (4, 2, 3, False)
        assert self.scores(self.past(*dates), "gpu_cluster")["gates"] == 4

    def test_forecasts_of_less_than_the_lead_do_not_count(self):
        issued = ("install", AS_OF, AS_OF)
        assert self.scores(self.past(issued, as_of_weeks=3))["gates"] == 0
        assert self.scores(self.past(issued, as_of_weeks=4))["gates"] == 1
        assert self.scores(self.past(issued, as_of_weeks=4), lead=56)["gates"] == 0
        assert self.scores(self.past(issued, as_of_weeks=8), lead=56)["gates"] == 1

    def test_a_date_beyond_the_horizon_holds_as_p80(self):
        found = self.scores(self.past(("install", AS_OF, None)))
        assert (found["p50_held"], found["p80_held"]) == (1, 1)

    def test_odds_of_contract_dates_are_scored_by_the_mean_square(self):
        due = date(2026, 10, 15)
        past = {
            "systems": self.past(("install", AS_OF, AS_OF))["systems"],
            "commitments": [
                {"week": label(weeks), "contract": "C-1", "line": name, "phase": "1", "contract_date": due,
                 "confidence": odds, "complete_on": complete}
                for weeks, name, odds, complete in (
                    (1, "1", 1.0, date(2026, 10, 9)), (5, "1", 0.9, None), (5, "2", 0.4, None),
                )
            ],
        }  # fmt: skip
        lines = [line("TRAIN-1", "1", 32, due), line("TRAIN-1", "2", 16, due)]
        # 25 September is less than 28 days before 15 October: nothing counts
        assert self.scores(past, commitments=lines)["dates"] == 0
        for row in past["commitments"]:
            row["contract_date"] = date(2026, 10, 23)
        lines = [line("TRAIN-1", "1", 32, date(2026, 10, 23)), line("TRAIN-1", "2", 16, date(2026, 10, 23))]
        found = self.scores(past, commitments=lines)
        # line 1 was kept: (0.9 - 1)²; line 2 was not: (0.4 - 0)²; their mean is 0.085
        assert (found["dates"], float(found["brier"]), found["dates_enough"]) == (2, 0.085, False)


def test_quantiles_take_a_run_and_never_lie_between_two():
    assert [inverse_ecdf([1, 2, 3, 10], percent) for percent in (25, 26, 50, 75, 76, 100)] == [1, 2, 2, 3, 10, 10]
