"""Weeks run from cut-off to cut-off in the programme's zone, also over clock changes and year ends."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.programme import WEEKDAYS, Programme
from turnup.week import Calendar
from turnup.yaml_source import ConfigurationError

CHICAGO = Calendar(Programme(name="p", time_zone="America/Chicago"))


def test_a_week_ends_on_friday_at_six_local_time():
    week = CHICAGO.week("2026-W44")
    assert week.as_of == date(2026, 10, 30)
    assert week.cut_off == datetime(2026, 10, 30, 23, 0, tzinfo=UTC)  # UTC-5 in summer
    assert week.start == datetime(2026, 10, 23, 23, 0, tzinfo=UTC)


def test_the_week_of_the_clock_change_is_an_hour_longer():
    week = CHICAGO.week("2026-W45")  # US clocks go back on 1 November 2026
    assert (week.cut_off - week.start).total_seconds() == (7 * 24 + 1) * 3600


def test_a_moment_at_the_cut_off_belongs_to_the_next_week():
    cut_off = CHICAGO.week("2026-W44").cut_off
    assert CHICAGO.containing(cut_off).label == "2026-W45"
    assert CHICAGO.last_closed(cut_off).label == "2026-W44"


def test_week_53_exists_only_in_years_that_have_it():
    assert CHICAGO.week("2026-W53").as_of == date(2027, 1, 1)
    with pytest.raises(ConfigurationError, match="2027-W53"):
        CHICAGO.week("2027-W53")


@pytest.mark.parametrize("label", ["2026-44", "W44", "2026-W00", "", "2026-W4", "2026-W444"])
def test_a_label_that_is_no_iso_week_is_refused(label):
    with pytest.raises(ConfigurationError, match="expected an ISO week"):
        CHICAGO.week(label)


@given(
    moment=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    weekday=st.sampled_from(WEEKDAYS),
    hour=st.integers(0, 23),
    zone=st.sampled_from(["UTC", "America/Chicago", "Europe/Dublin", "Asia/Kolkata", "Pacific/Auckland"]),
)
def test_every_moment_lies_in_exactly_one_week(moment, weekday, hour, zone):
    programme = Programme(name="p", time_zone=zone, week={"weekday": weekday, "time": f"{hour:02d}:00"})
    calendar = Calendar(programme)
    week = calendar.containing(moment)
    assert week.start <= moment < week.cut_off
    assert calendar.week(week.label) == week
    assert calendar.after(calendar.before(week)) == week
    assert calendar.starting(calendar.before(week).as_of) == week
