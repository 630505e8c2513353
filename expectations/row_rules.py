"""The row rules of a contract as one DuckDB query: typed columns out, and for every row the list of rules it breaks.

Here: what is decided by looking at one row, or at rows of the same file with the same key. Not here: what needs other
files or tables (`suites`), and which delivery counts. The sentences are in `row_messages`, how a text becomes a value
in `value_sql`.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from expectations import repeated_rows
from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import TypingRules, checks, failures, typed

__all__ = ["TypingRules", "typed_select"]

_FAILURES = 'STRUCT(rule VARCHAR, "column" VARCHAR, "value" VARCHAR, expected VARCHAR, message VARCHAR)[]'
_CARRIED = ("_ingest", "_row", "_sheet", "_given")


def typed_select(contract: Contract, relation: str, rules: TypingRules, present: Collection[str] | None = None) -> str:
    """SQL that types and judges the rows of `relation` in one pass.

    `relation` (a table name or a parenthesised query) has one TEXT column per contract column, a TEXT `<id>_key` per
    identifier and `_ingest`, `_row`, `_sheet`, `_given`. The result has the typed columns, the keys, those four, and
    `_failures`: a list, empty for a good row, of (rule, column, value, expected, message). Rules: required,
    spreadsheet_error, identifier, enum, type, ambiguous_date, time_zone, precision, range, length, duplicate_row and
    key_conflict. A value that cannot be typed is NULL in its row; numbers are rounded to the decimals of their type.

    `present` names the columns that were delivered at all: the query then spends nothing on the others.
    """
    whole, contract = contract, _delivered(contract, present)
    columns = contract.columns
    times = [column for column in columns if column.type in ("date", "ts")]
    layers = {
        "cleaned": _selected(relation, _cleaned(contract, rules)),
        "filled": _filled(contract),
        "shaped": _extended("filled", (_iso(column) for column in times)),
        "parted": _extended("shaped", [*map(_tail, times), *_plain_numbers(columns, rules)]),
        "headed": _extended("parted", map(_head, times)),
        "dated": _extended("headed", (_calendar_day(column, rules) for column in times)),
        "timed": _extended("dated", map(_local, times)),
        "placed": _extended("timed", map(_offset, times)),
        "typed": _extended("placed", (_typed(column, rules) for column in columns)),
        "judged": _extended("typed", [*repeated_rows.identity(contract), *_verdicts(contract, rules)]),
        "counted": _extended("judged", repeated_rows.copies()),
    }
    return (
        f"WITH {', '.join(f'{name} AS ({query})' for name, query in layers.items())} {_result(whole, contract, rules)}"
    )


def _delivered(contract: Contract, present: Collection[str] | None) -> Contract:
    """The contract without the columns that are NULL in every row whatever happens."""
    if present is None:
        return contract
    made_from = " ".join(column.fallback or "" for column in contract.columns)
    needed = {*present, *re.findall(r"\w+", made_from)}
    kept = [c for c in contract.columns if c.name in needed or c.required or c.default is not None or c.fallback]
    return replace(contract, columns=tuple(kept))


def _selected(relation: str, expressions: Iterable[str]) -> str:
    return f"SELECT {', '.join(expressions)} FROM {relation}"


def _extended(below: str, expressions: Iterable[str]) -> str:
    return _selected(below, ["*", *expressions])


def _part(prefix: str, column: Column) -> str:
    return sql.name(f"{prefix}:{column.name}")


def _cleaned(contract: Contract, rules: TypingRules) -> list[str]:
    chosen = []
    for column in contract.columns:
        text, key = sql.name(column.name), sql.name(f"{column.name}_key")
        cleaned = sql.cleaned(text, rules.null_tokens)
        chosen.append(f"{cleaned} AS {text}")
        chosen += [f"CASE WHEN {cleaned} IS NOT NULL THEN {key} END AS {key}"] if column.type == "id" else []
    return [*chosen, *_CARRIED]


def _filled(contract: Contract) -> str:
    """Fallbacks and defaults fill empty cells; a key is empty where its identifier is, and made where it was filled."""
    replaced = []
    for column in contract.columns:
        text, filling = sql.name(column.name), _filling(column)
        if filling:
            replaced.append(f"coalesce({text}, {filling}) AS {text}")
        if column.type == "id":
            key = sql.name(f"{column.name}_key")
            made = f" ELSE {sql.normal_form(_of_keys(filling, contract))}" if filling else ""
            replaced.append(f"CASE WHEN {text} IS NOT NULL THEN {key}{made} END AS {key}")
    return f"SELECT * REPLACE ({', '.join(replaced)}) FROM cleaned" if replaced else "SELECT * FROM cleaned"


def _filling(column: Column) -> str:
    options = [column.fallback] if column.fallback else []
    if column.default is not None:
        options.append(sql.quote(column.default))
    return f"coalesce({', '.join(options)})" if options else ""


def _of_keys(expression: str, contract: Contract) -> str:
    """The expression with identifiers in their normal form, so that a filled key equals one that was delivered."""
    pieces = expression.split("'")
    for name in contract.ids:
        pieces[::2] = [_renamed(piece, name) for piece in pieces[::2]]
    return "'".join(pieces)


def _renamed(piece: str, name: str) -> str:
    words = piece.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split(" ")
    return " ".join(f"{word}_key" if word == name else word for word in words)


def _iso(column: Column) -> str:
    return f"{sql.is_iso(sql.name(column.name), column)} AS {_part('iso', column)}"


def _tail(column: Column) -> str:
    plain = sql.time_part(sql.name(column.name))
    return f"CASE WHEN NOT {_part('iso', column)} THEN {plain} END AS {_part('tail', column)}"


def _head(column: Column) -> str:
    head = sql.date_part(sql.name(column.name), _part("tail", column))
    return f"CASE WHEN NOT {_part('iso', column)} THEN {head} END AS {_part('head', column)}"


def _calendar_day(column: Column, rules: TypingRules) -> str:
    return f"{sql.calendar_date(_part('head', column), rules.date_order)} AS {_part('day', column)}"


def _local(column: Column) -> str:
    day, tail = _part("day", column), _part("tail", column)
    return f"CASE WHEN {tail} = '' THEN {day} ELSE {sql.local_time(day, tail)} END AS {_part('local', column)}"


def _offset(column: Column) -> str:
    return f"{sql.zone_offset(_part('tail', column))} AS {_part('offset', column)}"


def _plain_numbers(columns: Sequence[Column], rules: TypingRules) -> list[str]:
    return [
        f"{sql.plain_number(sql.name(column.name), column, rules.decimal)} AS {_part('plain', column)}"
        for column in columns
        if column.type in ("int", "dec", "money", "price", "float")
    ]


def _typed(column: Column, rules: TypingRules) -> str:
    text = sql.name(column.name)
    match column.type:
        case "int" | "dec" | "money" | "price" | "float":
            value = sql.number(_part("plain", column), column)
        case "bool":
            value = sql.truth(text)
        case "enum":
            value = sql.word(text, column.values)
        case "date":
            value = _day(column, rules)
        case "ts":
            value = _instant(column, rules)
        case _:
            value = text
    return f"{value} AS {typed(column)}"


def _instant(column: Column, rules: TypingRules) -> str:
    moment = sql.instant(_part("local", column), _part("offset", column), rules.time_zone)
    iso = f"timezone('UTC', TRY_CAST({sql.name(column.name)} AS TIMESTAMPTZ))"
    return f"CASE WHEN {_part('iso', column)} THEN {iso} ELSE {moment} END"


def _day(column: Column, rules: TypingRules) -> str:
    """The day; of an instant with a stated zone, the day on the source's calendar.

    A bare midnight stays its own day: it is how programs write a day as an instant.
    """
    local = _part("local", column)
    day = f"CAST({local} AS DATE)"
    if rules.time_zone is not None:
        moment = sql.instant(local, _part("offset", column), rules.time_zone)
        there = f"CAST(timezone({sql.quote(rules.time_zone)}, timezone('UTC', {moment})) AS DATE)"
        day = f"CASE WHEN CAST({local} AS TIME) = TIME '00:00:00' THEN {day} ELSE {there} END"
    return f"CASE WHEN {_part('iso', column)} THEN TRY_CAST({sql.name(column.name)} AS DATE) ELSE {day} END"


def _verdicts(contract: Contract, rules: TypingRules) -> Iterator[str]:
    """Per column the number of the first check that fails, or NULL; numbers count the checks of the whole contract."""
    number = itertools.count(1)
    for column in contract.columns:
        cases = "".join(f" WHEN {check.broken} THEN {next(number)}" for check in checks(column, rules))
        yield f"CASE{cases} END AS {_part('fails', column)}"


def _result(whole: Contract, contract: Contract, rules: TypingRules) -> str:
    out = []
    for column in whole.columns:
        text, key = sql.name(column.name), sql.name(f"{column.name}_key")
        delivered = column in contract.columns
        out.append(f"{typed(column) if delivered else f'CAST(NULL AS {column.sql_type})'} AS {text}")
        if column.type == "id":
            out.append(key if delivered else f"CAST(NULL AS VARCHAR) AS {key}")
    return _selected("counted", [*out, *_CARRIED, f"{_failures(contract, rules)} AS _failures"])


def _failures(contract: Contract, rules: TypingRules) -> str:
    """The failures of a row; the lists are built for failing rows only."""
    fails = [_part("fails", column) for column in contract.columns]
    found = ", ".join(
        f"CASE WHEN {fail} IS NOT NULL THEN {{'no': {fail}, 'value': {sql.name(column.name)}}} END"
        for fail, column in zip(fails, contract.columns, strict=True)
    )
    all_checks = [(column, check) for column in contract.columns for check in checks(column, rules)]
    broken = f"CASE WHEN coalesce({', '.join(fails)}) IS NOT NULL THEN {failures(f'[{found}]', all_checks)} ELSE [] END"
    repeated = f"CASE WHEN {repeated_rows.REPEATED} THEN [{repeated_rows.failure(contract)}] ELSE [] END"
    return f"CAST(list_concat({broken}, {repeated}) AS {_FAILURES})"
