"""Tasks of an MSPDI document as activities.

Belongs here: what each element of a task means. Does not: links (``links``) and calendars (``resources``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnup.formats.schedule.mspdi.records import is_elapsed
from turnup.formats.schedule.mspdi.splits import interrupted
from turnup.formats.schedule.outline import parents_by_level

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.codes import Codes
    from turnup.formats.schedule.mspdi.records import Record
    from turnup.formats.schedule.mspdi.resources import Resources, WorkingBy
    from turnup.formats.schedule.notes import Notes

CONSTRAINTS: dict[int, str] = {
    1: "as_late_as_possible", 2: "mandatory_start", 3: "mandatory_finish", 4: "start_no_earlier",
    5: "start_no_later", 6: "finish_no_earlier", 7: "finish_no_later", 8: "start_on", 9: "finish_on",
}  # fmt: skip
_PROJECT_TASK = "0"
"""UID of the summary of the whole project."""


@dataclass(frozen=True)
class Task:
    """A task with its id, the id of the summary above it, and whether anything is below it."""

    record: Record
    id: str
    parent: str | None
    summary: bool


def read_tasks(project: Record, notes: Notes) -> tuple[list[Task], frozenset[str]]:
    """The tasks in the order of the file, without blank rows, and the UIDs of those that are switched off."""
    inactive: set[str] = set()
    rows = list(_identified(project, inactive, notes))
    parents = parents_by_level((uid, _level(uid, record)) for uid, record in rows)
    above = set(parents.values())
    tasks = []
    for uid, record in rows:
        summary = uid == _PROJECT_TASK or uid in above or record.flag("Summary")
        tasks.append(Task(record, uid, parents[uid], summary))
    return tasks, frozenset(inactive)


def _identified(project: Record, inactive: set[str], notes: Notes) -> Iterator[tuple[str, Record]]:
    seen: set[str] = set()
    for record in project.records("Tasks", "Task"):
        if record.flag("IsNull"):
            continue
        uid = record.text("UID") or f"row {record.row}"
        name = record.text("Name") or uid
        if uid in seen:
            message = f"task '{name}' has the UID {uid} of a task before it; it is left out, links go to the first"
            notes.add("repeated_id", message, severity="error", row=record.row, column="UID", value=uid)
            continue
        if not record.flag("Active", default=True):
            message = f"task '{name}' is inactive; it and its links take no part in the schedule"
            notes.add("inactive_task", message, severity="info", row=record.row, column="Active", value=uid)
            inactive.add(uid)
            continue
        seen.add(uid)
        yield uid, record


def _level(uid: str, record: Record) -> int:
    level = record.integer("OutlineLevel")
    if level is not None:
        return level
    return 0 if uid == _PROJECT_TASK else (record.text("OutlineNumber") or "1").count(".") + 1


class Activities:
    """Makes activities of tasks."""

    def __init__(
        self, project: Record, resources: Resources, working_by: WorkingBy, codes: Codes, notes: Notes
    ) -> None:
        self._form = project.integer("DurationFormat")
        self._resources = resources
        self._working_by = working_by
        self._codes = codes
        self._notes = notes

    def of(self, task: Task, *, follows: bool) -> dict[str, Any]:
        """The columns of one activity; ``follows`` says that it has predecessors."""
        record = task.record
        duration = record.duration("Duration")
        elapsed = not task.summary and is_elapsed(record.integer("DurationFormat"), self._form)
        assigned = self._resources.of(task.id)
        calendar = self._working_by.key(record, assigned, elapsed=elapsed)
        milestone = "finish_milestone" if follows else "start_milestone"
        return {
            "id": task.id,
            "code": record.text("ID") or task.id,
            "name": record.text("Name"),
            "wbs": record.text("WBS") or record.text("OutlineNumber"),
            "parent": task.parent,
            "kind": "summary" if task.summary else milestone if duration == 0 else "task",
            "calendar": calendar,
            "manual": self._keeps_its_dates(task),
            "duration_s": duration,
            "deadline": record.moment("Deadline"),
            "planned_start": record.moment("Start"),
            "planned_finish": record.moment("Finish"),
            "resources": assigned.count if self._resources.known else None,
            "cost": None if (cost := record.number("Cost")) is None else cost / 100,
            "owner": "; ".join(dict.fromkeys(assigned.names)) or record.text("Contact"),
            "row": record.row,
            **self._codes.of(record),
            **_progress(record, duration),
            **({} if task.summary else interrupted(record, assigned, calendar, self._working_by, self._notes)),
            **self._constraint(record),
            **_baseline(record),
            **_stored(record),
        }

    def _keeps_its_dates(self, task: Task) -> bool:
        """Whether Microsoft Project leaves the dates of a task alone: manual ones, and those of other projects."""
        record = task.record
        name = record.text("Name") or task.id
        if record.flag("ExternalTask"):
            where = record.text("ExternalTaskProject") or "another project"
            message = f"task '{name}' belongs to {where}; it keeps the dates that it has here"
            self._notes.add("external_task", message, severity="info", row=record.row, value=task.id)
            return True
        if record.flag("IsSubproject") and not task.summary:
            message = f"task '{name}' stands for the project {record.text('SubprojectName')}; it keeps its dates"
            self._notes.add("inserted_project", message, row=record.row, value=task.id)
            return True
        return record.flag("Manual")

    def _constraint(self, record: Record) -> dict[str, Any]:
        kind = record.integer("ConstraintType") or 0
        if kind == 0:
            return {}
        name, date = CONSTRAINTS.get(kind), record.moment("ConstraintDate")
        if name is None:
            self._notes.unread(record.row, "ConstraintType", str(kind), "0 to 7")
            return {}
        if date is None and name != "as_late_as_possible":
            message = f"task '{record.text('Name')}' has a constraint ({name}) without a date; it is left out"
            self._notes.add("constraint_date", message, row=record.row, column="ConstraintDate")
            return {}
        return {"constraint": name, "constraint_date": date if name != "as_late_as_possible" else None}


def _progress(record: Record, duration: int | None) -> dict[str, Any]:
    start, finish = record.moment("ActualStart"), record.moment("ActualFinish")
    percent = record.number("PercentComplete", 100)
    left = record.duration("RemainingDuration")
    if finish is not None or percent == 100:
        return {"status": "completed", "actual_start": start, "actual_finish": finish, "percent": percent,
                "remaining_s": 0}  # fmt: skip
    if left is None and duration is not None:
        left = round(duration * (1 - (percent or 0) / 100))
    begun = start is not None or bool(percent)
    return {"status": "in_progress" if begun else "not_started", "actual_start": start, "percent": percent,
            "remaining_s": left}  # fmt: skip


def _baseline(record: Record) -> dict[str, Any]:
    for baseline in record.records("Baseline"):
        if (baseline.integer("Number") or 0) == 0:
            return {"baseline_start": baseline.moment("Start"), "baseline_finish": baseline.moment("Finish"),
                    "baseline_duration_s": baseline.duration("Duration")}  # fmt: skip
    return {}


def _stored(record: Record) -> dict[str, Any]:
    return {
        "critical": record.flag("Critical") if record.text("Critical") is not None else None,
        "early_start": record.moment("EarlyStart"),
        "early_finish": record.moment("EarlyFinish"),
        "late_start": record.moment("LateStart"),
        "late_finish": record.moment("LateFinish"),
        "total_float_s": record.tenths("TotalSlack"),
        "free_float_s": record.tenths("FreeSlack"),
    }
