"""Calendars of Primavera: clndr_data as it is written, part-day exceptions, what is derived and what is broken."""

from datetime import date, datetime

import pytest

from tests.formats.schedule.xer_text import CALENDAR, PROJECT, small, task
from turnup.formats.schedule.p6_calendar import BrokenCalendar, read_clndr_data
from turnup.formats.schedule.xer import read_xer
from turnup.schedule.model import DAY, HOUR
from turnup.schedule.passes import schedule

EIGHT = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))


def data(week: str = "", exceptions: str = "") -> str:
    return f"(0||CalendarData()(\x7f  (0||DaysOfWeek()({week}))\x7f  (0||Exceptions()({exceptions}))))"


def day(number: int, *shifts: str) -> str:
    written = "".join(f"\x7f   (0||{place}({shift})())" for place, shift in enumerate(shifts))
    return f"\x7f (0||{number}()({written}))"


WORKED = "".join(day(number, "s|08:00|f|12:00", "s|13:00|f|17:00") for number in range(2, 7))


def holiday(serial: int, *shifts: str) -> str:
    return f"(0||0(d|{serial})({''.join(f'(0||0({shift})())' for shift in shifts)}))"


def test_days_begin_on_sunday_and_lines_end_with_0x7f():
    week, exceptions = read_clndr_data(data(day(1, "s|10:00|f|14:00") + day(2, "f|16:00|s|08:00") + day(7)))
    assert week == (((8 * HOUR, 16 * HOUR),), (), (), (), (), (), ((10 * HOUR, 14 * HOUR),))
    assert exceptions == {}


@pytest.mark.parametrize(
    ("written", "shifts"),
    [
        (["s|00:00|f|00:00"], ((0, DAY),)),
        (["s|16:00|f|00:00"], ((16 * HOUR, DAY),)),
        (["s|1:00|f|12:00", "s|13:00|f|0:00"], ((HOUR, 12 * HOUR), (13 * HOUR, DAY))),
        (["s|08:00 AM|f|12:00 PM", "s|01:00 PM|f|05:00 PM"], EIGHT),
        (["s|13:00|f|17:00", "s|08:00|f|12:00"], EIGHT),
        (["s|08:00|f|12:00", "s|12:00|f|16:00"], ((8 * HOUR, 16 * HOUR),)),
        (["s|08:00|f|14:00", "s|12:00|f|16:00"], ((8 * HOUR, 16 * HOUR),)),
        (["s|08:00|f|08:00"], ()),
        (["s|07:30:30|f|08:00"], ((7 * HOUR + 1830, 8 * HOUR),)),
    ],
)
def test_shifts(written, shifts):
    week, _ = read_clndr_data(data(day(4, *written)))
    assert week[2] == shifts


def test_exceptions_of_part_days_are_part_days():
    """44047 is Tuesday 4 August 2020; two days off, two half days; 40 hours from Monday end on Wednesday 12 August."""
    half = "s|08:00|f|12:00"
    text = data(WORKED, holiday(44047) + holiday(44048) + holiday(44049, half) + holiday(44050, half))
    _, exceptions = read_clndr_data(text)
    worked = ((8 * HOUR, 12 * HOUR),)
    assert exceptions == {
        date(2020, 8, 4): (), date(2020, 8, 5): (), date(2020, 8, 6): worked, date(2020, 8, 7): worked
    }  # fmt: skip
    project = {**PROJECT, "last_recalc_date": "2020-08-03 08:00", "plan_start_date": "2020-08-03 08:00"}
    (made,) = read_xer(small(project=project, calendar={**CALENDAR, "clndr_data": text}), "a.xer")
    assert schedule(made).frame()["early_finish"][0] == datetime(2020, 8, 12, 17)


def test_every_day_of_a_week_off_is_off():
    _, exceptions = read_clndr_data(data(WORKED, "".join(map(holiday, range(43318, 43323)))))
    assert exceptions == {date(2018, 8, number): () for number in range(6, 11)}


@pytest.mark.parametrize("name", ["CalendarData", ""])
def test_views_and_names_do_not_matter(name):
    week, _ = read_clndr_data(f"(0||{name}()((0||VIEW(ShowTotal|N)())(0||DaysOfWeek()({WORKED}))(0||Exceptions()())))")
    assert week == (EIGHT,) * 5 + ((), ())


