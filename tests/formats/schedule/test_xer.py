"""XER files as they come: columns in any order, rows short and long, code pages, projects beside each other."""

from datetime import datetime

import polars as pl
import pytest

from tests.formats.schedule.xer_text import CALENDAR, PROJECT, TASK, link, small, task, xer
from turnup.formats.model import FileRejected
from turnup.formats.schedule.xer import claims_xer, read_xer
from turnup.schedule.model import ACTIVITY, HOUR, LINK, Options


def read(data: bytes | str, **named):
    return read_xer(data.encode() if isinstance(data, str) else data, "plan.xer", **named)


def one(data: bytes | str, **named):
    (project,) = read(data, **named)
    return project


def first(data: bytes | str) -> dict[str, object]:
    return one(data).activities.row(0, named=True)


def codes(project) -> list[str]:
    return [finding.code for finding in project.findings]


def test_columns_are_those_of_the_model():
    project = one(small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2)]))
    assert dict(project.activities.schema) == ACTIVITY
    assert dict(project.links.schema) == LINK
    assert project.findings == ()


def test_a_whole_activity():
    row = first(
        small(
            TASK=[task(
                7, task_name='Lay ""main"" pipe\x7fsouth', task_type="TT_Rsrc", status_code="TK_Active",
                act_start_date="2026-01-05 08:00", suspend_date="2026-01-06 08:00", resume_date="2026-01-07 08:00",
                remain_drtn_hr_cnt="10", expect_end_date="2026-02-01 17:00", cstr_type="CS_MSOA",
                cstr_date="2026-01-05 08:00", cstr_type2="CS_MEOB", cstr_date2="2026-03-01 17:00",
                early_start_date="2026-01-07 08:00", early_end_date="2026-01-08 10:00",
                late_start_date="2026-01-08 08:00", late_end_date="2026-01-09 10:00", total_float_hr_cnt="8",
                free_float_hr_cnt="0", target_start_date="2026-01-04 08:00", target_end_date="2026-01-09 17:00",
                driving_path_flag="Y", external_early_start_date="2026-01-03 00:00",
                external_late_end_date="2026-04-01 00:00",
            )]
        )
    )  # fmt: skip
    expected = {
        "id": "7", "code": "A7", "name": 'Lay "main" pipe\nsouth', "kind": "resource_dependent",
        "status": "in_progress", "calendar": "1", "manual": False, "duration_s": 40 * HOUR,
        "remaining_s": 10 * HOUR, "actual_start": datetime(2026, 1, 5, 8), "actual_finish": None,
        "suspend": datetime(2026, 1, 6, 8), "resume": datetime(2026, 1, 7, 8), "percent": 75.0,
        "constraint": "start_no_earlier", "constraint_date": datetime(2026, 1, 5, 8),
        "constraint_2": "finish_no_later", "constraint_2_date": datetime(2026, 3, 1, 17), "deadline": None,
        "expected_finish": datetime(2026, 2, 1, 17), "external_early": datetime(2026, 1, 3),
        "external_late": datetime(2026, 4, 1), "planned_start": datetime(2026, 1, 4, 8),
        "planned_finish": datetime(2026, 1, 9, 17), "baseline_start": None, "baseline_finish": None,
        "baseline_duration_s": None, "resources": None, "critical": False, "longest_path": True,
        "early_start": datetime(2026, 1, 7, 8), "early_finish": datetime(2026, 1, 8, 10),
        "late_start": datetime(2026, 1, 8, 8), "late_finish": datetime(2026, 1, 9, 10),
        "total_float_s": 8 * HOUR, "free_float_s": 0, "row": 10,
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected


KINDS = {
    "TT_Task": "task", "TT_Rsrc": "resource_dependent", "TT_LOE": "level_of_effort", "TT_WBS": "summary",
    "TT_Mile": "start_milestone", "TT_FinMile": "finish_milestone",
}  # fmt: skip


def test_kinds_of_activities_and_links():
    tasks = [task(number, task_type=code) for number, code in enumerate(KINDS, 1)]
    ties = {"PR_FS": 0, "PR_SS": 2.5, "PR_FF": -8, "PR_SF": 16, "PR_FF1": 1}
    preds = [
        link(number, number + 1, pred_type=code, lag_hr_cnt=lag) for number, (code, lag) in enumerate(ties.items(), 1)
    ]
    project = one(small(TASK=tasks, TASKPRED=preds))
    assert project.activities["kind"].to_list() == list(KINDS.values())
    assert project.links["type"].to_list() == [0, 1, 2, 3, 2]
    assert project.links["lag_s"].to_list() == [0, 9000, -8 * HOUR, 16 * HOUR, HOUR]


@pytest.mark.parametrize(
    ("code", "word"),
    [("CS_MSO", "start_on"), ("CS_MEO", "finish_on"), ("CS_MSOB", "start_no_later"), ("CS_MEOA", "finish_no_earlier"),
     ("CS_MANDSTART", "mandatory_start"), ("CS_MANDFIN", "mandatory_finish")],
)  # fmt: skip
def test_constraints_with_a_date(code, word):
    row = first(small(TASK=[task(1, cstr_type=code, cstr_date="2026-01-09 08:00")]))
    assert (row["constraint"], row["constraint_date"]) == (word, datetime(2026, 1, 9, 8))


def test_as_late_as_possible_needs_no_date_and_others_do():
    tasks = [
        task(1, cstr_type="CS_ALAP"),
        task(2, cstr_type="CS_MSO"),
        task(3, cstr_type="CS_NEW", cstr_date="2026-01-09 08:00"),
    ]
    project = one(small(TASK=tasks))
    assert project.activities["constraint"].to_list() == ["as_late_as_possible", None, None]
    assert project.activities["constraint_date"].null_count() == 3
    assert codes(project) == ["cell_unreadable", "constraint_without_date"]
    assert "'CS_NEW'" in project.findings[0].message


def test_empty_numbers_are_null_and_never_zero():
    """A completed activity has no float; without one it is not critical, and the float stays empty."""
    row = first(small(TASK=[task(1, status_code="TK_Complete", act_start_date="2026-01-05 08:00",
                                 act_end_date="2026-01-06 17:00", total_float_hr_cnt="", free_float_hr_cnt="",
                                 est_wt="", target_drtn_hr_cnt="")]))  # fmt: skip
    assert (row["total_float_s"], row["free_float_s"], row["duration_s"]) == (None, None, None)
    assert row["critical"] is False
    assert row["percent"] == 100.0
    unscheduled = first(small(TASK=[task(1, total_float_hr_cnt="")]))
    assert unscheduled["critical"] is None


def test_critical_by_float_and_by_the_longest_path():
    floats = (("-8", "N"), ("16", "Y"), ("17", "N"))
    tasks = [
        task(number, total_float_hr_cnt=hours, driving_path_flag=path) for number, (hours, path) in enumerate(floats)
    ]
    by_float = one(
        small(TASK=tasks, project={**PROJECT, "critical_path_type": "CT_TotFloat", "critical_drtn_hr_cnt": "16"})
    )
    assert by_float.options.critical_float == 16 * HOUR
    assert by_float.activities["critical"].to_list() == [True, True, False]
    by_path = one(small(TASK=tasks, project={**PROJECT, "critical_path_type": "CT_DrivPath"}))
    assert by_path.options.critical_rule == "longest_path"
    assert by_path.activities["critical"].to_list() == [False, True, False]


def test_percent_complete_of_each_kind():
    quantities = {"act_work_qty": "30", "remain_work_qty": "50", "act_equip_qty": "0", "remain_equip_qty": "40"}
    tasks = [
        task(1, remain_drtn_hr_cnt="30"),
        task(2, complete_pct_type="CP_Phys", phys_complete_pct="12.5"),
        task(3, complete_pct_type="CP_Units", **quantities),
        task(4, complete_pct_type="", remain_drtn_hr_cnt="60"),
        task(5, complete_pct_type="CP_Units"),
        task(6, target_drtn_hr_cnt="0", remain_drtn_hr_cnt="0"),
    ]
    assert one(small(TASK=tasks)).activities["percent"].to_list() == [25.0, 12.5, 25.0, 0.0, 0.0, 0.0]


def test_columns_in_any_order_unknown_ones_and_unknown_tables():
    turned = dict(reversed(TASK.items())) | {"zz_new_column": "x"}
    text = small(TASK=[turned], OBS=[{"obs_id": "1"}], ZZNEW=[{"a": "b"}])
    assert first(text) | {"row": 0} == first(small()) | {"row": 0}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends(ends):
    project = one(small(ends=ends, TASK=[task(1), task(2)]))
    assert project.activities["row"].to_list() == [10, 11]
    assert codes(project) == []


def test_short_rows_are_filled_and_long_rows_reported():
    lines = small(TASK=[task(1), task(2), task(3)]).decode().split("\r\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("%R\t1\t10"))
    lines[at] = "\t".join(lines[at].split("\t")[:-2])
    lines[at + 1] += "\t\t"
    lines[at + 2] += "\tsurplus"
    project = one("\r\n".join(lines))
    assert project.activities["remaining_s"].to_list() == [None, 40 * HOUR, 40 * HOUR]
    assert [(finding.code, finding.row) for finding in project.findings] == [("surplus_cells", at + 3)]


def test_text_that_goes_on_over_lines_belongs_to_its_row():
    lines = small(TASK=[task(1, remark="begins"), task(2)]).decode().split("\r\n")
    at = next(number for number, line in enumerate(lines) if line.endswith("begins"))
    lines[at + 1 : at + 1] = ["", "goes on", "", ""]
    project = one("\r\n".join(lines))
    assert project.activities["code"].to_list() == ["A1", "A2"]
    assert project.activities["row"].to_list() == [at + 1, at + 6]
    assert codes(project) == ["line_without_mark"]


def test_numbers_with_a_decimal_comma_and_numbers_that_are_none():
    tasks = [task(1, target_drtn_hr_cnt="12,5"), task(2, target_drtn_hr_cnt=" 8 "), task(3, target_drtn_hr_cnt="eight"),
             task(4, target_drtn_hr_cnt="1e300"), task(5, target_drtn_hr_cnt="nan")]  # fmt: skip
    project = one(small(TASK=tasks))
    assert project.activities["duration_s"].to_list() == [45000, 8 * HOUR, None, None, None]
    assert codes(project) == ["cell_unreadable", "cell_unreadable"]
    assert {finding.column for finding in project.findings} == {"TASK.target_drtn_hr_cnt"}


def test_instants_with_seconds_and_instants_that_are_none():
    tasks = [task(number, early_start_date=text) for number, text in enumerate(
        ["2026-01-05 08:00:30", "2026-01-05", "2026-01-05T08:00", "05-Jan-26", " "], 1)]  # fmt: skip
    project = one(small(TASK=tasks))
    assert project.activities["early_start"].to_list() == [
        datetime(2026, 1, 5, 8, 0, 30), datetime(2026, 1, 5), datetime(2026, 1, 5, 8), None, None
    ]  # fmt: skip
    (finding,) = project.findings
    assert (finding.code, finding.value, finding.row) == ("cell_unreadable", "05-Jan-26", 13)


@pytest.mark.parametrize(
    ("encoding", "found"), [("cp1252", ["encoding_guessed"]), ("utf-8", []), ("utf-8-sig", []), ("utf-16", [])]
)
def test_code_pages(encoding, found):
    text = small(TASK=[task(1, task_name="Fundação – Bau")]).decode("cp1252")
    project = one(text.encode(encoding))
    assert project.activities["name"][0] == "Fundação – Bau"
    assert codes(project) == found
    assert claims_xer(text.encode(encoding)[:64])


def test_a_declared_encoding_is_used():
    data = small().decode().replace("Pour slab", "Плита").encode("cp1251")
    assert one(data, encoding="cp1251").activities["name"][0] == "Плита"


def test_signs_of_currencies_alone_are_no_reason_to_doubt():
    assert codes(one(small(CURRTYPE=[{"curr_id": "1", "curr_symbol": "£"}]))) == []


def test_options_of_the_project():
    scheduling = {
        "proj_id": "10", "sched_retained_logic": "N", "sched_progress_override": "Y", "sched_float_type": "FT_Min",
        "sched_calendar_on_relationship_lag": "rcal_24Hour", "sched_use_expect_end_flag": "N",
        "sched_open_critical_flag": "Y", "sched_lag_early_start_flag": "N", "sched_use_project_end_date_for_float": "N",
    }  # fmt: skip
    assert one(small(SCHEDOPTIONS=[scheduling])).options == Options(
        lag_calendar="elapsed", progress="progress_override", float_kind="smallest", use_expected_finish=False,
        open_ends_critical=True, lag_from_early_start=False, float_from_each_project=False,
    )  # fmt: skip
    neither = {**scheduling, "sched_progress_override": "N"}
    assert one(small(SCHEDOPTIONS=[neither])).options.progress == "actual_dates"
    assert one(small(SCHEDOPTIONS=[{"proj_id": "10"}])).options == Options()


@pytest.mark.parametrize(
    ("code", "word"), [("Predecessor", "predecessor"), ("Successor", "successor"), ("ProjDefault", "project")]
)
def test_calendars_of_lags(code, word):
    options = one(small(SCHEDOPTIONS=[{"proj_id": "10", "sched_calendar_on_relationship_lag": f"rcal_{code}"}])).options
    assert options.lag_calendar == word


SECOND = {**PROJECT, "proj_id": "20", "proj_short_name": "YARD", "plan_end_date": "2026-12-31 00:00"}


def test_several_projects_with_one_row_of_options():
    """Each project is one of its own; where SCHEDOPTIONS has no row for it, P6's presets hold."""
    options = [{"proj_id": "10", "sched_calendar_on_relationship_lag": "rcal_Successor"}]
    hall, yard, empty = read(
        small(
            PROJECT=[PROJECT, SECOND, {**PROJECT, "proj_id": "30", "proj_short_name": "LATER"}], SCHEDOPTIONS=options,
            TASK=[task(1), task(2, proj_id="20")], TASKPRED=[link(1, 2, proj_id="20", pred_proj_id="10")],
        )
    )  # fmt: skip
    assert (hall.id, yard.id, empty.id) == ("HALL", "YARD", "LATER")
    assert (hall.options.lag_calendar, yard.options.lag_calendar) == ("successor", "predecessor")
    assert (hall.activities.height, yard.activities.height, empty.activities.height) == (1, 1, 0)
    assert (hall.must_finish, yard.must_finish) == (None, datetime(2026, 12, 31))
    (between,) = yard.links.rows(named=True)
    assert (between["pred"], between["succ"], between["pred_project"], between["external"]) == ("1", "2", "HALL", False)
    assert hall.links.height == 0


def test_links_to_projects_outside_the_file_are_kept():
    tasks = [task(1, external_early_start_date="2026-02-01 08:00"), task(2, external_late_end_date="2026-03-01 17:00")]
    preds = [link(999, 1, pred_proj_id="77"), link(2, 888, proj_id="78", pred_proj_id="10"), link(5, 6)]
    project = one(small(TASK=tasks, TASKPRED=preds))
    rows = project.links.select("pred", "succ", "pred_project", "external").rows()
    assert rows == [("999", "1", "77", True), ("2", "888", None, True)]
    assert codes(project) == ["link_without_ends", "external_link", "external_link"]
    assert "A1 follows activity 999 of project 77" in project.findings[1].message
    assert "A2 precedes activity 888 of project 78" in project.findings[2].message
    assert project.activities["external_early"].to_list() == [datetime(2026, 2, 1, 8), None]
    assert project.activities["external_late"].to_list() == [None, datetime(2026, 3, 1, 17)]


def test_external_dates_hold_unless_the_project_is_scheduled_alone():
    dates = {"external_early_start_date": "2026-02-01 08:00", "external_late_end_date": "2026-03-01 17:00"}
    for code, kept in (("SD_Both", 2), ("SD_None", 0), (None, 2)):
        options = [{"proj_id": "10", "sched_outer_depend_type": code}]
        project = one(small(TASK=[task(1, **dates)], SCHEDOPTIONS=options))
        row = project.activities.row(0, named=True)
        assert sum(row[name] is not None for name in ("external_early", "external_late")) == kept
        assert codes(project) == (["external_dates_ignored"] if not kept else [])


def test_a_link_told_by_both_projects_is_one():
    assert one(small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2), link(1, 2)])).links.height == 1
    other = link(1, 2, task_pred_id="9", pred_type="PR_FF")
    assert one(small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2), other])).links.height == 2


