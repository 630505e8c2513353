"""Rows of one file that repeat each other's key: exact repetitions, and different rows that claim one key.

An exact repetition keeps its first row. Rows that contradict each other all fail, because nothing in the file says
which is right; a row that fails for another reason still contradicts. The same key in two files is no business of a row
rule: which delivery counts is decided later, and `suites` checks what is left.
"""

from collections.abc import Sequence

from expectations import value_sql as sql
from expectations.contract import Column, Contract
from expectations.row_messages import struct

_SEPARATOR = "chr(31)"


def repeated_hashes(contract: Contract, table: str) -> str:
    """SELECT of the hashes `h` of the keys that more than one row of a judged table has."""
    # Not a filter: that would type the key twice.
    hashed = f"SELECT CASE WHEN {_complete(contract)} THEN {_hash(contract)} END AS h FROM {table}"
    return f"SELECT h FROM ({hashed}) GROUP BY h HAVING count(h) > 1"


def failing(contract: Contract, table: str, relation: str, null_tokens: Sequence[str], again: str) -> str:
    """SELECT of the repeated rows of a judged table that fail: `_n`, `_ingest`, `_row`, `_sheet`, `failure`.

    `relation` has the texts of the rows under the same `_n`: a value that could not be typed counts as its text. Only
    the rows of keys that occur more than once are compared: those of the table `again` (`repeated_hashes`).
    """
    key = f" || {_SEPARATOR} || ".join(f"CAST({part} AS VARCHAR)" for part in _parts(contract))
    said = [each for column in contract.columns for each in _said(column, null_tokens)]
    keyed = "PARTITION BY _ingest, _key"
    ordered = f"({keyed} ORDER BY _sheet NULLS FIRST, _row, _content)"
    return f"""
    WITH repeated AS (
        SELECT j.*, {key} AS _key FROM {table} AS j
        WHERE {_complete(contract)} AND {_hash(contract)} IN (SELECT h FROM {again})),
    said AS (
        SELECT j.*, hash(row({", ".join([*said, "_precision", "_absent"])})) AS _content
        FROM repeated AS j JOIN {relation} AS r ON r._n = j._n),
    counted AS (
        SELECT *, count(*) OVER ({keyed}) AS _copies,
            min(_content) OVER ({keyed}) <> max(_content) OVER ({keyed}) AS _conflict,
            row_number() OVER {ordered} AS _copy,
            first_value(_row) OVER {ordered} AS _first_row, first_value(_sheet) OVER {ordered} AS _first_sheet
        FROM said)
    SELECT _n, _ingest, _row, _sheet, {failure(contract)} AS failure
    FROM counted WHERE _copies > 1 AND (_conflict OR _copy > 1)"""


def _parts(contract: Contract) -> list[str]:
    return [_key_part(contract.column(name)) for name in contract.key]


def _complete(contract: Contract) -> str:
    return " AND ".join(f"{part} IS NOT NULL" for part in _parts(contract))


def _hash(contract: Contract) -> str:
    return f"hash({', '.join(['_ingest', *_parts(contract)])})"


def _key_part(column: Column) -> str:
    return sql.name(f"{column.name}_key") if column.type == "id" else sql.name(column.name)


def _said(column: Column, null_tokens: Sequence[str]) -> list[str]:
    """What the row says in a column."""
    if column.type == "text":
        return [f"j.{sql.name(column.name)}"]
    value = f"j.{_key_part(column)}"
    return [value, f"CASE WHEN {value} IS NULL THEN {sql.cleaned(f'r.{sql.name(column.name)}', null_tokens)} END"]


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
