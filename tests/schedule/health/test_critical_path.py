"""Checks 12 and 13: does a delay reach the finish, and how much slack has the rest of the way."""

from datetime import datetime, timedelta
from fractions import Fraction

import pytest

from tests.schedule.health.judging import check, codes, counts, done, on
from tests.schedule.projects import EVERY_DAY, OFFICE, WORKDAY, activity, link, project, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.model import MS_PROJECT, WorkCalendar

DELAY = 600 * WORKDAY


def chain(**last):
    return [activity("A", 5), activity("B", 5), activity("C", 5, **last)], [link("A", "B"), link("B", "C")]


def test_an_unbroken_path_passes_the_delay_on():
    found = check(project(*chain()), "12")
    assert counts(found) == ("pass", DELAY, DELAY)
    assert found.sentence == "A delay of 600 days to A moves the project finish by 600.0 days; it should move as far."
    assert codes(found) == []


def test_a_date_that_overrides_logic_breaks_the_path():
    # Microsoft Project keeps C at its date whatever happens to A; A stays on the path because B and C follow it.
    held = {"constraint": "mandatory_start", "constraint_date": workday(11, 8)}
    found = check(project(*chain(**held), options=MS_PROJECT, tool="msproject"), "12")
    # B ends 600 days later and is then itself the last to finish: 610 working days instead of 15.
    assert counts(found) == ("fail", 595 * WORKDAY, DELAY)
    assert codes(found) == ["A"]


def test_what_a_constraint_alone_makes_critical_is_found_out():
    # B may not start after day 10, which takes its float; the finish is that of L, after 50 days, so that a delay of B
    # first eats what lies between: 9 + 3 + 600 - 50 days.
    pinned = activity("B", 3, constraint="start_on", constraint_date=workday(10, 8))
    network = project([activity("L", 50), pinned])
    found = check(network, "12", path={"activities": "all"})
    assert counts(found) == ("fail", 562 * WORKDAY, DELAY)
    assert codes(found) == ["B"]
    assert check(network, "12", path={"critical": "longest_path"}).verdict == "pass"


def test_a_tolerance_takes_a_little_less_for_enough():
    # B may float two days, which its delay eats first.
    pinned = activity("B", 3, constraint="finish_no_later", constraint_date=workday(3))
    network = project([activity("L", 5), pinned])
    every = {"activities": "all"}
    assert codes(check(network, "12", path=every)) == ["B"]
    assert codes(check(network, "12", path=every | {"tolerance_days": 1})) == ["B"]
    assert codes(check(network, "12", path=every | {"tolerance_days": 2})) == []


def test_slack_after_a_fixed_date_is_no_critical_path():
    # C starts on day 21 whatever A does: C is critical, and its delay reaches the finish.
    late = activity("C", 5, constraint="mandatory_start", constraint_date=workday(21, 8))
    found = check(project([activity("A", 5), late], [link("A", "C")]), "12")
    assert found.verdict == "pass"
    assert "to C moves" in found.sentence


def test_the_delay_is_an_option_and_so_is_what_is_delayed():
    network = project(*chain())
    assert counts(check(network, "12", path={"delay_days": 10})) == ("pass", 10 * WORKDAY, 10 * WORKDAY)
    every = check(network, "12", path={"activities": "all"})
    assert every.sentence.startswith("3 of 3 critical activities move the finish.")


def test_all_activities_of_the_path_find_the_broken_one():
    held = {"constraint": "mandatory_start", "constraint_date": workday(11, 8)}
    found = check(project(*chain(**held), options=MS_PROJECT, tool="msproject"), "12", path={"activities": "all"})
    assert codes(found) == ["A", "B"]
    assert found.verdict == "fail"


def test_different_calendars_get_some_tolerance():
    # 600 days of a week without days off are 85 weeks and 5 days: the finish falls on other weekdays.
    first = activity("A", 5, calendar="every day")
    network = project([first, activity("B", 5)], [link("A", "B")])
    found = check(network, "12")
    assert found.verdict == "pass"
    assert 0 <= abs(found.numerator - DELAY) <= 5 * WORKDAY
    strict = check(network, "12", path={"calendar_tolerance_days": 0})
    assert strict.verdict == ("pass" if found.numerator >= DELAY else "fail")


