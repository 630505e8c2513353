"""Durations and lags as people and scheduling tools write them: ``5 days?``, ``2.5 wks``, ``3 ed``, ``PT40H``.

Belongs here: one text to one length. Does not: whose duration it is, or which calendar turns it into working time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from turnup.schedule.model import DAY, HOUR, LONGEST, MOST_PERCENT

if TYPE_CHECKING:
    from turnup.schedule.model import WorkCalendar

Unit = Literal["s", "min", "h", "d", "w", "mo", "y", "%"]
Mark = Literal[".", ","]

_WORDS: dict[Unit, str] = {
    "s": "s sec secs second seconds sek sekunde sekunden",
    "min": "m min mins minute minutes minuten minuto minutos",
    "h": "h hr hrs hour hours std stunde stunden heure heures hora horas",
    "d": "d dy dys day days t tag tage tagen j jour jours dia dias día días",
    "w": "w wk wks week weeks wo woche wochen sem sems semaine semaines semana semanas",
    "mo": "mo mon mons month months monat monate monaten mois mes meses",
    "y": "y yr yrs year years jahr jahre an ans año años",
    "%": "%",
}
UNITS: dict[str, Unit] = {word: unit for unit, words in _WORDS.items() for word in words.split()}
_GERMAN_ELAPSED: dict[str, Unit] = {
    "fmin": "min", "fstd": "h", "ft": "d", "ftag": "d", "ftage": "d", "fw": "w", "fwoche": "w", "fwochen": "w",
    "fmo": "mo", "fmonat": "mo", "fmonate": "mo",
}  # fmt: skip
_CLOCK: dict[Unit, int] = {"s": 1, "min": 60, "h": HOUR, "d": DAY, "w": 7 * DAY, "mo": 30 * DAY, "y": 365 * DAY}
"""Seconds by the clock; an elapsed month has 30 days, as in MS Project."""

NUMBER = r"\d+(?:[.,]\d+)*|[.,]\d+"
SIGNS = "+-\N{MINUS SIGN}\N{EN DASH}"
_PART = re.compile(rf"\s*(?P<mark>[~e]?)\s*(?P<number>{NUMBER})\s*(?P<unit>e?%|[^\W\d_]+)?\.?", re.IGNORECASE)
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*")
_ELAPSED = re.compile(r"\belapsed\s+", re.IGNORECASE)


class Malformed(ValueError):
    """A text that is no duration, lag or predecessor; the message says what was expected."""


@dataclass(frozen=True)
class Length:
    """A duration or a lag in the units that it was written in.

    Attributes:
        amount: exact, with its sign.
        unit: ``%`` is percent of the predecessor's duration.
        elapsed: by the clock, through nights and holidays.
        estimated: marked with a question mark.
        further: the smaller parts of ``2w 3d``, signed like the first.
    """

    amount: Decimal
    unit: Unit
    elapsed: bool = False
    estimated: bool = False
    further: tuple[tuple[Decimal, Unit], ...] = ()

    def __str__(self) -> str:
        """As MS Project shows it: ``+3 ed``."""
        mark = "e" if self.elapsed else ""
        parts = [f"{plain(amount)} {mark}{unit}" for amount, unit in ((self.amount, self.unit), *self.further)]
        return " ".join(parts) + (" estimated" if self.estimated else "")

    def seconds(self, calendar: WorkCalendar) -> int:
        """Seconds of the calendar's working time, or of the clock when ``elapsed``.

        Raises:
            ValueError: a percentage, which is no length by itself.
        """
        if self.unit == "%":
            raise ValueError("a percentage has no length of its own")
        parts = ((self.amount, self.unit), *self.further)
        each = (amount * (_CLOCK[unit] if self.elapsed else _working(unit, calendar)) for amount, unit in parts)
        return round(sum(each, Decimal(0)))


def plain(amount: Decimal) -> str:
    """A number without exponent and without zeros at its end."""
    return f"{amount.normalize():f}" if amount else "0"


def _working(unit: Unit, calendar: WorkCalendar) -> Decimal:
    """Working seconds that a calendar's tool counts for one unit; a year has twelve of its months."""
    hours = {"d": calendar.hours_per_day, "w": calendar.hours_per_week,
             "mo": calendar.hours_per_month, "y": 12 * calendar.hours_per_month}  # fmt: skip
    return Decimal(repr(hours[unit])) * HOUR if unit in hours else Decimal(_CLOCK[unit])


