"""Check 5: which constraints are hard, by reading."""

import pytest

from tests.schedule.health.judging import begun, check, codes, counts
from tests.schedule.projects import activity, project, workday

KINDS = (
    "mandatory_start", "mandatory_finish", "start_on", "finish_on", "start_no_later", "finish_no_later",
    "start_no_earlier", "finish_no_earlier",
)  # fmt: skip


@pytest.mark.parametrize(("hard", "number"), [("mandatory", 2), ("on", 4), ("no_later", 6)])
def test_three_readings(hard, number):
    held = [activity(kind, 1, constraint=kind, constraint_date=workday(20)) for kind in KINDS]
    network = project([*held, activity("late", 1, constraint="as_late_as_possible"), activity("free", 1)])
    assert set(codes(check(network, "5", hard=hard))) == set(KINDS[:number])


def test_pass_fail_and_no_data():
    free = [activity(f"{number:02d}", 1) for number in range(19)]
    held = activity("H", 1, constraint="start_no_later", constraint_date=workday(3))
    assert counts(check(project([*free, held]), "5")) == ("pass", 1, 20)
    found = check(project([*free[1:], held]), "5")
    assert counts(found) == ("fail", 1, 19)
    assert found.offenders["why"].to_list() == ["start no later 2026-01-07 17:00"]
    assert counts(check(project([]), "5")) == ("no data", None, None)


def test_a_second_constraint_counts_and_no_activity_twice():
    second = {"constraint_2": "finish_no_later", "constraint_2_date": workday(9)}
    both = activity("A", 1, constraint="start_on", constraint_date=workday(2, 8), **second)
    found = check(
        project([both, activity("B", 1, constraint="start_no_earlier", constraint_date=workday(2), **second)]), "5"
    )
    assert counts(found) == ("fail", 2, 2)
    assert found.offenders["why"][0] == "start on 2026-01-06 08:00, finish no later 2026-01-15 17:00"


def test_a_started_activity_has_no_start_to_hold():
    started = begun("A", 5, 1, 3, constraint="mandatory_start", constraint_date=workday(1, 8))
    network = project([started, activity("B", 1)], data_date=workday(3, 8))
    assert codes(check(network, "5")) == ["A"]
    assert codes(check(network, "5", preset="oracle")) == []
    ends = begun("A", 5, 1, 3, constraint="mandatory_finish", constraint_date=workday(9))
    assert codes(check(project([ends], data_date=workday(3, 8)), "5", preset="oracle")) == ["A"]
