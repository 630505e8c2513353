"""Random networks with all link types, lags, leads, calendars and constraints, against a plain slow reference."""

from datetime import date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schedule.projects import EVERY_DAY, OFFICE, project
from tests.schedule.slow_reference import Slow
from turnup.schedule.model import HOUR, LINK_TYPES, Options, WorkCalendar
from turnup.schedule.passes import schedule
from turnup.schedule.working_time import ALWAYS

NIGHTS = WorkCalendar("nights", (((0, 6 * HOUR), (22 * HOUR, 24 * HOUR)),) * 6 + ((),))
CALENDARS = {
    "office": WorkCalendar("office", OFFICE.week, {date(2026, 1, 12): (), date(2026, 1, 17): OFFICE.week[0]}),
    "every day": EVERY_DAY,
    "nights": NIGHTS,
    "24h elapsed": ALWAYS,
}  # fmt: skip
ORIGIN = datetime(2026, 1, 7, 10)
RULES = ("predecessor", "successor", "project", "elapsed")


@st.composite
def networks(draw, calendars=tuple(CALENDARS)):
    size = draw(st.integers(1, 9))
    activities = {
        f"A{n}": {"hours": draw(st.integers(1, 40)), "calendar": draw(st.sampled_from(calendars))} for n in range(size)
    }
    places = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    pairs = draw(st.lists(places, max_size=14))
    links = [
        {
            "pred": f"A{min(pair)}", "succ": f"A{max(pair)}", "kind": draw(st.sampled_from(LINK_TYPES)),
            "lag": draw(st.sampled_from((0, 0, 0, 3, 8, 30, -2, -9))), "elapsed": draw(st.booleans()),
        }
        for pair in pairs
        if pair[0] != pair[1]
    ]  # fmt: skip
    return activities, links, draw(st.sampled_from(RULES))


def resolved(activities, links, rule):
    names = {
        "predecessor": lambda link: activities[link["pred"]]["calendar"],
        "successor": lambda link: activities[link["succ"]]["calendar"],
        "project": lambda _: "office",
        "elapsed": lambda _: "24h elapsed",
    }
    return [link | {"lag_calendar": "24h elapsed" if link["elapsed"] else names[rule](link)} for link in links]


def as_project(activities, links, rule, **more):
    rows = [
        {"id": code, "code": code, "kind": "task", "status": "not_started", "calendar": a["calendar"],
         "duration_s": a["hours"] * HOUR, "remaining_s": a["hours"] * HOUR} | a.get("columns", {})
        for code, a in activities.items()
    ]  # fmt: skip
    given_links = [
        {"pred": k["pred"], "succ": k["succ"], "type": LINK_TYPES.index(k["kind"]), "lag_s": k["lag"] * HOUR,
         "elapsed": k["elapsed"], "external": False}
        for k in links
    ]  # fmt: skip
    calendars = {name: calendar for name, calendar in CALENDARS.items() if name != "24h elapsed"}
    return project(rows, given_links, calendars=calendars, data_date=ORIGIN, options=Options(lag_calendar=rule), **more)


@settings(max_examples=120, deadline=None)
@given(networks())
def test_dates_and_floats_are_those_of_the_slow_reference(network):
    activities, links, rule = network
    slow = Slow(CALENDARS, activities, resolved(activities, links, rule), ORIGIN)
    start = slow.early()
    finish, last = slow.late(start)
    found = schedule(as_project(activities, links, rule)).frame()
    for row in found.iter_rows(named=True):
        hours, code = slow.of(row["code"]), row["code"]
        length = activities[code]["hours"]
        assert hours.count(row["early_start"]) == start[code]
        assert row["early_finish"] == hours.end(start[code] + length)
        assert hours.count(row["late_finish"]) == finish[code]
        assert row["total_float_s"] == (finish[code] - start[code] - length) * HOUR
    assert found["early_finish"].max() == last


@settings(max_examples=30, deadline=None)
@given(networks(calendars=("every day",)), st.randoms(use_true_random=False))
def test_the_order_of_the_file_does_not_matter(network, random):
    activities, links, rule = network
    names = list(activities)
    random.shuffle(names)
    shuffled = random.sample(links, len(links))
    one = schedule(as_project(activities, links, rule)).frame().sort("code")
    other = schedule(as_project({name: activities[name] for name in names}, shuffled, rule)).frame().sort("code")
    assert one.equals(other)


@settings(max_examples=30, deadline=None)
@given(networks(calendars=("office", "every day")))
def test_longest_path_leads_to_the_last_finish_and_free_float_is_at_most_total_float(network):
    activities, links, rule = network
    found = schedule(as_project(activities, [link | {"elapsed": False} for link in links], rule)).frame()
    last = found["early_finish"].max()
    assert found.filter(found["longest_path"])["early_finish"].max() == last
    assert (found["free_float_s"] <= found["total_float_s"]).all()


@settings(max_examples=25, deadline=None)
@given(networks(calendars=("office",)), st.integers(0, 20))
def test_a_must_finish_moves_every_float_by_the_same_working_time(network, later):
    activities, links, _ = network
    links = [link | {"elapsed": False} for link in links]
    free = schedule(as_project(activities, links, "predecessor")).frame()
    last = free["early_finish"].max()
    slow = Slow(CALENDARS, activities, [], ORIGIN).hours["office"]
    must = slow.end(slow.count(last) + later)
    bound = schedule(as_project(activities, links, "predecessor", must_finish=must)).frame()
    assert (bound["total_float_s"] - free["total_float_s"]).to_list() == [later * HOUR] * len(activities)
