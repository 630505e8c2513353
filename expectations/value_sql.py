"""SQL that reads one text value as a number, a date, an instant, a truth value or a word of a list.

Each function takes and returns an SQL expression; a value that cannot be read gives NULL, never an error and never a
guess. Which values break a rule, and the sentence about them, is the business of `row_rules`.
"""

import re
from collections.abc import Mapping, Sequence

from expectations.contract import Column

BLANKS = "".join(map(chr, (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x2028, 0x2029)))
BLANKS += "".join(map(chr, (0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF)))
"""Characters that are nothing at the ends of a cell: Unicode white space, zero-width blanks, byte-order marks."""

_WIDE = "０１２３４５６７８９．，－＋−／："  # noqa: RUF001 (the full-width forms are what is replaced)
_NARROW = "0123456789.,-+-/:"
_GROUP_MARKS = (" ", "\u00a0", "\u202f", "'")
MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?i)^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+"
_ISO_DATE = r"\d{4}-\d{2}-\d{2}"
_ISO_INSTANT = _ISO_DATE + r"[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)"
_ISO_LOCAL = _ISO_DATE + r"[T ]\d{2}:\d{2}(?::\d{2})?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?"
_ZONE = r"Z|UTC|GMT|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?"
_TAIL = rf"(?i)[T ,]+{_CLOCK}\s*(?:[ap]\.?m\.?)?\s*(?:{_ZONE})?$"
_YEAR_FIRST = r"\d{4}-\d{1,2}-\d{1,2}"
_DAY_MONTH_NAME = rf"(?i)\d{{1,2}}-?{MONTH}-?(?:\d{{4}}|\d{{2}})"
_MONTH_NAME_DAY = rf"(?i){MONTH}-\d{{1,2}}(?:st|nd|rd|th)?-\d{{4}}"
NUMERIC_DATE = r"\d{1,2}-\d{1,2}-(?:\d{4}|\d{2})"
"""A date written as three numbers with the year last: readable only with a declared order."""

_ORDERED_FORMATS: Mapping[str | None, tuple[str, ...]] = {
    "dmy": ("%d-%m-%y", "%d-%m-%Y"),
    "mdy": ("%m-%d-%y", "%m-%d-%Y"),
}
_TRUTH = {"true": ("true", "yes", "y", "1"), "false": ("false", "no", "n", "0")}


def quote(text: str) -> str:
    """An SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def name(identifier: str) -> str:
    """A quoted SQL identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def cleaned(value: str, null_tokens: Sequence[str]) -> str:
    """The value, or NULL for a declared null token in any case."""
    tokens = sorted({token.strip(BLANKS).casefold() for token in null_tokens} - {""})
    return f"CASE WHEN NOT {among(f'lower({value})', tokens)} THEN {value} END" if tokens else value


def among(value: str, words: Sequence[str]) -> str:
    """Whether the value is one of the words; not `IN`, which DuckDB plans as one join per column."""
    return f"list_contains([{', '.join(map(quote, words))}], {value})"


def normal_form(value: str) -> str:
    """The identifier key of a value that no reader has normalised, such as a default: NFC, one blank, lower case."""
    return rf"lower(trim(regexp_replace(nfc_normalize({value}), '\s+', ' ', 'g')))"


def plain_number(value: str, column: Column, decimal: str) -> str:
    """Digits with a decimal point, or NULL when the text is not a number as the source declares its numbers.

    Thousands may be grouped by the other mark, a blank or an apostrophe, in full groups of three; `0,125` is no
    grouping. The column's own unit may follow. Only `float` takes an exponent: elsewhere `1.8E+05` is a spreadsheet's
    shortened display.
    """
    pattern = quote(number_pattern(column, decimal))
    text = f"translate({value}, {quote(_WIDE)}, {quote(_NARROW)})"
    if column.unit:
        unit = rf"\s*{re.escape(column.unit)}$"
        text = f"regexp_replace({text}, {quote(unit)}, '')"
    return (
        f"CASE WHEN {is_plain_number(value, column, decimal)} THEN {value}"
        f" WHEN regexp_full_match({value}, {pattern}) THEN {_with_point(value, decimal)}"
        f" WHEN regexp_full_match({text}, {pattern}) THEN {_with_point(text, decimal)} END"
    )


