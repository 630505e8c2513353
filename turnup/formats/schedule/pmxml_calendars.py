"""Calendars of PMXML: work weeks and exceptions, where a shift that P6 wrote ends with its last minute (15:59)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from xml.etree.ElementTree import Element

from turnup.formats.schedule.p6_calendar import BrokenCalendar, Week, shift, shifts
from turnup.formats.schedule.p6_calendars import STANDARD, Calendar
from turnup.formats.schedule.pmxml_records import Record, local
from turnup.schedule.model import DAY, Shift

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MINUTE = 60
_TRUE = ("1", "true")


def calendars(records: Iterable[Record], projects: dict[int, str]) -> tuple[Calendar, ...]:
    """The calendars of a document; ``projects`` are the ids of those they may stand in, by position."""
    found = [(each, each.element) for each in records if each.element is not None and "ObjectId" in each.fields]
    finishes = [each for _, element in found for each in element.iter() if local(each) == "Finish"]
    last_minute = any(_is_last_minute(finish) for finish in finishes)
    return tuple(_calendar(record, element, last_minute, projects) for record, element in found)


def _is_last_minute(finish: Element) -> bool:
    """Shifts end on round minutes; one that ends at :59 or :29 is told by its last minute."""
    minute = (finish.text or "").strip()[3:5]
    return minute.isdecimal() and int(minute) % 5 == 4


def _calendar(record: Record, element: Element, last_minute: bool, projects: dict[int, str]) -> Calendar:
    fields = record.fields
    week: Week | None = None
    exceptions: dict[date, tuple[Shift, ...]] = {}
    problem = None
    try:
        week = _week(element, last_minute)
        exceptions = _exceptions(element, last_minute)
    except BrokenCalendar as error:
        problem = str(error)
    within = projects.get(record.project) if record.project is not None else None
    return Calendar(
        id=fields["ObjectId"], name=fields.get("Name", fields["ObjectId"]), base=fields.get("BaseCalendarObjectId"),
        project=fields.get("ProjectObjectId", within), personal=fields.get("Type") == "Resource",
        is_default=fields.get("IsDefault") in _TRUE, week=week, exceptions=exceptions,
        hours=(_hours(fields, "HoursPerDay"), _hours(fields, "HoursPerWeek"), _hours(fields, "HoursPerMonth")),
        problem=problem, row=record.number,
    )  # fmt: skip


def _hours(fields: dict[str, str], name: str) -> float | None:
    try:
        return float(fields[name])
    except (KeyError, ValueError):
        return None


def _week(element: Element, last_minute: bool) -> Week | None:
    days = {}
    for hours in element.iter():
        if local(hours) == "StandardWorkHours":
            name = next(((each.text or "").strip() for each in hours if local(each) == "DayOfWeek"), "")
            if name not in _DAYS:
                raise BrokenCalendar(f"it has a day of the week '{name}'")
            days[name] = _worked(hours, name, last_minute)
    return tuple(days.get(name, preset) for name, preset in zip(_DAYS, STANDARD.week, strict=True)) if days else None


def _exceptions(element: Element, last_minute: bool) -> dict[date, tuple[Shift, ...]]:
    exceptions = {}
    for exception in element.iter():
        if local(exception) == "HolidayOrException":
            text = next(((each.text or "").strip() for each in exception if local(each) == "Date"), "")
            try:
                day = date.fromisoformat(text[:10])
            except ValueError as error:
                raise BrokenCalendar(f"it has an exception on '{text}', which is no day") from error
            worked = _worked(exception, text[:10], last_minute)
            # P6 takes one shift over the whole day for a day off.
            exceptions[day] = () if worked == ((0, DAY),) else worked
    return exceptions


def _worked(day: Element, where: str, last_minute: bool) -> tuple[Shift, ...]:
    given = []
    for time in day:
        texts = {local(each): (each.text or "").strip() for each in time} if local(time) == "WorkTime" else {}
        if texts.get("Start") and texts.get("Finish"):
            begins, ends = shift(texts["Start"], texts["Finish"], where)
            given.append((begins, min(ends + _MINUTE, DAY) if last_minute and ends < DAY else ends))
    return shifts(given)