def test_a_text_without_days_tells_no_week():
    assert read_clndr_data("(0||CalendarData()())") == (None, {})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(0||CalendarData()(", "cut after 19 characters"),
        (data(WORKED)[:-4], "cut"),
        ("", "cut after 0"),
        ("<xml/>", "character 1"),
        (data(day(8, "s|08:00|f|12:00")), "'8'"),
        (data(day(2, "s|25:00|f|26:00")), "'25:00'"),
        (data(day(2, "s|08:00")), "no time of day"),
        (data(day(2, "s|22:00|f|06:00")), "22:00-06:00"),
        (data(WORKED, holiday(10**12)), "no day number"),
        (data(WORKED, "(0||0(d|x)())"), "'x'"),
    ],
)
def test_broken_texts_say_what_is_wrong(text, says):
    with pytest.raises(BrokenCalendar, match=says.replace("(", r"\(")):
        read_clndr_data(text)


def calendars(*rows: dict[str, object], on: str = "2"):
    tables = {"CALENDAR": [CALENDAR, *rows], "TASK": [task(100, clndr_id=on)]}
    (project,) = read_xer(small(**tables), "a.xer")
    return project


def codes(project) -> list[str]:
    return [finding.code for finding in project.findings]


def test_a_broken_calendar_is_named_and_the_project_calendar_taken():
    project = calendars({"clndr_id": "2", "clndr_name": "Nights", "clndr_data": "(0||CalendarData()("})
    assert project.activities["calendar"].to_list() == ["1"]
    (finding,) = project.findings
    assert finding.code == "calendar_unreadable"
    assert "'Nights' (2)" in finding.message
    assert "cut after 19 characters; the activities on it (1) take" in finding.message
    assert finding.row == 8


def test_a_calendar_that_never_works_is_broken():
    project = calendars(
        {"clndr_id": "2", "clndr_name": "Never", "clndr_data": data(day(1), holiday(44049, "s|8:00|f|9:00"))}
    )
    assert codes(project) == ["calendar_unreadable"]


def test_a_derived_calendar_has_the_exceptions_of_its_base():
    base = {"clndr_id": "3", "clndr_name": "Base", "clndr_data": data(WORKED, holiday(46028) + holiday(46029))}
    own = {"clndr_id": "2", "clndr_name": "Own", "base_clndr_id": "3",
           "clndr_data": data(day(7, "s|8:00|f|9:00"), holiday(46029, "s|8:00|f|10:00"))}  # fmt: skip
    project = calendars(own, base)
    derived = project.calendars["2"]
    assert derived.week == ((),) * 5 + (((8 * HOUR, 9 * HOUR),), ())
    assert derived.exceptions == {date(2026, 1, 6): (), date(2026, 1, 7): ((8 * HOUR, 10 * HOUR),)}
    assert codes(project) == []


def test_without_a_week_of_its_own_a_calendar_has_its_base_week():
    project = calendars({"clndr_id": "2", "clndr_name": "Own", "base_clndr_id": "1", "clndr_data": "(0||()())"})
    assert project.calendars["2"].week == (EIGHT,) * 5 + ((), ())


def test_bases_in_a_loop_and_bases_that_are_missing():
    loop = [{"clndr_id": one, "clndr_name": one, "base_clndr_id": other, "clndr_data": data(WORKED)}
            for one, other in (("2", "3"), ("3", "2"))]  # fmt: skip
    assert codes(calendars(*loop)) == []
    project = calendars({"clndr_id": "2", "clndr_name": "Own", "base_clndr_id": "99", "clndr_data": data(WORKED)})
    assert codes(project) == ["calendar_without_base"]


def test_hours_of_a_day_come_from_the_file_else_from_the_week():
    project = calendars(
        {"clndr_id": "2", "clndr_name": "Own", "day_hr_cnt": "10", "week_hr_cnt": "", "clndr_data": data(WORKED)}
    )
    calendar = project.calendars["2"]
    assert (calendar.hours_per_day, calendar.hours_per_week, calendar.hours_per_month) == (10.0, 40.0, 160.0)


def test_an_exception_in_the_year_9999_is_left_out():
    project = calendars(
        {"clndr_id": "2", "clndr_name": "Own", "clndr_data": data(WORKED, holiday(2958465) + holiday(46028))}
    )
    assert project.calendars["2"].exceptions == {date(2026, 1, 6): ()}
    assert codes(project) == ["exception_far"]


def test_without_any_calendar_the_week_of_p6_is_taken():
    (project,) = read_xer(small(CALENDAR=[]), "a.xer")
    assert project.calendars[project.default_calendar].week == (((8 * HOUR, 16 * HOUR),),) * 5 + ((), ())
    assert codes(project) == ["calendar_unknown", "calendar_unknown"]
