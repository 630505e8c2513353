"""Dates, times and codes of EDI segments as the texts that row rules read; what is no such value is handed on as is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from expectations.quantities import PIECES, same_unit

_PIECES = frozenset({"EA", "PCE", "C62", "H87", "NAR", "NMP", "E48"})
"""Unit codes of both standards (UN/ECE Recommendation 20) that count pieces."""
_FIXED_ZONES = {
    "UT": "Z", "GM": "Z", "ES": "-05:00", "ED": "-04:00", "CS": "-06:00", "CD": "-05:00", "MS": "-07:00",
    "MD": "-06:00", "PS": "-08:00", "PD": "-07:00", "AS": "-09:00", "AD": "-08:00", "TS": "-04:00", "TD": "-03:00",
    "NS": "-03:30", "ND": "-02:30", "HS": "-10:00", "HD": "-09:00",
}  # fmt: skip
_NAMED_ZONES: Mapping[str, str] = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "AT": "America/Anchorage",
    "TT": "America/Halifax",
    "NT": "America/St_Johns",
    "HT": "Pacific/Honolulu",
}
_LATEST_OF_THIS_CENTURY = 69


def day(text: str | None) -> str | None:
    """``CCYYMMDD`` or ``YYMMDD`` as an ISO date (a year of two digits up to 69 is 20xx, as POSIX has it)."""
    if text is None:
        return None
    if re.fullmatch(r"\d{6}", text):
        text = ("20" if int(text[:2]) < _LATEST_OF_THIS_CENTURY else "19") + text
    return f"{text[:4]}-{text[4:6]}-{text[6:]}" if re.fullmatch(r"\d{8}", text) else text


def instant(date: str | None, time: str | None, zone: str | None) -> str | None:
    """A day and a time (``HHMM`` or ``HHMMSS``) with a zone code of X12 (element 623); ``LT`` is no zone.

    Times of zones with summer time (``ET``, ``CT``, ...) get the offset of their day.
    """
    on = day(date)
    if on is None or time is None or not re.fullmatch(r"\d{4}(\d{2}(\d{1,2})?)?", time):
        return on if time is None else f"{on or ''} {time}".strip()
    at = f"{on}T{time[:2]}:{time[2:4]}:{time[4:6] or '00'}"
    return at + offset(at, zone)


def offset(at: str, zone: str | None) -> str:
    """The offset from UTC that a zone code means at a local time; nothing for a code that is no zone."""
    code = (zone or "").upper()
    if code in _FIXED_ZONES:
        return _FIXED_ZONES[code]
    if re.fullmatch(r"\d{2}", code) and 1 <= int(code) <= 24:  # hours after UTC up to 12, then before it
        hours = int(code) if int(code) <= 12 else int(code) - 25
        return f"{hours:+03d}:00"
    if code not in _NAMED_ZONES:
        return ""
    try:
        local = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo(_NAMED_ZONES[code]))
    except ValueError:
        return ""
    return local.isoformat()[-6:]


def dated(value: str | None, form: str | None) -> str | None:
    """The value of a DTM segment by its format code (UN/EDIFACT 2379): a day, or an instant where it has a zone."""
    if value is None:
        return None
    if form in ("102", None) and re.fullmatch(r"\d{8}", value):
        return day(value)
    if form == "101":
        return day(value)
    if form == "2" and re.fullmatch(r"\d{6}", value):
        return day(value[4:] + value[2:4] + value[:2])
    if form in ("203", "204", "303", "304") and re.fullmatch(r"\d{12,14}.*", value):
        return _timed(value, 14 if form in ("204", "304") else 12)
    if form == "616" and re.fullmatch(r"\d{6}", value):
        return f"{value[:4]}-W{value[4:]}"
    if form == "610" and re.fullmatch(r"\d{6}", value):
        return f"{value[:4]}-{value[4:]}"
    return value


def _timed(value: str, digits: int) -> str:
    at = f"{day(value[:8])}T{value[8:10]}:{value[10:12]}:{value[12:digits] or '00'}"
    zone = value[digits:]
    if zone in ("UTC", "GMT", "Z", "ZZZ"):
        return at + ("Z" if zone != "ZZZ" else "")
    hours = re.fullmatch(r"([+-])(\d{1,2})(?::?(\d{2}))?", zone)
    return f"{at}{hours[1]}{int(hours[2]):02d}:{hours[3] or '00'}" if hours else at + zone


def day_of(value: str | None) -> str | None:
    """The day of an instant that has no zone; its own calendar is the one it was written in."""
    return value[:10] if value is not None and re.fullmatch(r"\d{4}-\d\d-\d\dT.*", value) else value


def pieces(number: str | None, unit: str | None) -> str | None:
    """A quantity; its unit stands beside it unless it counts pieces, so that nothing else is taken for pieces."""
    if number is None or unit is None or unit.upper() in _PIECES or same_unit(unit, PIECES):
        return number
    return f"{number} {unit}"
