"""Microsoft Project's XML: real files and their stored dates, and what each element means."""

import ast
import re
from collections import Counter
from datetime import datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.schedule.mspdi_texts import document, task
from turnup.formats.model import FileRejected
from turnup.formats.schedule.mspdi import read_mspdi
from turnup.schedule.model import ELAPSED, HOUR, LINK_TYPES
from turnup.schedule.passes import schedule
from turnup.schedule.stored import DATES, FLOATS, compare_stored

DAY = 8 * HOUR
EXACT = {
    "mspdi/DefaultDurationFormat.xml": (1, 0),
    "mspdi/baselines.xml": (1, 0),
    "mspdi/mspdirelations.xml": (5, 4),
    "mspdi/task-baselines-2007.xml": (55, 0),
    "mspdi/task-durations-2007.xml": (110, 0),
    "mspdi/task-links-2007.xml": (16, 8),
    "mspdi/task-links-2010.xml": (16, 8),
    "converted/airport_66.mspdi.xml": (66, 84),
    "converted/mdl4ra_62.mspdi.xml": (62, 87),
}
"""Activities (without summaries) and links of the files whose stored dates all follow from what they hold."""


ANSWER = re.compile(
    r"tasks (\d+) \(null (\d+) summary (\d+) ms (\d+) manual (\d+)\) links (\d+) types (\{.*?\})"
    r" critical (\d+) start (\S+) finish (\S+)"
)


def only(data):
    (project,) = read_mspdi(data, "plan.xml")
    return project


def of(project, uid, *columns):
    row = project.activities.row(by_predicate=pl.col("id") == str(uid), named=True)
    return row[columns[0]] if len(columns) == 1 else tuple(row[column] for column in columns)


def links(project):
    return project.links.select("pred", "succ", "type", "lag_s", "elapsed", "lag_percent").rows()


@pytest.mark.parametrize("name", EXACT)
def test_dates_and_floats_of_real_files_are_ours(cases, name):
    file = cases / "schedule" / name
    project = only(file.read_bytes())
    tasks = project.activities["kind"] != "summary"
    assert (tasks.sum(), project.links.height) == EXACT[name]
    for each in compare_stored(schedule(project)):
        if each.field in (*DATES, *FLOATS) and each.compared:
            assert (each.field, each.equal) == (each.field, each.compared)


def test_answers_of_real_files(cases):
    lines = (cases / "schedule/ANSWERS.tsv").read_text(encoding="utf-8").splitlines()
    told = {line.split("\t")[0]: match.groups() for line in lines if (match := ANSWER.search(line)) is not None}
    assert len(told) == 9
    for name, (tasks, null, summaries, stones, manual, links, types, critical, start, finish) in told.items():
        project = only((cases / "schedule" / name).read_bytes())
        activities = project.activities
        kinds = Counter("milestone" if "milestone" in kind else kind for kind in activities["kind"])
        found = [activities.height, 0, kinds["summary"], kinds["milestone"], activities["manual"].sum()]
        assert (name, found) == (name, [int(each) for each in (tasks, null, summaries, stones, manual)])
        of_type = Counter(LINK_TYPES[kind] for kind in project.links["type"])
        assert (project.links.height, dict(of_type)) == (int(links), ast.literal_eval(types))
        assert activities["critical"].sum() == int(critical)
        assert project.planned_start == datetime.fromisoformat(start)
        assert project.stored_finish == datetime.fromisoformat(finish)


def test_resource_calendars_of_a_real_file_derive_from_the_standard(cases):
    calendars = only((cases / "schedule/mspdi/calendar-calendars-2019.xml").read_bytes()).calendars
    derived = [calendar for calendar in calendars.values() if calendar.name.startswith("Resource")]
    assert len(derived) == 2
    assert all(calendar.week == calendars["1"].week for calendar in derived)


def test_elapsed_durations_of_a_real_file_end_where_it_says(cases):
    project = only((cases / "schedule/mspdi/mspdiduration.xml").read_bytes())
    by_clock = project.activities.filter(calendar=ELAPSED)
    assert by_clock["duration_s"].to_list() == [60, HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR]
    fields = {each.field: (each.equal, each.compared) for each in compare_stored(schedule(project))}
    # Its late dates are those of an earlier calculation for four of ten tasks.
    assert fields["early_start"] == fields["early_finish"] == (10, 10)


def test_baseline_zero_is_the_baseline(cases):
    """The real file has baselines 0 to 10, each with a start on one task and a finish on another."""
    project = only((cases / "schedule/mspdi/task-baselines-2007.xml").read_bytes())
    tasks = project.activities.filter(pl.col("kind") != "summary")
    given = tasks.select("baseline_start", "baseline_finish", "baseline_duration_s").select(
        pl.all().is_not_null().sum()
    )
    assert given.row(0) == (1, 1, 1)
    assert only((cases / "schedule/mspdi/baselines.xml").read_bytes()).calendars["1"].hours_per_day == 7.5


