"""The text of a Primavera P6 calendar (``clndr_data``): its week and its exceptions.

The text nests records ``(number||name(attributes)(records))``: days of the week (1 is Sunday) and exceptions (days from
1899-12-30), each with shifts ``s|08:00|f|16:00``. A day without shifts does not work; a finish of 00:00 is the end of
the day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from turnup.schedule.model import DAY, HOUR, Shift

Week = tuple[tuple[Shift, ...], ...]

_EPOCH = date(1899, 12, 30)
_HEAD = re.compile(r"[\s\x00-\x1f\x7f]*\(\s*\d*\s*\|\|([^()]*)\(([^()]*)\)[\s\x00-\x1f\x7f]*\(")
_TAIL = re.compile(r"[\s\x00-\x1f\x7f]*\)[\s\x00-\x1f\x7f]*\)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp])?\.?[Mm]?\.?")


class BrokenCalendar(ValueError):
    """A calendar that cannot be used; the message says what is wrong."""


@dataclass
class _Record:
    name: str
    attributes: dict[str, str]
    children: list[_Record] = field(default_factory=list)


def read_clndr_data(text: str) -> tuple[Week | None, dict[date, tuple[Shift, ...]]]:
    """Week (Monday first; None without ``DaysOfWeek``) and exceptions.

    Raises:
        BrokenCalendar: the text is cut, no such text at all, or holds an impossible shift or day.
    """
    root = _parsed(text)
    sections = {record.name: record for record in root.children}
    week = sections.get("DaysOfWeek")
    exceptions: dict[date, tuple[Shift, ...]] = {}
    for record in sections["Exceptions"].children if "Exceptions" in sections else ():
        day = _day(record.attributes.get("d", ""))
        exceptions[day] = shifts(_shift(each, str(day)) for each in record.children)
    return (_week(week) if week is not None else None), exceptions


def _parsed(text: str) -> _Record:
    stack: list[_Record] = [_Record("", {})]
    position = 0
    while True:
        if head := _HEAD.match(text, position):
            words = head[2].split("|")
            record = _Record(head[1].strip(), dict(zip(words[::2], words[1::2], strict=False)))
            stack[-1].children.append(record)
            stack.append(record)
            position = head.end()
        elif len(stack) > 1 and (tail := _TAIL.match(text, position)):
            stack.pop()
            position = tail.end()
            if len(stack) == 1:
                return stack[0].children[0]
        elif text[position:].strip(" \t\r\n\x7f"):
            raise BrokenCalendar(
                f"its data cannot be read at character {position + 1} ('{text[position : position + 20]}')"
            )
        else:
            raise BrokenCalendar(f"its data is cut after {len(text)} characters")


def _week(record: _Record) -> Week:
    days: dict[int, tuple[Shift, ...]] = {}
    for day in record.children:
        if not day.name.isdecimal() or not 1 <= int(day.name) <= 7:
            raise BrokenCalendar(f"it has a day of the week '{day.name}', which is none of 1 to 7")
        days[int(day.name)] = shifts(_shift(each, f"day {day.name}") for each in day.children)
    return tuple(days.get(1 + (day + 1) % 7, ()) for day in range(7))


def _day(text: str) -> date:
    try:
        return _EPOCH + timedelta(days=int(text))
    except (ValueError, OverflowError) as error:
        raise BrokenCalendar(f"it has an exception on '{text}', which is no day number") from error


def _shift(record: _Record, where: str) -> tuple[int, int]:
    return shift(record.attributes.get("s", ""), record.attributes.get("f", ""), where)


def shift(start: str, finish: str, where: str) -> Shift:
    """A shift in seconds from midnight; ``where`` names its day in messages.

    Raises:
        BrokenCalendar: no times of day, or it ends before it begins.
    """
    begins, ends = _seconds(start, where), _seconds(finish, where) or DAY
    if ends < begins:
        raise BrokenCalendar(f"its shift {start}-{finish} on {where} ends before it begins")
    return begins, ends


def _seconds(text: str, where: str) -> int:
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise BrokenCalendar(f"it has '{text}' on {where}, which is no time of day")
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if match[4]:
        hour = hour % 12 + (12 if match[4] in "Pp" else 0)
    seconds = hour * HOUR + minute * 60 + second
    if seconds > DAY or minute > 59 or second > 59:
        raise BrokenCalendar(f"it has '{text}' on {where}, which is no time of day")
    return seconds


def shifts(given: Iterable[Shift]) -> tuple[Shift, ...]:
    """Shifts of a day in order; those that touch or overlap are one, empty ones none."""
    merged: list[Shift] = []
    for begins, ends in sorted(given):
        if begins == ends:
            continue
        if merged and begins <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(ends, merged[-1][1]))
        else:
            merged.append((begins, ends))
    return tuple(merged)
