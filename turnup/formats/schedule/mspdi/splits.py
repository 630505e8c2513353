"""Tasks whose work is interrupted: split by hand or by levelling, or stopped and resumed.

Belongs here: how long such a task lasts with its breaks. Does not: how a task's progress is told (``tasks``).

A break is not in a task's duration; MSPDI tells of it in the assignments only, as spans in which working time has no
work. Its length keeps with the task, as it does in Microsoft Project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record
    from turnup.formats.schedule.mspdi.resources import Assigned, WorkingBy
    from turnup.formats.schedule.notes import Notes

_WORK = (1, 2)
"""Remaining and actual work of an assignment over time."""


def interrupted(task: Record, assigned: Assigned, calendar: str, working_by: WorkingBy, notes: Notes) -> dict[str, Any]:
    """The columns of an activity that a break in its work changes; none where there is no break."""
    start, finish, duration = task.moment("Start"), task.moment("Finish"), task.duration("Duration")
    if start is None or finish is None or duration is None or task.moment("ActualFinish") is not None:
        return {}
    if working_by.worked(calendar, start, finish) <= duration:
        return {}
    stop, resume = task.moment("Stop"), task.moment("Resume")
    begun = task.moment("ActualStart") is not None and stop is not None and resume is not None
    left = working_by.worked(calendar, resume if begun and resume is not None else start, finish)
    if not _broken(assigned) and not (begun and left == task.duration("RemainingDuration")):
        return {}
    message = f"the work of task '{task.text('Name')}' is split; its breaks count as part of it"
    notes.add("split_task", message, severity="info", row=task.row, column="Duration")
    # A started task takes its duration from its actual start, one that has not started what remains of it.
    return {"remaining_s": left, **({"duration_s": working_by.worked(calendar, start, finish)} if begun else {})}


def _broken(assigned: Assigned) -> bool:
    """Whether an assignment has working time without work before its last work."""
    for assignment in assigned.assignments:
        pause = False
        for span in assignment.records("TimephasedData"):
            if span.integer("Type") in _WORK and span.text("Value") is not None:
                worked = bool(span.duration("Value"))
                if worked and pause:
                    return True
                pause = pause or not worked
    return False
