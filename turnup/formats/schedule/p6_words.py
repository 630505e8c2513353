"""The codes of Primavera P6 in our words: those of XER and, where they differ, those of PMXML."""

from __future__ import annotations

from typing import TypeVar

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_cells import Cells
from turnup.schedule.model import Options, Progress

KINDS = {
    "TT_Task": "task", "TT_Rsrc": "resource_dependent", "TT_LOE": "level_of_effort", "TT_WBS": "summary",
    "TT_Mile": "start_milestone", "TT_FinMile": "finish_milestone",
    "Task Dependent": "task", "Resource Dependent": "resource_dependent", "Level of Effort": "level_of_effort",
    "WBS Summary": "summary", "Start Milestone": "start_milestone", "Finish Milestone": "finish_milestone",
}  # fmt: skip
STATUSES = {
    "TK_NotStart": "not_started", "TK_Active": "in_progress", "TK_Complete": "completed",
    "Not Started": "not_started", "In Progress": "in_progress", "Completed": "completed",
}  # fmt: skip
CONSTRAINTS = {
    "CS_MSO": "start_on", "CS_MSOA": "start_no_earlier", "CS_MSOB": "start_no_later",
    "CS_MEO": "finish_on", "CS_MEOA": "finish_no_earlier", "CS_MEOB": "finish_no_later",
    "CS_MANDSTART": "mandatory_start", "CS_MANDFIN": "mandatory_finish", "CS_ALAP": "as_late_as_possible",
    "Start On": "start_on", "Start On or After": "start_no_earlier", "Start On or Before": "start_no_later",
    "Finish On": "finish_on", "Finish On or After": "finish_no_earlier", "Finish On or Before": "finish_no_later",
    "Mandatory Start": "mandatory_start", "Mandatory Finish": "mandatory_finish",
    "As Late As Possible": "as_late_as_possible",
}  # fmt: skip
LINKS = {
    "PR_FS": "FS", "PR_SS": "SS", "PR_FF": "FF", "PR_SF": "SF",
    "Finish to Start": "FS", "Start to Start": "SS", "Finish to Finish": "FF", "Start to Finish": "SF",
}  # fmt: skip
PERCENTS = {
    "CP_Drtn": "duration", "CP_Phys": "physical", "CP_Units": "units",
    "Duration": "duration", "Physical": "physical", "Units": "units", "Scope": "scope",
}  # fmt: skip
_LAG_CALENDARS = {
    "rcal_Predecessor": "predecessor", "rcal_Successor": "successor", "rcal_ProjDefault": "project",
    "rcal_24Hour": "elapsed",
    "Predecessor Activity Calendar": "predecessor", "Successor Activity Calendar": "successor",
    "Project Default Calendar": "project", "24 Hour Calendar": "elapsed",
}  # fmt: skip
_FLOATS = {
    "FT_FF": "finish", "FT_SS": "start", "FT_Min": "smallest",
    "Finish Float = Late Finish - Early Finish": "finish", "Start Float = Late Start - Early Start": "start",
    "Smallest of Start Float and Finish Float": "smallest",
}  # fmt: skip
_CRITICAL = {
    "CT_TotFloat": "total_float", "CT_DrivPath": "longest_path",
    "Critical Float": "total_float", "Longest Path": "longest_path",
}  # fmt: skip
_OUTSIDE = {"SD_None": "ignored", "SD_Both": "kept", "1": "ignored", "true": "ignored", "0": "kept", "false": "kept"}

Value = TypeVar("Value")


def ignores_outside(scheduling: pl.DataFrame) -> bool:
    """Whether the project is scheduled as if no other project were linked to it."""
    how = scheduling.head(1)["sched_outer_depend_type"].replace_strict(_OUTSIDE, default="kept", return_dtype=pl.String)
    return _one(how, "kept") == "ignored"


def options(project: pl.DataFrame, scheduling: pl.DataFrame) -> tuple[Options, list[Finding]]:
    """The scheduling options of one project; what its file does not tell is as P6 presets it.

    Args:
        project: its row of PROJECT, or none.
        scheduling: its row of SCHEDOPTIONS, or none.
    """
    about, how = Cells(project.head(1), "PROJECT"), Cells(scheduling.head(1), "SCHEDOPTIONS")
    preset = Options()
    made = Options(
        lag_calendar=_one(how.word("sched_calendar_on_relationship_lag", _LAG_CALENDARS), preset.lag_calendar),
        progress=_progress(how),
        float_kind=_one(how.word("sched_float_type", _FLOATS), preset.float_kind),
        critical_rule=_one(about.word("critical_path_type", _CRITICAL), preset.critical_rule),
        critical_float=_one(about.seconds("critical_drtn_hr_cnt"), preset.critical_float),
        use_expected_finish=_one(how.flag("sched_use_expect_end_flag"), preset.use_expected_finish),
        float_from_each_project=_one(how.flag("sched_use_project_end_date_for_float"), preset.float_from_each_project),
        open_ends_critical=_one(how.flag("sched_open_critical_flag"), preset.open_ends_critical),
        lag_from_early_start=_one(how.flag("sched_lag_early_start_flag"), preset.lag_from_early_start),
    )
    return made, [*about.findings, *how.findings]


def _progress(how: Cells) -> Progress:
    override = _one(how.flag("sched_progress_override"), preset=False)
    if _one(how.flag("sched_retained_logic"), preset=not override):
        return "retained_logic"
    return "progress_override" if override else "actual_dates"


def _one(cells: pl.Series, preset: Value) -> Value:
    value: Value | None = cells[0] if cells.len() else None
    return preset if value is None else value
