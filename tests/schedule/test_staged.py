"""Projects from rows of the warehouse: the same network as before they were written, and plain tables as projects."""

from dataclasses import fields, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from expectations.contract import load_contracts
from tests.formats.schedule.typed_rows import through_the_warehouse
from tests.schedule.projects import EVERY_DAY, MONDAY, OFFICE, WORKDAY, activity, link, project, workday
from turnup.schedule.columns import project_qualified, shifts_of, shifts_text
from turnup.schedule.model import ACTIVITY, DAY, ELAPSED, HOUR, LINK, MS_PROJECT, Options, WorkCalendar
from turnup.schedule.passes import schedule
from turnup.schedule.staged import Defaults, office_calendar, projects_of
from turnup.schedule.words import constraint_of

KINDS = ["task", "resource_dependent", "start_milestone", "finish_milestone", "level_of_effort", "summary"]
CONSTRAINTS = ["start_on", "start_no_earlier", "finish_on", "finish_no_later", "mandatory_start", "as_late_as_possible"]

moments = st.integers(0, 3 * 365 * 86_400).map(lambda seconds: datetime(2025, 1, 1) + timedelta(seconds=seconds))
seconds = st.integers(0, 10**8)
shift_lists = st.lists(st.integers(0, 1440), unique=True, max_size=6).map(
    lambda marks: tuple(zip(*[iter(sorted(mark * 60 for mark in marks))] * 2, strict=False))
)
weeks = st.lists(shift_lists, min_size=7, max_size=7).map(tuple)
days = st.integers(0, 2000).map(lambda number: date(2025, 1, 1) + timedelta(days=number))
calendars = st.builds(
    WorkCalendar, st.text("abc xyz", min_size=1, max_size=8).map(str.strip).filter(bool), weeks,
    st.dictionaries(days, shift_lists, max_size=4), st.sampled_from([8.0, 7.5, 10.0]),
)  # fmt: skip


def maybe(strategy):
    return st.none() | strategy


@st.composite
def activities(draw, number):
    code = f"A{number}"
    status, duration = draw(st.sampled_from(["not_started", "completed"])), draw(maybe(seconds))
    # What remains follows from the rest where no row says it.
    left = 0 if status == "completed" else draw(maybe(seconds) if duration is None else seconds)
    return {
        "id": code, "code": draw(st.sampled_from([code, "77"])), "name": draw(st.sampled_from(["Rack", "Cable, 2"])),
        "kind": draw(st.sampled_from(KINDS)), "status": status,
        "calendar": draw(st.sampled_from(["office", "every day", ELAPSED])), "manual": draw(st.booleans()),
        "duration_s": duration, "remaining_s": left,
        "constraint": draw(maybe(st.sampled_from(CONSTRAINTS))), "percent": draw(maybe(st.integers(0, 100).map(float))),
        "constraint_2": draw(maybe(st.sampled_from(CONSTRAINTS))), "system": draw(maybe(st.just("ord1"))),
        "resources": draw(maybe(st.integers(0, 9))), "total_float_s": draw(maybe(st.integers(-(10**8), 10**8))),
        "critical": draw(maybe(st.booleans())), "rolling_wave": draw(maybe(st.booleans())),
        **{name: draw(maybe(moments)) for name, kind in ACTIVITY.items() if kind == pl.Datetime("us")},
    }  # fmt: skip


@st.composite
def projects(draw):
    rows = [draw(activities(number)) for number in range(12)]
    pairs = draw(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), unique=True, max_size=12))
    links = [
        {"pred": f"A{a}", "succ": f"A{b}", "type": draw(st.integers(0, 3)), "elapsed": draw(st.booleans()),
         "external": False, "lag_percent": (percent := draw(maybe(st.integers(-99, 99).map(float)))),
         "lag_s": 0 if percent is not None else draw(st.integers(-(10**7), 10**7))}
        for a, b in pairs
    ]  # fmt: skip
    options = draw(st.sampled_from([Options(), MS_PROJECT, replace(Options(), critical_float=5400)]))
    held = {"office": OFFICE, "every day": EVERY_DAY, "odd": draw(calendars)}
    dates = {name: draw(maybe(moments)) for name in ("data_date", "planned_start", "must_finish", "stored_finish")}
    return project(rows, links, options=options, calendars=held, tool="table", **dates)


def compared(found, names):
    """A project as it compares: ids as the warehouse makes them, the order of exceptions no matter."""
    qualified = {id_: project_qualified(found.id, id_) for id_ in found.activities["id"]}
    ids = qualified if names else {id_: id_ for id_ in found.activities["id"]}
    own = found.activities.with_columns(pl.col("id").replace(ids), pl.col("parent").replace(ids))
    links = found.links.with_columns(pl.col("pred").replace(ids), pl.col("succ").replace(ids))
    days = {key: (each.week, dict(sorted(each.exceptions.items())), each.name, each.hours_per_day)
            for key, each in sorted(found.calendars.items())}  # fmt: skip
    times = (found.data_date, found.planned_start, found.must_finish, found.stored_finish)
    return own.rows(), links.sort("row").rows(), days, found.options, times, found.default_calendar, found.tool


