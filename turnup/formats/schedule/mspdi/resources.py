"""Who works on which task of an MSPDI document, and in whose working time the task is done.

Belongs here: the calendar that a task works by. Does not: what calendars say (``calendars``), levelling, costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from turnup.schedule.model import ELAPSED, WorkCalendar
from turnup.schedule.shifts import both, combined, either, worked_between

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record
    from turnup.formats.schedule.notes import Notes

_WORK = 1
_FIXED_DURATION = 1
_NOBODY = "0"
"""The resource that Microsoft Project writes for work that nobody is assigned to; assignments name it -65535."""


@dataclass
class Assigned:
    """The assignments of one task, to nobody too; how many are to a resource, and the calendars of those that work."""

    assignments: list[Record] = field(default_factory=list)
    count: int = 0
    names: list[str] = field(default_factory=list)
    calendars: list[str] = field(default_factory=list)


class Resources:
    """The resources of a document and the tasks that they are assigned to."""

    def __init__(self, project: Record) -> None:
        self._held: dict[str, Record] = {}
        for record in project.records("Resources", "Resource"):
            uid = record.text("UID")
            if uid is not None and uid != _NOBODY and not record.flag("IsNull"):
                self._held[uid] = record
        self._tasks: dict[str, Assigned] = {}
        for record in project.records("Assignments", "Assignment"):
            self._assign(record)

    @property
    def known(self) -> bool:
        """Whether the file tells anything of resources."""
        return bool(self._held)

    def of(self, task: str) -> Assigned:
        """The resources of a task."""
        return self._tasks.get(task, Assigned())

    def _assign(self, record: Record) -> None:
        task, resource = record.text("TaskUID"), self._held.get(record.text("ResourceUID") or "")
        if task is None:
            return
        assigned = self._tasks.setdefault(task, Assigned())
        assigned.assignments.append(record)
        if resource is None:
            return
        assigned.count += 1
        if (name := resource.text("Name")) is not None:
            assigned.names.append(name)
        calendar, kind, units = resource.text("CalendarUID"), resource.integer("Type"), record.number("Units")
        if calendar is not None and kind in (None, _WORK) and (units is None or units > 0):
            assigned.calendars.append(calendar)


class WorkingBy:
    """Chooses the calendar of each task, and keeps those that are made of several."""

    def __init__(self, calendars: dict[str, WorkCalendar], default: str, notes: Notes) -> None:
        self.calendars = calendars
        self._default = default
        self._notes = notes
        self._keys: dict[object, str] = {}
        for uid in (default, *calendars):
            if uid in calendars:
                self._keys.setdefault(_content(calendars[uid]), uid)

    def key(self, task: Record, assigned: Assigned, *, elapsed: bool) -> str:
        """The calendar of a task: by the clock, its own, its resources', or the project's."""
        if elapsed:
            return ELAPSED
        own = self._own(task)
        theirs = sorted({uid for uid in assigned.calendars if any(self._week(uid))})
        if not theirs or task.integer("Type") == _FIXED_DURATION or (own and task.flag("IgnoreResourceCalendar")):
            return own or self._default
        name = " or ".join(self.calendars[uid].name for uid in theirs)
        calendar = combined([self.calendars[uid] for uid in theirs], either, name)
        if own is not None:
            calendar = combined([self.calendars[own], calendar], both, f"{self.calendars[own].name} and {name}")
        if not any(calendar.week):
            self._note(task, f"{calendar.name} have no working time in common; the task's own calendar is used")
            return own or self._default
        if len({_content(self.calendars[uid]) for uid in theirs}) > 1:
            self._note(task, f"its resources work by different calendars; it works whenever one does ({name})")
        return self._kept(calendar, [*([own] if own else []), *theirs])

    def worked(self, key: str, start: datetime, end: datetime) -> int:
        """Seconds of working time between two times on a calendar of a task."""
        if key not in self.calendars:
            return int((end - start).total_seconds())
        return worked_between(self.calendars[key], start, end)

    def _own(self, task: Record) -> str | None:
        uid = task.text("CalendarUID")
        if uid is None or uid == "-1":
            return None
        if any(self._week(uid)):
            return uid
        self._note(task, f"its calendar {uid} is not in the file or never works; the project's is used")
        return None

    def _week(self, uid: str) -> tuple[object, ...]:
        return self.calendars[uid].week if uid in self.calendars else ()

    def _kept(self, calendar: WorkCalendar, parts: list[str]) -> str:
        """The key of a calendar with these days; one that is made of several gets a key of its own."""
        key = self._keys.setdefault(_content(calendar), "+".join(parts))
        self.calendars.setdefault(key, calendar)
        return key

    def _note(self, task: Record, message: str) -> None:
        name = task.text("Name") or task.text("UID")
        self._notes.add("calendar", f"task '{name}': {message}", row=task.row, column="CalendarUID", value=name)


def _content(calendar: WorkCalendar) -> object:
    """What makes two calendars the same: their days, without exceptions that say what the week says."""
    differing = {day: shifts for day, shifts in calendar.exceptions.items() if shifts != calendar.week[day.weekday()]}
    return calendar.week, tuple(sorted(differing.items()))


def default_calendar(project: Record, calendars: Mapping[str, WorkCalendar], notes: Notes) -> str:
    """The project's own calendar; the first usable one where the file names none that it holds."""
    uid = project.text("CalendarUID")
    if uid is not None and uid in calendars and any(calendars[uid].week):
        return uid
    found = next((key for key in calendars if any(calendars[key].week)), uid or "")
    name = calendars[found].name if found in calendars else "none"
    notes.add("calendar", f"the project's calendar {uid} is not in the file; '{name}' is used", column="CalendarUID")
    return found