def test_links_without_a_lag_or_a_type_are_read_and_reported():
    project = one(small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2, lag_hr_cnt=None, pred_type=None)]))
    assert project.links.select("type", "lag_s").rows() == [(0, 0)]
    assert codes(project) == ["link_without_type", "link_without_lag"]


def baseline(number: int, **cells: object) -> dict[str, object]:
    return {**PROJECT, "proj_id": str(number), "proj_short_name": f"HALL - B{number}", "orig_proj_id": "10", **cells}


def planned(number: int, proj: int, day: int) -> dict[str, object]:
    dates = {"target_start_date": f"2026-01-{day:02} 08:00", "target_end_date": f"2026-01-{day + 4:02} 17:00"}
    return task(number, proj_id=str(proj), task_code="A1", target_drtn_hr_cnt=str(day), **dates)


def test_baselines_of_the_file():
    tasks = [planned(1, 10, 20), planned(2, 11, 5), planned(3, 12, 12), task(4)]
    rows = [PROJECT, baseline(11), baseline(12)]
    assigned = one(small(PROJECT=[{**PROJECT, "sum_base_proj_id": "12"}, *rows[1:]], TASK=tasks))
    columns = ("code", "baseline_start", "baseline_finish", "baseline_duration_s")
    assert assigned.activities.select(columns).rows() == [
        ("A1", datetime(2026, 1, 12, 8), datetime(2026, 1, 16, 17), 12 * HOUR), ("A4", None, None, None)
    ]  # fmt: skip
    assert assigned.activities["planned_start"][0] == datetime(2026, 1, 20, 8)
    assert codes(assigned) == ["baseline_taken"]
    ambiguous = one(small(PROJECT=rows, TASK=tasks))
    assert ambiguous.activities["baseline_start"].null_count() == 2
    assert codes(ambiguous) == ["baseline_ambiguous"]
    single = one(small(PROJECT=rows[:2], TASK=[tasks[0], tasks[1]]))
    assert single.activities["baseline_start"].to_list() == [datetime(2026, 1, 5, 8)]


