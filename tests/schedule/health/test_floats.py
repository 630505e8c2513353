"""Checks 6 and 7: float in days of the activity's own calendar, computed or stored."""

import pytest

from tests.schedule.health.judging import check, codes, counts, done
from tests.schedule.projects import activity, link, project, workday
from turnup.schedule.health.assess import assess
from turnup.schedule.health.settings import HealthSettings
from turnup.schedule.model import HOUR, WorkCalendar
from turnup.schedule.passes import schedule


def beside(days):
    """B may float by 50 less its own days beside a chain of 50."""
    return project([activity("A", 50), activity("B", days), activity("Z")], [link("A", "Z"), link("B", "Z")])


def test_float_of_44_days_is_not_high_and_more_is():
    assert codes(check(beside(6), "6")) == []
    found = check(beside(5), "6")
    assert counts(found) == ("fail", 1, 3)
    assert found.offenders["why"].to_list() == ["float 45.0 d"]
    assert codes(check(beside(5), "6", floats={"high_days": 45})) == []


def stored(hours, day_hours):
    """An activity whose tool stored a float, on a calendar with days of so many hours."""
    shift = ((0, round(day_hours * HOUR)),)
    calendar = WorkCalendar("site", (shift,) * 7, hours_per_day=day_hours)
    row = activity("A", 1, calendar="site", total_float_s=round(hours * HOUR))
    return project([row], calendars={"site": calendar}, default_calendar="site")


@pytest.mark.parametrize("day_hours", [8.0, 10.0, 22.0, 24.0, 7.5])
def test_a_day_is_a_day_of_the_own_calendar(day_hours):
    by_file = {"floats": {"results": "stored"}}
    assert codes(check(stored(44 * day_hours, day_hours), "6", **by_file)) == []
    assert codes(check(stored(44 * day_hours + 0.25, day_hours), "6", **by_file)) == ["A"]


def test_p6_counts_352_hours_whatever_the_calendar():
    twelve = stored(400, 24.0)
    assert codes(check(twelve, "6", floats={"results": "stored"})) == []
    assert codes(check(twelve, "6", floats={"results": "stored"}, day_hours=8)) == ["A"]


def test_negative_float():
    late = project([activity("A", 5), activity("B", 5), activity("C", 3)], [link("A", "B")], must_finish=workday(8))
    found = check(late, "7")
    assert counts(found) == ("fail", 2, 3)
    assert codes(found) == ["A", "B"]
    assert found.offenders["why"].to_list() == ["float -2.0 d"] * 2
    assert counts(check(beside(5), "7")) == ("pass", 0, 3)


def test_computed_and_stored_float_may_disagree():
    network = project([activity("A", 1, total_float_s=-HOUR)])
    assert check(network, "7").verdict == "pass"
    assert check(network, "7", floats={"results": "stored"}).verdict == "fail"


def test_no_float_is_no_data():
    network = project([activity("A", 1)])
    without = assess(network, None)
    assert [counts(without.check(number)) for number in "67"] == [("no data", None, None)] * 2
    assert without.check("7").sentence == "No data: no incomplete activity has a total float."
    assert counts(check(project([done("A", 1, 1)], data_date=workday(2)), "7")) == ("no data", None, None)


def test_a_missing_float_is_not_zero():
    network = project([activity("A", 1, total_float_s=0), activity("B", 1)])
    found = check(network, "7", floats={"results": "stored"})
    assert counts(found) == ("no data", 0, 2)
    assert found.unknown == 1
    assert found.sentence.endswith("1 could not be judged: they have no total float.")


def test_activities_in_a_loop_have_no_float():
    network = project([activity(code, 1) for code in "ABC"], [link("A", "B"), link("B", "A")])
    found = assess(network, schedule(network), HealthSettings())
    assert (found.check("7").verdict, found.check("7").unknown) == ("no data", 2)
    assert found.check("12").verdict == found.check("13").verdict == "no data"
