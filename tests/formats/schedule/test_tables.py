"""Schedules that are tables: what each tool writes into its cells, and what becomes of cells that say nothing."""

from datetime import date, datetime

import polars as pl
import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnup.formats.content import Content
from turnup.formats.model import FileRejected
from turnup.formats.schedule import is_schedule_table, read_schedule
from turnup.formats.schedule.tables import read_table
from turnup.programme import Source
from turnup.schedule.model import ELAPSED, HOUR, LINK_TYPES
from turnup.schedule.passes import schedule
from turnup.schedule.stored import compare_stored

DAY = 8 * HOUR


@pytest.fixture
def content(tmp_path):
    def made(text, name="plan.csv"):
        path = tmp_path / "stored"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return Content(path, name)

    return made


@pytest.fixture
def project(content):
    def made(text, name="plan.csv", **source):
        return read_table(content(text, name), Source(dataset="activities", files="*", **source)).project

    return made


def links(project):
    kinds = [LINK_TYPES[kind] for kind in project.links["type"]]
    return list(zip(project.links["pred"], project.links["succ"], kinds, project.links["lag_s"], strict=True))


def of(project, column):
    return dict(project.activities.select("id", column).rows())


def starts(project):
    return dict(schedule(project).frame().select("id", "early_start").rows())


def test_a_real_export_has_the_dates_of_its_file(cases):
    file = cases / "schedule/csv/task-links-2007_as_msproject_csv.csv"
    held = Content(file, file.name)
    assert is_schedule_table(held)
    (project,) = read_schedule(held)
    found = {each.field: (each.equal, each.compared) for each in compare_stored(schedule(project))}
    for field in ("early_start", "early_finish", "total_float", "critical"):
        assert found[field] == (16, 16), field
    assert not [finding for finding in project.findings if finding.severity != "info"]


MICROSOFT = """\
ID,Unique ID,Active,Task Mode,Name,Duration,Start,Finish,Predecessors,Outline Level,% Complete,Total Slack
0,0,Yes,Auto Scheduled,Plan,9 days,Mon 9/7/26,Thu 9/17/26,,0,0%,0 days
1,10,Yes,Auto Scheduled,Phase,9 days,Mon 9/7/26,Thu 9/17/26,,1,0%,0 days
2,14,Yes,Auto Scheduled,Rack,3 days?,Mon 9/7/26,Wed 9/9/26,,2,100%,0 days
3,12,Yes,Auto Scheduled,Cable,2 days,Thu 9/10/26,Fri 9/11/26,2,2,50%,0 days
4,18,No,Auto Scheduled,Spare,1 day,Thu 9/10/26,Thu 9/10/26,2,2,0%,5 days
5,13,Yes,Manually Scheduled,Inspect,1 day,Wed 9/16/26,Wed 9/16/26,"3FS+2 days,4",2,0%,0 days
6,16,Yes,Auto Scheduled,Cure,2 edays,Wed 9/16/26,Fri 9/18/26,5FF+50%,2,0%,0 days
7,15,Yes,Auto Scheduled,Done,0 days,Thu 9/17/26,Thu 9/17/26,C:\\plans\\net.mpp\\14FS,1,0%,0 days
"""


def test_an_export_of_microsoft_project(project):
    found = project(MICROSOFT)
    assert found.activities.select("id", "code", "parent", "kind").rows() == [
        ("0", "0", None, "summary"), ("10", "1", "0", "summary"), ("14", "2", "10", "task"), ("12", "3", "10", "task"),
        ("13", "5", "10", "task"), ("16", "6", "10", "task"), ("15", "7", "0", "finish_milestone"),
    ]  # fmt: skip
    assert links(found) == [
        ("14", "12", "FS", 0),
        ("12", "13", "FS", 2 * DAY),
        ("13", "16", "FF", 0),
        ("C:\\plans\\net.mpp\\14", "15", "FS", 0),
    ]
    assert found.links["lag_percent"].to_list() == [None, None, 50.0, None]
    assert found.links["external"].to_list() == [False, False, False, True]
    assert of(found, "calendar")["16"] == ELAPSED
    assert of(found, "duration_s")["16"] == 48 * HOUR
    assert of(found, "manual")["13"]
    assert of(found, "status") == {"0": "not_started", "10": "not_started", "14": "completed", "12": "in_progress",
                                   "13": "not_started", "16": "not_started", "15": "not_started"}  # fmt: skip
    assert of(found, "remaining_s")["12"] == DAY
    assert of(found, "actual_finish")["14"] == datetime(2026, 9, 9, 17)
    assert found.planned_start == datetime(2026, 9, 7, 8)
    assert (found.options.lag_calendar, found.options.remaining) == ("successor", "as_started")
    assert sorted(finding.code for finding in found.findings) == ["external_link", "inactive_task"]


