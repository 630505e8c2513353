"""What a closed week costs is the slope of a straight line through the weeks."""

import pytest

from perf.history import _STEPS, lines, per_week


def test_a_week_costs_what_the_next_one_takes_more():
    assert per_week([1.0, 1.5, 2.0, 2.5]) == pytest.approx(0.5)
    assert per_week([3.0, 3.0, 3.0]) == pytest.approx(0)


def test_the_first_weeks_are_not_fitted():
    weeks = [dict.fromkeys(_STEPS, 0.0) | {"judge": seconds} for seconds in (90.0, 70.0, 1.0, 1.1, 1.2, 1.3)]
    found = lines(weeks, 2)
    assert "| judge | 1.05 | 1.25 | +100 ms |" in found
    assert found[-1] == "| all | 1.05 | 1.25 | +100 ms |"
