"""Checks 11 and 14 in their readings."""

from datetime import datetime
from fractions import Fraction

import pytest

from tests.schedule.health.judging import begun, check, codes, counts, done, on
from tests.schedule.projects import activity, project, workday

NOW = workday(10)


def test_missed_tasks():
    rows = [
        done("in time", 1, 3, **on(3)), done("early", 1, 2, **on(9)), done("late", 1, 5, **on(4)),
        activity("open", 2, **on(10)), activity("later", 2, **on(11)), done("unplanned", 1, 5),
    ]  # fmt: skip
    found = check(project(rows, data_date=NOW), "11")
    assert counts(found) == ("fail", 2, 4)
    assert codes(found) == ["late", "open"]
    assert found.offenders["why"].to_list() == [
        "baseline 2026-01-08, finished 2026-01-09", "baseline 2026-01-16, not finished",
    ]  # fmt: skip
    assert counts(check(project(rows[:2], data_date=NOW), "11")) == ("pass", 0, 2)


def test_missed_tasks_without_baseline_data_date_or_anything_due():
    assert (
        check(project([done("A", 1, 2)], data_date=NOW), "11").sentence == "No data: no activity has a baseline finish."
    )
    assert check(project([done("A", 1, 2, **on(2))], data_date=None), "11").verdict == "no data"
    future = check(project([activity("A", 1, **on(30))], data_date=NOW), "11")
    assert future.sentence == "No data: there are no activities due by the data date."


def test_completed_without_a_date_may_have_been_in_time():
    bare = done("A", 1, 2, **on(2)) | {"actual_finish": None}
    found = check(project([bare, done("B", 1, 2, **on(2))], data_date=NOW), "11")
    assert (found.verdict, found.unknown) == ("no data", 1)


def test_the_hour_of_the_finish_counts_unless_days_are_compared():
    evening = done("A", 1, 3, **on(3, hour=12))
    assert codes(check(project([evening], data_date=NOW), "11")) == ["A"]
    assert codes(check(project([evening], data_date=NOW), "11", baseline={"compare": "date"})) == []
    # Due at 17:00 of the data date, which P6 puts at its first minute.
    due = activity("B", 1, **on(10))
    midnight = project([due], data_date=datetime(2026, 1, 16))
    assert counts(check(midnight, "11")) == ("no data", None, None)
    assert counts(check(midnight, "11", baseline={"compare": "date"})) == ("fail", 1, 1)


def test_p6_looks_at_forecasts_of_unfinished_work():
    rows = [
        begun("slips", 5, 8, 4, **on(11)), activity("keeps", 1, **on(30)), activity("M", **on(5)), activity("bare", 1),
        done("late", 1, 5, **on(4)),
    ]  # fmt: skip
    late = {"baseline": {"missed": "late_forecast"}}
    found = check(project(rows[:3], data_date=NOW), "11", **late)
    assert counts(found) == ("fail", 1, 2)
    assert found.offenders["why"].to_list() == ["baseline 2026-01-19, forecast 2026-01-22"]
    assert check(project(rows[1:2], data_date=NOW), "11", **late).verdict == "pass"
    assert check(project(rows[1:], data_date=NOW), "11", **late).verdict == "no data"


def programme(*, due, done_in_plan, done_without, without, milestones):
    """A project by its counts; the first ones of each group are milestones where asked."""
    milestones_due, milestones_done = milestones
    kinds = ["finish_milestone"] * milestones_done + ["task"] * (done_in_plan - milestones_done)
    open_kinds = ["finish_milestone"] * (milestones_due - milestones_done)
    open_kinds += ["task"] * (due - done_in_plan - len(open_kinds))
    rows = [done(f"D{number}", 1, 2, kind=kind, **on(3)) for number, kind in enumerate(kinds)]
    rows += [activity(f"O{number}", 1, **({"kind": kind} | on(4))) for number, kind in enumerate(open_kinds)]
    rows += [done(f"U{number}", 1, 2) for number in range(done_without)]
    rows += [activity(f"W{number}", 1) for number in range(without - done_without)]
    return project(rows, data_date=NOW)


# Counts that give the six published indices of a series' fourth update: 45 due (10 milestones), 33 of them completed (6
# milestones), 13 without baseline, of which 5 are completed.
UPDATE = {"due": 45, "done_in_plan": 33, "done_without": 5, "without": 13, "milestones": (10, 6)}


@pytest.mark.parametrize(
    ("execution", "milestones", "index", "parts"),
    [
        ("baselined_only", True, 0.733, (33, 45)),
        ("pam", True, 0.655, (38, 58)),
        ("completed_in_both", True, 0.760, (38, 50)),
        ("baselined_only", False, 0.771, (27, 35)),
        ("pam", False, 0.667, (32, 48)),
        ("completed_in_both", False, 0.800, (32, 40)),
    ],
)
def test_execution_index_in_six_readings(execution, milestones, index, parts):
    found = check(programme(**UPDATE), "14", baseline={"execution": execution, "execution_milestones": milestones})
    assert (found.numerator, found.denominator) == parts
    assert round(float(found.value), 3) == index
    assert found.verdict == "fail"
    name = execution if milestones else f"{execution}, without milestones"
    assert {reading.name: reading.value for reading in found.readings}[name] == Fraction(*parts)
    assert len(found.readings) == 6


def test_execution_index_as_published():
    # DAU: 1,516 completed of 1,955 that should be, 0.78. Powerproject: 6 of 6 is 1.00, 8 of 6 is 1.33.
    for completed, due, index in ((1516, 1955, 0.78), (6, 6, 1.0)):
        counted = programme(due=due, done_in_plan=completed, done_without=0, without=0, milestones=(0, 0))
        assert round(float(check(counted, "14").value), 2) == index
    ahead = project([done(f"A{n}", 1, 2, **on(3 if n < 6 else 20)) for n in range(8)], data_date=NOW)
    assert counts(check(ahead, "14")) == ("pass", 8, 6)


def test_execution_index_lists_what_was_due_and_is_open():
    found = check(project([done("A", 1, 2, **on(2)), activity("B", 1, **on(4)), activity("C", 1)], data_date=NOW), "14")
    assert codes(found) == ["B"]
    assert found.sentence == (
        "The index is 0.333: 1 of 3 activities (completed over due and those without baseline); at least 0.95 is good."
    )


def test_execution_index_without_data():
    assert check(project([done("A", 1, 2)], data_date=NOW), "14").verdict == "no data"
    assert check(project([done("A", 1, 2, **on(2))], data_date=None), "14").verdict == "no data"
    early = check(project([done("A", 1, 2, **on(20)), done("B", 1, 2)], data_date=NOW), "14")
    assert (early.verdict, early.sentence) == ("no data", "No data: nothing was due by the data date.")
    assert early.readings == ()
