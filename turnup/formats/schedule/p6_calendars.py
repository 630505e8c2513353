"""Calendars of a Primavera P6 file together: what they inherit from each other, and which cannot be used.

Belongs here: calendars as XER and PMXML tell them alike, and working calendars from them. Does not: reading either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_calendar import BrokenCalendar, Week
from turnup.schedule.model import HOUR, Shift, WorkCalendar

_FIRST, _LAST = date(1900, 1, 1), date(2199, 12, 31)
_EIGHT = ((8 * HOUR, 16 * HOUR),)
STANDARD = WorkCalendar("standard week of P6", (_EIGHT,) * 5 + ((), ()))
"""What P6 itself assumes where a calendar says nothing: Monday to Friday, 08:00 to 16:00."""


@dataclass(frozen=True)
class Calendar:
    """A calendar as its file tells it.

    Attributes:
        week: shifts of Monday to Sunday; None: the file gives none.
        exceptions: its own, without those of its base.
        hours: per day, week and month; None where the file gives none.
        problem: why it cannot be used, or None.
        row: its line or record in the file.
    """

    id: str
    name: str
    base: str | None
    project: str | None
    personal: bool
    is_default: bool
    week: Week | None
    exceptions: Mapping[date, tuple[Shift, ...]]
    hours: tuple[float | None, float | None, float | None]
    problem: str | None
    row: int


@dataclass(frozen=True)
class Calendars:
    """The calendars of a file, with what they inherit.

    Attributes:
        told: as the file tells them, by id.
        usable: working calendars by id.
        broken: what is wrong with each of the others.
        findings: what usable ones lack.
    """

    told: Mapping[str, Calendar]
    usable: Mapping[str, WorkCalendar]
    broken: Mapping[str, str]
    findings: tuple[Finding, ...]

    @property
    def default(self) -> str | None:
        """The first usable calendar that the file marks as its default."""
        return next((each.id for each in self.told.values() if each.is_default and each.id in self.usable), None)


def work_calendars(calendars: Iterable[Calendar]) -> Calendars:
    """Resolve what calendars inherit.

    A derived calendar has its base's exceptions on days where it has none of its own, and its base's week where it
    gives no week.
    """
    told: dict[str, Calendar] = {}
    usable: dict[str, WorkCalendar] = {}
    broken: dict[str, str] = {}
    findings: list[Finding] = []
    for calendar in calendars:
        if told.setdefault(calendar.id, calendar) is not calendar:
            message = f"calendar '{calendar.name}' is left out: its clndr_id {calendar.id} is that of an earlier one"
            findings.append(Finding("duplicate_key", "error", calendar.row, "clndr_id", calendar.id, message))
    for calendar in told.values():
        try:
            usable[calendar.id] = _resolved(calendar, told, findings)
        except BrokenCalendar as error:
            broken[calendar.id] = str(error)
    return Calendars(told, usable, broken, tuple(findings))


def _resolved(calendar: Calendar, told: Mapping[str, Calendar], findings: list[Finding]) -> WorkCalendar:
    if calendar.problem is not None:
        raise BrokenCalendar(calendar.problem)
    week, exceptions = calendar.week, dict(calendar.exceptions)
    seen, base = {calendar.id}, calendar.base
    while base is not None and base not in seen:
        above = told.get(base)
        if above is None or above.problem is not None:
            reason = "is not in the file" if above is None else "cannot be used"
            message = f"calendar '{calendar.name}': its base calendar {base} {reason}, so its exceptions are missing"
            findings.append(Finding("calendar_without_base", "warning", calendar.row, "base_clndr_id", base, message))
        week = week if week is not None or above is None else above.week
        exceptions = {**above.exceptions, **exceptions} if above is not None else exceptions
        seen.add(base)
        base = above.base if above is not None else None
    if week is None:
        message = f"calendar '{calendar.name}' tells no week: Monday to Friday 08:00-16:00 is taken, as P6 does"
        findings.append(Finding("calendar_without_week", "warning", calendar.row, "clndr_data", calendar.id, message))
        week = STANDARD.week
    if not any(week):
        raise BrokenCalendar("it works on no day of the week")
    return WorkCalendar(calendar.name, week, _near(calendar, exceptions, findings), *_hours(calendar, week))


def _near(
    calendar: Calendar, exceptions: Mapping[date, tuple[Shift, ...]], findings: list[Finding]
) -> dict[date, tuple[Shift, ...]]:
    """Exceptions in the years in which projects are; a stray one would stretch every calendar over millennia."""
    near = {day: shifts for day, shifts in sorted(exceptions.items()) if _FIRST <= day <= _LAST}
    far = sorted(exceptions.keys() - near.keys())
    if far:
        message = (
            f"calendar '{calendar.name}': {len(far)} exceptions before 1900 or after 2199 (first {far[0]}) are left out"
        )
        findings.append(Finding("exception_far", "warning", calendar.row, "clndr_data", str(far[0]), message))
    return near


def _hours(calendar: Calendar, week: Week) -> tuple[float, float, float]:
    """Hours per day, week and month: as given, else counted from the week (four weeks are a month, as P6 has it)."""
    counted = sum(ends - begins for day in week for begins, ends in day) / HOUR
    preset = (counted / sum(1 for day in week if day), counted, 4 * counted)
    day, week_hours, month = (
        own if own is not None and 0 < own < math.inf else spare
        for own, spare in zip(calendar.hours, preset, strict=True)
    )
    return day, week_hours, month
