"""The checks on one column in order of precedence, and the words a supplier reads when one fails."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from expectations import value_sql as sql
from expectations.contract import Column
from expectations.typing_rules import TypingRules

_ERROR_CELLS = ("#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!")
_DAMAGED = r"[\x00-\x1F\x7F\x{FFFD}]"
_SHORTENED = r"[+-]?\d\.\d+[eE]\+\d+"
_EXPONENT = r"[+-]?\d+(?:[.,]\d*)?[eE][+-]?\d+"
_FIRST_DAY, _LAST_DAY = "1990-01-01", "2099-12-31"
_SHOWN_CHARACTERS = 80
_COMMA = "a number with decimal comma"
DECIMALS = {"dec": 3, "money": 2, "price": 6}
"""How many decimals a number of a type keeps."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule on one column: `broken` is SQL that is true for a bad value; `reason` completes "Column x ..."."""

    broken: str
    rule: str
    reason: str
    expected: str


def checks(column: Column, rules: TypingRules, *, plain: bool = False) -> list[Check]:
    """The checks of a column, the first match wins: SQL on its text, its typed value and the parts of `row_rules`.

    `plain` says that every value is in its plain form, so that a time was not taken into parts.
    """
    usual, short = expectation(column, rules), f"at most {column.max_length} characters"
    return [
        Check(broken, rule, reason, short if rule == "length" else usual)
        for broken, rule, reason in _raw_checks(column, rules, plain)
    ]


def _raw_checks(column: Column, rules: TypingRules, plain: bool) -> Iterator[tuple[str, str, str]]:
    text = sql.name(column.name)
    if column.required:
        yield f"{text} IS NULL", "required", "is empty"
    unread = "" if column.type in ("id", "text") else f"{typed(column)} IS NULL AND "
    yield (
        f"{unread}{text} >= '#' AND {text} < '$' AND {sql.among(f'upper({text})', _ERROR_CELLS)}",
        "spreadsheet_error",
        "is a spreadsheet's error, not a value",
    )
    match column.type:
        case "id":
            yield from _id_checks(column, text)
        case "int" | "dec" | "money" | "price" | "float":
            yield from _number_checks(column, text)
        case "date" | "ts" | "local":
            yield from _time_checks(column, text, rules, plain)
        case "enum" | "bool":
            reason = "is not an allowed value" if column.type == "enum" else "is neither true nor false"
            yield f"{text} IS NOT NULL AND {typed(column)} IS NULL", "enum" if column.type == "enum" else "type", reason
        case "text":
            pass
    if column.max_length is not None:
        # Bytes are counted sooner than characters, and are never fewer.
        yield f"strlen({text}) > {column.max_length} AND length({text}) > {column.max_length}", "length", "is too long"


def _id_checks(column: Column, text: str) -> Iterator[tuple[str, str, str]]:
    yield (
        f"NOT regexp_full_match({text}, '[ -~]*') AND regexp_matches({text}, {sql.quote(_DAMAGED)})",
        "identifier",
        "has characters that cannot be in an identifier",
    )
    yield (
        f"contains({text}, '+') AND regexp_full_match({text}, {sql.quote(_SHORTENED)})",
        "identifier",
        "was turned into a number by a spreadsheet and has lost its digits",
    )
    if column.required:
        key = sql.name(f"{column.name}_key")
        yield f"{text} IS NOT NULL AND {key} IS NULL", "identifier", "is a placeholder that identifies nothing"


def _number_checks(column: Column, text: str) -> Iterator[tuple[str, str, str]]:
    value, plain = typed(column), sql.name(f"plain:{column.name}")
    if column.type != "float":
        exponent = f"{plain} IS NULL AND regexp_full_match({text}, {sql.quote(_EXPONENT)})"
        yield exponent, "type", "is in scientific notation and may have lost digits"
    reason = "is not a whole number" if column.type == "int" else "is not a number"
    yield f"{text} IS NOT NULL AND {plain} IS NULL", "type", reason
    yield f"{text} IS NOT NULL AND {value} IS NULL", "range", "is too large to be stored"
    if column.type in DECIMALS:
        places = DECIMALS[column.type]
        yield (
            f"{value} = 0 AND regexp_matches({plain}, '[1-9]')",
            "precision",
            f"is not zero but would be stored as zero, with {places} decimals",
        )
    if column.minimum is not None:
        yield f"{value} < {column.minimum}", "range", "is too small"
    if column.maximum is not None:
        yield f"{value} > {column.maximum}", "range", "is too large"


