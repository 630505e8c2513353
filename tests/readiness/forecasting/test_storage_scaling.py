"""Room in storage by week, worked by hand. The data date is Friday 30 October 2026, in week 44."""

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnup.readiness.forecasting.outcomes import Flow
from turnup.readiness.forecasting.storage_scaling import Demand, Store, demand_of, outlook_of, triangle
from turnup.schedule.working_time import seconds_of

AS_OF = date(2026, 10, 30)
MONDAY = date(2026, 10, 26)
ENDS = [AS_OF + timedelta(weeks=number) for number in range(12)]
RUNS = 10


def monday(weeks):
    return MONDAY + timedelta(weeks=weeks)


def drawn(curve=(), used=(), runs=RUNS, seed=1):
    """Return demand drawn from a curve of (week, low, mid, high), or from (week, used)."""
    rows = [(monday(week), *map(float, cases)) for week, *cases in curve]
    past = [(monday(week), float(value)) for week, value in used]
    return demand_of(rows, past, ENDS, 13, runs, np.random.default_rng(seed))


def outlook(demand, now=12, remaining=0, most=18, flow=None, runs=RUNS):
    """Return week -> row."""
    store = Store("s", "S", Decimal(now), Decimal(remaining), Decimal(most))
    return {row["week_no"]: row for row in outlook_of(store, flow, demand, ENDS, runs)}


def figures(rows, name):
    return [None if row.get(name) is None else float(row[name]) for row in rows.values()]


def arriving(amount, *weeks):
    """Return a flow of one block that comes in these weeks after the data date, one per run."""
    days = [datetime(2026, 10, 30, 12) + timedelta(weeks=week) for week in weeks]
    return Flow(np.array([amount * 1000]), np.array([[seconds_of(day) for day in days]]), 0, "")


class TestDemandCurve:
    """Demand as somebody plans it."""

    def test_room_shrinks_until_it_runs_out(self):
        rows = outlook(drawn([(0, 10, 10, 10), (1, 11, 11, 11), (2, 12, 12, 12), (3, 13, 13, 13)]))
        assert figures(rows, "headroom_p50")[:5] == [2, 1, 0, -1, None]
        assert figures(rows, "odds_run_out")[:5] == [0, 0, 0, 1, None]

    def test_a_week_without_a_row_has_the_row_before_and_none_after_the_last(self):
        rows = outlook(drawn([(-3, 4, 4, 4), (2, 6, 6, 6)]))
        assert figures(rows, "demand_mid")[:4] == [4, 4, 6, None]

    def test_a_curve_that_starts_later_says_nothing_before(self):
        assert figures(outlook(drawn([(1, 4, 4, 4)])), "headroom_p50")[:3] == [None, 8, None]

    def test_odds_are_those_of_the_triangle(self):
        # 7.5 PB against least 0, likely 5, most 10: (10 - 7.5)^2 / (10 x 5) of the runs want more
        rows = outlook(drawn([(0, 0, 5, 10)], runs=40_000), now=7.5, runs=40_000)
        assert float(rows[0]["odds_short"]) == pytest.approx(0.125, abs=0.006)

    def test_one_draw_holds_for_all_weeks_of_a_run(self):
        rows = outlook(drawn([(week, 0, 5, 10) for week in range(12)], runs=2000), now=7.5, runs=2000)
        assert rows[11]["odds_run_out"] == rows[0]["odds_short"]  # nobody else runs out later