def test_types_by_their_numbers_and_lags_in_tenths_of_a_minute():
    """The number of LinkLag means the same whatever unit LagFormat shows (public fault 9)."""
    project = only(document(
        task(1, 40), task(2, preds=[(1, 0, 0, 7)]), task(3, preds=[(1, 1, 14400, 7)]),
        task(4, preds=[(1, 2, -4800, 9)]),
        task(5, preds=[(1, 3, 14400, 11)]), task(6, preds=[(1, 1, 1080000, 8)]), task(7, preds=[(1, 1, 50, 19)]),
        task(8, preds=[(1, 1, -25, 20)]), task(9, preds=[(1, 1, 4800, 39), (2, 1, 14400, 40), (3, 1, 30, 51)]),
    ))  # fmt: skip
    assert links(project) == [
        ("1", "2", 2, 0, False, None),
        ("1", "3", 0, 3 * DAY, False, None),
        ("1", "4", 3, -DAY, False, None),
        ("1", "5", 1, 3 * DAY, False, None),
        ("1", "6", 0, 75 * 24 * HOUR, True, None),
        ("1", "7", 0, 0, False, 50.0),
        ("1", "8", 0, 0, True, -25.0),
        ("1", "9", 0, DAY, False, None),
        ("2", "9", 0, 24 * HOUR, True, None),
        ("3", "9", 0, 0, False, 30.0),
    ]


def test_an_elapsed_lag_runs_through_the_weekend_and_a_working_lag_does_not():
    """Public faults 8 and 17: a task done on Thursday, 7 elapsed days and 2 working days."""
    project = only(document(
        task(1, 32), task(2, preds=[(1, 1, 7 * 14400, 8)]), task(3, preds=[(1, 1, 7 * 4800, 7)]),
        task(4, preds=[(1, 1, 9600, 7)]), task(5, preds=[(1, 1, 55 * 14400, 8)]),
    ))  # fmt: skip
    start = dict(schedule(project).frame().select("id", "early_start").rows())
    # Done on Thursday 10 September at 17:00.
    assert start["2"] == datetime(2026, 9, 18, 8)
    assert start["3"] == datetime(2026, 9, 22, 8)
    assert start["4"] == datetime(2026, 9, 15, 8)
    assert start["5"] == datetime(2026, 11, 5, 8)


def test_a_type_that_there_is_not_makes_no_link():
    project = only(document(task(1), task(2, preds=[(1, 7, 0, 7)]), task(3, preds=[(1, 1, 0, 7)])))
    assert [(pred, succ) for pred, succ, *_ in links(project)] == [("1", "3")]
    assert [found.code for found in project.findings] == ["link_type"]


def test_links_out_of_the_file_are_kept_and_told():
    cross = {"PredecessorUID": 1, "Type": 1, "CrossProject": 1, "CrossProjectName": "C:\\plans\\net.mpp\\14"}
    project = only(document(task(1), task(2, preds=[(99, 1, 0, 7)]), task(3, PredecessorLink=[cross])))
    assert project.links.select("pred", "succ", "external").rows() == [
        ("99", "2", True),
        ("C:\\plans\\net.mpp\\14", "3", True),
    ]
    assert [found.code for found in project.findings] == ["external_link", "external_link"]


def test_a_task_of_another_project_stands_with_its_dates():
    ghost = task(5, ExternalTask=1, Start="2026-09-14T08:00:00", Finish="2026-09-15T17:00:00")
    link = {"PredecessorUID": 5, "Type": 1, "CrossProject": 1, "CrossProjectName": "net.mpp\\3"}
    project = only(document(ghost, task(6, PredecessorLink=[link])))
    assert of(project, 5, "manual")
    assert schedule(project).frame()["early_start"][1] == datetime(2026, 9, 16, 8)


def test_blank_and_inactive_rows_are_no_activities():
    inactive = task(3, Active=0, preds=[(1, 1, 0, 7)])
    project = only(document(task(1), task(2, IsNull=1), inactive, task(4, preds=[(3, 1, 0, 7), (1, 1, 0, 7)])))
    assert project.activities["id"].to_list() == ["1", "4"]
    assert [(pred, succ) for pred, succ, *_ in links(project)] == [("1", "4")]
    assert [found.code for found in project.findings] == ["inactive_task"]


def test_the_second_task_of_a_uid_is_told_and_left_out():
    project = only(document(task(1), task(1, 16), task(2, preds=[(1, 1, 0, 7)])))
    assert project.activities["duration_s"].to_list() == [DAY, DAY]
    assert [found.code for found in project.findings] == ["repeated_id"]


