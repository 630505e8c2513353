"""The row rules of a contract as one DuckDB query: typed columns out, and for every row the list of rules it breaks.

Here: what is decided by looking at one row. Not here: rows of one file with the same key (`repeated_rows`), values in
unusual forms (`judging`), what needs other files or tables (`suites`), and which delivery counts. The sentences are in
`row_messages`, how a text becomes a value in `value_sql`.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from expectations import units_sql
from expectations import value_sql as sql
from expectations.contract import TIMES, Column, Contract
from expectations.row_messages import Check, checks, failures, typed
from expectations.typing_rules import TypingRules

__all__ = ["FAILURES", "NOTES", "TypingRules", "typed_select"]

FAILURES = 'STRUCT(rule VARCHAR, "column" VARCHAR, "value" VARCHAR, expected VARCHAR, message VARCHAR)[]'
_NOTHING = "CAST(NULL AS VARCHAR)"
_CARRIED = ("_n", "_ingest", "_row", "_sheet")
NOTES = {
    "_precision": "MAP(VARCHAR, VARCHAR)",
    "_earliest": "MAP(VARCHAR, DATE)",
    "_absent": "MAP(VARCHAR, VARCHAR)",
}
"""What an accepted row says beside its values, by column: how precise a date is when it is no day, the first day of it,
and why there is no value. NULL where there is nothing to say."""
BESIDE = "_beside"
"""The text of the row's unit column as delivered."""


def typed_select(
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None = None,
    read: Collection[str] = (),
    plain: Collection[str] = (),
    *,
    sound: bool = False,
) -> str:
    """SQL that types and judges the rows of `relation` in one pass, each row by itself.

    `relation` (a table name or a parenthesised query) has one TEXT column per contract column, trimmed and NULL where
    it is empty, a TEXT `<id>_key` per identifier, and `_n` (different for every row), `_ingest`, `_row`, `_sheet`. The
    result, which `completed` makes whole, has the typed columns that were delivered, their keys, those four, and
    `_failures`: NULL for a good row, else a list of (rule, column, value, expected, message). Rules: required,
    spreadsheet_error, identifier, enum, type, ambiguous_date, time_zone, precision, range, length and unknown_unit. A
    value that cannot be typed is NULL in its row; numbers are rounded to the decimals of their type.

    `present` names the columns that were delivered at all: the query then spends nothing on the others. `read` names
    those for which `relation` also has what `odd_values` made of their texts: `read:<column>`, `precision:<column>`,
    `earliest:<column>` and `absent:<column>`. `plain` names those of which every value is written as `plain_value`
    says, which need no taking apart. `sound` says that the rows are known to break no rule (`failing_select`), so that
    they are typed only.
    """
    contract = _delivered(contract, present)
    steps = _steps(contract, relation, rules, present, read, plain, () if sound else None)
    return f"WITH {steps} {_result(contract, rules, read, plain, sound=sound)}"


def failing_select(
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None,
    plain: Collection[str],
    names: Collection[str],
) -> str:
    """SELECT of the `_n` of the rows that break a rule of the columns `names`; the rest is as in `typed_select`."""
    contract = _with_needed(_delivered(contract, present), names)
    fails = [_part("fails", column) for column in contract.columns if column.name in names]
    if not fails:
        return f"SELECT _n FROM {relation} WHERE false"
    steps = _steps(contract, relation, rules, present, (), plain, names)
    # Materialized, because a filter on a verdict would be put together from all layers, each of them many times over.
    verdict = f"verdict AS MATERIALIZED (SELECT _n, coalesce({', '.join(fails)}) AS fails FROM judged)"
    return f"WITH {steps}, {verdict} SELECT _n FROM verdict WHERE fails IS NOT NULL"


