"""Calendars of a schedule that is a table: it names them at best, and says nothing of their days.

Belongs here: the calendars that everybody's tools come with, and what stands in for others. Does not: calendars that a
programme delivers in a table of their own (``turnup.schedule.staged``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.shifts import OFFICE_WEEK

if TYPE_CHECKING:
    from turnup.formats.schedule.notes import Notes
    from turnup.formats.schedule.table_cells import Line

OFFICE = "office"
_ALWAYS = "24 hours"
_NIGHT = "night shift"
_EVENING = ((23 * HOUR, DAY),)
_NIGHTLY = ((0, 3 * HOUR), (4 * HOUR, 8 * HOUR), (23 * HOUR, DAY))
_KNOWN = {
    OFFICE: WorkCalendar("Monday to Friday, 8 hours", OFFICE_WEEK),
    _ALWAYS: WorkCalendar("24 hours, 7 days", (((0, DAY),),) * 7, {}, 24.0, 168.0, 720.0),
    _NIGHT: WorkCalendar("Night shift", (_EVENING, *(_NIGHTLY,) * 4, _NIGHTLY[:2], ()), {}),
}
_NAMES = {
    **dict.fromkeys(("", "none", "standard", "default", "project calendar", "standard 5 day workweek"), OFFICE),
    **dict.fromkeys(("24 hours", "24x7", "24/7", "7x24", "24 hour", "24 stunden"), _ALWAYS),
    **dict.fromkeys(("night shift", "nachtschicht"), _NIGHT),
}


class Calendars:
    """The calendars that the rows of a table name."""

    def __init__(self, notes: Notes) -> None:
        self.used: dict[str, WorkCalendar] = {OFFICE: _KNOWN[OFFICE]}
        self._notes = notes
        self._strange: set[str] = set()

    def key(self, line: Line) -> str:
        """The calendar of a row; a name that says nothing is told once, and the working week of an office used."""
        name = line.texts.get("calendar", "").strip()
        key = _NAMES.get(name.casefold())
        if key is None and name.casefold() not in self._strange:
            self._strange.add(name.casefold())
            message = (
                f"the table does not say when the calendar '{name}' works; Monday to Friday, 8 hours, is used. Deliver "
                "its days as work_calendars"
            )
            self._notes.add("calendar", message, row=line.row, column="calendar", value=name)
        key = key or OFFICE
        self.used.setdefault(key, _KNOWN[key])
        return key

    def of(self, key: str) -> WorkCalendar:
        """The calendar of a key."""
        return self.used[key]