def test_a_baseline_whose_project_is_elsewhere_is_a_project():
    assert [project.id for project in read(small(PROJECT=[baseline(11)], TASK=[planned(2, 11, 5)]))] == ["HALL - B11"]


def test_resources_cost_and_owner():
    people = [{"rsrc_id": "5", "rsrc_name": "Crew A", "rsrc_short_name": "CA"}]
    assigned = [
        {"task_id": "1", "rsrc_id": "5", "target_cost": "100.5"},
        {"task_id": "1", "rsrc_id": "6", "target_cost": ""},
    ]
    expenses = [{"task_id": "1", "target_cost": "10"}, {"task_id": "3", "target_cost": "7"}]
    tasks = [task(1, rsrc_id="5"), task(2), task(3)]
    project = one(small(TASK=tasks, RSRC=people, TASKRSRC=assigned, PROJCOST=expenses))
    assert project.activities["resources"].to_list() == [2, 0, 0]
    assert project.activities["cost"].to_list() == [110.5, None, 7.0]
    assert project.activities["owner"].to_list() == ["Crew A", None, None]


def test_a_file_without_resource_tables_tells_nothing_of_resources():
    assert first(small())["resources"] is None


NIGHTS = {**CALENDAR, "clndr_id": "2", "clndr_name": "Nights", "clndr_type": "CA_Rsrc", "default_flag": "N",
          "clndr_data": "(0||()((0||DaysOfWeek()((0||2()((0||0(s|20:00|f|00:00)())))))))"}  # fmt: skip


