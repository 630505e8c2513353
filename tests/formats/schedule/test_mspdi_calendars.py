"""Calendars of Microsoft Project's XML: weeks, exceptions, recurrence, derived calendars, and those of resources."""

from datetime import date, datetime

import pytest

from tests.formats.schedule.mspdi_texts import SHIFTS, document, exception, office, task, week_day
from turnup.formats.schedule.mspdi import read_mspdi
from turnup.schedule.model import HOUR
from turnup.schedule.passes import schedule

EIGHT = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
MORNING = (("08:00:00", "12:00:00"),)


def calendars(*held, **more):
    (project,) = read_mspdi(document(task(1), calendars=list(held), **more), "plan.xml")
    return project.calendars


def days(calendar):
    return sorted(day.isoformat() for day in calendar.exceptions)


def test_the_week_begins_on_sunday_in_the_file_and_on_monday_with_us():
    (calendar,) = calendars(office()).values()
    assert calendar.week == (EIGHT,) * 5 + ((), ())
    assert (calendar.hours_per_day, calendar.hours_per_week, calendar.hours_per_month) == (8, 40, 160)


def test_midnight_at_the_end_of_a_shift_is_the_end_of_the_day():
    whole = office(WeekDays={"WeekDay": [week_day(2, (("00:00:00", "00:00:00"),))]})
    night = office(2, WeekDays={"WeekDay": [week_day(2, (("22:00:00", "00:00:00"), ("00:00:00", "06:00:00")))]})
    held = calendars(whole, night)
    assert held["1"].week[0] == ((0, 24 * HOUR),)
    assert held["2"].week[0] == ((0, 6 * HOUR), (22 * HOUR, 24 * HOUR))


def test_part_days_are_exceptions_with_hours():
    """Public fault 7: two days off, two mornings, 40 hours from Monday 3 August 2020."""
    weeks = {"Exceptions": {"Exception": [exception("2020-08-04", "2020-08-05"),
                                          exception("2020-08-06", "2020-08-07", MORNING)]}}  # fmt: skip
    (project,) = read_mspdi(
        document(task(1, 40), calendars=[office(**weeks)], StartDate="2020-08-03T08:00:00"), "plan.xml"
    )
    assert project.calendars["1"].exceptions[date(2020, 8, 4)] == ()
    assert project.calendars["1"].exceptions[date(2020, 8, 6)] == ((8 * HOUR, 12 * HOUR),)
    assert schedule(project).frame()["early_finish"][0] == datetime(2020, 8, 12, 17)


def test_exceptions_of_older_files_are_days_of_type_zero():
    period = {"FromDate": "2026-12-24T00:00:00", "ToDate": "2026-12-26T23:59:00"}
    old = {"DayType": 0, "DayWorking": 0, "TimePeriod": period}
    held = office()
    held["WeekDays"]["WeekDay"].append(old)
    assert days(calendars(held)["1"]) == ["2026-12-24", "2026-12-25", "2026-12-26"]


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"Type": 7, "Period": 3}, ["2026-09-01", "2026-09-04", "2026-09-07", "2026-09-10", "2026-09-13"]),
        ({"Type": 6, "Period": 1, "DaysOfWeek": 0b0010100}, ["2026-09-01", "2026-09-03", "2026-09-08", "2026-09-10"]),
        ({"Type": 6, "Period": 2, "DaysOfWeek": 0b0010000}, ["2026-09-03"]),
        ({"Type": 4, "Period": 1, "MonthDay": 10}, ["2026-09-10"]),
        ({"Type": 5, "Period": 1, "MonthItem": 4, "MonthPosition": 1}, []),
        ({"Type": 5, "Period": 1, "MonthItem": 4, "MonthPosition": 0}, ["2026-09-07"]),
        ({"Type": 2, "Month": 8, "MonthDay": 4}, ["2026-09-04"]),
        ({"Type": 3, "Month": 8, "MonthItem": 5, "MonthPosition": 1}, ["2026-09-08"]),
    ],
)
def test_recurring_exceptions(more, found):
    """1 September 2026 is a Tuesday; the pattern runs to Sunday the 13th."""
    held = office(Exceptions={"Exception": [exception("2026-09-01", "2026-09-13", **more)]})
    assert days(calendars(held)["1"]) == found


def test_occurrences_end_a_recurrence():
    every = exception("2026-09-01", "2027-09-01", Type=7, Period=7, Occurrences=3, EnteredByOccurrences=1)
    held = office(Exceptions={"Exception": [every]})
    assert days(calendars(held)["1"]) == ["2026-09-01", "2026-09-08", "2026-09-15"]


def test_the_last_of_a_month_and_a_day_that_it_has_not():
    last = exception("2026-09-01", "2026-11-30", Type=5, Period=1, MonthItem=8, MonthPosition=4)
    short = exception("2027-02-01", "2027-02-28", Type=4, Period=1, MonthDay=31)
    held = office(Exceptions={"Exception": [last, short]})
    assert days(calendars(held)["1"]) == ["2026-09-25", "2026-10-30", "2026-11-27", "2027-02-28"]


