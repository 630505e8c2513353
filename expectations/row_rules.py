"""The row rules of a contract as one DuckDB query: typed columns out, and for every row the list of rules it breaks.

Here: what is decided by looking at one row. Not here: rows of one file with the same key (`repeated_rows`), values in
unusual forms (`judging`), what needs other files or tables (`suites`), and which delivery counts. The sentences are in
`row_messages`, how a text becomes a value in `row_values`.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from expectations import units_sql
from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import Check, checks, failures, typed
from expectations.row_values import BESIDE, CARRIED, extended, part, selected, values_of
from expectations.typing_rules import TypingRules

__all__ = ["FAILURES", "NOTES", "TypingRules", "typed_select"]

FAILURES = 'STRUCT(rule VARCHAR, "column" VARCHAR, "value" VARCHAR, expected VARCHAR, message VARCHAR)[]'
NOTES = {
    "_precision": "MAP(VARCHAR, VARCHAR)",
    "_earliest": "MAP(VARCHAR, DATE)",
    "_absent": "MAP(VARCHAR, VARCHAR)",
}
"""What an accepted row says beside its values, by column: how precise a date is when it is no day, the first day of it,
and why there is no value. NULL where there is nothing to say."""


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
    fails = [part("fails", column) for column in contract.columns if column.name in names]
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
    layers = values_of(contract, relation, rules, present, read, plain)
    layers["judged"] = extended("typed", _verdicts(contract, rules, plain, judged))
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


def _notes(read: Collection[str]) -> dict[str, str]:
    """The SQL of each of the `NOTES`."""
    notes = {}
    for note, kind in NOTES.items():
        parts = [(column, sql.name(f"{note[1:]}:{column}")) for column in sorted(read)]
        pairs = ", ".join(f"{{'k': {sql.quote(column)}, 'v': {place}}}" for column, place in parts)
        said = " OR ".join(f"{place} IS NOT NULL" for _, place in parts)
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
            yield f"{f'CASE{cases} END' if cases else 'NULL'} AS {part('fails', column)}"


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
    return selected("judged", [*out, *CARRIED, *notes, *beside, f"{failures} AS _failures"])


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
    return selected(table, [*out, *CARRIED, *notes, beside, "_failures"])


def _failures(contract: Contract, rules: TypingRules, read: Collection[str], plain: Collection[str]) -> str:
    """The failures of a row; the lists are built for failing rows only."""
    fails = [part("fails", column) for column in contract.columns]
    given = [part("given", each) if each.name in read else sql.name(each.name) for each in contract.columns]
    found = ", ".join(
        f"CASE WHEN {fail} IS NOT NULL THEN {{'no': {fail}, 'value': {text}}} END"
        for fail, text in zip(fails, given, strict=True)
    )
    all_checks = [(column, check) for column, found in _checks(contract, rules, plain) for check in found]
    broken = f"CASE WHEN coalesce({', '.join(fails)}) IS NOT NULL THEN {failures(f'[{found}]', all_checks)} END"
    return f"CAST({broken} AS {FAILURES})"
