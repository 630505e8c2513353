"""What is read from finishes: percentiles without interpolation, odds, and their precision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.schedule.simulation import (
    inverse_ecdf,
    mean_error,
    percentile_error,
    probability_interval,
    shares_within,
)

TEN = np.array([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])


@pytest.mark.parametrize(
    ("percent", "value"),
    [(0, 10), (1, 10), (10, 10), (10.1, 20), (50, 50), (80, 80), (85, 90), (90, 90), (99, 100), (100, 100)],
)
def test_the_smallest_value_that_enough_do_not_exceed(percent, value):
    assert inverse_ecdf(TEN, percent) == value


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=50), st.integers(1, 100))
def test_percentiles_are_values_that_enough_do_not_exceed(values, percent):
    ordered = np.sort(np.array(values))
    found = inverse_ecdf(ordered, percent)
    assert found in values
    assert (ordered <= found).sum() * 100 >= percent * len(values)
    assert (ordered < found).sum() * 100 < percent * len(values)


def test_shares_count_what_is_at_or_before():
    assert shares_within(TEN, [9, 10, 55, 100, 200]).tolist() == [0, 0.1, 0.5, 1, 1]


def test_errors_of_a_percentile_and_of_the_mean_by_hand():
    values = np.arange(1, 101)
    # The 80th of 100: sqrt(100 * 0.8 * 0.2) = 4 ranks either side.
    assert percentile_error(values, 80) == (84 - 76) / 2
    assert mean_error(values) == pytest.approx(np.sqrt(np.var(values, ddof=1) / 100))


def test_the_error_of_a_percentile_is_how_much_it_moves_from_run_to_run():
    runs = np.sort(np.random.default_rng(2).normal(1e6, 1e5, (400, 2000)).astype(np.int64), axis=1)
    seen = np.std([inverse_ecdf(run, 80) for run in runs])
    told = np.mean([percentile_error(run, 80) for run in runs])
    assert told == pytest.approx(seen, rel=0.15)


def test_interval_of_a_probability():
    """Wilson's interval of 81 in 263, as worked out in Newcombe, Statistics in Medicine 17 (1998)."""
    assert probability_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert probability_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert probability_interval(20, 20)[1] == 1.0