def _time_checks(column: Column, text: str, rules: TypingRules, plain: bool) -> Iterator[tuple[str, str, str]]:
    value, head, local = (sql.name(f"{part}:{column.name}") for part in ("t", "head", "local"))
    unread = f"{text} IS NOT NULL AND {value} IS NULL"
    if not plain and rules.order_of(column.name) not in ("dmy", "mdy"):
        declare = " or ".join(f"`dates: {{{column.name}: {order}}}`" for order in ("dmy", "mdy"))
        yield (
            f"{unread} AND regexp_full_match({head}, {sql.quote(sql.NUMERIC_DATE)})",
            "ambiguous_date",
            f"may be day/month or month/day; in the source of programme.yaml write {declare}",
        )
    if not plain and column.type == "ts":
        tail = sql.name(f"tail:{column.name}")
        yield f"{unread} AND {local} IS NOT NULL AND {tail} = ''", "time_zone", "is a day and needs time and zone"
        yield f"{unread} AND {local} IS NOT NULL", "time_zone", "has no time zone, and the source declares none"
    if not plain and column.type == "local":
        zoned = f"{unread} AND {sql.name(f'offset:{column.name}')} IS NOT NULL"
        yield zoned, "time_zone", "states a time zone, and this is the time that the clock of the place shows"
    yield unread, "type", "is not a calendar date" if column.type == "date" else "is not a date with a time"
    window = f"{value} NOT BETWEEN DATE {sql.quote(_FIRST_DAY)} AND DATE {sql.quote(_LAST_DAY)}"
    yield window, "range", f"lies outside {_FIRST_DAY} to {_LAST_DAY}"


def typed(column: Column) -> str:
    """The SQL column that holds the typed value."""
    return sql.name(f"t:{column.name}")


def expectation(column: Column, rules: TypingRules) -> str:
    """What the column takes, in words: `a number of at least 0, in kW`."""
    match column.type:
        case "enum":
            return f"one of {', '.join(column.values)}"
        case "bool":
            return "true or false (or yes/no, y/n, 1/0)"
        case "id":
            return "an identifier"
        case "text":
            return "text"
        case "date":
            numeric = {"dmy": " or D/M/YYYY", "mdy": " or M/D/YYYY"}.get(rules.order_of(column.name) or "", "")
            return f"a date as YYYY-MM-DD{numeric}"
        case "ts":
            return (
                "a date with time and zone"
                if rules.time_zone is None
                else f"a date with time, in {rules.time_zone} unless a zone is written"
            )
        case "local":
            return "a date with time and without zone, as YYYY-MM-DDTHH:MM"
    number = _COMMA if rules.decimal_of(column.name) == "," else "a number with decimal point"
    noun = "a whole number" if column.type == "int" else number
    return noun + _bounds(column) + (f", in {column.unit}" if column.unit else "")


def _bounds(column: Column) -> str:
    if column.minimum is not None and column.maximum is not None:
        return f" from {column.minimum:g} to {column.maximum:g}"
    if column.minimum is not None:
        return f" of at least {column.minimum:g}"
    return f" of at most {column.maximum:g}" if column.maximum is not None else ""


def failures(found: str, columns_checks: Sequence[tuple[Column, Check]]) -> str:
    """SQL that turns a list of (no, value) into the list of failures; `no` counts the given checks from 1.

    The words stand in constant lists and are put together once per failure: a query with a sentence per check takes
    longer to plan than to run.
    """
    rules, names, expected, endings = (
        _list(words)
        for words in (
            [check.rule for _, check in columns_checks],
            [column.name for column, _ in columns_checks],
            [check.expected for _, check in columns_checks],
            [_ending(column, check) for column, check in columns_checks],
        )
    )
    shown = f"left(failure.value, {_SHOWN_CHARACTERS})"
    dots = f"CASE WHEN length(failure.value) > {_SHOWN_CHARACTERS} THEN '...' ELSE '' END"
    holds = f"CASE WHEN failure.value IS NULL THEN '' ELSE ' holds ''' || {shown} || {dots} || ''', which' END"
    message = f"'Column ' || {names}[failure.no] || {holds} || {endings}[failure.no]"
    made = struct(f"{rules}[failure.no]", f"{names}[failure.no]", "failure.value", f"{expected}[failure.no]", message)
    return f"list_transform(list_filter({found}, lambda failure: failure IS NOT NULL), lambda failure: {made})"


def _ending(column: Column, check: Check) -> str:
    return f" {check.reason}; {_expected(column, check.expected)}"


def _expected(column: Column, expected: str) -> str:
    example = column.example.replace(".", ",") if column.example and expected.startswith(_COMMA) else column.example
    return f"expected {expected}{f', for example {example}' if example else ''}."


def sentence(column: Column, value: str, reason: str, expected: str) -> str:
    """What a supplier reads about one value."""
    shown = value[:_SHOWN_CHARACTERS] + ("..." if len(value) > _SHOWN_CHARACTERS else "")
    return f"Column {column.name} holds '{shown}', which {reason}; {_expected(column, expected)}"


def _list(words: Sequence[str]) -> str:
    return f"[{', '.join(map(sql.quote, words))}]"


def struct(rule: str, column: str, value: str, expected: str, message: str) -> str:
    """An SQL struct of the failure type from five expressions."""
    parts = {"rule": rule, "column": column, "value": value, "expected": expected, "message": message}
    return "{" + ", ".join(f"{sql.quote(key)}: CAST({part} AS VARCHAR)" for key, part in parts.items()) + "}"