def test_real_recurrences_are_the_days_that_the_file_lists():
    """A recurring exception and the same days listed one by one, as Microsoft Project writes both."""
    pattern = exception("2002-01-01", "2002-10-08", Type=5, Period=3, MonthItem=5, MonthPosition=1, Occurrences=4,
                        EnteredByOccurrences=1)  # fmt: skip
    held = office(Exceptions={"Exception": [pattern]})
    assert days(calendars(held)["1"]) == ["2002-01-08", "2002-04-09", "2002-07-09", "2002-10-08"]


def test_work_weeks_change_the_days_that_they_name():
    times = {"TimePeriod": {"FromDate": "2026-09-07T00:00:00", "ToDate": "2026-09-13T23:59:00"},
             "WeekDays": {"WeekDay": [week_day(6, MORNING), week_day(7, MORNING)]}}  # fmt: skip
    (calendar,) = calendars(office(WorkWeeks={"WorkWeek": [times]})).values()
    assert calendar.exceptions == {
        date(2026, 9, 11): ((8 * HOUR, 12 * HOUR),),
        date(2026, 9, 12): ((8 * HOUR, 12 * HOUR),),
    }


def test_a_derived_calendar_takes_what_it_does_not_say():
    base = office(Exceptions={"Exception": [exception("2026-12-25", "2026-12-25")]})
    derived = {"UID": 2, "Name": "Crew", "BaseCalendarUID": 1, "WeekDays": {"WeekDay": [week_day(7, SHIFTS)]},
               "Exceptions": {"Exception": [exception("2026-12-28", "2026-12-28")]}}  # fmt: skip
    held = calendars(base, derived)
    assert held["2"].week == (EIGHT,) * 6 + ((),)
    assert days(held["2"]) == ["2026-12-25", "2026-12-28"]
    assert days(held["1"]) == ["2026-12-25"]


def test_calendars_that_derive_from_each_other_are_told():
    one = {"UID": 1, "Name": "One", "BaseCalendarUID": 2}
    two = {"UID": 2, "Name": "Two", "BaseCalendarUID": 1}
    (project,) = read_mspdi(document(task(1), calendars=[one, two]), "plan.xml")
    assert project.calendars["1"].week == (EIGHT,) * 5 + ((), ())
    assert "calendar" in {found.code for found in project.findings}


def assigned(**more):
    resources = [{"UID": 7, "Name": "Crew", "Type": 1, "CalendarUID": 2}, {"UID": 8, "Name": "Cable", "Type": 0}]
    work = [{"TaskUID": 1, "ResourceUID": 7, "Units": 1}, {"TaskUID": 1, "ResourceUID": 8, "Units": 50},
            {"TaskUID": 2, "ResourceUID": -65535, "Units": 1}]  # fmt: skip
    seven = office(2, Name="Seven", WeekDays={"WeekDay": [week_day(number, SHIFTS) for number in range(1, 8)]})
    every_other = office(
        3, Name="Mornings", WeekDays={"WeekDay": [week_day(number, MORNING) for number in range(2, 8)]}
    )
    (project,) = read_mspdi(
        document(task(1, 48, **more), task(2), calendars=[office(), seven, every_other], resources=resources,
                 assignments=work), "plan.xml"
    )  # fmt: skip
    return project


def test_a_task_works_when_its_resource_works():
    project = assigned(Type=0)
    assert project.activities["calendar"].to_list() == ["2", "1"]
    assert project.activities["resources"].to_list() == [2, 0]
    assert project.activities["owner"].to_list() == ["Crew; Cable", None]


def test_a_task_of_fixed_duration_or_with_its_own_calendar_alone_does_not():
    assert assigned(Type=1).activities["calendar"][0] == "1"
    assert assigned(Type=0, CalendarUID=3, IgnoreResourceCalendar=1).activities["calendar"][0] == "3"


def test_its_own_calendar_and_that_of_its_resource_hold_together():
    project = assigned(Type=0, CalendarUID=3)
    both = project.calendars[project.activities["calendar"][0]]
    assert both.week == (((8 * HOUR, 12 * HOUR),),) * 6 + ((),)


def test_a_file_without_resources_tells_nothing_of_them():
    (project,) = read_mspdi(document(task(1), resources=[{"UID": 0}]), "plan.xml")
    assert project.activities["resources"].to_list() == [None]


def test_a_break_in_the_work_moves_the_finish():
    spans = [("07T08", "08T08", 8), ("08T08", "09T08", 0), ("09T08", "10T08", 8)]
    data = [
        {"Type": 1, "Start": f"2026-09-{start}:00:00", "Finish": f"2026-09-{end}:00:00", "Value": f"PT{hours}H0M0S"}
        for start, end, hours in spans
    ]
    split = task(1, 16, Start="2026-09-07T08:00:00", Finish="2026-09-09T17:00:00")
    work = [{"TaskUID": 1, "ResourceUID": -65535, "TimephasedData": data}]
    (project,) = read_mspdi(document(split, assignments=work), "plan.xml")
    assert project.activities.select("duration_s", "remaining_s").row(0) == (16 * HOUR, 24 * HOUR)
    assert schedule(project).frame()["early_finish"][0] == datetime(2026, 9, 9, 17)
    (plain,) = read_mspdi(document(split), "plan.xml")
    assert plain.activities["remaining_s"].to_list() == [16 * HOUR]