def assignment(resource: str, quantity: int, **cells: object) -> dict[str, object]:
    return {"task_id": "1", "rsrc_id": resource, "target_qty": quantity, "target_qty_per_hr": "1",
            "remain_qty": quantity, "remain_qty_per_hr": "1", "rollup_dates_flag": "Y", **cells}  # fmt: skip


def driven(kind: str, *assignments: dict[str, object]):
    people = [{"rsrc_id": "5", "rsrc_name": "Crew", "clndr_id": "1", "rsrc_type": "RT_Labor"},
              {"rsrc_id": "6", "rsrc_name": "Crane", "clndr_id": "2", "rsrc_type": "RT_Equip"},
              {"rsrc_id": "7", "rsrc_name": "Sand", "clndr_id": "2", "rsrc_type": "RT_Mat"}]  # fmt: skip
    tables = {
        "CALENDAR": [CALENDAR, NIGHTS],
        "TASK": [task(1, task_type=kind)],
        "RSRC": people,
        "TASKRSRC": assignments,
    }
    project = one(small(**tables))
    row = project.activities.row(0, named=True)
    return row["calendar"], row["duration_s"], row["remaining_s"]


def test_resource_dependent_activities_are_worked_on_the_calendar_of_the_longest_driving_assignment():
    """The crew works 40 hours a week, the crane 4: its 8 hours take two weeks, the 16 of the crew not half a week."""
    crew, crane = assignment("5", 16), assignment("6", 8, remain_qty="4")
    assert driven("TT_Rsrc", crew, crane) == ("2", 8 * HOUR, 4 * HOUR)
    assert driven("TT_Task", crew, crane) == ("1", 40 * HOUR, 40 * HOUR)
    assert driven("TT_Rsrc", crew) == ("1", 40 * HOUR, 40 * HOUR)
    assert driven("TT_Rsrc", crew, {**crane, "rollup_dates_flag": "N"}) == ("1", 40 * HOUR, 40 * HOUR)
    assert driven("TT_Rsrc", crew, assignment("7", 8)) == ("1", 40 * HOUR, 40 * HOUR)
    assert driven("TT_Rsrc") == ("1", 40 * HOUR, 40 * HOUR)