def test_a_negative_lag_is_kept(project):
    """Public fault 11: 1(10) -> 2(10) FS-5, 2 -> 3(10) FF 0."""
    found = project("ID,Name,Duration,Predecessors\n1,A,10 days,\n2,B,10 days,1FS-5 days\n3,C,10 days,2FF\n")
    assert links(found) == [("1", "2", "FS", -5 * DAY), ("2", "3", "FF", 0)]
    frame = schedule(found).frame()
    begin = frame["early_start"][0]
    work = [(start, finish) for start, finish in frame.select("early_start", "early_finish").rows()]
    assert [(working_days(begin, start), working_days(begin, finish)) for start, finish in work] == [
        (0, 10), (5, 15), (5, 15),
    ]  # fmt: skip


def working_days(begin, moment):
    """Whole working days from a start of work to a start or an end of work."""
    days = sum((begin.date() + (date(2026, 1, 2) - date(2026, 1, 1)) * n).weekday() < 5
               for n in range((moment.date() - begin.date()).days))  # fmt: skip
    return days + (moment.hour >= 17)


def test_a_working_lag_skips_the_weekend(project):
    """Public fault 17: the predecessor ends on Thursday, the lag is 2 working days."""
    found = project("ID,Name,Duration,Start,Predecessors\n1,A,4d,2026-09-07,\n2,B,1d,2026-09-15,1FS+2d\n")
    assert starts(found)["2"] == datetime(2026, 9, 15, 8)


def test_a_sheet_without_ids_counts_its_rows(project):
    found = project(
        "Task Name,Duration,Start Date,End Date,Predecessors,% Complete\n"
        "Phase,,,,,\nRack,5d,09/07/26,09/11/26,,1\nCable,~3d,09/14/26,09/16/26,2FS +1d,0.25\nTest,2d,,,3SS -1w,0\n"
    )
    assert of(found, "code") == {"1": "1", "2": "2", "3": "3", "4": "4"}
    assert links(found) == [("2", "3", "FS", DAY), ("3", "4", "SS", -5 * DAY)]
    assert of(found, "percent") == {"1": None, "2": 100.0, "3": 25.0, "4": 0.0}
    assert of(found, "calendar")["3"] == ELAPSED


def test_blank_rows_of_a_sheet_are_counted(tmp_path, project):
    path = tmp_path / "sheet.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        rows = [("Task Name", "Duration", "Predecessors"), ("Rack", "5d", None), (), ("Cable", "3d", "1"),
                ("Test", "2d", "3FS +1d")]  # fmt: skip
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    found = project(path.read_bytes(), "sheet.xlsx")
    assert [(pred, succ) for pred, succ, *_ in links(found)] == [("1", "3"), ("3", "4")]


PRIMAVERA = """\
Activity ID,Activity Status,WBS Code,Activity Name,Original Duration,Remaining Duration,Start,Finish,Total Float,\
Predecessors,Primary Constraint,Primary Constraint Date,Activity Type,Longest Path
ORD1  Site,,,,,,07-Sep-26,30-Sep-26,,,,,,
A1000,Completed,ORD1.S,Survey,5,0,07-Sep-26 A,11-Sep-26 A,,,,,Task Dependent,No
A1010,In Progress,ORD1.S,Power,10,4,14-Sep-26 A,25-Sep-26,0,A1000,,,Task Dependent,Yes
A1020FS,Not Started,ORD1.S,Rack,5,5,28-Sep-26*,02-Oct-26,-2,"A1000, A1010: SS 3d",Start On or After,28-Sep-26,\
Resource Dependent,Yes
A1030,Not Started,ORD1.S,Ready,0,0,,02-Oct-26,0,A1020FS,Finish On or Before,02-Oct-26,Finish Milestone,Yes
"""


def test_an_export_of_primavera(project):
    found = project(PRIMAVERA)
    assert of(found, "kind") == {"ORD1  Site": "summary", "A1000": "task", "A1010": "task",
                                 "A1020FS": "resource_dependent", "A1030": "finish_milestone"}  # fmt: skip
    assert links(found) == [
        ("A1000", "A1010", "FS", 0), ("A1000", "A1020FS", "FS", 0), ("A1010", "A1020FS", "SS", 3 * DAY),
        ("A1020FS", "A1030", "FS", 0),
    ]  # fmt: skip
    assert of(found, "actual_start")["A1010"] == datetime(2026, 9, 14, 8)
    assert of(found, "actual_finish") == {"ORD1  Site": None, "A1000": datetime(2026, 9, 11, 17), "A1010": None,
                                          "A1020FS": None, "A1030": None}  # fmt: skip
    assert of(found, "remaining_s")["A1010"] == 4 * DAY
    assert of(found, "total_float_s")["A1020FS"] == -2 * DAY
    assert of(found, "constraint")["A1020FS"] == "start_no_earlier"
    assert of(found, "constraint_date")["A1030"] == datetime(2026, 10, 2, 17)
    assert of(found, "longest_path")["A1000"] is False
    assert found.options.lag_calendar == "predecessor"


