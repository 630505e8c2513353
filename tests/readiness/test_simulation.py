"""The bootstrap: exact where it can be, seeded, without interpolation."""

from datetime import date, timedelta

import numpy as np
import pytest

from tests.readiness.cluster import BASELINES, cluster, line
from tests.readiness.past import history
from tests.readiness.tiny import AS_OF, built, rows
from turnup.readiness.simulation import (
    NEVER,
    capped_paths,
    cumulative_paths,
    generator,
    inverse_ecdf,
    reached_with_confidence,
    slowest_of,
    weeks_to_reach,
)


def test_equal_increments_leave_no_doubt():
    weeks = weeks_to_reach(np.array([4, 4]), 17, 100, 52, generator(1, "a"))
    assert set(weeks.tolist()) == {5}


def test_a_run_that_does_not_get_there_is_never():
    weeks = weeks_to_reach(np.array([1]), 100, 10, 52, generator(1, "a"))
    assert set(weeks.tolist()) == {NEVER}


def test_withdrawals_count_against_progress():
    weeks = weeks_to_reach(np.array([3, -1]), 3, 20_000, 260, generator(1, "a"))
    assert (weeks == 1).mean() == pytest.approx(0.5, abs=0.02)
    assert (weeks == 2).mean() == pytest.approx(0.0, abs=1e-9)  # after -1 one more 3 gives 2 only
    assert (weeks == 3).mean() == pytest.approx(0.125, abs=0.02)  # -1, 3, 3


def test_throughput_as_in_the_published_example():
    """Ten items from daily history 0 1 0 2 1 0 3 1 0 2: P(<= 10 d) = 0.54956, P(<= 14 d) = 0.88735."""
    days = weeks_to_reach(np.array([0, 1, 0, 2, 1, 0, 3, 1, 0, 2]), 10, 50_000, 104, generator(7, "x"))
    assert (days <= 10).mean() == pytest.approx(0.54956, abs=0.01)
    assert (days <= 14).mean() == pytest.approx(0.88735, abs=0.01)
    assert inverse_ecdf(days, 50) == 10
    assert inverse_ecdf(days, 85) == 14


def test_quantiles_take_a_run_and_never_lie_between_two():
    ordered = np.array([1, 2, 3, 10])
    assert [inverse_ecdf(ordered, percent) for percent in (25, 26, 50, 75, 76, 100)] == [1, 2, 2, 3, 10, 10]
    assert [reached_with_confidence(ordered, percent) for percent in (25, 50, 75, 100)] == [10, 3, 2, 1]


def test_a_kind_is_ready_when_its_slowest_system_is():
    members = [(np.array([4]), 16), (np.array([1]), 10)]
    assert set(slowest_of(members, 50, 52, generator(1, "a")).tolist()) == {10}
    assert set(slowest_of([*members, (np.array([0]), 1)], 50, 52, generator(1, "a")).tolist()) == {NEVER}


def test_no_system_gives_more_than_it_owes():
    paths = capped_paths([(np.array([4]), 6), (np.array([1]), 10)], 20, 4, generator(1, "a"))
    assert [set(paths[:, week].tolist()) for week in range(4)] == [{5}, {8}, {9}, {10}]
    assert capped_paths([], 20, 2, generator(1, "a")).sum() == 0


def test_a_scope_has_its_own_draws_and_the_seed_repeats_them():
    def paths(seed, scope):
        return cumulative_paths(np.arange(9), 50, 8, generator(seed, scope)).tolist()

    assert paths(1, "a") == paths(1, "a")
    assert paths(1, "a") != paths(1, "b")
    assert paths(1, "a") != paths(2, "a")


@pytest.fixture(scope="module")
def con():
    data = cluster(4)
    data["commitments"] = [line("TRAIN-1", "1", 16, date(2026, 10, 1)), line("TRAIN-1", "2", 32, date(2026, 12, 31))]
    return built(data, history([4] * 8, 32, 48), acceptance=BASELINES)


def test_a_steady_system_is_forecast_to_the_week(con):
    found = rows(
        con, "SELECT p50, p80, p95, remaining, weeks_of_history, confidence FROM mart.forecast WHERE scope = 'C-1/2/1'"
    )
    done = AS_OF + timedelta(weeks=4)  # 16 remain, 4 a week
    assert found == [{"p50": done, "p80": done, "p95": done, "remaining": 16, "weeks_of_history": 8, "confidence": 1}]


def test_a_line_that_is_reached_has_the_day_it_was(con):
    found = rows(con, "SELECT p50, p80, note FROM mart.forecast WHERE scope = 'C-1/1/1'")
    assert found == [{"p50": AS_OF, "p80": AS_OF, "note": "reached"}]


def test_the_curve_starts_at_the_last_actual_and_stops_at_the_contract(con):
    curve = rows(con, "SELECT week_end, quantity FROM mart.s_curve WHERE series = 'p80' ORDER BY week_end LIMIT 6")
    assert [int(row["quantity"]) for row in curve] == [32, 36, 40, 44, 48, 48]
    assert curve[0]["week_end"] == AS_OF
    (last,) = rows(con, "SELECT max(week_end) AS day FROM mart.s_curve WHERE series = 'actual'")
    assert last == {"day": AS_OF}


def test_quarter_ends_are_the_next_three(con):
    found = rows(con, "SELECT quarter_end, due, p50, p80 FROM mart.quarter_ends ORDER BY quarter_end")
    assert [row["quarter_end"] for row in found] == [date(2026, 12, 31), date(2027, 3, 31), date(2027, 6, 30)]
    assert {(int(row["due"]), int(row["p50"]), int(row["p80"])) for row in found} == {(48, 48, 48)}