def test_the_earliest_work_on_the_path_is_delayed_not_a_milestone():
    network = project(
        [activity("M", kind="start_milestone"), *chain()[0], activity("Z")],
        [link("M", "A"), *chain()[1], link("C", "Z")],
    )
    assert "to A moves" in check(network, "12").sentence
    only = check(project([activity("M")]), "12")
    assert (only.verdict, only.sentence) == ("no data", "No data: no unfinished work is critical.")


def test_the_critical_path_test_without_data():
    finished = project([done("A", 1, 2)], data_date=workday(5))
    assert counts(check(finished, "12")) == ("no data", None, None)
    assert counts(assess(project(*chain()), None).check("12")) == ("no data", None, None)


def to_finish(days, wanted, **more):
    """A project with so many working days left and a baseline that wanted it so many days after the data date."""
    return project([activity("A", days, **on(wanted))], **more)


@pytest.mark.parametrize(
    ("left", "wanted", "index"),
    # Published: 720 days and 60 late (DAU), 80 and 800 days with 20 to spare (PASEG), 100 with 2 and -3 (Menlo).
    [(720, 660, 0.917), (80, 100, 1.25), (800, 820, 1.025), (100, 102, 1.02), (100, 97, 0.97), (100, 100, 1.0)],
)
def test_length_index_as_published(left, wanted, index):
    found = check(to_finish(left, wanted), "13")
    assert round(float(found.value), 3) == index
    assert found.value == Fraction(wanted, left)
    assert found.verdict == ("pass" if index >= 0.95 else "fail")


def test_length_index_in_words():
    assert check(to_finish(20, 15), "13").sentence == (
        "The index is 0.750: 20.0 working days to the finish, float to the baseline finish -5.0; at least 0.95 is good."
    )


def test_length_index_in_its_readings():
    network = to_finish(20, 15, must_finish=workday(18))
    by_name = {reading.name: reading.value for reading in check(network, "13").readings}
    assert by_name == {
        "baseline": Fraction(15, 20), "must_finish": Fraction(18, 20), "least_float": Fraction(18, 20),
    }  # fmt: skip
    for name, value in by_name.items():
        assert check(network, "13", path={"length_index": name}).value == value


def test_length_index_can_be_negative():
    # Ten days are left, and the baseline wanted the finish eleven days ago.
    network = project([activity("A", 10, **on(5))], data_date=workday(16))
    assert check(network, "13").value == Fraction(10 - 21, 10)


def test_least_float_counts_days_of_each_calendar():
    day = ((0, 86_400),)
    nights = WorkCalendar("all hours", (day,) * 7, hours_per_day=24.0)
    rows = [activity("A", 20), activity("B", calendar="nights", duration_s=86_400, remaining_s=86_400, kind="task")]
    network = project(rows, calendars={"office": OFFICE, "every day": EVERY_DAY, "nights": nights})
    found = check(network, "13", path={"length_index": "least_float"})
    assert found.value == 1


def test_stored_finish_and_float():
    network = project([activity("A", 10, total_float_s=-2 * WORKDAY, **on(8))], stored_finish=workday(20))
    stored = {"floats": {"results": "stored"}}
    assert check(network, "13", **stored).value == Fraction(8, 20)
    assert check(network, "13", path={"length_index": "least_float"}, **stored).value == Fraction(18, 20)


def test_length_index_without_data():
    assert check(project([activity("A", 5)]), "13").sentence == "No data: the schedule has no baseline finish."
    bare = check(project([activity("A", 5)]), "13", path={"length_index": "must_finish"})
    assert bare.sentence == "No data: the schedule has no must-finish date."
    assert check(to_finish(5, 5, data_date=None, planned_start=workday(1)), "13").verdict == "no data"
    finished = project([done("A", 1, 2, **on(2))], data_date=datetime(2026, 1, 5) + timedelta(days=30))
    assert check(finished, "13").sentence == "No data: no working time is left until the finish."
