"""What an XER writes is what is read; and a damaged file is refused or reported, never anything else."""

from datetime import datetime, timedelta

import hypothesis.strategies as st
from hypothesis import given, settings

from tests.formats.schedule.xer_text import CALENDAR, PROJECT, link, small, task, xer
from turnup.formats.model import FileRejected
from turnup.formats.schedule.p6_words import CONSTRAINTS, KINDS, STATUSES
from turnup.formats.schedule.xer import read_xer
from turnup.schedule.model import LINK_TYPES

CODES = {code: word for code, word in CONSTRAINTS.items() if code.startswith("CS_")}
texts = st.text(st.characters(codec="cp1252", exclude_categories=("Cc", "Cs")), max_size=20).filter(
    lambda text: '""' not in text
)
instants = st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)).map(
    lambda moment: moment.replace(second=0, microsecond=0)
)
minutes = st.integers(-100_000, 100_000)


def stamp(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def hours(minute: int | None) -> str:
    return "" if minute is None else repr(minute / 60)


@st.composite
def activities(draw: st.DrawFn) -> dict[str, object]:
    constraint = draw(st.none() | st.sampled_from(sorted(CODES)))
    dates = {name: draw(st.none() | instants) for name in ("early_start", "late_finish", "planned_start")}
    status = draw(st.sampled_from(["TK_NotStart", "TK_Active", "TK_Complete"]))
    begun = draw(instants) if status != "TK_NotStart" else None
    return {
        "name": draw(texts), "kind": draw(st.sampled_from([code for code in KINDS if code.startswith("TT_")])),
        "status": status, "actual_start": begun,
        "actual_finish": begun + timedelta(days=1) if status == "TK_Complete" and begun else None,
        "duration": draw(st.none() | minutes), "float": draw(st.none() | minutes), "constraint": constraint,
        "constraint_date": draw(instants) if constraint not in (None, "CS_ALAP") else None, **dates,
    }  # fmt: skip


def written(number: int, one: dict[str, object]) -> dict[str, object]:
    return task(
        number, task_name=one["name"], task_type=one["kind"], status_code=one["status"],
        act_start_date=stamp(one["actual_start"]), act_end_date=stamp(one["actual_finish"]),
        target_drtn_hr_cnt=hours(one["duration"]), total_float_hr_cnt=hours(one["float"]),
        cstr_type=one["constraint"], cstr_date=stamp(one["constraint_date"]),
        early_start_date=stamp(one["early_start"]), late_end_date=stamp(one["late_finish"]),
        target_start_date=stamp(one["planned_start"]),
    )  # fmt: skip


def seconds(minute: int | None) -> int | None:
    return None if minute is None else minute * 60


links = st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(LINK_TYPES), minutes)


@settings(max_examples=60)
@given(st.lists(activities(), min_size=1, max_size=10), st.lists(links, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read(given_activities, given_links, ends):
    ties = [
        (pred, succ, type_, lag) for pred, succ, type_, lag in given_links if max(pred, succ) < len(given_activities)
    ]
    rows = [written(number, each) for number, each in enumerate(given_activities)]
    preds = [link(pred, succ, task_pred_id=str(number), pred_type=f"PR_{type_}", lag_hr_cnt=hours(lag))
             for number, (pred, succ, type_, lag) in enumerate(ties)]  # fmt: skip
    (project,) = read_xer(small(ends, TASK=rows, TASKPRED=preds), "a.xer")
    read = project.activities.select(
        "name", "kind", "status", "actual_start", "actual_finish", "duration_s", "total_float_s", "constraint",
        "constraint_date", "early_start", "late_finish", "planned_start",
    )  # fmt: skip
    assert read.rows() == [
        (
            each["name"], KINDS[each["kind"]], STATUSES[each["status"]], each["actual_start"], each["actual_finish"],
            seconds(each["duration"]), seconds(each["float"]), CODES.get(each["constraint"]),
            each["constraint_date"], each["early_start"], each["late_finish"], each["planned_start"],
        )
        for each in given_activities
    ]  # fmt: skip
    assert project.links.select("pred", "succ", "type", "lag_s").rows() == [
        (str(pred), str(succ), LINK_TYPES.index(type_), lag * 60) for pred, succ, type_, lag in ties
    ]


WHOLE = xer(
    CURRTYPE=[{"curr_id": "1", "curr_symbol": "£"}],
    PROJECT=[PROJECT, {**PROJECT, "proj_id": "20", "proj_short_name": "B", "orig_proj_id": "10"}], CALENDAR=[CALENDAR],
    SCHEDOPTIONS=[{"proj_id": "10", "sched_retained_logic": "Y"}],
    PROJWBS=[{"wbs_id": "1", "proj_id": "10", "parent_wbs_id": "", "wbs_short_name": "H", "proj_node_flag": "Y"}],
    RSRC=[{"rsrc_id": "5", "rsrc_name": "Crew", "clndr_id": "1", "rsrc_type": "RT_Labor"}],
    TASK=[task(1, task_type="TT_Rsrc", wbs_id="1", rsrc_id="5"),
          task(2, cstr_type="CS_MSO", cstr_date="2026-01-09 08:00"),
          task(3, proj_id="20", task_code="A1")],
    TASKPRED=[link(1, 2), link(9, 2, pred_proj_id="77")],
    TASKRSRC=[{"task_id": "1", "rsrc_id": "5", "target_qty": "40", "target_qty_per_hr": "1", "rollup_dates_flag": "Y"}],
).encode("cp1252")  # fmt: skip


def read_or_refused(data: bytes) -> None:
    try:
        projects = read_xer(data, "a.xer")
    except FileRejected as refused:
        assert refused.message
        return
    assert all(finding.message for project in projects for finding in project.findings)


def test_a_file_cut_anywhere_is_read_as_far_as_it_goes_and_reported():
    whole = {finding.code for project in read_xer(WHOLE, "a.xer") for finding in project.findings}
    assert "file_cut" not in whole
    for length in range(0, len(WHOLE), 61):
        read_or_refused(WHOLE[:length])
    (project,) = read_xer(WHOLE[: WHOLE.index(b"%T\tTASKPRED")], "a.xer")
    assert "file_cut" in {finding.code for finding in project.findings}


spots = st.lists(
    st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 4), st.binary(max_size=4)), min_size=1, max_size=8
)


@settings(max_examples=80)
@given(spots)
def test_a_garbled_file_is_refused_or_reported(edits):
    data = bytearray(WHOLE)
    for place, length, given_bytes in edits:
        data[place : place + length] = given_bytes
    read_or_refused(bytes(data))


@settings(max_examples=60)
@given(st.lists(st.sampled_from(WHOLE.split(b"\r\n")), max_size=40))
def test_lines_in_any_order_are_refused_or_reported(lines):
    read_or_refused(b"\r\n".join([WHOLE.split(b"\r\n")[0], *lines]))
