"""The tables and columns of Primavera P6 that a network is made of, under the names that XER gives them.

PMXML says the same under other names; its reader fills the same tables, so that both make the same network.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_calendars import Calendar

ROW = "_row"
"""Line of an XER, or record of its kind in a PMXML, from 1."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "PROJECT": (
        "proj_id", "proj_short_name", "clndr_id", "last_recalc_date", "plan_start_date", "plan_end_date",
        "scd_end_date", "critical_path_type", "critical_drtn_hr_cnt", "orig_proj_id", "sum_base_proj_id",
        "name_sep_char", "proj_name",
    ),
    "CALENDAR": (
        "clndr_id", "default_flag", "clndr_name", "proj_id", "base_clndr_id", "clndr_type", "day_hr_cnt",
        "week_hr_cnt", "month_hr_cnt", "clndr_data",
    ),
    "SCHEDOPTIONS": (
        "proj_id", "sched_retained_logic", "sched_progress_override", "sched_float_type",
        "sched_calendar_on_relationship_lag", "sched_use_expect_end_flag", "sched_open_critical_flag",
        "sched_lag_early_start_flag", "sched_use_project_end_date_for_float", "sched_outer_depend_type",
    ),
    "PROJWBS": ("wbs_id", "proj_id", "parent_wbs_id", "wbs_short_name", "wbs_name", "proj_node_flag"),
    "RSRC": ("rsrc_id", "rsrc_name", "rsrc_short_name", "clndr_id", "rsrc_type"),
    "TASKRSRC": (
        "task_id", "rsrc_id", "rsrc_type", "target_cost", "target_qty", "target_qty_per_hr", "remain_qty",
        "remain_qty_per_hr", "rollup_dates_flag",
    ),
    "PROJCOST": ("task_id", "target_cost"),
    "TASK": (
        "task_id", "proj_id", "wbs_id", "clndr_id", "task_code", "task_name", "task_type", "status_code", "rsrc_id",
        "complete_pct_type", "phys_complete_pct", "act_work_qty", "remain_work_qty", "act_equip_qty",
        "remain_equip_qty", "target_drtn_hr_cnt", "remain_drtn_hr_cnt", "total_float_hr_cnt", "free_float_hr_cnt",
        "act_start_date", "act_end_date", "suspend_date", "resume_date", "expect_end_date", "early_start_date",
        "early_end_date", "late_start_date", "late_end_date", "target_start_date", "target_end_date", "cstr_type",
        "cstr_date", "cstr_type2", "cstr_date2", "driving_path_flag", "external_early_start_date",
        "external_late_end_date",
    ),
    "ACTVTYPE": ("actv_code_type_id", "actv_code_type"),
    "ACTVCODE": ("actv_code_id", "actv_code_type_id", "short_name", "actv_code_name"),
    "TASKACTV": ("task_id", "actv_code_type_id", "actv_code_id"),
    "UDFTYPE": ("udf_type_id", "table_name", "udf_type_label"),
    "UDFVALUE": ("udf_type_id", "fk_id", "udf_text"),
    "TASKPRED": ("task_pred_id", "task_id", "pred_task_id", "proj_id", "pred_proj_id", "pred_type", "lag_hr_cnt"),
}  # fmt: skip


@dataclass(frozen=True)
class P6Tables:
    """The tables of one file: cells text, empty cells null; calendars already read; what was seen on the way."""

    frames: dict[str, pl.DataFrame]
    calendars: tuple[Calendar, ...]
    findings: tuple[Finding, ...]

    def has(self, name: str) -> bool:
        """Whether the file has the table at all: P6 leaves out tables without rows."""
        return name in self.frames

    def table(self, name: str) -> pl.DataFrame:
        """A table with all its known columns; those that the file lacks are null."""
        frame = self.frames.get(name, pl.DataFrame(schema={ROW: pl.Int64()}))
        missing = [pl.lit(None, pl.String).alias(column) for column in COLUMNS[name] if column not in frame.columns]
        return frame.with_columns(missing).select(*COLUMNS[name], ROW)
