"""Earned schedule: the published series, and what must hold of the formulas."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.schedule.earned import earned_schedule

# Planned value of twelve periods; only that of periods 5 to 12 is published, and the others do not matter here.
PLANNED = (200, 500, 850, 1200, 1500, 2000, 2500, 2950, 3350, 3650, 3900, 4000)
# Lipke 2003, a project that finishes late.
LATE_PLANNED = (105, 200, 515, 845, 1175, 1475, 1805, 2135, 2435, 2665, 2760, 2823)
LATE_EARNED = (95, 180, 470, 770, 1065, 1315, 1610, 1900, 2150, 2275, 2425, 2555, 2695, 2770, 2823)
LATE_TIMES = (
    0.905, 1.789, 2.857, 3.773, 4.667, 5.467, 6.409, 7.288, 8.05, 8.467, 8.967, 9.522, 10.316, 11.159, 12,
)  # fmt: skip


def test_a_published_month():
    found = earned_schedule(PLANNED, 2260, 7)
    assert found.planned_duration == 12
    assert found.earned_time == Fraction(652, 100)
    assert found.variance == Fraction(-48, 100)
    assert round(float(found.index), 2) == 0.93
    assert round(float(found.forecast_duration), 3) == 12.883
    assert found.value_index == Fraction(2260, 2500)
    assert found.to_complete == Fraction(12) - found.earned_time == 0 or round(float(found.to_complete), 3) == 1.096


@pytest.mark.parametrize(("time", "earned", "expected"), zip(range(1, 16), LATE_EARNED, LATE_TIMES, strict=True))
def test_a_late_project_month_by_month(time, earned, expected):
    found = earned_schedule(LATE_PLANNED, earned, time)
    assert round(float(found.earned_time), 3) == expected
    assert found.variance == found.earned_time - time


def test_a_late_project_at_its_end():
    found = earned_schedule(LATE_PLANNED, LATE_EARNED[-1], 15)
    assert (found.variance, found.index, found.forecast_duration) == (-3, Fraction(4, 5), 15)
    assert found.value_index == 1
    assert found.to_complete is None


def test_between_periods_and_outside_of_them():
    assert earned_schedule([10, 20], 5, Decimal("0.5")).index == 1
    assert earned_schedule([10, 20], 15, Fraction(1, 2)).planned_value == 5
    nothing = earned_schedule([10, 20], 0, 0)
    assert (nothing.earned_time, nothing.index, nothing.forecast_duration, nothing.value_index) == (0, None, None, None)
    # More than everything is everything, and a plan that stays flat is over when it gets flat.
    over = earned_schedule([10, 20, 20, 20], 25, 3)
    assert (over.earned_time, over.planned_duration) == (2, 2)


def test_figures_as_they_are_told():
    assert earned_schedule(PLANNED, 2260, 7).record() == {
        "actual_time": 7.0, "planned_duration": 12.0, "earned_schedule": 6.52, "sv_t": -0.48, "spi_t": 0.931429,
        "ieac_t": 12.883436, "tspi": 1.096, "spi": 0.904,
    }  # fmt: skip
    assert earned_schedule([10], 0, 2).record()["ieac_t"] is None


def test_a_plan_without_value_is_refused():
    with pytest.raises(ValueError, match="there is no planned value"):
        earned_schedule([], 1, 1)
    with pytest.raises(ValueError, match="there is no planned value"):
        earned_schedule([0, 0], 1, 1)
    with pytest.raises(ValueError, match="planned value falls in period 2: from 10 to 5"):
        earned_schedule([10, 5], 1, 1)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30), st.data())
def test_a_project_that_keeps_its_plan_has_index_one(steps, data):
    planned = [sum(steps[: period + 1]) for period in range(len(steps))]
    period = data.draw(st.integers(1, len(steps)))
    found = earned_schedule(planned, planned[period - 1], period)
    assert (found.index, found.value_index, found.variance) == (1, 1, 0)
    assert found.forecast_duration == len(steps)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30).filter(any), st.data())
def test_more_value_is_never_less_time(steps, data):
    planned = [sum(steps[: period + 1]) for period in range(len(steps))]
    less, more = sorted(data.draw(st.lists(st.integers(0, planned[-1] + 5), min_size=2, max_size=2)))
    times = [earned_schedule(planned, value, 1).earned_time for value in (less, more)]
    assert 0 <= times[0] <= times[1] <= len(steps)
