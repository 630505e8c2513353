"""Check 9: forecasts before the data date, actuals after it, and how dates are compared."""

from datetime import datetime

from tests.schedule.health.judging import begun, check, codes, counts, done
from tests.schedule.projects import activity, link, project, workday

# The second Monday; the working day before it is Friday 9 January 2026.
NOW = datetime(2026, 1, 12, 8)


def forecast(code, start, finish, **more):
    return activity(code, 1, early_start=start, early_finish=finish, **more)


def test_forecasts_pass_fail_and_no_data():
    good = forecast("A", workday(6, 8), workday(6))
    assert counts(check(project([good], data_date=NOW), "9a")) == ("pass", 0, 1)
    bad = forecast("B", workday(4, 8), workday(4))
    found = check(project([good, bad], data_date=NOW), "9a")
    assert counts(found) == ("fail", 1, 2)
    assert found.offenders["why"].to_list() == ["forecast start 2026-01-08 08:00, forecast finish 2026-01-08 17:00"]
    assert check(project([good], data_date=None), "9a").sentence == "No data: the schedule has no data date."
    assert counts(check(project([activity("A", 1)], data_date=NOW), "9a")) == ("no data", None, None)


def test_a_missing_forecast_is_unknown_and_a_planned_date_stands_in():
    good, bare = forecast("A", workday(6, 8), workday(6)), activity("B", 1)
    found = check(project([good, bare], data_date=NOW), "9a")
    assert (found.verdict, found.unknown) == ("no data", 1)
    planned = activity("B", 1, planned_start=workday(2, 8), planned_finish=workday(2))
    assert codes(check(project([good, planned], data_date=NOW), "9a")) == ["B"]


def test_computed_forecasts_never_lie_before_the_data_date():
    network = project([forecast("A", workday(4, 8), workday(4))], data_date=NOW)
    assert check(network, "9a", dates={"forecasts": "computed"}).verdict == "pass"


def test_friday_evening_is_monday_morning_in_working_time():
    network = project([forecast("M", workday(5), workday(5), kind="finish_milestone")], data_date=NOW)
    assert codes(check(network, "9a")) == []
    for compare in ("instant", "date"):
        assert codes(check(network, "9a", dates={"compare_forecasts": compare})) == ["M"]


def test_morning_of_a_data_date_in_the_evening():
    # Microsoft Project's status date carries 17:00; by day, that morning is not the past.
    network = project([forecast("A", workday(6, 8), workday(6))], data_date=workday(6))
    assert codes(check(network, "9a")) == ["A"]
    assert codes(check(network, "9a", dates={"compare_forecasts": "date"})) == []


def test_the_start_of_what_has_started_is_no_forecast():
    started = begun("A", 5, 2, 1, early_start=workday(2, 8), early_finish=workday(7))
    network = project([started], data_date=NOW)
    assert codes(check(network, "9a")) == []
    assert codes(check(network, "9a", dates={"remaining_start": True})) == ["A"]


def test_actuals_pass_fail_and_no_data():
    assert counts(check(project([done("A", 1, 5)], data_date=NOW), "9b")) == ("pass", 0, 1)
    found = check(project([done("A", 1, 5), done("B", 5, 7), begun("C", 5, 8, 2)], data_date=NOW), "9b")
    assert counts(found) == ("fail", 2, 3)
    assert found.offenders["why"].to_list() == ["actual finish 2026-01-13 17:00", "actual start 2026-01-14 08:00"]
    assert counts(check(project([activity("A", 1)], data_date=NOW), "9b")) == ("no data", None, None)
    assert check(project([done("A", 1, 5)], data_date=None), "9b").verdict == "no data"


def test_a_finish_on_the_day_of_the_data_date():
    network = project([done("A", 1, 6)], data_date=datetime(2026, 1, 12))
    assert codes(check(network, "9b")) == []
    for compare in ("instant", "working_time"):
        assert codes(check(network, "9b", dates={"compare_actuals": compare})) == ["A"]


def test_a_start_at_the_first_hour_after_a_data_date_at_night_is_not_later_in_working_time():
    network = project([begun("A", 5, 6, 2)], data_date=datetime(2026, 1, 10))
    assert codes(check(network, "9b", dates={"compare_actuals": "working_time"})) == []
    assert codes(check(network, "9b", dates={"compare_actuals": "date"})) == ["A"]
    everywhere = project([begun("A", 5, 6, 2, calendar="every day")], data_date=datetime(2026, 1, 10))
    assert codes(check(everywhere, "9b", dates={"compare_actuals": "working_time"})) == ["A"]


def test_levels_of_effort_and_summaries_are_not_judged():
    rows = [done("L", 1, 9, kind="level_of_effort"), done("S", 1, 9, kind="summary"), activity("A", 1)]
    assert counts(check(project(rows, [link("A", "L")], data_date=NOW), "9b")) == ("no data", None, None)