@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(projects())
def test_a_project_is_the_same_after_the_warehouse(original):
    (found,) = through_the_warehouse(original)
    assert compared(found, names=False) == compared(original, names=True)


def test_several_projects_keep_their_own_activities_and_the_links_between_them():
    one = project([activity("A", 5)], id="P")
    cross = link("A", "B") | {"pred_project": "P"}
    two = project([activity("A", 1), activity("B", 2)], [cross], id="Q")
    first, second = through_the_warehouse(one, two)
    assert first.activities["id"].to_list() == ["P/A"]
    assert second.activities["id"].to_list() == ["Q/A", "Q/B"]
    assert second.links.select("pred", "succ", "pred_project", "external").row(0) == ("P/A", "Q/B", "P", False)
    starts = schedule(first, second).frame().select("id", "early_start").rows()
    assert dict(starts)["Q/B"] == workday(6, 8)


def test_primavera_is_known_by_codes_and_microsoft_by_ids():
    coded = [activity("1", 1) | {"code": "A100"}, activity("2", 1) | {"code": "A110"}]
    (of_p6,) = through_the_warehouse(project(coded, [link("1", "2")], tool="p6"))
    assert of_p6.activities.select("id", "code").rows() == [("P/A100", "A100"), ("P/A110", "A110")]
    assert of_p6.links["pred"].to_list() == ["P/A100"]
    (of_ms,) = through_the_warehouse(project(coded, tool="msproject"))
    assert of_ms.activities.select("id", "code").rows() == [("P/1", "A100"), ("P/2", "A110")]
    twice = [activity("1", 1) | {"code": "A100"}, activity("2", 1) | {"code": "a100"}]
    (repeated,) = through_the_warehouse(project(twice, tool="p6"))
    assert repeated.activities["id"].to_list() == ["P/1", "P/2"]


def test_external_links_stay_external():
    outside = link("Z9", "A") | {"external": True}
    (found,) = through_the_warehouse(project([activity("A", 1)], [outside]))
    assert found.links.select("pred", "external").rows() == [("Z9", True)]
    assert found.findings == ()


def plain(*rows):
    """Rows of a plain table as the warehouse has them."""
    kinds = {"task": pl.String(), "name": pl.String(), "duration_d": pl.Decimal(18, 3), "start": pl.Date(),
             "finish": pl.Date(), "percent": pl.Decimal(18, 3), "constraint_type": pl.String(),
             "constraint_date": pl.Date(), "calendar": pl.String(), "remaining_d": pl.Decimal(18, 3)}  # fmt: skip
    held = [{"name": row["task"], **row} for row in rows]
    return pl.DataFrame([[row.get(name) for name in kinds] for row in held], schema=kinds, orient="row")


def plain_links(*rows):
    kinds = {"pred": pl.String(), "succ": pl.String(), "type": pl.String(), "lag_d": pl.Decimal(18, 3)}
    return pl.DataFrame([list(row) for row in rows], schema=kinds, orient="row")


def test_a_plain_table_is_a_project():
    tasks = plain(
        {"task": "A", "duration_d": Decimal(5), "start": date(2026, 1, 5)}, {"task": "B", "duration_d": Decimal("2.5")},
        {"task": "M", "duration_d": Decimal(0)},
    )  # fmt: skip
    links = plain_links(("a", "B", "FS", Decimal(1)), ("B", "M", "FS", None))
    (found,) = projects_of(tasks, links)
    assert (found.id, found.tool, found.default_calendar) == ("main", "table", "office")
    assert found.activities.select("id", "kind", "duration_s", "remaining_s").rows() == [
        ("A", "task", 5 * WORKDAY, 5 * WORKDAY), ("B", "task", 20 * HOUR, 20 * HOUR), ("M", "finish_milestone", 0, 0),
    ]  # fmt: skip
    assert found.links.select("pred", "succ", "lag_s").rows() == [("A", "B", WORKDAY), ("B", "M", 0)]
    early = dict(schedule(replace(found, data_date=MONDAY)).frame().select("id", "early_finish").rows())
    assert early["M"] == workday(9, 12)


@given(st.permutations(range(6)))
def test_in_which_order_the_links_of_one_cell_are_kept_changes_nothing(order):
    tasks = plain(*({"task": name, "duration_d": Decimal(1), "start": date(2026, 1, 5)} for name in "ABCDE"))
    rows = [("A", "D", 1), ("B", "D", 1), ("C", "D", 1), ("A", "E", 2), ("B", "E", 2), ("D", "E", 3)]
    kinds = {"pred": pl.String(), "succ": pl.String(), "_row": pl.Int64()}
    links = [pl.DataFrame([rows[at] for at in places], schema=kinds, orient="row") for places in (range(6), order)]
    (one,), (other,) = (projects_of(tasks, each) for each in links)
    assert one.links.equals(other.links)


