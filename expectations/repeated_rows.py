"""Rows of one file that repeat each other's key: exact repetitions, and different rows that claim one key.

An exact repetition keeps its first row. Rows that contradict each other all fail, because nothing in the file says
which is right; a row that fails for another reason still contradicts. The same key in two files is no business of a row
rule: which delivery counts is decided later, and `suites` checks what is left.
"""

from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import struct, typed

REPEATED = "(_key IS NOT NULL AND _copies > 1 AND (_conflict OR _copy > 1))"
"""SQL, true for a row that fails; reads the columns of `identity` and `copies`."""

_SEPARATOR = "chr(31)"


def identity(contract: Contract) -> list[str]:
    """SQL columns `_key` (one text, NULL when a part is missing: such rows fail on their own) and `_content`."""
    key = f" || {_SEPARATOR} || ".join(_key_part(contract.column(name)) for name in contract.key)
    said = [each for column in contract.columns for each in _said(column)]
    return [f"{key} AS _key", f"hash(row({', '.join(said)})) AS _content"]


def _key_part(column: Column) -> str:
    return sql.name(f"{column.name}_key") if column.type == "id" else f"CAST({typed(column)} AS VARCHAR)"


def _said(column: Column) -> list[str]:
    """What the row says in a column; a value that could not be typed counts as its text."""
    if column.type == "text":
        return [typed(column)]
    value = sql.name(f"{column.name}_key") if column.type == "id" else typed(column)
    return [value, f"CASE WHEN {value} IS NULL THEN {sql.name(column.name)} END"]


def copies() -> list[str]:
    """SQL columns that say how often a key occurs in its file, whether its rows differ, and which row is the first."""
    keyed = "PARTITION BY _ingest, coalesce(_key, chr(30) || _row)"
    ordered = f"({keyed} ORDER BY _sheet NULLS FIRST, _row, _content)"
    return [
        f"count(*) OVER ({keyed}) AS _copies",
        f"min(_content) OVER ({keyed}) <> max(_content) OVER ({keyed}) AS _conflict",
        f"row_number() OVER {ordered} AS _copy",
        f"first_value(_row) OVER {ordered} AS _first_row",
        f"first_value(_sheet) OVER {ordered} AS _first_sheet",
    ]


def failure(contract: Contract) -> str:
    """The SQL struct of a repeated row: `key_conflict` or `duplicate_row`."""
    key = ", ".join(contract.key)
    expected = f"one row per {key}"
    shown = " || ', ' || ".join(f"{sql.quote(f'{name} ')} || {sql.name(name)}" for name in contract.key)
    first = "_first_row || CASE WHEN _first_sheet IS NULL THEN '' ELSE ' of sheet ' || _first_sheet END"
    end = sql.quote(f"); expected {expected}.")
    again = f"'This row repeats row ' || {first} || ' of this file (' || {shown} || {end}"
    conflict = (
        f"_copies || ' rows of this file have the same key (' || {shown} || ') and differ in other columns, the'"
        f" || ' first is row ' || {first} || {sql.quote(f'; expected {expected}: correct or remove the others.')}"
    )

    def named(rule: str, message: str) -> str:
        return struct(sql.quote(rule), sql.quote(key), shown, sql.quote(expected), message)

    return f"CASE WHEN _conflict THEN {named('key_conflict', conflict)} ELSE {named('duplicate_row', again)} END"
