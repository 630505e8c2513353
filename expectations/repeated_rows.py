"""Rows of one file that repeat each other's key: exact repetitions, and different rows that claim one key.

An exact repetition keeps its first row. Rows that contradict each other all fail, because nothing in the file says
which is right; a row that fails for another reason still contradicts. The same key in two files is no business of a row
rule: which delivery counts is decided later, and `suites` checks what is left.
"""

from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import struct, typed

_SEPARATOR = "chr(31)"


def identity(contract: Contract) -> list[str]:
    """SQL columns `_key` (one text, NULL when a part is missing: such rows fail on their own) and `_content`."""
    key = f" || {_SEPARATOR} || ".join(_key_part(contract.column(name)) for name in contract.key)
    said = [each for column in contract.columns for each in _said(column)]
    return [f"{key} AS _key", f"hash(row({', '.join([*said, '_precision', '_absent'])})) AS _content"]


def _key_part(column: Column) -> str:
    return sql.name(f"{column.name}_key") if column.type == "id" else f"CAST({typed(column)} AS VARCHAR)"


def _said(column: Column) -> list[str]:
    """What the row says in a column; a value that could not be typed counts as its text."""
    if column.type == "text":
        return [typed(column)]
    value = sql.name(f"{column.name}_key") if column.type == "id" else typed(column)
    return [value, f"CASE WHEN {value} IS NULL THEN {sql.name(column.name)} END"]


def failing(contract: Contract, table: str) -> str:
    """SELECT of the repeated rows of a judged table that fail: `_n`, `_ingest`, `_row`, `_sheet`, `_given`, `failure`.

    Only the rows of keys that occur more than once are put in order.
    """
    keyed = "PARTITION BY _ingest, _key"
    ordered = f"({keyed} ORDER BY _sheet NULLS FIRST, _row, _content)"
    again = f"SELECT hash(_ingest, _key) AS h FROM {table} WHERE _key IS NOT NULL GROUP BY ALL HAVING count(*) > 1"
    return f"""
    WITH again AS ({again}),
    counted AS (
        SELECT *, count(*) OVER ({keyed}) AS _copies,
            min(_content) OVER ({keyed}) <> max(_content) OVER ({keyed}) AS _conflict,
            row_number() OVER {ordered} AS _copy,
            first_value(_row) OVER {ordered} AS _first_row, first_value(_sheet) OVER {ordered} AS _first_sheet
        FROM {table} WHERE _key IS NOT NULL AND hash(_ingest, _key) IN (SELECT h FROM again))
    SELECT _n, _ingest, _row, _sheet, _given, {failure(contract)} AS failure
    FROM counted WHERE _copies > 1 AND (_conflict OR _copy > 1)"""


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