def test_summaries_hold_the_tasks_below_them():
    project = only(document(
        task(0, OutlineLevel=0), task(1, OutlineLevel=1, preds=[(4, 1, 0, 7)]), task(2, OutlineLevel=2),
        task(3, OutlineLevel=2), task(4, 16, OutlineLevel=1), task(5, 8, OutlineLevel=1, preds=[(1, 1, 0, 7)]),
    ))  # fmt: skip
    assert project.activities.select("id", "parent", "kind").rows() == [
        ("0", None, "summary"), ("1", "0", "summary"), ("2", "1", "task"), ("3", "1", "task"), ("4", "0", "task"),
        ("5", "0", "task"),
    ]  # fmt: skip
    start = dict(schedule(project).frame().select("id", "early_start").rows())
    # What follows a summary follows all of it, and a summary that follows something starts as a whole after it.
    assert (start["2"], start["3"]) == (datetime(2026, 9, 9, 8), datetime(2026, 9, 9, 8))
    assert start["5"] == datetime(2026, 9, 10, 8)


@pytest.mark.parametrize(
    ("number", "name", "early_start"),
    [
        (4, "start_no_earlier", datetime(2026, 9, 16, 8)),
        (2, "mandatory_start", datetime(2026, 9, 16, 8)),
        (6, "finish_no_earlier", datetime(2026, 9, 16, 8)),
        (3, "mandatory_finish", datetime(2026, 9, 16, 8)),
        (5, "start_no_later", datetime(2026, 9, 7, 8)),
        (7, "finish_no_later", datetime(2026, 9, 7, 8)),
    ],
)
def test_constraints(number, name, early_start):
    date = "2026-09-16T17:00:00" if "finish" in name else "2026-09-16T08:00:00"
    project = only(document(task(1, ConstraintType=number, ConstraintDate=date)))
    assert of(project, 1, "constraint") == name
    assert schedule(project).frame()["early_start"][0] == early_start


def test_no_constraint_and_as_late_as_possible_need_no_date():
    project = only(document(task(1, ConstraintType=0), task(2, ConstraintType=1), task(3, ConstraintType=4)))
    assert project.activities["constraint"].to_list() == [None, "as_late_as_possible", None]
    assert [found.code for found in project.findings] == ["constraint_date"]


def test_progress():
    started = {"PercentComplete": 25, "ActualStart": "2026-09-08T08:00:00", "RemainingDuration": "PT30H0M0S"}
    done = {"PercentComplete": 100, "ActualStart": "2026-09-07T08:00:00", "ActualFinish": "2026-09-07T17:00:00"}
    project = only(document(task(1, 40, **started), task(2, **done), task(3), StatusDate="2026-09-30T17:00:00"))
    assert project.activities.select("status", "remaining_s", "percent").rows() == [
        ("in_progress", 30 * HOUR, 25.0), ("completed", 0, 100.0), ("not_started", DAY, None),
    ]  # fmt: skip
    assert project.data_date == datetime(2026, 9, 30, 17)
    dates = schedule(project).frame().select("early_start", "early_finish").rows()
    # A status date does not move what has not been done by then.
    assert dates[0] == (datetime(2026, 9, 8, 8), datetime(2026, 9, 14, 17))
    assert dates[2] == (datetime(2026, 9, 7, 8), datetime(2026, 9, 7, 17))


def test_manual_tasks_keep_their_dates():
    kept = task(1, 8, Manual=1, Start="2026-09-09T10:00:00", Finish="2026-09-11T15:00:00")
    frame = schedule(only(document(kept, task(2, preds=[(1, 1, 0, 7)])))).frame()
    assert frame.select("early_start", "early_finish").row(0) == (datetime(2026, 9, 9, 10), datetime(2026, 9, 11, 15))
    assert frame["early_start"][1] == datetime(2026, 9, 11, 15)


def test_a_milestone_takes_no_time_whatever_it_is_called():
    project = only(document(task(1, 0), task(2, 0, preds=[(1, 1, 0, 7)]), task(3, 8, Milestone=1)))
    assert project.activities["kind"].to_list() == ["start_milestone", "finish_milestone", "task"]


def test_null_formats_are_the_projects_format():
    tasks = [task(number, 24, DurationFormat=form) for number, form in enumerate((21, 53, 7), start=1)]
    project = only(document(*tasks, DurationFormat=8))
    assert project.activities["calendar"].to_list() == [ELAPSED, ELAPSED, "1"]