def test_wbs_paths_and_summaries():
    nodes = [{"wbs_id": "1", "proj_id": "10", "parent_wbs_id": "", "wbs_short_name": "HALL", "wbs_name": "New hall",
              "proj_node_flag": "Y"},
             {"wbs_id": "2", "parent_wbs_id": "1", "wbs_short_name": "CIV"},
             {"wbs_id": "3", "parent_wbs_id": "2", "wbs_short_name": "SLAB"}]  # fmt: skip
    tasks = [
        task(1, wbs_id="2", task_type="TT_WBS"),
        task(2, wbs_id="3"),
        task(3, wbs_id="1", task_type="TT_WBS"),
        task(4),
    ]
    project = one(small(PROJWBS=nodes, TASK=tasks))
    assert project.name == "New hall"
    assert project.activities.select("wbs", "parent").rows() == [
        ("HALL.CIV", "3"), ("HALL.CIV.SLAB", "1"), ("HALL", None), (None, None)
    ]  # fmt: skip


def test_a_loop_of_wbs_nodes_ends():
    nodes = [
        {"wbs_id": "1", "parent_wbs_id": "2", "wbs_short_name": "A"},
        {"wbs_id": "2", "parent_wbs_id": "1", "wbs_short_name": "B"},
    ]
    assert first(small(PROJWBS=nodes, TASK=[task(1, wbs_id="1")]))["wbs"] == "B.A"


