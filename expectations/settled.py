"""What the distinct values of a column settle for all of its rows: a few values are looked at in place of many rows.

Here: which columns of many rows have few values, and what follows from these. Not here: the rules themselves
(`row_rules`), and what is done with the rows that break one (`judging`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from expectations import value_sql as sql
from expectations.contract import Column
from expectations.row_batch import Batch
from expectations.row_rules import failing_select, plain_value

LARGE = 100_000
"""Rows from which on a look at the distinct values of columns pays."""
_HEAD, _FEW = 20_000, 8
"""A column has few values when they are at most an eighth of so many first rows."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Columns of which something is known before any row is judged.

    Attributes:
        plain: every value is in the plainest form of its type (`plain_value`).
        sound: no value breaks a rule.
        one_spelling: identifiers of which every key has one spelling, and every text a key.
        large: whether there are so many rows that what can be read twice should not be kept.
    """

    plain: frozenset[str]
    sound: frozenset[str]
    one_spelling: frozenset[str]
    large: bool


@dataclass(frozen=True, slots=True)
class _Values:
    """The table of a column's distinct values, and what they are like; `empty` tells whether there is a NULL."""

    column: Column
    table: str
    empty: bool
    plain: bool
    one_spelling: bool


def settle(batch: Batch) -> Settled:
    """What is certain of the delivered columns of a batch."""
    delivered = [column for column in batch.contract.columns if batch.delivers(column.name)]
    large = bool(batch.con.sql(f"SELECT count(*) >= {LARGE} FROM {batch.relation}").fetchall()[0][0])
    few = _few_valued(batch, delivered) if large else []
    found = [_values(batch, column, _distinct(batch, column, number)) for number, column in enumerate(few)]
    forms = {column.name: form for column in delivered if (form := plain_value(column, batch.rules))}
    rest = {name: form for name, form in forms.items() if name not in {column.name for column in few}}
    # A column that has another form has it early, in most files, and then the rest is not asked.
    for asked in (f"(SELECT * FROM {batch.relation} LIMIT {_HEAD})", batch.relation):
        rest = _plain_in(batch, asked, rest)
    return Settled(
        frozenset({*rest, *(each.column.name for each in found if each.plain)}),
        frozenset(each.column.name for each in found if _are_sound(batch, each)),
        frozenset(each.column.name for each in found if each.one_spelling),
        large,
    )


def _few_valued(batch: Batch, columns: Sequence[Column]) -> list[Column]:
    """The columns that have few values in the first rows."""
    counts = ", ".join(["count(*)", *(f"approx_count_distinct({sql.name(column.name)})" for column in columns)])
    query = f"SELECT {counts} FROM (SELECT * FROM {batch.relation} LIMIT {_HEAD})"
    rows, *found = batch.con.sql(query).fetchall()[0]
    return [column for column, count in zip(columns, found, strict=True) if count * _FEW <= rows]


def _distinct(batch: Batch, column: Column, number: int) -> str:
    """The table of a column's distinct texts, of an identifier with their keys."""
    table, names = batch.table(f"values_{number}"), [column.name]
    names += [f"{column.name}_key"] if column.type == "id" else []
    listed = ", ".join(map(sql.name, names))
    batch.con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT DISTINCT {listed} FROM {batch.relation}")
    return table


def _values(batch: Batch, column: Column, table: str) -> _Values:
    text, key = sql.name(column.name), sql.name(f"{column.name}_key")
    form = plain_value(column, batch.rules)
    plain = f"coalesce(bool_and({form}), true)" if form else "false"
    spelt = f"count({text}) = count({key}) AND count({key}) = count(DISTINCT {key})" if column.type == "id" else "false"
    query = f"SELECT coalesce(bool_or({text} IS NULL), false), {plain}, {spelt} FROM {table}"
    empty, is_plain, one_spelling = batch.con.sql(query).fetchall()[0]
    own = column.default is None and not column.fallback
    return _Values(column, table, empty, is_plain, one_spelling and own)


def _plain_in(batch: Batch, relation: str, forms: Mapping[str, str]) -> dict[str, str]:
    """Those columns of which every value has the form given."""
    if not forms:
        return {}
    asked = ", ".join(f"coalesce(bool_and({form}), true)" for form in forms.values())
    (answers,) = batch.con.sql(f"SELECT {asked} FROM {relation}").fetchall()
    return {name: forms[name] for name, plain in zip(forms, answers, strict=True) if plain}


def _are_sound(batch: Batch, values: _Values) -> bool:
    """Whether no value breaks a rule; a value that depends on other columns of its row is never sure."""
    column = values.column
    varies = column.unit_column is not None and batch.rules.units.get(column.name)
    if varies or (column.fallback and values.empty):
        return False
    rows = f"(SELECT *, 0 AS _n, '' AS _ingest, 0 AS _row, '' AS _sheet FROM {values.table})"
    names, plain = [column.name], [column.name] if values.plain else []
    query = failing_select(batch.contract, rows, batch.rules, names, plain, names)
    return not batch.con.sql(f"{query} LIMIT 1").fetchall()