def _steps(
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None,
    read: Collection[str],
    plain: Collection[str],
    judged: Collection[str] | None,
) -> str:
    """The layers from texts to verdicts; `judged` names the columns that need one, None stands for all."""
    columns = contract.columns
    times = [column for column in columns if column.type in TIMES and column.name not in plain]
    layers = {
        "cleaned": _selected(relation, _cleaned(contract, rules, present, read)),
        "filled": _filled(contract, rules, read),
        "shaped": _extended("filled", (_iso(column) for column in times)),
        "parted": _extended("shaped", [*map(_tail, times), *_plain_numbers(columns, rules, plain)]),
        "headed": _extended("parted", map(_head, times)),
        "dated": _extended("headed", (_calendar_day(column, rules) for column in times)),
        "timed": _extended("dated", map(_local, times)),
        "placed": _extended("timed", map(_offset, times)),
        "typed": _extended("placed", (_typed(contract, column, rules, read, plain) for column in columns)),
        "judged": _extended("typed", _verdicts(contract, rules, plain, judged)),
    }
    return ", ".join(f"{name} AS ({query})" for name, query in layers.items())


def _delivered(contract: Contract, present: Collection[str] | None) -> Contract:
    """The contract without the columns that are NULL in every row whatever happens."""
    if present is None:
        return contract
    needed = {*present, *_named_in_fallbacks(contract.columns)}
    kept = [c for c in contract.columns if c.name in needed or c.required or c.default is not None or c.fallback]
    return replace(contract, columns=tuple(kept))


def _with_needed(contract: Contract, names: Collection[str]) -> Contract:
    """The contract with those columns only, and the ones that their values are made from."""
    wanted = [column for column in contract.columns if column.name in names]
    needed = {*names, *_named_in_fallbacks(wanted)}
    quantity = contract.quantity
    if quantity is not None and {quantity.name, quantity.unit_column} & needed:
        needed |= {quantity.name, str(quantity.unit_column)}
    return replace(contract, columns=tuple(column for column in contract.columns if column.name in needed))


def _named_in_fallbacks(columns: Iterable[Column]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(column.fallback or "" for column in columns)))


def _selected(relation: str, expressions: Iterable[str]) -> str:
    return f"SELECT {', '.join(expressions)} FROM {relation}"


def _extended(below: str, expressions: Iterable[str]) -> str:
    return _selected(below, ["*", *expressions])


def _part(prefix: str, column: Column) -> str:
    return sql.name(f"{prefix}:{column.name}")


def _cleaned(
    contract: Contract, rules: TypingRules, present: Collection[str] | None, read: Collection[str]
) -> list[str]:
    """Texts without blanks and null tokens; a text that was read elsewhere is replaced, and kept as `given:`."""
    chosen = []
    for column in contract.columns:
        text, key = sql.name(column.name), sql.name(f"{column.name}_key")
        delivered = present is None or column.name in present
        # What is nowhere delivered is one value, which is then typed and judged once and not in every row.
        cleaned = sql.cleaned(text, rules.null_tokens) if delivered else _NOTHING
        key_of = f"CASE WHEN {cleaned} IS NOT NULL THEN {key} END" if delivered else _NOTHING
        if column.name in read:
            meant, absent = _part("read", column), _part("absent", column)
            chosen.append(f"CASE WHEN {absent} IS NULL THEN coalesce({meant}, {cleaned}) END AS {text}")
            chosen.append(f"{cleaned} AS {_part('given', column)}")
            chosen += [sql.name(f"{note}:{column.name}") for note in ("read", "precision", "earliest", "absent")]
        else:
            chosen.append(f"{cleaned} AS {text}")
        chosen += [f"{key_of} AS {key}"] if column.type == "id" else []
    return [*chosen, *_beside(contract, rules, present), *_CARRIED]


def _beside(contract: Contract, rules: TypingRules, present: Collection[str] | None) -> list[str]:
    quantity = contract.quantity
    if quantity is None:
        return []
    unit = str(quantity.unit_column)
    named = any(column.name == unit for column in contract.columns) and (present is None or unit in present)
    text = sql.cleaned(sql.name(unit), rules.null_tokens) if named else _NOTHING
    return [f"{text} AS {BESIDE}"]