def test_codes_that_bind_activities_to_evidence():
    project = one(small(
        TASK=[task(1), task(2)],
        ACTVTYPE=[{"actv_code_type_id": "1", "actv_code_type": "System"},
                  {"actv_code_type_id": "2", "actv_code_type": "Floor"}],
        ACTVCODE=[{"actv_code_id": "11", "short_name": "STO-1"}, {"actv_code_id": "12", "short_name": "L2"}],
        TASKACTV=[{"task_id": "1", "actv_code_type_id": "1", "actv_code_id": "11"},
                  {"task_id": "2", "actv_code_type_id": "2", "actv_code_id": "12"}],
        UDFTYPE=[{"udf_type_id": "5", "table_name": "TASK", "udf_type_label": "GATE"},
                 {"udf_type_id": "6", "table_name": "PROJECT", "udf_type_label": "Block"}],
        UDFVALUE=[{"udf_type_id": "5", "fk_id": "2", "udf_text": "burn-in"},
                  {"udf_type_id": "6", "fk_id": "2", "udf_text": "B"}],
    ))  # fmt: skip
    assert project.activities.select("system", "block", "gate").rows() == [
        ("STO-1", None, None),
        (None, None, "burn-in"),
    ]


def test_records_that_contradict_themselves_are_kept_and_named():
    tasks = [
        task(1, status_code="TK_Complete"),
        task(1),
        {**TASK, "task_id": ""},
        task(3, proj_id=""),
        task(4, proj_id="44"),
    ]
    hall, lost = read(small(TASK=tasks))
    assert hall.activities["id"].to_list() == ["1", "3"]
    assert (lost.id, lost.activities["id"].to_list()) == ("44", ["4"])
    assert codes(hall) == ["status_contradiction", "activity_without_id", "activity_without_project", "duplicate_key"]


