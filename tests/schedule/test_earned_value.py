"""Planned and earned value by week, by hand: weeks of five days of eight hours from MONDAY."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.projects import MONDAY, WORKDAY, activity, project, workday
from turnup.schedule.earned_value import earned_to_date, value_by_week


def planned(code, first, last, **more):
    """An activity with a baseline from one working day to another."""
    days = last - first + 1
    dates = {"baseline_start": workday(first, 8), "baseline_finish": workday(last)}
    return activity(code, days, **(dates | {"baseline_duration_s": days * WORKDAY} | more))


def in_days(values):
    return [None if value is None else value / WORKDAY for value in values]


def finished(first, last):
    return {"status": "completed", "remaining_s": 0, "actual_start": workday(first, 8), "actual_finish": workday(last)}


def test_value_is_spread_over_working_time():
    # A: days 1 to 8; B: days 6 to 15. A was done in days 1 to 10, B began on day 11 and is half done after 13.
    begun = {"status": "in_progress", "actual_start": workday(11, 8), "percent": 50.0}
    network = project([planned("A", 1, 8, **finished(1, 10)), planned("B", 6, 15, **begun)], data_date=workday(13))
    found = value_by_week(network)
    assert found["week"].to_list() == [1, 2, 3]
    assert found["ends"].to_list() == [MONDAY + timedelta(days=7 * week) for week in (1, 2, 3)]
    assert in_days(found["planned"]) == [5, 13, 18]
    # Of A four days a week, and nothing of B; the third week is not over.
    assert in_days(found["earned"]) == [4, 8, None]


def test_earned_schedule_at_the_data_date():
    begun = {"status": "in_progress", "actual_start": workday(11, 8), "percent": 50.0}
    network = project(
        [planned("A", 1, 8, **finished(1, 10)), planned("B", 6, 15, **begun)], data_date=MONDAY + 2 * timedelta(days=7)
    )
    # 8 + 5 days are earned after two weeks, which is what was planned.
    found = earned_to_date(network)
    assert (found.actual_time, found.earned_time, found.planned_duration) == (2, 2, 3)
    assert (found.index, found.value_index) == (1, 1)


def test_cost_as_weight():
    rows = [planned("A", 1, 5, cost=100.0, **finished(1, 5)), planned("B", 6, 10, cost=300.0), planned("C", 6, 10)]
    network = project(rows, data_date=MONDAY + timedelta(days=7))
    assert value_by_week(network, "cost")["planned"].to_list() == [100, 400]
    assert value_by_week(network, "cost")["earned"].to_list() == [100, None]
    assert in_days(value_by_week(network)["planned"]) == [5, 15]


def test_progress_from_remaining_duration_where_no_percentage_is_given():
    begun = {"status": "in_progress", "actual_start": workday(1, 8), "remaining_s": 6 * WORKDAY}
    network = project([planned("A", 1, 10, **begun)], data_date=MONDAY + timedelta(days=7))
    assert in_days(value_by_week(network)["earned"]) == [4, None]


def test_progress_that_nobody_tells_is_not_zero():
    begun = {"status": "in_progress", "actual_start": workday(1, 8), "remaining_s": None}
    network = project([planned("A", 1, 10, **begun)], data_date=MONDAY + timedelta(days=14))
    assert value_by_week(network)["earned"].to_list() == [None, None]
    assert earned_to_date(network) is None


def test_weeks_go_on_until_the_data_date():
    network = project([planned("A", 1, 5, **finished(6, 10))], data_date=MONDAY + timedelta(days=21))
    found = value_by_week(network)
    assert in_days(found["planned"]) == [5, 5, 5]
    assert in_days(found["earned"]) == [0, 5, 5]


def test_without_baseline_or_data_date():
    assert value_by_week(project([activity("A", 5)])).is_empty()
    assert earned_to_date(project([activity("A", 5)])) is None
    network = project([planned("A", 1, 5)], data_date=None)
    assert value_by_week(network)["earned"].to_list() == [None]
    assert earned_to_date(network) is None
    assert earned_to_date(project([planned("A", 3, 5)], data_date=MONDAY)) is None


def test_milestones_summaries_and_efforts_bear_no_value():
    rows = [
        planned("A", 1, 5), planned("S", 1, 5, kind="summary"), planned("L", 1, 5, kind="level_of_effort"),
        planned("M", 5, 5, kind="finish_milestone", duration_s=0, baseline_duration_s=0),
    ]  # fmt: skip
    assert in_days(value_by_week(project(rows))["planned"]) == [5]
    only = project([planned("M", 5, 5, kind="finish_milestone", baseline_duration_s=0, baseline_start=workday(5))])
    assert value_by_week(only).is_empty()


def test_completed_without_dates_counts_at_the_data_date():
    bare = planned("A", 1, 5, status="completed", remaining_s=0)
    network = project([bare, planned("B", 1, 10)], data_date=MONDAY + timedelta(days=14))
    assert in_days(value_by_week(network)["earned"]) == [0, 5]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 40)), min_size=1, max_size=15), st.integers(1, 80))
def test_a_project_done_as_planned_keeps_its_plan(spans, now):
    rows = []
    for number, (first, length) in enumerate(spans):
        row = planned(f"{number}", first, first + length)
        last = workday(first + length)
        if last <= workday(now):
            row |= finished(first, first + length)
        elif first <= now:
            share = (now - first + 1) / (length + 1)
            row |= {"status": "in_progress", "actual_start": workday(first, 8), "percent": 100 * share}
        rows.append(row)
    data_date = datetime.combine(workday(now).date(), datetime.min.time()) + timedelta(days=1)
    found = value_by_week(project(rows, data_date=data_date))
    told = found.drop_nulls("earned")
    assert told["earned"].to_list() == pytest.approx(told["planned"].to_list())
    assert found["planned"].is_sorted()
    assert found["planned"][-1] == pytest.approx(sum((length + 1) * WORKDAY for _, length in spans))