def test_holidays_of_the_programme_are_no_working_days():
    tasks = plain({"task": "A", "duration_d": Decimal(5), "start": date(2026, 1, 5)})
    calendar = office_calendar([date(2026, 1, 7)])
    (found,) = projects_of(tasks, defaults=Defaults(calendar, MONDAY))
    assert schedule(found).frame()["early_finish"][0] == workday(6)
    assert found.data_date == MONDAY


def test_progress_of_a_plain_table():
    tasks = plain(
        {"task": "A", "duration_d": Decimal(4), "percent": Decimal(100), "start": date(2026, 1, 5),
         "finish": date(2026, 1, 8)},
        {"task": "B", "duration_d": Decimal(4), "percent": Decimal(25), "start": date(2026, 1, 6)},
        {"task": "C", "duration_d": Decimal(4), "percent": Decimal(25), "remaining_d": Decimal(1)},
        {"task": "D", "duration_d": Decimal(4), "percent": Decimal(0), "start": date(2026, 1, 6)},
    )  # fmt: skip
    (found,) = projects_of(tasks)
    assert found.activities.select("status", "actual_start", "actual_finish", "remaining_s").rows() == [
        ("completed", datetime(2026, 1, 5, 8), datetime(2026, 1, 8, 17), 0),
        ("in_progress", datetime(2026, 1, 6, 8), None, 3 * WORKDAY),
        ("in_progress", None, None, WORKDAY),
        ("not_started", None, None, 4 * WORKDAY),
    ]


def test_constraints_in_the_words_of_every_tool():
    tasks = plain(
        {"task": "A", "duration_d": Decimal(1), "constraint_type": "Start No Earlier Than",
         "constraint_date": date(2026, 1, 12)},
        {"task": "B", "duration_d": Decimal(1), "constraint_type": "CS_MEOB", "constraint_date": date(2026, 1, 12)},
        {"task": "C", "duration_d": Decimal(1), "constraint_type": "As Soon As Possible"},
        {"task": "D", "duration_d": Decimal(1), "constraint_type": "whenever"},
    )  # fmt: skip
    (found,) = projects_of(tasks)
    assert found.activities.select("constraint", "constraint_date").rows() == [
        ("start_no_earlier", datetime(2026, 1, 12, 8)), ("finish_no_later", datetime(2026, 1, 12, 17)), (None, None),
        (None, None),
    ]  # fmt: skip
    assert [(each.code, each.value) for each in found.findings] == [("constraint", "whenever")]


def test_links_without_tasks_are_told():
    tasks = plain({"task": "A", "duration_d": Decimal(1)})
    (found,) = projects_of(tasks, plain_links(("A", "X", "FS", None), ("Y", "A", "SS", None)))
    assert found.links.select("pred", "succ", "external").rows() == [("Y", "A", True)]
    assert [(each.column, each.value) for each in found.findings] == [("succ", "X"), ("pred", "Y")]


def test_calendars_of_a_plain_table():
    tasks = plain({"task": "A", "duration_d": Decimal(2), "calendar": "SITE"}, {"task": "B", "duration_d": Decimal(1)})
    rows = [("site", "monday", "07:00-17:00"), ("site", "tuesday", "07:00-12:00, 13:00-18:00"),
            ("site", "2026-01-12", "off"), ("site", "someday", "off"), ("site", "friday", "17:00-07:00")]  # fmt: skip
    days = pl.DataFrame(rows, schema=["calendar", "day", "shifts"], orient="row").with_columns(
        hours_per_day=pl.lit(10.0)
    )
    (found,) = projects_of(tasks, None, days, defaults=Defaults(office_calendar()))
    site = found.calendars["site"]
    assert (site.week[0], site.week[1][1], site.week[4]) == (((7 * HOUR, 17 * HOUR),), (13 * HOUR, 18 * HOUR), ())
    assert site.exceptions == {date(2026, 1, 12): ()}
    assert found.default_calendar == "site"
    assert found.activities["duration_s"].to_list() == [20 * HOUR, 10 * HOUR]
    assert [each.code for each in found.findings] == ["calendar_day", "calendar_day"]


@given(shift_lists)
def test_shifts_survive_being_written(shifts):
    assert shifts_of(shifts_text(shifts)) == shifts


@pytest.mark.parametrize("text", ["", "8-17", "08:00-25:00", "08:00-12:00,11:00-17:00", "12:00-08:00", "08:00"])
def test_no_shifts(text):
    with pytest.raises(ValueError, match="'"):
        shifts_of(text)


def test_no_rows_are_no_project():
    assert projects_of(plain()) == ()


def test_every_column_of_the_model_has_its_column_in_the_datasets():
    """What is added to the model must reach the warehouse, or be known to stay away from it."""
    contracts = load_contracts()
    held = {column.name for column in contracts["schedule_projects"].columns}
    assert {option.name for option in fields(Options)} - {"critical_float"} <= held
    whole = {name: {"id": "A", "row": 1}.get(name) for name in ACTIVITY}
    assert set(whole) == set(ACTIVITY)
    assert set(LINK) == {"pred", "succ", "type", "lag_s", "elapsed", "lag_percent", "pred_project", "external", "row"}
    assert constraint_of("ASAP") is None
    assert shifts_text(((0, DAY),)) == "00:00-24:00"