def test_slack_and_costs():
    project = only(document(task(1, TotalSlack=96000, FreeSlack=-4800, Cost=12345, Critical=1)))
    assert of(project, 1, "total_float_s", "free_float_s", "cost", "critical") == (20 * DAY, -DAY, 123.45, True)
    assert of(only(document(task(1))), 1, "total_float_s", "critical") == (None, None)


def test_codes_from_extended_attributes_and_outline_codes():
    attributes = [{"FieldID": 10, "FieldName": "Text1", "Alias": "SYSTEM"}, {"FieldID": 11, "FieldName": "Text2"}]
    values = [{"ValueID": 1, "ParentValueID": 0, "Value": "site"},
              {"ValueID": 2, "ParentValueID": 1, "Value": "installed"}]  # fmt: skip
    code = {"FieldID": 12, "FieldName": "Outline Code1", "Alias": "Gate", "Values": {"Value": values}}
    fields = {"ExtendedAttributes": {"ExtendedAttribute": attributes}, "OutlineCodes": {"OutlineCode": [code]}}
    own = {"ExtendedAttribute": [{"FieldID": 10, "Value": "ord1-gpu-a"}, {"FieldID": 11, "Value": "x"}],
           "OutlineCode": [{"FieldID": 12, "ValueID": 2}]}  # fmt: skip
    project = only(document(task(1, **own), **fields))
    assert of(project, 1, "system", "block", "gate") == ("ord1-gpu-a", None, "site.installed")


def test_project_dates_and_options():
    project = only(document(task(1), CriticalSlackLimit=2, MultipleCriticalPaths=1))
    assert (project.id, project.tool, project.planned_start) == ("Plan", "msproject", datetime(2026, 9, 7, 8))
    assert project.options.critical_float == 2 * DAY
    assert (project.options.lag_calendar, project.options.float_kind) == ("successor", "smallest")
    assert project.options.open_ends_critical


def test_late_dates_beyond_the_finish_tell_the_date_that_binds_it():
    dates = {"EarlyFinish": "2026-09-07T17:00:00", "LateFinish": "2026-09-10T17:00:00"}
    assert only(document(task(1, **dates))).must_finish == datetime(2026, 9, 10, 17)
    same = {"EarlyFinish": "2026-09-07T17:00:00", "LateFinish": "2026-09-08T08:00:00"}
    assert only(document(task(1, **same))).must_finish is None
    early = {"EarlyFinish": "2026-09-10T17:00:00", "LateFinish": "2026-09-07T17:00:00"}
    assert only(document(task(1, **early))).must_finish == datetime(2026, 9, 7, 17)
    assert only(document(task(1, Deadline="2026-09-07T17:00:00", **early))).must_finish is None


def test_scheduling_from_the_finish():
    project = only(document(task(1), ScheduleFromStart=0, FinishDate="2026-10-02T17:00:00"))
    assert project.must_finish == datetime(2026, 10, 2, 17)


def test_values_that_cannot_be_read_are_told_and_absent():
    project = only(document(task(1, Duration="a while", ActualStart="soon", TotalSlack="x", Deadline="NA")))
    assert of(project, 1, "duration_s", "actual_start", "total_float_s", "deadline") == (None, None, None, None)
    assert sorted(found.column for found in project.findings) == ["ActualStart", "Duration", "TotalSlack"]


def test_a_project_inside_a_task_is_a_project():
    inner = {"Title": "Net", "Tasks": {"Task": [task(1, 16)]}}
    outer, held = read_mspdi(
        document(task(1), task(2, IsSubproject=1, SubprojectName="net.mpp", Project=inner)), "a.xml"
    )
    assert (outer.id, held.id, held.activities["duration_s"].to_list()) == ("Plan", "Net", [2 * DAY])


BOMB = b'<?xml version="1.0"?><!DOCTYPE p [<!ENTITY a "aaaa">]><Project><Tasks>&a;</Tasks></Project>'


@pytest.mark.parametrize(
    "data", [b"", b"<Project>", b"<Project/>", b"<html><body/></html>", b"\x00\x01", b"task,1\n", BOMB]
)
def test_other_documents_are_refused(data):
    with pytest.raises(FileRejected):
        read_mspdi(data, "plan.xml")


SMALL = document(task(1, 16), task(2, preds=[(1, 1, 4800, 7)], ConstraintType=4, ConstraintDate="2026-09-16T08:00:00"))


@settings(max_examples=300)
@given(st.integers(0, len(SMALL) - 1), st.binary(min_size=1, max_size=6), st.integers(0, 40))
def test_damage_is_refused_or_read(place, bytes_put, cut):
    damaged = SMALL[:place] + bytes_put + SMALL[place + cut :]
    try:
        read_mspdi(damaged, "plan.xml")
    except FileRejected as refusal:
        assert refusal.message
