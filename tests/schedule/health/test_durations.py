"""Checks 8 and 10: long work, and work that nobody does."""

import pytest

from tests.schedule.health.judging import check, codes, counts, done
from tests.schedule.projects import WORKDAY, activity, project, workday


def test_44_days_are_not_long_and_more_are():
    assert counts(check(project([activity("A", 44), activity("B", 3)]), "8")) == ("pass", 0, 2)
    found = check(project([activity("A", 44.125), activity("B", 3)]), "8")
    assert counts(found) == ("fail", 1, 2)
    assert found.offenders["why"].to_list() == ["44.1 d"]
    assert counts(check(project([activity("M")]), "8")) == ("no data", None, None)


@pytest.mark.parametrize(
    ("measure", "long"),
    [
        ("baseline_else_current", ["baseline", "current"]),
        ("current", ["current", "shrunk"]),
        ("remaining", ["remains"]),
    ],
)
def test_which_duration(measure, long):
    network = project(
        [
            activity("current", 50), activity("baseline", 5, baseline_duration_s=50 * WORKDAY),
            activity("shrunk", 50, baseline_duration_s=5 * WORKDAY, remaining_s=WORKDAY),
            activity("remains", 5, remaining_s=50 * WORKDAY),
        ]
    )  # fmt: skip
    network = network if measure != "remaining" else project(
        [activity("current", 50, remaining_s=WORKDAY), activity("remains", 5, remaining_s=50 * WORKDAY)]
    )  # fmt: skip
    assert codes(check(network, "8", durations={"measure": measure})) == long


def test_without_a_baseline_that_reading_has_no_data():
    network = project([activity("A", 50)])
    assert counts(check(network, "8", durations={"measure": "baseline"})) == ("no data", None, None)
    readings = {reading.name: reading.value for reading in check(network, "8").readings}
    assert readings == {"baseline_else_current": 1, "baseline": None, "current": 1, "remaining": 1}


def test_planning_packages_are_exempt():
    network = project([activity("A", 100, rolling_wave=True), activity("B", 5), activity("M")])
    assert counts(check(network, "8")) == ("pass", 0, 1)
    assert counts(check(network, "8", durations={"exempt_rolling_wave": False})) == ("fail", 1, 2)
    assert check(network, "8", durations={"milestones": True}).denominator == 2


def test_a_missing_duration_is_unknown():
    found = check(project([activity("A", 5), activity("B", 5, duration_s=None, remaining_s=None, kind="task")]), "8")
    assert (found.verdict, found.unknown) == ("no data", 1)


def test_work_without_resource_or_cost():
    rows = [
        activity("resource", 5, resources=1), activity("cost", 5, resources=0, cost=100.0),
        activity("nothing", 5, resources=0, cost=0.0), activity("short", 0.5, resources=0),
        activity("milestone", resources=0),
    ]  # fmt: skip
    found = check(project(rows), "10")
    assert counts(found) == ("fail", 1, 3)
    assert codes(found) == ["nothing"]
    assert found.advisory
    assert counts(check(project(rows[:2]), "10")) == ("pass", 0, 2)
    assert codes(check(project(rows), "10", durations={"resourced_from_days": 0})) == ["nothing", "short"]


def test_a_file_that_tells_nothing_of_resources():
    found = check(project([activity("A", 5), activity("B", 5)]), "10")
    assert counts(found) == ("no data", None, None)
    assert found.sentence == "No data: the file tells nothing of resources or cost."
    partly = check(project([activity("A", 5, resources=1), activity("B", 5)]), "10")
    assert (partly.verdict, partly.unknown) == ("no data", 1)


def test_p6_asks_for_resources_of_completed_work_too():
    network = project([done("A", 1, 2, resources=0), activity("B", 5, resources=1)], data_date=workday(3, 8))
    assert counts(check(network, "10")) == ("pass", 0, 1)
    assert counts(check(network, "10", durations={"resourced_completed": True})) == ("fail", 1, 2)