class TestCapacity:
    """Capacity as the runs of the forecast bring it."""

    COMES = arriving(6, *[2] * 6, *[5] * 4)
    """6 PB: in six runs of ten by week 2, else by week 5."""

    def test_what_most_runs_reach(self):
        rows = outlook(drawn([(0, 1, 1, 1)]), remaining=6, flow=self.COMES)
        assert figures(rows, "capacity_p50")[:7] == [12, 12, 18, 18, 18, 18, 18]
        assert figures(rows, "capacity_p80")[:7] == [12, 12, 12, 12, 12, 18, 18]
        assert figures(rows, "added_p50")[:4] == [0, 0, 6, 0]

    def test_demand_that_outruns_late_capacity_in_four_runs_of_ten(self):
        rows = outlook(drawn([(0, 11, 11, 11), (3, 14, 14, 14), (11, 14, 14, 14)]), remaining=6, flow=self.COMES)
        assert figures(rows, "odds_short")[:7] == [0, 0, 0, 0.4, 0.4, 0, 0]
        assert figures(rows, "odds_run_out")[:7] == [0, 0, 0, 0.4, 0.4, 0.4, 0.4]  # it has happened
        assert (float(rows[3]["headroom_p50"]), float(rows[3]["headroom_p80"])) == (4, -2)

    def test_never_more_than_the_contract_or_what_is_there(self):
        rows = outlook(drawn([(0, 1, 1, 1)]), now=14, remaining=6, flow=self.COMES)
        assert figures(rows, "capacity_p50")[2] == 18

    def test_what_has_no_day_is_said(self):
        rows = outlook(drawn([(0, 1, 1, 1)]), remaining=6)
        assert figures(rows, "undated")[0] == 6
        assert figures(rows, "capacity_p50")[11] == 12


class TestGrowth:
    """Without a demand curve, what is used goes on growing as it did."""

    def test_by_the_increments_of_its_own_weeks(self):
        rows = outlook(drawn(used=[(-4, 1), (-3, 2), (-2, 3), (-1, 4), (0, 5)]))
        assert figures(rows, "demand_mid") == [5 + week for week in range(12)]
        assert figures(rows, "odds_run_out")[6:10] == [0, 0, 1, 1]  # 5 + 8 is more than 12
        assert rows[0]["demand_basis"] == "growth of 4 past weeks"

    def test_a_gap_grew_evenly(self):
        rows = outlook(drawn(used=[(-8, 1), (-6, 3), (-4, 5), (-2, 7), (0, 9)]))
        assert figures(rows, "demand_mid")[:3] == [9, 10, 11]

    def test_its_spread_is_that_of_the_increments(self):
        rows = outlook(drawn(used=[(-4, 4), (-3, 4), (-2, 6), (-1, 6), (0, 8)], runs=4000), now=9, runs=4000)
        # increments 0 and 2 are as likely: one week on, half of the runs use 10 of 9
        assert float(rows[1]["odds_short"]) == pytest.approx(0.5, abs=0.03)
        assert float(rows[2]["odds_run_out"]) == pytest.approx(0.75, abs=0.03)

    def test_too_few_weeks_are_no_data(self):
        rows = outlook(drawn(used=[(-3, 1), (-2, 2), (-1, 3), (0, 4)]))
        assert rows[0]["demand_basis"] == "no data"
        assert figures(rows, "headroom_p50") == [None] * 12

    def test_nothing_known_is_no_data_and_never_room(self):
        rows = outlook(drawn())
        assert figures(rows, "odds_run_out") == [None] * 12
        assert figures(rows, "capacity_p50") == [12] * 12


def test_the_same_seed_draws_the_same():
    once, again = (drawn([(0, 0, 5, 10)], runs=100, seed=7) for _ in range(2))
    assert (once.drawn[0] == again.drawn[0]).all()


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100), st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_triangle_keeps_within_its_ends_and_order(one, two, three, places):
    least, likely, most = sorted((one, two, three))
    values = triangle(np.sort(np.array(places)), least, likely, most)
    assert (values >= least - 1e-9).all()
    assert (values <= most + 1e-9).all()
    assert (np.diff(values) >= -1e-9).all()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=12, max_size=12), st.integers(0, 20))
def test_running_out_is_never_undone(mids, now):
    rows = outlook(drawn([(week, mid / 2, mid, mid * 2) for week, mid in enumerate(mids)], runs=50), now=now, runs=50)
    odds = figures(rows, "odds_run_out")
    assert odds == sorted(odds)
    assert all(short <= out for short, out in zip(figures(rows, "odds_short"), odds, strict=True))


def test_a_demand_of_no_weeks_leaves_the_capacity():
    assert figures(outlook(Demand("no data", {}, {})), "capacity_p80") == [12] * 12