def test_ids_that_come_twice_are_reported():
    doubled = one(small(PROJECT=[PROJECT, {**PROJECT, "proj_short_name": "AGAIN"}, {**PROJECT, "proj_id": ""}]))
    assert doubled.id == "HALL"
    assert codes(doubled) == ["duplicate_key", "duplicate_key"]
    assert codes(one(small(CALENDAR=[CALENDAR, CALENDAR]))) == ["duplicate_key"]


def test_projects_of_one_name_are_told_apart():
    rows = [PROJECT, {**PROJECT, "proj_id": "20"}, {**PROJECT, "proj_id": "30", "proj_short_name": ""}]
    assert [project.id for project in read(small(PROJECT=rows))] == ["HALL", "HALL (20)", "30"]


@pytest.mark.parametrize("text", ["", "ERMHDR", "id,name\n1,A\n", "\x00\x01\x02", "%T\tTASK\n%F\ta\n%R\tb\n"])
def test_what_is_no_xer_is_refused(text):
    assert not claims_xer(text.encode())
    with pytest.raises(FileRejected):
        read(text)


def test_a_file_without_projects_is_refused():
    with pytest.raises(FileRejected, match=r"plan\.xer holds no project"):
        read(xer(CURRTYPE=[{"curr_id": "1"}]))


def test_what_stands_after_the_end_and_rows_without_columns_are_reported():
    text = small().decode()
    project = one(text + text)
    assert codes(project) == ["after_end"]
    project = one(text.replace("%T\tTASK\r\n", "%T\tTASK\r\n%R\t1\t2\r\n"))
    assert codes(project) == ["rows_without_columns"]
    project = one(text.replace("%E", ""))
    assert codes(project) == ["file_cut"]
    assert project.activities.height == 1


def test_tables_that_come_twice_are_one():
    text = small().decode()
    again = text.replace("%E", "%T\tTASK\r\n%F\tproj_id\ttask_id\ttask_code\r\n%R\t10\t2\tA2\r\n%E")
    assert one(again).activities.select("id", "code", "kind").rows() == [("100", "A100", "task"), ("2", "A2", "task")]


def test_rows_are_lines_of_the_file():
    project = one(small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2)]))
    lines = small(TASK=[task(1), task(2)], TASKPRED=[link(1, 2)]).decode().split("\r\n")
    assert [lines[row - 1].split("\t")[1] for row in project.activities["row"]] == ["1", "2"]
    assert lines[project.links["row"][0] - 1].startswith("%R\t12\t")
    assert project.activities["row"].dtype == pl.Int64
