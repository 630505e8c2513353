"""Elements of an MSPDI document as records: named values, typed, with a finding for each that cannot be read.

Belongs here: how MSPDI writes numbers, flags, times and durations. Does not: what they mean for a schedule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from turnup.schedule.model import DAY, HOUR, LONGEST

if TYPE_CHECKING:
    from turnup.formats.schedule.notes import Notes

_DURATION = re.compile(
    r"(-)?P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?"
)
_CLOCK = re.compile(r"(?:\d{4}-\d\d-\d\dT)?(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_ELAPSED_FORMATS = frozenset({4, 6, 8, 10, 12, 20})
_PERCENT_FORMATS = frozenset({19, 20})
_NO_FORMAT = 21
TENTH = 6
"""Seconds of a tenth of a minute."""
_ESTIMATED = 32
"""Added to a format whose value is an estimate."""


def is_elapsed(form: int | None, default: int | None = None) -> bool:
    """Whether a DurationFormat or LagFormat counts by the clock; ``default`` is the project's, for the null format."""
    plain = _plain(form)
    return (_plain(default) if plain in (None, _NO_FORMAT) else plain) in _ELAPSED_FORMATS


def is_percent(form: int | None) -> bool:
    """Whether a LagFormat is a percentage."""
    return _plain(form) in _PERCENT_FORMATS


def _plain(form: int | None) -> int | None:
    return form - _ESTIMATED if form is not None and form > _ESTIMATED else form


@lru_cache(maxsize=10_000)
def _without_namespace(tag: str) -> str:
    return tag.rpartition("}")[2]


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return _without_namespace(element.tag)


class Record:
    """An element with its children by name; ``row`` is its place among its like, for findings."""

    def __init__(self, element: Element, row: int, notes: Notes) -> None:
        self.row = row
        self._notes = notes
        self._told: set[str] = set()
        self._children: dict[str, list[Element]] = {}
        for child in element:
            self._children.setdefault(_without_namespace(child.tag), []).append(child)

    def records(self, *path: str) -> Iterator[Record]:
        """The elements at the end of a path of names below this one, numbered from 1."""
        held = self._children.get(path[0], [])
        for number, element in enumerate(held, start=1):
            record = Record(element, number, self._notes)
            if len(path) == 1:
                yield record
            else:
                yield from record.records(*path[1:])

    def record(self, name: str) -> Record | None:
        """The first element of a name."""
        return next(self.records(name), None)

    def text(self, name: str) -> str | None:
        """A text; None when the element is absent or empty."""
        held = self._children.get(name)
        written = (held[0].text or "").strip() if held else ""
        return written or None

    def number(self, name: str, most: float = 1e15) -> float | None:
        """A number of at most ``most``, whatever its sign."""
        written = self.text(name)
        if written is None:
            return None
        try:
            value = float(written)
        except ValueError:
            value = float("nan")
        if not abs(value) <= most:
            self._unread(name, written, "a number" if value != value else f"a number of at most {most:,.0f}")
            return None
        return value

    def integer(self, name: str) -> int | None:
        """A whole number."""
        value = self.number(name)
        return None if value is None else round(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A yes or no."""
        written = self.text(name)
        return default if written is None else written.lower() in ("1", "true", "-1", "yes")

    def moment(self, name: str) -> datetime | None:
        """A date and time of the project's own clock, to the second."""
        written = self.text(name)
        if written is None or written.upper() == "NA":
            return None
        try:
            value = datetime.fromisoformat(written)
        except ValueError:
            self._unread(name, written, "a time such as 2026-09-07T08:00:00")
            return None
        return value.replace(tzinfo=None, microsecond=0)

    def clock(self, name: str) -> int | None:
        """Seconds from midnight of a time of day."""
        written = self.text(name)
        if written is None:
            return None
        match = _CLOCK.fullmatch(written)
        seconds = int(match[1]) * HOUR + int(match[2]) * 60 + int(match[3] or 0) if match else DAY + 1
        if seconds > DAY:
            self._unread(name, written, "a time of day such as 08:00:00")
            return None
        return seconds

    def duration(self, name: str) -> int | None:
        """Seconds of a duration such as ``PT8H0M0S``."""
        written = self.text(name)
        if written is None:
            return None
        match = _DURATION.fullmatch(written)
        if match is None or not any(match.groups()[1:]):
            self._unread(name, written, "a duration such as PT8H0M0S")
            return None
        parts = zip(match.groups()[1:], (DAY, HOUR, 60, 1), strict=True)
        seconds = sum(float(part) * unit for part, unit in parts if part)
        if seconds > LONGEST:
            self._unread(name, written, "a duration of at most a hundred years")
            return None
        return round(-seconds if match[1] else seconds)

    def tenths(self, name: str) -> int | None:
        """Seconds of a value in tenths of a minute."""
        value = self.number(name, LONGEST / TENTH)
        return None if value is None else round(value * TENTH)

    def _unread(self, name: str, written: str, expected: str) -> None:
        if name in self._told:
            return
        self._told.add(name)
        self._notes.unread(self.row, name, written, expected)
