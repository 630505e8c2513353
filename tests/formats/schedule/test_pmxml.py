"""PMXML documents: with and without a namespace, several projects, baselines, calendars that end with a last minute."""

from datetime import date, datetime

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from turnup.formats.model import FileRejected
from turnup.formats.schedule.pmxml import claims_pmxml, read_pmxml
from turnup.schedule.model import ACTIVITY, DAY, HOUR, LINK, Options

NAMESPACE = ' xmlns="http://xmlns.oracle.com/Primavera/P6/V20.12/API/BusinessObjects"'
XSI = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


def element(name: str, *children: str, **fields: object) -> str:
    inner = "".join(
        f'<{key} xsi:nil="true"/>' if value is None else f"<{key}>{value}</{key}>" for key, value in fields.items()
    )
    return f"<{name}>{inner}{''.join(children)}</{name}>"


def hours(start: str, finish: str) -> str:
    return element("WorkTime", Start=start, Finish=finish)


def calendar(
    *exceptions: str, shifts: str = hours("08:00:00", "11:59:00") + hours("13:00:00", "16:59:00"), **fields: object
) -> str:
    days = [element("StandardWorkHours", "" if name in ("Saturday", "Sunday") else shifts, DayOfWeek=name)
            for name in ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")]  # fmt: skip
    preset = {"ObjectId": 1, "Name": "Five days", "HoursPerDay": 8, "IsDefault": 1, "Type": "Global"}
    week, off = element("StandardWorkWeek", *days), element("HolidayOrExceptions", *exceptions)
    return element("Calendar", week, off, **preset | fields)


def activity(number: int, *children: str, **fields: object) -> str:
    preset = {"ObjectId": number, "Id": f"A{number}", "Name": f"Work {number}", "Type": "Task Dependent",
              "CalendarObjectId": 1, "Status": "Not Started", "PlannedDuration": 40, "RemainingDuration": 40,
              "PercentCompleteType": "Duration"}  # fmt: skip
    return element("Activity", *children, **preset | fields)


def relationship(pred: int, succ: int, **fields: object) -> str:
    preset = {
        "PredecessorActivityObjectId": pred, "SuccessorActivityObjectId": succ, "PredecessorProjectObjectId": 10,
        "SuccessorProjectObjectId": 10, "Type": "Finish to Start", "Lag": 0, "ObjectId": 1000 * pred + succ,
    }  # fmt: skip
    return element("Relationship", **preset | fields)


def project(*children: str, name: str = "Project", **fields: object) -> str:
    preset = {"ObjectId": 10, "Id": "HALL", "Name": "New hall", "ActivityDefaultCalendarObjectId": 1,
              "DataDate": "2026-01-05T08:00:00", "PlannedStartDate": "2026-01-05T08:00:00"}  # fmt: skip
    return element(name, *children, **preset | fields)


def document(*children: str, namespace: str = NAMESPACE) -> bytes:
    inside = f"<APIBusinessObjects{namespace}{XSI}>{''.join(children)}</APIBusinessObjects>"
    return f'<?xml version="1.0" encoding="UTF-8"?>{inside}'.encode()


def read(*children: str, **named: str):
    return read_pmxml(document(*children, **named), "plan.xml")


def one(*children: str, **named: str):
    (made,) = read(*children, **named)
    return made


def codes(made) -> list[str]:
    return [finding.code for finding in made.findings]


@pytest.mark.parametrize("namespace", [NAMESPACE, "", NAMESPACE.replace("V20.12", "V8.4")])
def test_with_and_without_a_namespace(namespace):
    made = one(calendar(), project(activity(1), activity(2), relationship(1, 2)), namespace=namespace)
    assert dict(made.activities.schema) == ACTIVITY
    assert dict(made.links.schema) == LINK
    assert made.activities["code"].to_list() == ["A1", "A2"]
    assert made.links.select("pred", "succ", "type", "lag_s").rows() == [("1", "2", 0, 0)]
    assert (made.id, made.name, made.data_date) == ("HALL", "New hall", datetime(2026, 1, 5, 8))
    assert made.findings == ()
    assert claims_pmxml(document(namespace=namespace))


def test_a_prefix_is_a_namespace_too():
    plain = document(calendar(), project(activity(1)), namespace="").decode()
    prefixed = plain.replace("</", "</p:").replace("<", "<p:").replace("<p:/p:", "</p:").replace("<p:?", "<?")
    text = prefixed.replace("<p:APIBusinessObjects", f"<p:APIBusinessObjects{NAMESPACE.replace('xmlns', 'xmlns:p')}")
    (made,) = read_pmxml(text.encode(), "plan.xml")
    assert made.activities["code"].to_list() == ["A1"]
    assert claims_pmxml(text.encode())


def test_a_whole_activity():
    made = one(calendar(), project(activity(
        7, Type="Finish Milestone", Status="Completed", ActualStartDate="2026-01-05T08:00:00",
        ActualFinishDate="2026-01-06T17:00:00", PrimaryConstraintType="Finish On or Before",
        PrimaryConstraintDate="2026-01-09T17:00:00", SecondaryConstraintType=None, RemainingDuration=0,
        PercentCompleteType="Physical", PhysicalPercentComplete=0.57, PlannedStartDate="2026-01-04T08:00:00",
        ExternalEarlyStartDate="2026-01-02T08:00:00", ExpectedFinishDate=None, IsLongestPath=1,
    )))  # fmt: skip
    row = made.activities.row(0, named=True)
    expected = {
        "kind": "finish_milestone", "status": "completed", "actual_start": datetime(2026, 1, 5, 8),
        "actual_finish": datetime(2026, 1, 6, 17), "constraint": "finish_no_later",
        "constraint_date": datetime(2026, 1, 9, 17), "constraint_2": None, "remaining_s": 0, "duration_s": 40 * HOUR,
        "percent": 57.0, "planned_start": datetime(2026, 1, 4, 8), "external_early": datetime(2026, 1, 2, 8),
        "expected_finish": None, "longest_path": True, "critical": False, "total_float_s": None, "row": 1,
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected


def test_kinds_of_links_and_lags_in_hours():
    ties = [relationship(1, 2, Type="Start to Start", Lag=-8), relationship(1, 3, Type="Finish to Finish", Lag=2.5),
            relationship(2, 3, Type="Start to Finish", Lag=16)]  # fmt: skip
    made = one(calendar(), project(activity(1), activity(2), activity(3), *ties))
    assert made.links.select("type", "lag_s").rows() == [(1, -8 * HOUR), (2, 9000), (3, 16 * HOUR)]


def test_remaining_dates_stand_for_scheduled_ones_once_scheduled():
    early = {"RemainingEarlyStartDate": "2026-01-05T08:00:00", "RemainingEarlyFinishDate": "2026-01-09T17:00:00"}
    late = {"RemainingLateStartDate": "2026-01-06T08:00:00", "RemainingLateFinishDate": "2026-01-12T17:00:00"}
    made = one(calendar(), project(activity(1, **early, **late), activity(2, **early)))
    columns = ("early_start", "early_finish", "late_start", "late_finish")
    assert made.activities.select(columns).rows() == [
        (datetime(2026, 1, 5, 8), datetime(2026, 1, 9, 17), datetime(2026, 1, 6, 8), datetime(2026, 1, 12, 17)),
        (None,) * 4,
    ]  # fmt: skip


def off(day: str, *shifts: str) -> str:
    return element("HolidayOrException", *shifts, Date=f"{day}T00:00:00")


def test_shifts_that_end_with_their_last_minute():
    """P6 writes 16:59 for a shift until 17:00, and 23:59 for one until midnight."""
    exceptions = [
        off("2026-01-06"),
        off("2026-01-07", hours("20:00:00", "23:59:00")),
        off("2026-01-08", hours("00:00:00", "23:59:00")),
    ]
    made = one(calendar(*exceptions), project(activity(1))).calendars["1"]
    assert made.week[0] == ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
    assert made.week[5:] == ((), ())
    assert made.exceptions == {date(2026, 1, 6): (), date(2026, 1, 7): ((20 * HOUR, DAY),), date(2026, 1, 8): ()}


def test_shifts_that_end_with_the_hour_itself():
    made = one(
        calendar(off("2026-01-06", hours("20:00:00", "00:00:00")), shifts=hours("08:00:00", "16:30:00")),
        project(activity(1)),
    )
    assert made.calendars["1"].week[0] == ((8 * HOUR, 16 * HOUR + 1800),)
    assert made.calendars["1"].exceptions == {date(2026, 1, 6): ((20 * HOUR, DAY),)}


def test_calendars_of_projects_resources_and_bases():
    own = calendar(off("2026-01-07"), ObjectId=2, Name="Own", Type="Project", BaseCalendarObjectId=1)
    crew = calendar(ObjectId=3, Name="Crew", Type="Resource")
    made = one(calendar(off("2026-01-06")), crew, project(own, activity(1, CalendarObjectId=2)))
    assert list(made.calendars) == ["1", "2"]
    assert made.calendars["2"].exceptions == {date(2026, 1, 6): (), date(2026, 1, 7): ()}
    assert made.activities["calendar"].to_list() == ["2"]


@pytest.mark.parametrize("wrong", [hours("08:00:00", "25:00:00"), hours("soon", "late")])
def test_a_broken_calendar_is_reported(wrong):
    made = one(calendar(), calendar(ObjectId=2, Name="Odd", shifts=wrong), project(activity(1, CalendarObjectId=2)))
    assert codes(made) == ["calendar_unreadable"]
    assert made.activities["calendar"].to_list() == ["1"]


def test_options_of_the_project():
    options = element(
        "ScheduleOptions", ComputeTotalFloatType="Smallest of Start Float and Finish Float", UseExpectedFinishDates=0,
        OutOfSequenceScheduleType="Actual Dates", RelationshipLagCalendar="24 Hour Calendar",
        MakeOpenEndedActivitiesCritical=1, StartToStartLagCalculationType=0, CalculateFloatBasedOnFinishDate=0,
        CriticalActivityFloatThreshold=8,
        CriticalActivityPathType="Longest Path",
    )  # fmt: skip
    assert one(calendar(), project(options, activity(1))).options == Options(
        lag_calendar="elapsed", progress="actual_dates", float_kind="smallest", use_expected_finish=False,
        open_ends_critical=True, lag_from_early_start=False, float_from_each_project=False, critical_float=8 * HOUR,
        critical_rule="longest_path",
    )  # fmt: skip
    told = project(activity(1), RelationshipLagCalendar="Successor Activity Calendar", CriticalActivityFloatLimit=16)
    assert one(calendar(), told).options == Options(lag_calendar="successor", critical_float=16 * HOUR)
    override = element("ScheduleOptions", OutOfSequenceScheduleType="Progress Override")
    assert one(calendar(), project(override, activity(1))).options.progress == "progress_override"


def test_several_projects_and_links_between_them():
    between = relationship(1, 2, SuccessorProjectObjectId=20)
    outside = relationship(900, 1, PredecessorProjectObjectId=90)
    hall, yard = read(
        calendar(),
        project(activity(1), between, outside),
        project(activity(2), between, ObjectId=20, Id="YARD", Name="Yard"),
    )
    assert (hall.id, yard.id) == ("HALL", "YARD")
    assert hall.links.select("pred", "succ", "pred_project", "external").rows() == [("900", "1", "90", True)]
    assert yard.links.select("pred", "succ", "pred_project", "external").rows() == [("1", "2", "HALL", False)]
    assert codes(hall) == ["external_link"]


def test_baseline_projects_give_the_baseline():
    """Ids in a baseline may be those of the project itself: activities are matched by their code."""
    dates = {
        "PlannedStartDate": "2025-12-01T08:00:00",
        "PlannedFinishDate": "2025-12-05T17:00:00",
        "PlannedDuration": 24,
    }
    baseline = project(
        activity(1, **dates), relationship(1, 1), name="BaselineProject", ObjectId=11, OriginalProjectObjectId=10
    )
    made = one(calendar(), project(activity(1), activity(2), CurrentBaselineProjectObjectId=11), baseline)
    columns = ("code", "baseline_start", "baseline_finish", "baseline_duration_s", "duration_s")
    assert made.activities.select(columns).rows() == [
        ("A1", datetime(2025, 12, 1, 8), datetime(2025, 12, 5, 17), 24 * HOUR, 40 * HOUR),
        ("A2", None, None, None, 40 * HOUR),
    ]
    assert made.links.height == 0
    assert codes(made) == ["baseline_taken"]


def test_wbs_paths_begin_with_the_project():
    nodes = [
        element("WBS", ObjectId=2, Code="CIV", ParentObjectId=None),
        element("WBS", ObjectId=3, Code="SLAB", ParentObjectId=2),
    ]
    made = one(calendar(), project(*nodes, activity(1, WBSObjectId=3), activity(2, WBSObjectId=None), WBSObjectId=1))
    assert made.activities["wbs"].to_list() == ["HALL.CIV.SLAB", "HALL"]


def test_resources_costs_and_codes():
    people = element("Resource", ObjectId=5, Name="Crew A", CalendarObjectId=1, ResourceType="Labor")
    assigned = element("ResourceAssignment", ActivityObjectId=1, ResourceObjectId=5, PlannedCost=100.5)
    expense = element("ActivityExpense", ActivityObjectId=1, PlannedCost=10)
    kinds = element("ActivityCodeType", ObjectId=7, Name="System") + element(
        "ActivityCode", ObjectId=71, CodeTypeObjectId=7, CodeValue="STO-1"
    )
    field = element("UDFType", ObjectId=8, SubjectArea="Activity", Title="Gate")
    bound = (element("Code", TypeObjectId=7, ValueObjectId=71), element("UDF", TypeObjectId=8, TextValue="burn-in"))
    made = one(
        calendar(),
        people,
        field,
        project(kinds, activity(1, *bound, PrimaryResourceObjectId=5), activity(2), assigned, expense),
    )
    columns = ("resources", "cost", "owner", "system", "block", "gate")
    assert made.activities.select(columns).rows() == [
        (1, 110.5, "Crew A", "STO-1", None, "burn-in"),
        (0, None, None, None, None, None),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "", "<", "<Project/>", "<html><body/></html>", "ERMHDR\t8.0", "<APIBusinessObjects/>",
        "<APIBusinessObjects><Project>",
        '<!DOCTYPE a [<!ENTITY b "c">]><APIBusinessObjects>&b;</APIBusinessObjects>',
        '<?xml version="1.0" encoding="none-such"?><APIBusinessObjects/>',
        "<APIBusinessObjects>" + "<a>" * 300 + "</a>" * 300 + "</APIBusinessObjects>",
    ],
)  # fmt: skip
def test_what_is_no_pmxml_is_refused(text):
    with pytest.raises(FileRejected):
        read_pmxml(text.encode(), "plan.xml")


WHOLE = document(
    calendar(off("2026-01-06")),
    project(
        activity(1, PercentCompleteType="Physical", PhysicalPercentComplete=0.5), activity(2), relationship(1, 2),
        element("ScheduleOptions", RelationshipLagCalendar="24 Hour Calendar"), WBSObjectId=1,
    ),
    project(activity(3), name="BaselineProject", ObjectId=11, OriginalProjectObjectId=10),
)  # fmt: skip


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 6), st.binary(max_size=3)), max_size=5))
def test_a_garbled_document_is_refused_or_reported(edits):
    data = bytearray(WHOLE)
    for place, length, given_bytes in edits:
        data[place : place + length] = given_bytes
    try:
        made = read_pmxml(bytes(data), "plan.xml")
    except FileRejected as refused:
        assert refused.message
        return
    assert all(finding.message for each in made for finding in each.findings)


told = st.sampled_from([b"40", b"1", b"10", b"A1", b"08:00:00", b"Monday", b"2026-01-06T00:00:00", b"0.5"])
odd = st.sampled_from([b"", b"-", b"1e400", b"nan", b"9" * 30, b"24:00:00", b"0001-01-01", b"x" * 300])


@settings(max_examples=60)
@given(st.lists(st.tuples(told, odd), max_size=4))
def test_odd_values_are_refused_or_reported(swaps):
    data = WHOLE
    for old, new in swaps:
        data = data.replace(b">" + old + b"<", b">" + new + b"<")
    made = read_pmxml(data, "plan.xml")
    assert all(finding.message for each in made for finding in each.findings)