def _filled(contract: Contract, rules: TypingRules, read: Collection[str]) -> str:
    """Fallbacks and defaults fill empty cells; a key is empty where its identifier is, and made where it was filled.

    A cell that says why it is empty is not filled.
    """
    replaced = []
    for column in contract.columns:
        text, filling = sql.name(column.name), _filling(contract, column, rules)
        if filling:
            filled = f"coalesce({text}, {filling})"
            absent = f"CASE WHEN {_part('absent', column)} IS NULL THEN {filled} END"
            replaced.append(f"{absent if column.name in read else filled} AS {text}")
        if column.type == "id":
            key = sql.name(f"{column.name}_key")
            made = f" ELSE {sql.normal_form(_of_keys(filling, contract))}" if filling else ""
            replaced.append(f"CASE WHEN {text} IS NOT NULL THEN {key}{made} END AS {key}")
    return f"SELECT * REPLACE ({', '.join(replaced)}) FROM cleaned" if replaced else "SELECT * FROM cleaned"


def _filling(contract: Contract, column: Column, rules: TypingRules) -> str:
    options = [column.fallback] if column.fallback else []
    if rules.unit is not None and contract.quantity is not None and contract.quantity.unit_column == column.name:
        options.append(sql.quote(rules.unit))
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
    day = sql.calendar_date(_part("head", column), rules.order_of(column.name))
    return f"CASE WHEN NOT {_part('iso', column)} THEN {day} END AS {_part('day', column)}"


def _local(column: Column) -> str:
    day, tail = _part("day", column), _part("tail", column)
    local = f"WHEN {tail} = '' THEN {day} WHEN NOT {_part('iso', column)} THEN {sql.local_time(day, tail)}"
    return f"CASE {local} END AS {_part('local', column)}"


def _offset(column: Column) -> str:
    offset = sql.zone_offset(_part("tail", column))
    return f"CASE WHEN NOT {_part('iso', column)} THEN {offset} END AS {_part('offset', column)}"


def _plain_numbers(columns: Sequence[Column], rules: TypingRules, plain: Collection[str]) -> list[str]:
    made = []
    for column in columns:
        if column.type in ("int", "dec", "money", "price", "float"):
            text = sql.name(column.name)
            number = sql.plain_number(text, units_sql.own(column, rules), rules.decimal_of(column.name))
            made.append(f"{text if column.name in plain else number} AS {_part('plain', column)}")
    return made


def plain_value(column: Column, rules: TypingRules) -> str | None:
    """SQL, true for a value in the plainest form of the column's type; None for a type that has no such form."""
    text = sql.name(column.name)
    match column.type:
        case "date":
            return f"{text} LIKE '____-__-__'"
        case "ts" | "local":
            return sql.is_iso(text, column)
        case "int" | "dec" | "money" | "price" | "float":
            return sql.is_plain_number(text, column, rules.decimal_of(column.name))
        case _:
            return None


def _typed(
    contract: Contract, column: Column, rules: TypingRules, read: Collection[str], plain: Collection[str]
) -> str:
    text = sql.name(column.name)
    match column.type:
        case "int" | "dec" | "money" | "price" | "float":
            factor = units_sql.factor(contract, column, rules)
            if factor is not None and column.name in read:
                factor = f"CASE WHEN {_part('read', column)} IS NULL THEN {factor} END" if column.unit else factor
            value = units_sql.converted(_part("plain", column), column, factor)
        case "bool":
            value = sql.truth(text)
        case "enum":
            value = sql.word(text, column.values)
        case "date":
            value = sql.iso_day(text) if column.name in plain else _day(column, rules)
        case "ts":
            value = sql.iso_instant(text) if column.name in plain else _instant(column, rules)
        case "local":
            value = sql.iso_local(text) if column.name in plain else _on_the_clock(column)
        case _:
            value = units_sql.spelled(contract, column, rules) or text
    return f"{value} AS {typed(column)}"


def _instant(column: Column, rules: TypingRules) -> str:
    moment = sql.instant(_part("local", column), _part("offset", column), rules.time_zone)
    return f"CASE WHEN {_part('iso', column)} THEN {sql.iso_instant(sql.name(column.name))} ELSE {moment} END"


def _on_the_clock(column: Column) -> str:
    """A local time; a day is its midnight, and a time with a zone is none."""
    plain = f"WHEN {_part('iso', column)} THEN {sql.iso_local(sql.name(column.name))}"
    return f"CASE {plain} WHEN {_part('offset', column)} IS NULL THEN {_part('local', column)} END"


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
    return f"CASE WHEN {_part('iso', column)} THEN {sql.iso_day(sql.name(column.name))} ELSE {day} END"


