"""The columns of schedules that are tables: exports of Microsoft Project, Smartsheet and Primavera P6, and plain lists.

Belongs here: what a column may be called, and which of them hold dates. Does not: what is in the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from expectations.contract import Column, Contract

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXTS: dict[str, str] = {
    "task": "ID|Task ID|Activity ID|Activity|task_code|Row ID|Row Number|Row|Task Number|Nr.|Nr|Vorgangsnummer",
    "unique_id": "Unique ID|UID|Eindeutige Nr.|Einmalige Nr.",
    "project_id": "Project ID|Project Code|proj_short_name",
    "name": "Task Name|Activity Name|Task|Title|Description|Vorgangsname|Vorgang",
    "wbs_path": "WBS|WBS Code|WBS Path|Outline Number|PSP-Code|Gliederungsnummer",
    "outline_level": "Outline Level|Indent|Indent Level|Level|Gliederungsebene",
    "parent_task": "Parent|Parent ID|Parent Task|Parent Row|Parent Activity",
    "activity_kind": "Activity Type|Task Type|task_type",
    "summary": "Summary|Is Summary|Sammelvorgang",
    "milestone": "Milestone|Is Milestone|Meilenstein",
    "active": "Active|Aktiv",
    "task_mode": "Task Mode|Vorgangsmodus",
    "calendar": "Calendar Name|Task Calendar|Work Calendar|clndr_name|Vorgangskalender",
    "duration_d": "Duration|Original Duration|Planned Duration|Dur|OD|Days|Duration (days)|Dauer|target_drtn_hr_cnt",
    "remaining_d": "Remaining Duration|Remaining|Rem Duration|RD|Verbleibende Dauer",
    "optimistic_d": "Optimistic|Optimistic Duration|Min|Minimum|Best Case|Minimum Duration",
    "likely_d": "Most Likely|Most Likely Duration|Likely|Expected Duration|Mode",
    "pessimistic_d": "Pessimistic|Pessimistic Duration|Max|Maximum|Worst Case|Maximum Duration",
    "baseline_duration_d": "Baseline Duration|BL Duration|BL1 Duration|BL Project Duration",
    "predecessors": "Predecessor|Predecessor Details|Predecessor IDs|Depends On|Dependencies|Vorgänger|pred_list",
    "unique_predecessors": "Unique ID Predecessors|Predecessor Unique IDs",
    "successors": "Successor|Successor Details|Successor IDs|Nachfolger|succ_list",
    "unique_successors": "Unique ID Successors",
    "percent": "% Complete|Percent Complete|Activity % Complete|Complete|Progress|% Done|% Abgeschlossen",
    "percent_duration": "Duration % Complete|Duration Percent Complete",
    "percent_physical": "Physical % Complete|Physical %|Physical Percent Complete",
    "status": "Activity Status|Task Status|status_code",
    "constraint_type": "Constraint|Primary Constraint|cstr_type|Einschränkungsart",
    "constraint_2": "Secondary Constraint|cstr_type2",
    "total_float": "Total Float|Total Slack|TF|Gesamte Pufferzeit|total_float_hr_cnt",
    "free_float": "Free Float|Free Slack|FF|Freie Pufferzeit",
    "critical": "Is Critical|Kritisch",
    "longest_path": "On Longest Path",
    "owner": "Resource Names|Resources|Resource|Assigned To|Responsible|Lead|Ressourcennamen",
    "system_id": "System|System Name|Cluster",
    "block": "SU|Scalable Unit|Pod",
    "gate": "Stage Gate|Readiness Gate",
}
"""Columns that are kept as text, with the names under which they come."""

DATES: dict[str, str] = {
    "start": "Start Date|Planned Start|Begin|Anfang|Start Time",
    "finish": "Finish Date|End|End Date|Planned Finish|Ende|Fertig stellen|Finish Time",
    "actual_start": "AS|act_start_date|Tatsächlicher Anfang",
    "actual_finish": "AF|act_end_date|Actual End|Tatsächliches Ende",
    "early_start": "ES|early_start_date",
    "early_finish": "EF|early_end_date",
    "late_start": "LS|late_start_date",
    "late_finish": "LF|late_end_date",
    "baseline_start": "BL Start|BL1 Start|BL Project Start|Original Start|Geplanter Anfang",
    "baseline_finish": "BL Finish|BL1 Finish|BL Project Finish|Original Finish|Geplantes Ende",
    "constraint_date": "Primary Constraint Date|cstr_date|Einschränkungstermin",
    "constraint_2_date": "Secondary Constraint Date|cstr_date2",
    "deadline": "Stichtag|Due Date|Due",
    "expected_finish": "expect_end_date",
}
"""Columns of dates, with or without a time of day."""

DURATIONS = ("duration_d", "remaining_d", "optimistic_d", "likely_d", "pessimistic_d", "baseline_duration_d")
LOGIC = ("predecessors", "unique_predecessors", "successors", "unique_successors")
_TIMED = ("start", "finish", "early_start", "duration_d", "name")
"""Beside predecessors, one of these makes a table of tasks; a list of links has none."""


def _column(name: str, synonyms: str, kind: str) -> Column:
    return Column(
        name=name, type="local" if kind == "local" else "text", required=False, description=name, unit=None,
        values=(), minimum=None, maximum=None, default=None, fallback=None,
        synonyms=tuple(synonyms.split("|")), example=None,
    )  # fmt: skip


def _contract(columns: Iterable[Column], key: tuple[str, ...] = ()) -> Contract:
    return Contract(
        name="schedule_table", title="Schedule", version="1", description="A schedule as a table.", key=key,
        core=False, columns=tuple(columns), references=(), min_rows=0, fingerprint="schedule_table",
    )  # fmt: skip


_DATE_COLUMNS = tuple(_column(name, names, "local") for name, names in DATES.items())
TABLE = _contract((*(_column(name, names, "text") for name, names in TEXTS.items()), *_DATE_COLUMNS))
"""The columns of such a table, for the reader of tables."""
LINE = "line"
DATE_CELLS = _contract((_column(LINE, "", "text"), *_DATE_COLUMNS), (LINE,))
"""Its dates alone, for the typing of their cells; each row is a key of its own."""


def is_list_of_tasks(found: Iterable[str]) -> bool:
    """Whether these columns make a table of tasks with their links."""
    columns = set(found)
    return bool(columns & set(LOGIC)) and len(columns & set(_TIMED)) >= 1 and len(columns) >= 3