def test_successors_serve_where_there_are_no_predecessors(project):
    found = project("ID,Name,Duration,Successors\n1,A,5d,2FS+1d;3\n2,B,1d,\n3,C,1d,9\n")
    assert links(found) == [("1", "2", "FS", DAY), ("1", "3", "FS", 0)]


def test_predecessors_by_unique_id(project):
    found = project("ID,Unique ID,Name,Duration,Unique ID Predecessors\n1,20,A,5d,\n2,10,B,1d,20SS\n")
    assert links(found) == [("20", "10", "SS", 0)]


def test_numbers_of_an_outline_make_summaries(project):
    found = project("ID,WBS,Name,Duration,Predecessors\n1,1,Phase,6d,\n2,1.1,A,5d,\n3,1.2,B,1d,2\n4,2,C,1d,1\n")
    assert of(found, "parent") == {"1": None, "2": "1", "3": "1", "4": None}
    assert starts(found)["4"] > starts(found)["3"]


def test_a_number_that_many_rows_bear_is_none_of_an_outline(project):
    found = project("Activity ID,WBS,Activity Name,OD,Predecessors\nA1,P.1,A,5,\nA2,P.1,B,1,A1\n")
    assert set(of(found, "parent").values()) == {None}


@pytest.mark.parametrize(
    ("dates", "declared", "start"),
    [
        (("Fri 10/17/14", "Mon 11/3/14"), None, datetime(2014, 11, 3, 8)),
        (("17/10/2014", "3/11/2014"), None, datetime(2014, 11, 3, 8)),
        (("3/10/2014", "3/11/2014"), "mdy", datetime(2014, 3, 11, 8)),
        (("3/10/2014", "3/11/2014"), "dmy", datetime(2014, 11, 3, 8)),
        (("10/17/14 9:00 AM", "11/3/14 1:30 PM"), None, datetime(2014, 11, 3, 13, 30)),
        (("17-Oct-14", "03-Nov-14"), None, datetime(2014, 11, 3, 8)),
        (("2014-10-17", "2014-11-03T10:00"), None, datetime(2014, 11, 3, 10)),
    ],
)
def test_the_order_of_dates_is_declared_or_proved(project, dates, declared, start):
    text = f"ID,Name,Duration,Start,Predecessors\n1,A,5d,{dates[0]},\n2,B,1d,{dates[1]},1\n"
    found = project(text, **({"dates": declared} if declared else {}))
    assert of(found, "planned_start")["2"] == start


def test_one_column_proves_the_order_of_all(project):
    found = project(
        "ID,Name,Duration,Start,Deadline,Predecessors\n1,A,5d,9/7/2026,10/9/2026,\n2,B,1d,9/14/2026,11/9/2026,1\n"
    )
    assert of(found, "deadline")["1"] == datetime(2026, 10, 9, 17)


def test_dates_of_no_order_are_refused_and_the_activity_stays(content):
    text = "ID,Name,Duration,Start,Predecessors\n1,A,5d,3/10/2014,\n2,B,1d,3/11/2014,1\n"
    read = read_table(content(text), Source(dataset="activities", files="*"))
    assert [(row.row, row.rule, row.column) for row in read.rejected] == [
        (2, "ambiguous_date", "Start"), (3, "ambiguous_date", "Start"),
    ]  # fmt: skip
    assert read.project.activities["duration_s"].to_list() == [5 * DAY, DAY]


def test_cells_that_say_nothing_are_told_with_row_column_and_value(content):
    text = (
        "ID,Name,Duration,% Complete,Constraint Type,Constraint Date,Predecessors\n"
        "1,A,five days,0%,,,\n2,B,50%,140%,,,1FX\n3,C,1d,,Start Whenever,,\n"
        "4,D,1d,,Must Start On,,2;14FF1;99\n5,E,2d,,,,4\n"
    )
    read = read_table(content(text), Source(dataset="activities", files="*"))
    assert [(row.row, row.column, row.value) for row in read.rejected] == [
        (2, "Duration", "five days"), (3, "Duration", "50%"), (3, "% Complete", "140%"),
        (4, "Constraint Type", "Start Whenever"), (5, "Constraint Type", "Must Start On"),
    ]  # fmt: skip
    assert [(row.row, row.value) for row in read.bad_links] == [(3, "1FX"), (5, "14FF1")]
    assert [(pred, succ) for pred, succ, *_ in links(read.project)] == [("2", "4"), ("99", "4"), ("4", "5")]
    assert read.project.links["external"].to_list() == [False, True, False]
    assert all(row.message.startswith(f"row {row.row}") for row in (*read.rejected, *read.bad_links))


