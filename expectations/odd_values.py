"""What a value means that the plain typing could not read: an interval, a quantity with a unit, a reason for nothing.

Here: one distinct text of one column at a time, so that a file of a million clean rows pays nothing. Not here: the
usual forms of numbers and dates (`value_sql`), and which values come here (`judging`).
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from expectations import absent_values, loose_dates, quantities
from expectations import value_sql as sql
from expectations.contract import TIMES, Column
from expectations.row_messages import expectation
from expectations.typing_rules import TypingRules

NUMBERS = ("int", "dec", "money", "price", "float")
READ_HERE = (*TIMES, *NUMBERS, "enum", "bool")
"""Types of the columns whose unread values come here."""

_SERIAL = re.compile(r"(\d{1,6})(?:\.(\d+))?")
_LEAP_BUG = 60


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text means.

    Attributes:
        text: the value in a form that the plain typing reads; None when there is no value.
        precision: `week`, `month` and so on when a date is less precise than a day; `text` is then its last day.
        earliest: its first day.
        absent: the code of the reason why there is no value.
        unit: the unit to write beside the number, when the dataset has a column for it.
    """

    text: str | None = None
    precision: str | None = None
    earliest: date | None = None
    absent: str | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text is refused, better than the plain typing could tell: `reason` completes "Column x holds y, which"."""

    rule: str
    reason: str
    expected: str


def reading_of(column: Column, text: str, beside: str | None, rules: TypingRules) -> Reading | Refusal | None:
    """The meaning of an unread text, a better reason to refuse it, or None to leave the plain one.

    `beside` is the text of the row's unit column, where the dataset has one.
    """
    reason = absent_values.reason_of(text, column.name, rules, date=column.type in TIMES)
    declared = " ".join(text.split()).casefold() in rules.reasons.get(column.name, {})
    if reason is not None and (declared or column.type in (*TIMES, *NUMBERS)):
        return _absent(column, reason, rules)
    if column.type in TIMES:
        return _date(column, text, rules)
    if column.type in NUMBERS:
        return _quantity(column, text, beside, rules)
    return None


def _absent(column: Column, reason: str, rules: TypingRules) -> Reading | Refusal:
    if not column.required:
        return Reading(absent=reason)
    told = f"says {absent_values.meaning(reason)}, and {column.name} is required"
    return Refusal("required", told, expectation(column, rules))


def _date(column: Column, text: str, rules: TypingRules) -> Reading | Refusal | None:
    serial = _serial(column, text, rules)
    if serial is not None:
        return serial
    found = loose_dates.interval_of(text, rules)
    if found is None and (undeclared := _undeclared_serial(column, text, rules)) is not None:
        return undeclared
    if found is None:
        rest = loose_dates.bare(text)
        return Reading(rest) if rest is not None else None
    if isinstance(found, loose_dates.NoInterval):
        return Refusal(found.rule, found.reason, expectation(column, rules))
    if not loose_dates.FIRST_YEAR <= found.last.year <= loose_dates.LAST_YEAR:
        return Refusal("range", "lies outside 1990-01-01 to 2099-12-31", expectation(column, rules))
    if found.precision == "day":
        return Reading(found.last.isoformat())
    if column.actual:
        kind = found.precision.replace("_", " ")
        reason = f"is a {kind}, and {column.name} says when something happened and needs its day"
        return Refusal("imprecise_date", reason, "the day")
    return Reading(found.last.isoformat(), found.precision, found.first)


def _serial(column: Column, text: str, rules: TypingRules) -> Reading | Refusal | None:
    """A spreadsheet's day number, in a workbook or where the source declares it; zero is no date."""
    epoch, match = rules.epoch_of(column.name), _SERIAL.fullmatch(text)
    if epoch is None or match is None:
        return None
    number = int(match[1])
    if number == 0:
        return _absent(column, "no_date", rules)
    day = serial_day(number, epoch)
    if day is None or not loose_dates.FIRST_YEAR <= day.year <= loose_dates.LAST_YEAR:
        return None
    if column.type == "date" or not match[2]:
        return Reading(day.isoformat())
    seconds = round(Decimal(f"0.{match[2]}") * 86_400)
    return Reading(str(datetime.combine(day, datetime.min.time()) + timedelta(seconds=seconds)))


def _undeclared_serial(column: Column, text: str, rules: TypingRules) -> Refusal | None:
    """A bare number that would be a spreadsheet's day, if its source said that it has such."""
    if rules.epoch_of(column.name) is not None or re.fullmatch(r"[2-7]\d{4}", text) is None:
        return None
    reason = (
        f"is not a calendar date; if it is a spreadsheet's day number, {serial_day(int(text), 1900)}, write"
        f" `dates: {{{column.name}: serial}}` in the source of programme.yaml"
    )
    return Refusal("type", reason, expectation(column, rules))


def serial_day(number: int, epoch: int) -> date | None:
    """The day of a spreadsheet's serial number; None for 29 February 1900, which its calendar has and ours has not."""
    if epoch == 1904:
        return date(1904, 1, 1) + timedelta(days=number)
    if number == _LEAP_BUG:
        return None
    return date(1899, 12, 30 if number > _LEAP_BUG else 31) + timedelta(days=number)


def _quantity(column: Column, text: str, beside: str | None, rules: TypingRules) -> Reading | Refusal | None:
    parts = quantities.parted(text)
    if parts is None:
        return None
    number = _plain(parts[0], column, rules)
    if number is None:
        return None
    unit, declared = parts[1], rules.units.get(column.name, {})
    own = column.unit or (beside if column.unit_column else None)
    if own is not None and quantities.same_unit(unit, own):
        return Reading(_written(number, column, rules))
    factor = quantities.factor(unit, declared)
    if factor is not None:
        set_to = quantities.PIECES if column.unit_column and own is None else None
        return Reading(_written(number * factor, column, rules), unit=set_to)
    known = quantities.known_unit(unit)
    if own is None and known is not None and (known == quantities.PIECES or column.unit_column):
        return Reading(_written(number, column, rules), unit=known if column.unit_column else None)
    return _unknown_unit(column, unit, own or _counted(column), rules)


def _counted(column: Column) -> str:
    """What a number without a unit counts: pieces, unless it is a measured figure."""
    return "of its own unit" if column.type == "float" else quantities.PIECES


def _plain(text: str, column: Column, rules: TypingRules) -> Decimal | None:
    if re.fullmatch(sql.number_pattern(column, rules.decimal_of(column.name)), text) is None:
        return None
    return Decimal(sql.digits(text, rules.decimal_of(column.name)))


def _written(number: Decimal, column: Column, rules: TypingRules) -> str:
    """The number as the source would write it, because it is typed like any other."""
    return quantities.plain_text(number).replace(".", rules.decimal_of(column.name))


def _unknown_unit(column: Column, unit: str, own: str, rules: TypingRules) -> Refusal:
    reason = (
        f"is in '{unit}', and nothing says how many {own} that is; in the source of programme.yaml write"
        f" `units: {{{column.name}: {{{unit}: <how many {own}>}}}}`"
    )
    return Refusal("unknown_unit", reason, expectation(column, rules))
