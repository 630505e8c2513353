"""How PMXML names the columns of P6 tables, and the elements that are their rows."""

from __future__ import annotations

FIELDS: dict[str, dict[str, str]] = {
    "PROJECT": {
        "proj_id": "ObjectId", "proj_short_name": "Id", "proj_name": "Name", "last_recalc_date": "DataDate",
        "clndr_id": "ActivityDefaultCalendarObjectId", "plan_start_date": "PlannedStartDate",
        "plan_end_date": "MustFinishByDate", "scd_end_date": "ScheduledFinishDate",
        "critical_path_type": "CriticalActivityPathType", "critical_drtn_hr_cnt": "CriticalActivityFloatLimit",
        "orig_proj_id": "OriginalProjectObjectId", "sum_base_proj_id": "CurrentBaselineProjectObjectId",
        "name_sep_char": "WBSCodeSeparator",
    },
    "SCHEDOPTIONS": {
        "sched_retained_logic": "Retained", "sched_progress_override": "Override",
        "sched_outer_depend_type": "IgnoreOtherProjectRelationships", "sched_float_type": "ComputeTotalFloatType",
        "sched_calendar_on_relationship_lag": "RelationshipLagCalendar",
        "sched_use_expect_end_flag": "UseExpectedFinishDates",
        "sched_open_critical_flag": "MakeOpenEndedActivitiesCritical",
        "sched_lag_early_start_flag": "StartToStartLagCalculationType",
        "sched_use_project_end_date_for_float": "CalculateFloatBasedOnFinishDate",
    },
    "PROJWBS": {
        "wbs_id": "ObjectId", "parent_wbs_id": "ParentObjectId", "wbs_short_name": "Code", "wbs_name": "Name",
    },
    "RSRC": {
        "rsrc_id": "ObjectId", "rsrc_name": "Name", "rsrc_short_name": "Id", "clndr_id": "CalendarObjectId",
        "rsrc_type": "ResourceType",
    },
    "TASKRSRC": {
        "task_id": "ActivityObjectId", "rsrc_id": "ResourceObjectId", "rsrc_type": "ResourceType",
        "target_cost": "PlannedCost", "target_qty": "PlannedUnits", "target_qty_per_hr": "PlannedUnitsPerTime",
        "remain_qty": "RemainingUnits", "remain_qty_per_hr": "RemainingUnitsPerTime",
        "rollup_dates_flag": "DrivingActivityDatesFlag",
    },
    "PROJCOST": {"task_id": "ActivityObjectId", "target_cost": "PlannedCost"},
    "ACTVTYPE": {"actv_code_type_id": "ObjectId", "actv_code_type": "Name"},
    "ACTVCODE": {"actv_code_id": "ObjectId", "short_name": "CodeValue", "actv_code_name": "Description"},
    "TASKACTV": {"task_id": "task", "actv_code_type_id": "TypeObjectId", "actv_code_id": "ValueObjectId"},
    "UDFTYPE": {"udf_type_id": "ObjectId", "table_name": "SubjectArea", "udf_type_label": "Title"},
    "UDFVALUE": {"fk_id": "task", "udf_type_id": "TypeObjectId", "udf_text": "TextValue"},
    "TASKPRED": {
        "task_pred_id": "ObjectId", "task_id": "SuccessorActivityObjectId", "proj_id": "SuccessorProjectObjectId",
        "pred_task_id": "PredecessorActivityObjectId", "pred_proj_id": "PredecessorProjectObjectId",
        "pred_type": "Type", "lag_hr_cnt": "Lag",
    },
    "TASK": {
        "task_id": "ObjectId", "wbs_id": "WBSObjectId", "clndr_id": "CalendarObjectId", "task_code": "Id",
        "task_name": "Name", "task_type": "Type", "status_code": "Status", "rsrc_id": "PrimaryResourceObjectId",
        "complete_pct_type": "PercentCompleteType", "phys_complete_pct": "PhysicalPercentComplete",
        "act_work_qty": "ActualLaborUnits", "remain_work_qty": "RemainingLaborUnits",
        "act_equip_qty": "ActualNonLaborUnits", "remain_equip_qty": "RemainingNonLaborUnits",
        "target_drtn_hr_cnt": "PlannedDuration", "remain_drtn_hr_cnt": "RemainingDuration",
        "total_float_hr_cnt": "TotalFloat", "free_float_hr_cnt": "FreeFloat",
        "act_start_date": "ActualStartDate", "act_end_date": "ActualFinishDate", "suspend_date": "SuspendDate",
        "resume_date": "ResumeDate", "expect_end_date": "ExpectedFinishDate",
        "early_start_date": "EarlyStartDate", "early_end_date": "EarlyFinishDate",
        "late_start_date": "LateStartDate", "late_end_date": "LateFinishDate",
        "target_start_date": "PlannedStartDate", "target_end_date": "PlannedFinishDate",
        "cstr_type": "PrimaryConstraintType", "cstr_date": "PrimaryConstraintDate",
        "cstr_type2": "SecondaryConstraintType", "cstr_date2": "SecondaryConstraintDate",
        "driving_path_flag": "IsLongestPath", "external_early_start_date": "ExternalEarlyStartDate",
        "external_late_end_date": "ExternalLateFinishDate",
    },
}  # fmt: skip
KINDS = {
    "PROJECT": "Project", "SCHEDOPTIONS": "ScheduleOptions", "PROJWBS": "WBS", "RSRC": "Resource",
    "TASKRSRC": "ResourceAssignment", "PROJCOST": "ActivityExpense", "TASKPRED": "Relationship", "TASK": "Activity",
    "ACTVTYPE": "ActivityCodeType", "ACTVCODE": "ActivityCode", "TASKACTV": "Code", "UDFTYPE": "UDFType",
    "UDFVALUE": "UDF",
}  # fmt: skip
REMAINING = {
    "early_start_date": "RemainingEarlyStartDate", "early_end_date": "RemainingEarlyFinishDate",
    "late_start_date": "RemainingLateStartDate", "late_end_date": "RemainingLateFinishDate",
}  # fmt: skip