def test_decimal_commas(project):
    text = "Nr.;Vorgangsname;Dauer;Anfang;Vorgänger\n1;A;2,5 Wochen;7.9.2026;\n2;B;1 Tag;25.9.2026;1EA+0,5 Tage\n"
    found = project(text, dates="dmy")
    assert of(found, "duration_s")["1"] == round(12.5 * DAY)
    assert links(found) == [("1", "2", "FS", DAY // 2)]


def test_three_points_are_working_days(content):
    text = "ID,Name,Duration,Optimistic,Most Likely,Pessimistic,Predecessors\n1,A,5d,3,4d,2w,\n2,B,1d,,,,1\n"
    read = read_table(content(text), Source(dataset="activities", files="*"))
    assert read.three_points == {2: {"optimistic_d": 3.0, "likely_d": 4.0, "pessimistic_d": 10.0}}


def test_columns_may_be_declared(project):
    found = project(
        "Key,Vorhaben,Days left,Waits for\n1,A,5,\n2,B,1,1\n",
        columns={"Key": "task", "Vorhaben": "name", "Days left": "duration_d", "Waits for": "predecessors"},
    )
    assert links(found) == [("1", "2", "FS", 0)]
    assert of(found, "name") == {"1": "A", "2": "B"}
    assert of(found, "duration_s") == {"1": 5 * DAY, "2": DAY}


def test_of_two_columns_of_one_meaning_the_first_counts(project):
    found = project("ID,Task Name,Title,Duration,Predecessors\n1,A,x,5d,\n2,B,y,1d,1\n")
    assert of(found, "name") == {"1": "A", "2": "B"}


def test_a_second_row_of_an_id_is_told(project):
    found = project("ID,Name,Duration,Predecessors\n1,A,5d,\n1,B,1d,\n2,C,1d,1\n")
    assert found.activities["name"].to_list() == ["A", "C"]
    assert "repeated_id" in {finding.code for finding in found.findings}


def test_calendars_by_the_names_that_everybody_has(project):
    found = project("ID,Name,Duration,Calendar,Predecessors\n1,A,3d,24 Hours,\n2,B,1d,Crew 7,1\n3,C,1d,Standard,2\n")
    assert of(found, "calendar") == {"1": "24 hours", "2": "office", "3": "office"}
    # Three days of a calendar of 24 hours are 72 of them.
    assert of(found, "duration_s")["1"] == 72 * HOUR
    assert [finding.value for finding in found.findings if finding.code == "calendar"] == ["Crew 7"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (MICROSOFT, True),
        (PRIMAVERA, True),
        ("Task Name,Start Date,Depends On\nA,2026-09-07,\n", True),
        ("task,name,duration_d\nA,B,5\n", False),
        ("pred,succ,type,lag_d\nA,B,FS,0\n", False),
        ("Predecessor,Successor,Type,Lag\nA,B,FS,0\n", False),
        ("a predecessor of this text\nwas longer\n", False),
        ("", False),
    ],
)
def test_what_is_taken_for_a_schedule(content, text, is_one):
    assert is_schedule_table(content(text)) is is_one


def test_other_tables_are_refused(content):
    with pytest.raises(FileRejected):
        read_schedule(content("colour,size\nred,5\nblue,6\n"))


cell = st.sampled_from(
    ["", "1", "2", "0", "5d", "2FS+1d", "1,2", "NA", "50%", "Fri 10/17/14", "x\x00y", "A", "-", "ü", '"']
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(cell, min_size=7, max_size=7), min_size=1, max_size=5))
def test_any_cells_are_read_or_refused(content, rows):
    head = "ID,Name,Duration,Start,Predecessors,% Complete,Constraint Type"
    quoted = "\n".join(",".join('"' + text.replace('"', '""') + '"' for text in row) for row in rows)
    try:
        read = read_table(content(f"{head}\n{quoted}\n"), Source(dataset="activities", files="*"))
    except FileRejected as refusal:
        assert refusal.message
    else:
        assert read.project.activities["id"].is_unique().all()
        assert isinstance(read.project.links, pl.DataFrame)
