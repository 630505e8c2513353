"""Calendars of an MSPDI document: weeks, work weeks, exceptions, and calendars derived from others.

Belongs here: what a calendar says of each day. Does not: which calendar an activity works by (``resources``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from turnup.formats.schedule.mspdi.recurrence import pattern_of
from turnup.schedule.model import WorkCalendar
from turnup.schedule.shifts import OFFICE, OFFICE_WEEK, Shifts, joined, up_to

if TYPE_CHECKING:
    from turnup.formats.schedule.mspdi.records import Record
    from turnup.formats.schedule.notes import Notes

_LONGEST = 40_000
_SUNDAY, _SATURDAY = 1, 7


@dataclass
class _Own:
    """What a calendar says itself; days that it says nothing of are those of its base."""

    name: str
    base: str | None
    week: dict[int, Shifts] = field(default_factory=dict)
    exceptions: dict[date, Shifts] = field(default_factory=dict)


def read_calendars(project: Record, notes: Notes) -> dict[str, WorkCalendar]:
    """The calendars by UID, each with all of its days; hours per day, week and month are the project's."""
    own = {}
    for record in project.records("Calendars", "Calendar"):
        uid = record.text("UID") or f"row {record.row}"
        own[uid] = _Reader(record, notes).read()
    hours = _hours(project)
    return {uid: _resolved(uid, own, hours, notes) for uid in own}


def _hours(project: Record) -> tuple[float, float, float]:
    day = (project.number("MinutesPerDay", 24 * 60) or 480) / 60
    week = (project.number("MinutesPerWeek", 7 * 24 * 60) or 2400) / 60
    return day, week, day * (project.number("DaysPerMonth", 31) or 20)


def _resolved(uid: str, own: Mapping[str, _Own], hours: tuple[float, float, float], notes: Notes) -> WorkCalendar:
    """A calendar with what it takes from its base, and from the base of that."""
    chain = [own[uid]]
    seen = {uid}
    while (base := chain[-1].base) is not None and base in own and base not in seen:
        seen.add(base)
        chain.append(own[base])
    top = chain[-1]
    if top.base in seen:
        notes.add("calendar", f"calendar '{top.name}' is its own base; the base is left out", column="BaseCalendarUID")
    week: dict[int, Shifts] = {}
    exceptions: dict[date, Shifts] = {}
    for calendar in reversed(chain):
        week |= calendar.week
        exceptions |= calendar.exceptions
    if not week:
        notes.add("calendar", f"calendar '{top.name}' has no week; Monday to Friday, 8 to 12 and 13 to 17 h, is used")
        week = dict(enumerate(OFFICE_WEEK))
    days = tuple(week.get(number, ()) for number in range(7))
    return WorkCalendar(own[uid].name, days, dict(sorted(exceptions.items())), *hours)


class _Reader:
    """Reads one ``Calendar``."""

    def __init__(self, record: Record, notes: Notes) -> None:
        self.record = record
        self.notes = notes
        base = record.text("BaseCalendarUID")
        self.own = _Own(record.text("Name") or f"calendar {record.text('UID')}", None if base == "-1" else base)

    def read(self) -> _Own:
        listed = self._week()
        self._work_weeks()
        for exception in self.record.records("Exceptions", "Exception"):
            self._exception(exception)
        # Microsoft Project lists the days of all of its exceptions once more, in full, as days of type 0.
        self.own.exceptions |= listed
        return self.own

    def _week(self) -> dict[date, Shifts]:
        listed: dict[date, Shifts] = {}
        for day in self.record.records("WeekDays", "WeekDay"):
            kind = day.integer("DayType")
            if kind == 0:
                listed |= dict.fromkeys(self._period(day), self._shifts(day))
            elif kind is not None and _SUNDAY <= kind <= _SATURDAY:
                self.own.week[(kind - 2) % 7] = self._shifts(day)
            else:
                self.notes.unread(day.row, "DayType", str(kind), "0 to 7")
        return listed

    def _work_weeks(self) -> None:
        """Weeks of other hours become exceptions; a day that such a week leaves out is as it always is."""
        for week in self.record.records("WorkWeeks", "WorkWeek"):
            days = {(kind - 2) % 7: self._shifts(day) for day in week.records("WeekDays", "WeekDay")
                    if (kind := day.integer("DayType")) is not None and _SUNDAY <= kind <= _SATURDAY}  # fmt: skip
            for day in self._period(week):
                if day.weekday() in days:
                    self.own.exceptions[day] = days[day.weekday()]

    def _exception(self, exception: Record) -> None:
        pattern = pattern_of(exception)
        days = list(self._period(exception))
        if pattern is None:
            name = exception.text("Name")
            self._note(f"exception '{name}' of {self.own.name} recurs in a way that is not known; it is left out")
        elif days:
            shifts = self._shifts(exception)
            self.own.exceptions |= dict.fromkeys(pattern.days(days[0], days[-1]), shifts)

    def _period(self, record: Record) -> Iterator[date]:
        period = record.record("TimePeriod")
        start = period.moment("FromDate") if period is not None else None
        end = period.moment("ToDate") if period is not None else None
        if start is None or end is None:
            self._note(f"an exception or work week of {self.own.name} has no days from and to; it is left out")
            return
        length = (end.date() - start.date()).days + 1
        if length > _LONGEST:
            self._note(f"an exception of {self.own.name} lasts from {start.date()} to {end.date()}; it is cut")
        for number in range(min(length, _LONGEST)):
            yield start.date() + timedelta(days=number)

    def _shifts(self, day: Record) -> Shifts:
        times = [self._shift(time) for time in day.records("WorkingTimes", "WorkingTime")]
        shifts = [shift for each in times for shift in each]
        if not day.flag("DayWorking", default=bool(shifts)):
            return ()
        if not shifts:
            self._note(f"a day of {self.own.name} works at no given times; 8 to 12 and 13 to 17 h is used")
        return joined(shifts) or OFFICE

    def _shift(self, time: Record) -> list[tuple[int, int]]:
        start, end = time.clock("FromTime"), time.clock("ToTime")
        if start is None or end is None:
            return []
        if 0 < end < start:
            self._note(f"a shift of {self.own.name} ends on the next day; it is kept on its own day")
        return up_to(start, end)

    def _note(self, message: str) -> None:
        self.notes.add("calendar", message, row=self.record.row, column="Calendar", value=self.own.name)
