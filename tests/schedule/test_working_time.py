"""Working time against a count of single minutes, and worked days by hand."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.working_time import (
    ALWAYS,
    carry_finish,
    carry_start,
    clocks_of,
    finish_instant,
    moment_of,
    seconds_of,
    start_instant,
    work_at,
)

OFFICE = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
FIVE_DAYS = WorkCalendar("office", (OFFICE,) * 5 + ((),) * 2)


def at(text: str) -> int:
    return seconds_of(datetime.fromisoformat(text))


def test_friday_evening_and_monday_morning_are_one_coordinate():
    clocks = clocks_of([FIVE_DAYS], at("2026-11-02"), at("2026-12-31"))
    friday, monday = at("2026-11-06T17:00"), at("2026-11-09T08:00")
    work = work_at(clocks, 0, friday)
    assert work == work_at(clocks, 0, monday)
    assert finish_instant(clocks, 0, work) == friday
    assert start_instant(clocks, 0, work) == monday


def test_part_day_exceptions_are_shifts_and_empty_ones_are_free():
    # Two free days and two half days: 40 h from Monday 08:00 end on Wednesday of the next week at 17:00.
    half = ((8 * HOUR, 12 * HOUR),)
    exceptions = {date(2020, 8, 4): (), date(2020, 8, 5): (), date(2020, 8, 6): half, date(2020, 8, 7): half}
    clocks = clocks_of([WorkCalendar("site", FIVE_DAYS.week, exceptions)], at("2020-08-03"), at("2020-08-30"))
    work = work_at(clocks, 0, at("2020-08-03T08:00")) + 40 * HOUR
    assert moment_of(finish_instant(clocks, 0, work)) == datetime(2020, 8, 12, 17)


def test_a_week_of_free_days_is_free_to_its_last_day():
    free = {date(2018, 8, day): () for day in range(6, 11)}
    clocks = clocks_of([WorkCalendar("site", FIVE_DAYS.week, free)], at("2018-08-01"), at("2018-08-31"))
    work = work_at(clocks, 0, at("2018-08-03T17:00"))
    assert moment_of(start_instant(clocks, 0, work)) == datetime(2018, 8, 13, 8)
    assert work_at(clocks, 0, at("2018-08-10T17:00")) == work


def test_elapsed_time_counts_every_second():
    clocks = clocks_of([ALWAYS], at("2025-01-01"), at("2025-02-01"))
    work = work_at(clocks, 0, at("2025-01-23T17:00")) + 7 * DAY
    assert moment_of(finish_instant(clocks, 0, work)) == datetime(2025, 1, 30, 17)


def test_a_week_without_work_is_refused():
    with pytest.raises(ValueError, match="'idle' has no working time"):
        clocks_of([WorkCalendar("idle", ((),) * 7)], 0, DAY)


def test_between_calendars_an_end_stays_an_end_and_a_start_a_start():
    clocks = clocks_of([FIVE_DAYS, ALWAYS], at("2026-11-02"), at("2026-12-31"))
    friday = work_at(clocks, 0, at("2026-11-06T17:00"))
    assert carry_finish(clocks, 0, 1, friday) == work_at(clocks, 1, at("2026-11-06T17:00"))
    assert carry_start(clocks, 0, 1, friday) == work_at(clocks, 1, at("2026-11-09T08:00"))


shift_edges = st.lists(st.integers(0, 24), min_size=0, max_size=6, unique=True).map(sorted)
day_shifts = shift_edges.map(
    lambda edges: tuple((a * HOUR, b * HOUR) for a, b in zip(edges[::2], edges[1::2], strict=False))
)


@st.composite
def work_calendars(draw):
    week = draw(st.lists(day_shifts, min_size=7, max_size=7).filter(any))
    days = draw(st.dictionaries(st.integers(0, 40), day_shifts, max_size=6))
    return WorkCalendar(
        "any", tuple(week), {date(2026, 1, 1) + timedelta(days=day): shifts for day, shifts in days.items()}
    )


def counted(calendar: WorkCalendar, start: datetime, end: datetime) -> int:
    """Working seconds between two whole hours, hour by hour."""
    total, moment = 0, start
    while moment < end:
        shifts = calendar.exceptions.get(moment.date(), calendar.week[moment.weekday()])
        total += HOUR * any(first <= moment.hour * HOUR < last for first, last in shifts)
        moment += timedelta(hours=1)
    return total


@settings(max_examples=150, deadline=None)
@given(work_calendars(), st.integers(-900, 1800), st.integers(0, 900))
def test_working_time_is_the_count_of_worked_hours_inside_and_beyond_the_horizon(calendar, offset, length):
    clocks = clocks_of([calendar], at("2026-01-05"), at("2026-02-05"))
    start = datetime(2026, 1, 5) + timedelta(hours=offset)
    end = start + timedelta(hours=length)
    worked = work_at(clocks, 0, seconds_of(end)) - work_at(clocks, 0, seconds_of(start))
    assert worked == counted(calendar, start, end)


@settings(max_examples=150, deadline=None)
@given(work_calendars(), st.integers(-(10**7), 10**7))
def test_both_instants_of_a_coordinate_have_it_and_nothing_is_worked_between_them(calendar, work):
    clocks = clocks_of([calendar], at("2026-01-05"), at("2026-02-05"))
    first, last = finish_instant(clocks, 0, work), start_instant(clocks, 0, work)
    assert first <= last
    assert work_at(clocks, 0, first) == work_at(clocks, 0, last) == work
    assert work_at(clocks, 0, first - 1) == work - 1
    assert work_at(clocks, 0, last + 1) == work + 1
