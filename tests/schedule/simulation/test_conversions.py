"""Tables of conversions against the clocks that they are made from."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.simulation.networks import CALENDARS, FIRST
from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.simulation.block_passes import carry_row
from turnup.schedule.simulation.conversions import SAME, Hours, Pairs
from turnup.schedule.working_time import carry_finish, carry_start, clocks_of, work_at

moments = st.integers(0, DAY // 60)


@st.composite
def calendars(draw):
    """A week of random shifts in whole minutes, or multiples of a quarter of an hour."""
    unit = draw(st.sampled_from((60, 900)))
    edges = sorted(draw(st.lists(st.integers(0, DAY // unit), min_size=2, max_size=6, unique=True)))
    shifts = tuple((first * unit, second * unit) for first, second in zip(edges[::2], edges[1::2], strict=False))
    days = draw(st.lists(st.booleans(), min_size=7, max_size=7).filter(any))
    return WorkCalendar("random", tuple(shifts if works else () for works in days))


def rows(tables, number, work, ends):
    row, found, entry = work.astype(np.int32), np.zeros(len(work), np.int32), np.zeros(len(work), np.int32)
    if number != SAME:
        carry_row(tables, number, ends, len(work), row, found, entry)
    return row.tolist()


def check(given_calendars, moments):
    clocks = clocks_of(given_calendars, FIRST, FIRST + 40 * DAY)
    first_day = FIRST // DAY - 5
    hours = Hours(clocks, first_day, 400)
    pairs = Pairs(hours)
    count = len(given_calendars)
    numbers = {(a, b): pairs.number(a, b) for a in range(count) for b in range(count)}
    tables = pairs.tables()
    for (a, b), number in numbers.items():
        zero, other = (work_at(clocks, calendar, first_day * DAY) for calendar in (a, b))
        # One second or more of work since the origin, so that the earliest instant lies behind it.
        work = np.clip(moments * hours.total(a) // 100_000, 1, hours.total(a) - 1)
        for ends, exact in ((1, carry_finish), (0, carry_start)):
            expected = [exact(clocks, a, b, int(each) + zero) - other for each in work]
            assert rows(tables, number, work, ends) == expected


def test_every_pair_of_the_test_calendars():
    spread = np.arange(1, 99_999, 37)
    check(CALENDARS, spread)


@given(calendars(), calendars(), st.lists(st.integers(0, 99_999), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_random_calendars(first, second, chosen):
    check((first, second), np.array(chosen))


def test_calendars_that_agree_are_one():
    hours = Hours(clocks_of(CALENDARS, FIRST, FIRST + 40 * DAY), FIRST // DAY, 300)
    assert hours.alike == [0, 1, 0, 3, 3]
    assert Pairs(hours).number(0, 2) == SAME


def test_shift_edges_belong_to_the_right_side():
    """Office hours to the clock: noon ends at 12:00 and starts again at 13:00."""
    office = CALENDARS[0]
    hours = Hours(clocks_of((office,), FIRST, FIRST + 9 * DAY), FIRST // DAY, 30)
    pairs = Pairs(hours)
    number = pairs.number(0, hours.elapsed)
    tables = pairs.tables()
    assert tables.step[number] == 4 * HOUR
    noon = np.array([4 * HOUR])
    assert rows(tables, number, noon, 1) == [12 * HOUR]
    assert rows(tables, number, noon, 0) == [13 * HOUR]