def _notes(read: Collection[str]) -> dict[str, str]:
    """The SQL of each of the `NOTES`."""
    notes = {}
    for note, kind in NOTES.items():
        parts = [(column, sql.name(f"{note[1:]}:{column}")) for column in sorted(read)]
        pairs = ", ".join(f"{{'k': {sql.quote(column)}, 'v': {part}}}" for column, part in parts)
        said = " OR ".join(f"{part} IS NOT NULL" for _, part in parts)
        made = f"map_from_entries(list_filter([{pairs}], lambda pair: pair.v IS NOT NULL))"
        notes[note] = f"CAST({f'CASE WHEN {said} THEN {made} END' if parts else 'NULL'} AS {kind})"
    return notes


def _verdicts(
    contract: Contract, rules: TypingRules, plain: Collection[str], judged: Collection[str] | None
) -> Iterator[str]:
    """Per column the number of the first check that fails, or NULL; numbers count the checks of the whole contract."""
    number = itertools.count(1)
    for column, found in _checks(contract, rules, plain):
        cases = "".join(f" WHEN {check.broken} THEN {next(number)}" for check in found)
        if judged is None or column.name in judged:
            yield f"{f'CASE{cases} END' if cases else 'NULL'} AS {_part('fails', column)}"


def _checks(contract: Contract, rules: TypingRules, plain: Collection[str]) -> Iterator[tuple[Column, list[Check]]]:
    for column in contract.columns:
        found = checks(column, rules, plain=column.name in plain)
        yield column, [*found, *units_sql.checks(contract, column, rules)]


def _result(
    contract: Contract, rules: TypingRules, read: Collection[str], plain: Collection[str], *, sound: bool
) -> str:
    out = [f"{typed(column)} AS {sql.name(column.name)}" for column in contract.columns]
    out += [sql.name(f"{name}_key") for name in contract.ids]
    notes = (f"{note} AS {name}" for name, note in _notes(read).items()) if read else ()
    beside = [BESIDE] if contract.quantity is not None else []
    failures = f"CAST(NULL AS {FAILURES})" if sound else _failures(contract, rules, read, plain)
    return _selected("judged", [*out, *_CARRIED, *notes, *beside, f"{failures} AS _failures"])


def completed(contract: Contract, table: str, present: Collection[str] | None, *, noted: bool) -> str:
    """SELECT of all columns of the dataset from a table made by `typed_select`: what it has not is NULL.

    `noted` says whether the table has the `NOTES`.
    """
    delivered = {column.name for column in _delivered(contract, present).columns}
    out = []
    for column in contract.columns:
        names = {column.name: column.sql_type} | ({f"{column.name}_key": "VARCHAR"} if column.type == "id" else {})
        out += [
            sql.name(name) if column.name in delivered else f"CAST(NULL AS {kind}) AS {sql.name(name)}"
            for name, kind in names.items()
        ]
    notes = [name if noted else f"CAST(NULL AS {kind}) AS {name}" for name, kind in NOTES.items()]
    beside = BESIDE if contract.quantity is not None else f"CAST(NULL AS VARCHAR) AS {BESIDE}"
    return _selected(table, [*out, *_CARRIED, *notes, beside, "_failures"])


def _failures(contract: Contract, rules: TypingRules, read: Collection[str], plain: Collection[str]) -> str:
    """The failures of a row; the lists are built for failing rows only."""
    fails = [_part("fails", column) for column in contract.columns]
    given = [_part("given", each) if each.name in read else sql.name(each.name) for each in contract.columns]
    found = ", ".join(
        f"CASE WHEN {fail} IS NOT NULL THEN {{'no': {fail}, 'value': {text}}} END"
        for fail, text in zip(fails, given, strict=True)
    )
    all_checks = [(column, check) for column, found in _checks(contract, rules, plain) for check in found]
    broken = f"CASE WHEN coalesce({', '.join(fails)}) IS NOT NULL THEN {failures(f'[{found}]', all_checks)} END"
    return f"CAST({broken} AS {FAILURES})"