def parse_duration(text: str, decimal: Mark | None = None, unit: Unit | None = None) -> Length | None:
    """The duration of a task; None when nothing is written, which is not zero.

    Args:
        text: one cell.
        decimal: the decimal mark, where the file's is known; otherwise it must be plain from the text.
        unit: what a bare number counts; without it a bare number is refused.

    Raises:
        Malformed: a percentage, a negative or unreadable duration.
    """
    if not text.strip():
        return None
    length = parse_length(text, decimal, unit)
    if length.unit == "%":
        raise Malformed(f"'{text}' is a percentage: only a lag or a progress is one; write a duration such as 5 days")
    if length.amount < 0:
        raise Malformed(f"'{text}' is negative: no task takes less than no time; write a duration such as 5 days")
    return length


def parse_length(text: str, decimal: Mark | None = None, unit: Unit | None = None) -> Length:
    """A duration or a lag, with its sign.

    Raises:
        Malformed: what is written is none, or longer than a hundred years.
    """
    length = _length(text, decimal, unit)
    parts = ((length.amount, length.unit), *length.further)
    if any(abs(amount) > (MOST_PERCENT if kind == "%" else LONGEST / _CLOCK[kind]) for amount, kind in parts):
        raise Malformed(f"'{text}' is longer than a hundred years; write a duration such as 5 days")
    return length


def _length(text: str, decimal: Mark | None, unit: Unit | None) -> Length:
    written = " ".join(text.split())
    if (iso := _ISO.fullmatch(written)) is not None and any(iso.groups()):
        return _of_iso(iso)
    sign = -1 if written[:1] in SIGNS[1:] else 1
    body = _ELAPSED.sub("e", written[1:] if written[:1] in SIGNS else written)
    parts = _parts(body.removesuffix("?").rstrip(), text, decimal, unit)
    first, further = parts[0], tuple((sign * part.amount, part.unit) for part in parts[1:])
    if further and ("%" in [part.unit for part in parts] or any(part.elapsed != first.elapsed for part in parts)):
        raise Malformed(f"'{text}' mixes working and elapsed time, or a percentage with a length")
    return Length(sign * first.amount, first.unit, first.elapsed, body.endswith("?"), further)


def _of_iso(iso: re.Match[str]) -> Length:
    if iso[1]:
        raise Malformed(f"'{iso.group()}' counts days, which may be of any length; write hours, such as PT40H0M0S")
    hours, minutes, seconds = (Decimal(part or 0) for part in iso.groups()[1:])
    if not minutes and not seconds:
        return Length(hours, "h")
    return Length(hours * HOUR + minutes * 60 + seconds, "s")


def _parts(body: str, text: str, decimal: Mark | None, unit: Unit | None) -> list[Length]:
    """The amounts of ``2w 3d 4h``."""
    found: list[Length] = []
    place = 0
    while (match := _PART.match(body, place)) is not None:
        place = match.end()
        found.append(_part(match, text, decimal, unit))
    if not found or body[place:].strip():
        raise Malformed(f"'{text}' is no duration; write a number and a unit, such as 5 days, 2.5 wks or 3 ed")
    return found


def _part(match: re.Match[str], text: str, decimal: Mark | None, unit: Unit | None) -> Length:
    word = (match["unit"] or "").lower()
    kind, elapsed = _unit(word) if word else (unit, False)
    if kind is None:
        expected = "min, h, d, w or mo, with e before it for elapsed time" if word else "a unit, such as d, after it"
        raise Malformed(f"'{text}': expected {expected}")
    return Length(number(match["number"], decimal), kind, elapsed or bool(match["mark"]))


def _unit(word: str) -> tuple[Unit | None, bool]:
    """What a word counts, and whether by the clock."""
    if word in UNITS:
        return UNITS[word], False
    if word in _GERMAN_ELAPSED:
        return _GERMAN_ELAPSED[word], True
    return UNITS.get(word.removeprefix("e")), word.startswith("e")


def number(text: str, decimal: Mark | None = None) -> Decimal:
    """A number without sign; ``decimal`` is its decimal mark where that is known.

    Raises:
        Malformed: it has two readings, such as ``1,500`` where the mark is not known, or none.
    """
    mark = decimal or _mark_of(text)
    grouping = "," if mark == "." else "."
    whole, _, fraction = text.partition(mark)
    if mark in fraction or grouping in fraction:
        raise Malformed(f"'{text}' is no number with the decimal mark '{mark}'")
    if grouping in whole and _THOUSANDS.fullmatch(whole) is None:
        raise Malformed(f"'{text}' is no number with the decimal mark '{mark}'; write it without thousands marks")
    return Decimal(f"{whole.replace(grouping, '') or 0}.{fraction or 0}")


def _mark_of(text: str) -> Mark:
    """The decimal mark that a number shows by itself."""
    if "," not in text:
        return "."
    if "." in text:
        return "." if text.rindex(".") > text.rindex(",") else ","
    if _THOUSANDS.fullmatch(text) is not None:
        raise Malformed(f"'{text}' may be thousands or a decimal fraction; declare the decimal mark of the file")
    return ","