def is_plain_number(value: str, column: Column, decimal: str) -> str:
    """Whether the text is a number that needs no change: digits, and a decimal point where that is the mark."""
    fraction = "" if column.type == "int" or decimal != "." else r"(?:\.\d+)?"
    pattern = r"[+-]?\d+" + fraction
    return f"regexp_full_match({value}, {quote(pattern)})"


def iso_day(value: str) -> str:
    """The day of a text in the plain ISO form, NULL for a day that does not exist."""
    return f"TRY_CAST({value} AS DATE)"


def iso_instant(value: str) -> str:
    """The instant, in UTC, of a text in the plain ISO form."""
    return f"timezone('UTC', TRY_CAST({value} AS TIMESTAMPTZ))"


def iso_local(value: str) -> str:
    """The local time of a text in the plain ISO form without zone."""
    return f"TRY_CAST({value} AS TIMESTAMP)"


def _with_point(text: str, decimal: str) -> str:
    for mark in ("," if decimal == "." else ".", *_GROUP_MARKS):
        text = f"replace({text}, {quote(mark)}, '')"
    return text if decimal == "." else f"replace({text}, ',', '.')"


def number_pattern(column: Column, decimal: str) -> str:
    """The regular expression of a number as the source declares its numbers."""
    other = "," if decimal == "." else "."
    point = re.escape(decimal)
    groups = "|".join(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+" for mark in (other, *_GROUP_MARKS))
    fraction = rf"(?:{point}0*)?" if column.type == "int" else rf"(?:{point}\d*)?"
    exponent = r"(?:[eE][+-]?\d{1,4})?" if column.type == "float" else ""
    bare = "" if column.type == "int" else rf"|{point}\d+"
    return rf"[+-]?(?:(?:\d+|{groups}){fraction}{bare}){exponent}"


def digits(text: str, decimal: str) -> str:
    """A number of `number_pattern` with a decimal point and without grouping."""
    other = "," if decimal == "." else "."
    return text.translate(str.maketrans(decimal, ".", other + "".join(_GROUP_MARKS)))


def number(plain: str, column: Column) -> str:
    """`plain_number` as the column's type; too large, infinite and not-a-number give NULL."""
    if column.type == "float":
        return f"CASE WHEN isfinite(TRY_CAST({plain} AS DOUBLE)) THEN TRY_CAST({plain} AS DOUBLE) END"
    if column.type == "int":
        return f"TRY_CAST(TRY_CAST({plain} AS DECIMAL(22,3)) AS BIGINT)"
    return f"TRY_CAST({plain} AS {column.sql_type})"


def is_iso(value: str, column: Column) -> str:
    """Whether the text is in the plain ISO form of its type, which needs no taking apart."""
    pattern = {"date": _ISO_DATE, "local": _ISO_LOCAL}.get(column.type, _ISO_INSTANT)
    return f"regexp_full_match({value}, {quote(pattern)})"


def time_part(value: str) -> str:
    """The time of day at the end of a date, with its blank, AM or PM and zone; empty when there is none."""
    return f"CASE WHEN contains({value}, ':') THEN regexp_extract({value}, {quote(_TAIL)}) ELSE '' END"


def date_part(value: str, tail: str) -> str:
    """The date with all separators made `-`, without weekday and time."""
    head = f"left({value}, length({value}) - length({tail}))"
    bare = f"regexp_replace({head}, {quote(_WEEKDAY)}, '')"
    dashed = rf"regexp_replace(translate({bare}, {quote(_WIDE)}, {quote(_NARROW)}), '[-/., ]+', '-', 'g')"
    return f"regexp_replace({dashed}, '(?i)sept-', 'Sep-')"


def calendar_date(head: str, order: str | None) -> str:
    """The date of a `date_part`; numbers with the year last are read only in a declared order `dmy` or `mdy`."""
    branches = [
        (_YEAR_FIRST, ("%Y-%m-%d",), head),
        (r"\d{8}", ("%Y%m%d",), head),
        (
            _DAY_MONTH_NAME,
            ("%d-%b-%y", "%d-%b-%Y", "%d-%B-%y", "%d-%B-%Y"),
            rf"regexp_replace({head}, '^(\d+)-?([A-Za-z]+)-?(\d+)$', '\1-\2-\3')",
        ),
        (_MONTH_NAME_DAY, ("%b-%d-%Y", "%B-%d-%Y"), rf"regexp_replace({head}, '(\d)(?:st|nd|rd|th)-', '\1-', 'i')"),
    ]
    if order in _ORDERED_FORMATS:
        branches.append((NUMERIC_DATE, _ORDERED_FORMATS[order], head))
    cases = "".join(
        f" WHEN regexp_full_match({head}, {quote(pattern)})"
        f" THEN try_strptime({text}, [{', '.join(map(quote, formats))}])"
        for pattern, formats, text in branches
    )
    return f"CASE{cases} END"


def local_time(day: str, tail: str) -> str:
    """Date and time of day as written, as a TIMESTAMP without zone; NULL when either cannot be read."""
    clock = f"replace(regexp_extract({tail}, {quote(_CLOCK)}), ',', '.')"
    half = f"lower(regexp_extract({tail}, '(?i)[ap]\\.?m'))"
    hour = f"TRY_CAST(split_part({clock}, ':', 1) AS INTEGER)"
    moment = f"TRY_CAST(strftime({day}, '%Y-%m-%d') || ' ' || {clock} AS TIMESTAMP)"
    shift = (
        f"CASE WHEN {half} = '' THEN 0 WHEN {hour} NOT BETWEEN 1 AND 12 THEN NULL"
        f" WHEN {half} LIKE 'p%' AND {hour} < 12 THEN 12 WHEN {half} LIKE 'a%' AND {hour} = 12 THEN -12 ELSE 0 END"
    )
    return f"{moment} + to_hours({shift})"


def zone_offset(tail: str) -> str:
    """Minutes east of UTC that the text states; NULL when it states no zone."""
    zone = f"upper(regexp_extract({tail}, {quote(rf'(?i)(?:{_ZONE})$')}))"
    hours = f"CAST(substr({zone}, 2, 2) AS INTEGER)"
    minutes = f"coalesce(TRY_CAST(nullif(right(replace({zone}, ':', ''), 2), '') AS INTEGER), 0)"
    signed = f"(60 * {hours} + CASE WHEN length({zone}) > 3 THEN {minutes} ELSE 0 END)"
    return (
        f"CASE WHEN {zone} = '' THEN NULL WHEN {zone} IN ('Z', 'UTC', 'GMT') THEN 0"
        f" WHEN {zone} LIKE '-%' THEN -{signed} ELSE {signed} END"
    )


def instant(local: str, offset: str, time_zone: str | None) -> str:
    """The instant in UTC: by the stated offset, else by the source's time zone, else NULL."""
    stated = f"{local} - to_minutes({offset})"
    if time_zone is None:
        return stated
    return f"coalesce({stated}, timezone('UTC', timezone({quote(time_zone)}, {local})))"


def truth(value: str) -> str:
    """True for true, yes, y and 1, false for false, no, n and 0, in any case; everything else is NULL."""
    cases = "".join(f" WHEN {quote(each)} THEN {kept}" for kept, words in _TRUTH.items() for each in words)
    return f"CASE lower({value}){cases} END"


def word(value: str, allowed: Sequence[str]) -> str:
    """The allowed value that the text spells, whatever its case and with blank or hyphen for underscore; else NULL.

    A value in capitals must not be spelt in mixed case: `Pb` is a petabit and no `PB`.
    """
    spellings = {each: _spelling(each) for each in allowed if not each.isupper()}
    exact = "".join(f" WHEN {quote(each)} THEN {quote(each)}" for each in allowed)
    cases = "".join(f" WHEN {quote(spelling)} THEN {quote(each)}" for each, spelling in spellings.items())
    small = "".join(f" WHEN {quote(each.lower())} THEN {quote(each)}" for each in allowed if each.isupper())
    free = f"CASE translate(lower({value}), ' -', '__'){cases} END" if cases else "NULL"
    return f"CASE {value}{exact}{small} ELSE {free} END"


def _spelling(word: str) -> str:
    return word.lower().replace(" ", "_").replace("-", "_")
