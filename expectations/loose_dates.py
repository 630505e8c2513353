"""Dates that are not written as one day: weeks, months, quarters, halves and years, and parts of them.

Here: what interval a text names, or why it names none. Not here: single days in their usual forms (`value_sql`), and
what is done with an interval (`odd_values`). Nothing is guessed: a week without its year, and a fiscal year without its
first month, are refused with what to declare.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from expectations.typing_rules import TypingRules
from expectations.value_sql import MONTH

Precision = Literal["day", "week", "part_of_month", "month", "quarter", "half", "part_of_year", "year"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{MONTH})\.?"
_YEAR4 = r"(?P<year>(?:19|20)\d\d)"
_YEAR = r"(?:(?P<year>(?:19|20)\d\d)|'(?P<short>\d\d))"
_ANY_YEAR = r"(?:(?P<year>(?:19|20)\d\d)|'?(?P<short>\d\d))"
_CALENDAR = rf"(?:(?P<fiscal>f\.?y\.?)|c\.?y\.?)?[\s'-]*{_ANY_YEAR}"
_FISCAL = r"(?P<fiscal>f\.?y\.?)[\s'-]*(?:(?P<year>(?:19|20)\d\d)|(?P<short>\d\d))"
_GAP = r"[\s,./_-]*"
_WEEK_WORD = r"(?:calendar\s+week|week|weeks?\s+no\.?|wk|kw|cw|ww|w)\.?"
_ENDS = ("w/e", "we", "ending")
_EDGE = r"w/?[ce]|(?:week|wk)\s+(?:commencing|beginning|starting|ending|of)"
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_NTH = f"(?P<nth>{'|'.join(_ORDINALS)})"

_LEADING = re.compile(
    r"^(?:(?:eta|etd|ets|est|estimated|exp|expected|due|by|in|fcst|forecast|planned?|rfs|the|approx|approximately|ca"
    r"|circa|about|around|~|nlt|no later than|latest)[.:]?(?:\s+|(?<=[~:.])\s*))+"
)
_VAGUE = re.compile(r"\b(?:approx|approximately|ca|circa|about|around)\b|~")
_PART = re.compile(
    r"^(?P<part>early|beginning\s+of|begin|start\s+of|start|mid|middle\s+of|late|end\s+of|end|eo)[\s-]+(?:the\s+)?"
    r"(?P<rest>.+)$"
)
_PARTS = {"early": 0, "beginning": 0, "begin": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2, "eo": 2}
FIRST_YEAR, LAST_YEAR = 1990, 2099


@dataclass(frozen=True, slots=True)
class Interval:
    """The days that a text names, both included, and how precise it is."""

    first: date
    last: date
    precision: Precision


@dataclass(frozen=True, slots=True)
class NoInterval:
    """Why a text that speaks of a time names no certain interval: a rule and a clause that completes "Column x ..."."""

    rule: str
    reason: str


def interval_of(text: str, rules: TypingRules) -> Interval | NoInterval | None:
    """The interval that a text names; None when it speaks of no time at all."""
    plain = _LEADING.sub("", " ".join(text.casefold().split()))
    found = _whole(plain, rules)
    if found is not None:
        return found
    part = _PART.match(plain)
    whole = _whole(part["rest"], rules) if part else None
    if part is None or not isinstance(whole, Interval):
        return whole
    return _part_of(whole, _PARTS[part["part"].split()[0]])


def bare(text: str) -> str | None:
    """The text without words such as ETA or "due" before it, which leave a day as precise as it is; None without any.

    Before "about" and its like a day is no day any more.
    """
    plain = " ".join(text.split())
    leading = _LEADING.match(plain.casefold())
    if leading is None or _VAGUE.search(leading[0]):
        return None
    return plain[len(leading[0]) :] or None


def _whole(text: str, rules: TypingRules) -> Interval | NoInterval | None:
    for pattern, make in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None:
            return make(match, rules)
    return None


def _week(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    number = int(match["week"])
    year = _stated_year(match)
    short = match.groupdict().get("loose")
    if short is not None:
        if number < int(short) <= 53:
            return NoInterval(
                "week_without_year",
                f"may be week {number} of 20{short} or weeks {number} to {short}; write four digits",
            )
        year = 2000 + int(short)
    if year is None:
        return _nearest(rules, f"names week {number}", lambda each: _iso_week(each, number))
    return _iso_week(year, number) or NoInterval("type", f"names week {number}, which {year} has not")


def _iso_week(year: int, number: int) -> Interval | None:
    try:
        first = date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return Interval(first, first + timedelta(days=6), "week")


def _seven_days(match: re.Match[str], _: TypingRules) -> Interval | NoInterval:
    """A week that is named by its first day, or by its last."""
    groups = match.groupdict()
    month = _MONTHS.index(groups["month"][:3]) + 1 if groups.get("month") else int(groups["number"])
    try:
        day = date(int(groups["year"]), month, int(groups["day"]))
    except ValueError:
        return NoInterval("type", "names a day that does not exist")
    week = timedelta(days=6)
    return Interval(day - week, day, "week") if groups["edge"].endswith(_ENDS) else Interval(day, day + week, "week")


def _day_of_week(match: re.Match[str], _: TypingRules) -> Interval | NoInterval:
    try:
        day = date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"]))
    except ValueError:
        return NoInterval("type", f"names week {match['week']}, which {match['year']} has not")
    return Interval(day, day, "day")


def _month(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    named = match.groupdict().get("month")
    number = _MONTHS.index(named[:3]) + 1 if named else int(match["number"])
    year = _stated_year(match)
    if year is None:
        return _nearest(rules, "names a month", lambda each: _months(each, number, 1, "month"))
    return _months(year, number, 1, "month")


def _day_without_year(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    number, day = _MONTHS.index(match["month"][:3]) + 1, int(match["day"])

    def exact(year: int) -> Interval | None:
        try:
            return Interval(date(year, number, day), date(year, number, day), "day")
        except ValueError:
            return None

    return _nearest(rules, "names a day", exact)


def _two_digits(match: re.Match[str], _: TypingRules) -> Interval | NoInterval:
    number, short = _MONTHS.index(match["month"][:3]) + 1, int(match["loose"])
    if 1 <= short <= 31:
        reason = f"may be day {short} of a month or the year 20{short:02d}; write the year with four digits"
        return NoInterval("ambiguous_date", reason)
    return _months(_full(short), number, 1, "month")


def _quarter(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    return _span(match, rules, "quarter", 3)


def _half(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    return _span(match, rules, "half", 6)


def _span(match: re.Match[str], rules: TypingRules, precision: Precision, length: int) -> Interval | NoInterval:
    """The n-th piece of `length` months of a calendar or fiscal year."""
    groups = match.groupdict()
    nth = int(groups["number"]) if groups.get("number") else _ORDINALS[groups["nth"]]
    if nth > 12 // length:
        return NoInterval("type", f"names a {precision} that no year has")
    start, year = _first_month(match, rules), _stated_year(match)
    if isinstance(start, NoInterval):
        return start
    if year is None:
        return _nearest(rules, f"names a {precision}", lambda each: _piece(each, start, nth, length, precision))
    return _piece(year, start, nth, length, precision)


def _piece(year: int, start: int, nth: int, length: int, precision: Precision) -> Interval:
    begins = year if start == 1 else year - 1
    months = begins * 12 + start - 1 + (nth - 1) * length
    return _months(months // 12, months % 12 + 1, length, precision)


def _year(match: re.Match[str], rules: TypingRules) -> Interval | NoInterval:
    start, year = _first_month(match, rules), _stated_year(match)
    if isinstance(start, NoInterval) or year is None:
        return start if isinstance(start, NoInterval) else NoInterval("type", "names no year")
    return _piece(year, start, 1, 12, "year")


def _first_month(match: re.Match[str], rules: TypingRules) -> int | NoInterval:
    if not match.groupdict().get("fiscal"):
        return 1
    return rules.fiscal_year_start or NoInterval(
        "fiscal_year",
        "counts in fiscal years, and nothing says when they begin; write `fiscal_year_start: <month 1 to 12>` in"
        " programme.yaml, or in this source",
    )


def _stated_year(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("year"):
        return int(groups["year"])
    return _full(int(groups["short"])) if groups.get("short") else None


def _full(short: int) -> int:
    return 2000 + short if short < 69 else 1900 + short


def _months(year: int, month: int, count: int, precision: Precision) -> Interval:
    last = year * 12 + month - 1 + count - 1
    return Interval(
        date(year, month, 1), date(last // 12, last % 12 + 1, monthrange(last // 12, last % 12 + 1)[1]), precision
    )


def _nearest(rules: TypingRules, what: str, made: Callable[[int], Interval | None]) -> Interval | NoInterval:
    """The interval in the declared year, or in the year that brings it nearest to the date of the file."""
    if rules.year is not None:
        return made(rules.year) or NoInterval("type", f"{what}, which {rules.year} has not")
    near = rules.near
    if near is None:
        reason = f"{what} without its year; write `year: <year>` in this source of programme.yaml"
        return NoInterval("week_without_year", reason)
    found = [each for year in range(near.year - 1, near.year + 2) if (each := made(year)) is not None]
    if not found:
        return NoInterval("type", f"{what} that does not exist")
    return min(found, key=lambda each: abs((each.last - near).days))


def _part_of(whole: Interval, third: int) -> Interval | NoInterval:
    """The first, middle or last third: ten days of a month, a month of a quarter, four months of a year."""
    first = whole.first
    match whole.precision:
        case "week" | "day":
            return whole
        case "month":
            start = first.replace(day=1 + 10 * third)
            last = whole.last if third == 2 else first.replace(day=10 * (third + 1))
            return Interval(start, last, "part_of_month")
        case "quarter":
            return _later(first, third, 1, "month")
        case "half":
            return _later(first, 2 * third, 2, "part_of_year")
        case _:
            return _later(first, 4 * third, 4, "part_of_year")


def _later(first: date, months: int, count: int, precision: Precision) -> Interval:
    place = first.year * 12 + first.month - 1 + months
    return _months(place // 12, place % 12 + 1, count, precision)


def _forms() -> Iterator[tuple[str, Callable[[re.Match[str], TypingRules], Interval | NoInterval]]]:
    number = r"(?P<week>\d{1,2})"
    yield rf"{_YEAR4}{_GAP}w{_GAP}(?P<week>\d\d)-?(?P<day>[1-7])", _day_of_week
    yield rf"{_YEAR4}{_GAP}{_WEEK_WORD}{_GAP}{number}", _week
    yield rf"{_WEEK_WORD}{_GAP}{number}(?:{_GAP}(?:of\s+)?{_YEAR})?", _week
    yield rf"{_WEEK_WORD}{_GAP}{number}[\s/]+(?P<loose>\d\d)", _week
    yield rf"{number}(?:st|nd|rd|th)?\s+week(?:\s+of)?\s+{_YEAR}", _week
    yield rf"{_MONTH}{_GAP}(?:of\s+)?{_YEAR}", _month
    yield rf"{_YEAR4}{_GAP}{_MONTH}", _month
    yield rf"{_YEAR4}[-/.](?P<number>0?[1-9]|1[0-2])", _month
    yield rf"(?P<number>0?[1-9]|1[0-2])[-/.]{_YEAR4}", _month
    yield _MONTH, _month
    yield rf"{_MONTH}[\s-](?P<loose>\d\d)", _two_digits
    yield rf"(?P<day>\d\d?)(?:st|nd|rd|th)?\.?[\s-]*{_MONTH}", _day_without_year
    for day in (r"(?P<day>\d\d?)(?:st|nd|rd|th)?[\s-]+" + _MONTH + rf"[\s,-]+{_YEAR4}",
                _MONTH + rf"\s+(?P<day>\d\d?)(?:st|nd|rd|th)?,?\s+{_YEAR4}",
                rf"{_YEAR4}-(?P<number>\d\d)-(?P<day>\d\d)"):  # fmt: skip
        yield rf"(?P<edge>{_EDGE})[\s:]+(?:the\s+)?{day}", _seven_days
    for letter, piece, word in (("q", _quarter, "quarter"), ("h", _half, "half")):
        yield rf"{letter}(?P<number>\d){_GAP}(?:of\s+)?{_CALENDAR}", piece
        yield rf"(?P<number>\d){letter}{_GAP}(?:of\s+)?{_CALENDAR}", piece
        yield rf"{_FISCAL}{_GAP}{letter}(?P<number>\d)", piece
        yield rf"(?:cy[\s-]*)?{_YEAR}{_GAP}{letter}(?P<number>\d)", piece
        yield rf"{word}\s+(?P<number>\d)[\s,]*(?:of\s+)?{_CALENDAR}", piece
        yield rf"{_NTH}\s+{word}[\s,]*(?:of\s+)?{_CALENDAR}", piece
        yield rf"{letter}(?P<number>\d)", piece
    yield _FISCAL, _year
    yield rf"(?:cy[\s-]*|year\s+)?{_YEAR4}", _year


_FORMS = tuple((re.compile(pattern, re.ASCII), make) for pattern, make in _forms())
