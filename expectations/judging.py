"""The rows of files judged as a whole: typed, unusual values read, repeated keys found.

Here: the order of the steps and the tables between them. Not here: the rules of one row (`row_rules`), what a single
unusual text means (`odd_values`), and where the rows are kept. Clean rows pass once through one query; only the rows
with a value that it could not read are looked at again.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import duckdb
import polars as pl

from expectations import date_order, decimal_mark, odd_values, repeated_rows, row_messages
from expectations import value_sql as sql
from expectations.contract import Contract
from expectations.odd_values import Reading, Refusal
from expectations.remarks import remarks_on
from expectations.row_batch import Batch, Remark
from expectations.row_rules import completed, failing_select, typed_select
from expectations.row_values import BESIDE
from expectations.settled import Settled, settle
from expectations.typing_rules import TypingRules

_ODD: dict[str, type[pl.DataType]] = {
    "_ingest": pl.String, "column_name": pl.String, "value": pl.String, "beside": pl.String, "read": pl.String,
    "precision": pl.String, "earliest": pl.Date, "absent": pl.String, "unit": pl.String, "rule": pl.String,
    "expected": pl.String, "message": pl.String,
}  # fmt: skip
_Cell = tuple[str, str, str, str | None, str]
_Orders = dict[tuple[str, str], date_order.Evidence]
_UNREAD = ("type", "ambiguous_date", "enum")


@dataclass(frozen=True, slots=True)
class Judged:
    """What `judge` leaves: a view `rows` of all rows, typed, and a table `refused` with one row per failure.

    A row is accepted when no row of `refused` has its `_n`.
    """

    rows: str
    refused: str
    remarks: tuple[Remark, ...]


def judge(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None = None,
    name: str = "judged",
) -> Judged:
    """Type and judge the rows of `relation` (see `typed_select`); `name` begins the names of what is left in `con`."""
    batch = Batch(con, contract, relation, rules, present, name)
    rows, refused = batch.table("rows"), batch.table("refused")
    settled = settle(batch)
    sound = _sound_rows(batch, settled)
    found = _odd_cells(batch)
    orders, remarks = _proved_orders(found, rules)
    read = [row for cell in found if (row := _odd_row(contract, cell, rules, orders))]
    again = _type_again(batch, read, orders)
    doubts = _doubtful_numbers(batch, found)
    views = [*(completed(contract, each, present, noted=False) for each in (sound, batch.table("typed"))), *again]
    con.execute(f"CREATE OR REPLACE TEMP VIEW {rows} AS {' UNION ALL '.join(views)}")
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE {refused} AS
        WITH faults AS (
            SELECT _n, _ingest, _row, _sheet, {BESIDE} AS beside, unnest(_failures) AS failure
            FROM {rows} WHERE _failures IS NOT NULL)
        SELECT f._n, f._ingest, f._row, f._sheet, f.failure."column" AS column_name,
            f.failure.value AS value, coalesce(o.rule, f.failure.rule) AS rule,
            coalesce(o.expected, f.failure.expected) AS expected, coalesce(o.message, f.failure.message) AS message
        FROM faults AS f LEFT JOIN {batch.table("odd")} AS o
          ON o.rule IS NOT NULL AND o._ingest = f._ingest AND o.column_name = f.failure."column"
          AND o.value = f.failure.value AND o.beside IS NOT DISTINCT FROM f.beside
        {doubts} {_repeated(batch)}"""
    )
    return Judged(rows, refused, (*remarks, *remarks_on(batch, settled.one_spelling)))


def _sound_rows(batch: Batch, settled: Settled) -> str:
    """Leave the typed table of the rows that break a rule, with what they break; all others are in what is returned.

    Many sound rows are typed where they are used, which costs less than to keep them.
    """
    con, relation, rules, present = batch.con, batch.relation, batch.rules, batch.present
    typed, failing = batch.table("typed"), batch.table("failing")
    doubtful = [column.name for column in batch.contract.columns if column.name not in settled.sound]
    query = failing_select(batch.contract, relation, rules, present, settled.plain, doubtful)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {failing} AS {query}")
    some = bool(con.sql(f"SELECT 1 FROM {failing} LIMIT 1").fetchall())
    # Written so that the rows are looked up one after another, in their order; as a plain IN they would all be sorted
    # into a table first, because nobody knows how many rows a frame has.
    taken = f"(FROM {relation} WHERE coalesce(_n IN (FROM {failing}), false))"
    left = f"(FROM {relation} WHERE _n NOT IN (FROM {failing}))"
    query = typed_select(batch.contract, taken, rules, present, plain=settled.plain, sound=not some)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {typed} AS SELECT * FROM ({query}) ORDER BY _n")
    query = typed_select(batch.contract, left if some else relation, rules, present, plain=settled.plain, sound=True)
    kind, sound = ("VIEW", batch.table("sound_view")) if settled.large else ("TABLE", batch.table("sound"))
    con.execute(f"CREATE OR REPLACE TEMP {kind} {sound} AS {query}")
    return sound


def _odd_cells(batch: Batch) -> list[_Cell]:
    """The distinct values that the plain typing could not read; leaves the table of their cells."""
    contract = batch.contract
    readable = [column.name for column in contract.columns if column.type in odd_values.READ_HERE]
    beside = BESIDE if contract.quantity is not None else "CAST(NULL AS VARCHAR)"
    cells = batch.table("cells")
    batch.con.execute(
        f"""CREATE OR REPLACE TEMP TABLE {cells} AS
        SELECT _n, _ingest, failure."column" AS column_name, failure.value AS value, beside, failure.rule AS rule
        FROM (SELECT _n, _ingest, {beside} AS beside, unnest(_failures) AS failure
              FROM {batch.table("typed")} WHERE _failures IS NOT NULL)
        WHERE list_contains({list(_UNREAD)}, failure.rule) AND failure.value IS NOT NULL
          AND list_contains({readable}::VARCHAR[], failure."column")"""
    )
    return batch.con.sql(f"SELECT DISTINCT * EXCLUDE (_n) FROM {cells} ORDER BY ALL").fetchall()


def _proved_orders(cells: Sequence[_Cell], rules: TypingRules) -> tuple[_Orders, list[Remark]]:
    """Per file and column what its dates say about their order, where the source declares none."""
    orders: _Orders = {}
    remarks = []
    for (ingest, column), group in groupby(cells, key=lambda cell: cell[:2]):
        texts = [value for _, _, value, _, rule in group if rule == "ambiguous_date"]
        if not texts or rules.order_of(column) is not None:
            continue
        evidence = orders[ingest, column] = date_order.evidence_of(texts)
        if evidence.order is not None:
            words = {"dmy": "day first", "mdy": "month first"}[evidence.order]
            shown = evidence.day_first or evidence.month_first
            message = (
                f"the dates of {column} are read {words}, because '{shown}' is no date otherwise; to settle it write"
                f" `dates: {{{column}: {evidence.order}}}` in this source of programme.yaml"
            )
            remarks.append(Remark(ingest, "date_order_proved", column, shown, message))
    return orders, remarks


def _odd_row(contract: Contract, cell: _Cell, rules: TypingRules, orders: _Orders) -> tuple[object, ...] | None:
    ingest, name, value, beside, rule = cell
    column = contract.column(name)
    found = odd_values.reading_of(column, value, beside, rules)
    evidence = orders.get((ingest, name)) if rule == "ambiguous_date" else None
    if found is None and evidence is not None:
        found = _contradiction(evidence, row_messages.expectation(column, rules))
    match found:
        case Reading():
            said = (found.text, found.precision, found.earliest, found.absent, found.unit)
            return (ingest, name, value, beside, *said, None, None, None)
        case Refusal():
            told = row_messages.sentence(column, value, found.reason, found.expected)
            return (ingest, name, value, beside, *[None] * 5, found.rule, found.expected, told)
        case _:
            return None


def _contradiction(evidence: date_order.Evidence, expected: str) -> Refusal | None:
    """Why the dates of a column that has both orders are all refused."""
    if evidence.order is not None or evidence.day_first is None or evidence.month_first is None:
        return None
    reason = (
        f"may be day/month or month/day: this column has '{evidence.day_first}' as well as '{evidence.month_first}';"
        " let its dates be written one way, best as YYYY-MM-DD"
    )
    return Refusal("ambiguous_date", reason, expected)


def _type_again(batch: Batch, read: Sequence[tuple[object, ...]], orders: _Orders) -> list[str]:
    """Type the rows again of which a value was read, or a column's order proved.

    They leave the first table; the SELECT that completes theirs is returned, when there are any.
    """
    con, odd, cells = batch.con, batch.table("odd"), batch.table("cells")
    fields = ", ".join(f"{name} {'DATE' if kind is pl.Date else 'VARCHAR'}" for name, kind in _ODD.items())
    con.execute(f"CREATE OR REPLACE TEMP TABLE {odd} ({fields})")
    if read:  # a frame costs the import of pyarrow and pandas
        con.register("odd_frame", pl.DataFrame(read, schema=_ODD, orient="row"))
        con.execute(f"INSERT INTO {odd} FROM odd_frame")
        con.unregister("odd_frame")
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE {batch.table("read")} AS
        SELECT c._n, o.* FROM {cells} AS c JOIN {odd} AS o
          ON o._ingest = c._ingest AND o.column_name = c.column_name AND o.value = c.value
          AND o.beside IS NOT DISTINCT FROM c.beside WHERE o.rule IS NULL"""
    )
    again, files = batch.table("again"), list(_by_order(batch, orders))
    for number, (proved, ingests) in enumerate(files):
        into = f"INSERT INTO {again} BY NAME" if number else f"CREATE OR REPLACE TEMP TABLE {again} AS"
        con.execute(f"{into} {_again(batch, proved, ingests)}")
    if not files:
        return []
    con.execute(f"DELETE FROM {batch.table('typed')} WHERE _n IN (SELECT _n FROM {again})")
    return [completed(batch.contract, again, batch.present, noted=bool(_names(batch)))]


def _again(batch: Batch, proved: dict[str, date_order.Order], ingests: list[str]) -> str:
    """SELECT that types the rows of some files again, in which these columns proved these orders."""
    names, columns = _names(batch), [*proved]
    rules = replace(batch.rules, date_orders={**batch.rules.date_orders, **proved})
    rows = f"""SELECT _n FROM {batch.table("read")} WHERE list_contains({ingests}, _ingest)
        UNION SELECT _n FROM {batch.table("cells")} WHERE list_contains({ingests}, _ingest)
          AND rule = 'ambiguous_date' AND list_contains({columns}::VARCHAR[], column_name)"""
    relation = _with_readings(batch, names, rows)
    query = typed_select(batch.contract, relation, rules, batch.present, _read(batch.contract, names))
    return f"SELECT * FROM ({query}) ORDER BY _n"


def _repeated(batch: Batch) -> str:
    """SELECT, after UNION ALL, of the failures of rows that repeat a key; nothing where none does."""
    again, rows = batch.table("repeated"), batch.table("rows")
    query = repeated_rows.repeated_hashes(batch.contract, rows)
    batch.con.execute(f"CREATE OR REPLACE TEMP TABLE {again} AS {query}")
    if not batch.con.sql(f"SELECT 1 FROM {again} LIMIT 1").fetchall():
        return ""
    failing = repeated_rows.failing(batch.contract, rows, batch.relation, batch.rules.null_tokens, again)
    return f"""UNION ALL
        SELECT _n, _ingest, _row, _sheet, failure."column", failure.value, failure.rule, failure.expected,
            failure.message
        FROM ({failing})"""


def _doubtful_numbers(batch: Batch, cells: Sequence[_Cell]) -> str:
    """SELECTs, each after UNION ALL, of the numbers that are doubtful where a column proves a comma not declared."""
    proofs: dict[tuple[str, str], str] = {}
    for ingest, name, value, _, rule in cells:
        column, rules = batch.contract.column(name), batch.rules
        asked = rule == "type" and column.type in odd_values.NUMBERS and not rules.is_declared(name)
        if asked and rules.decimal_of(name) == "." and decimal_mark.proves_comma(value, column):
            proofs.setdefault((ingest, name), value)
    return "".join(_doubtful_in(batch, *place, proof) for place, proof in proofs.items())


def _doubtful_in(batch: Batch, ingest: str, name: str, proof: str) -> str:
    column = batch.contract.column(name)
    expected = row_messages.expectation(column, batch.rules)
    before, after = row_messages.sentence(column, "\0", decimal_mark.reason(column, proof), expected).split("\0")
    text = sql.name(name)
    return f""" UNION ALL
        SELECT _n, _ingest, _row, _sheet, {sql.quote(name)}, {text}, 'ambiguous_number', {sql.quote(expected)},
            {sql.quote(before)} || {text} || {sql.quote(after)}
        FROM {batch.relation} WHERE _ingest = {sql.quote(ingest)}
          AND regexp_full_match({text}, {sql.quote(decimal_mark.DOUBTFUL)})"""


def _names(batch: Batch) -> list[str]:
    """The columns of which a value was read."""
    query = f"SELECT DISTINCT column_name FROM {batch.table('read')} ORDER BY 1"
    return [row[0] for row in batch.con.sql(query).fetchall()]


def _by_order(batch: Batch, orders: _Orders) -> Iterator[tuple[dict[str, date_order.Order], list[str]]]:
    """The files to type again, by the column orders that they prove."""
    touched = batch.con.sql(f"SELECT DISTINCT _ingest FROM {batch.table('read')}").fetchall()
    proved: dict[str, dict[str, date_order.Order]] = {row[0]: {} for row in touched}
    for (ingest, column), evidence in orders.items():
        if evidence.order is not None:
            proved.setdefault(ingest, {})[column] = evidence.order
    groups: dict[tuple[tuple[str, date_order.Order], ...], list[str]] = {}
    for ingest, columns in sorted(proved.items()):
        groups.setdefault(tuple(sorted(columns.items())), []).append(ingest)
    for columns_of, ingests in sorted(groups.items()):
        yield dict(columns_of), ingests


def _read(contract: Contract, names: Sequence[str]) -> list[str]:
    """The columns with readings, with the unit column when their quantity may have brought a unit."""
    quantity = contract.quantity
    beside = [quantity.unit_column] if quantity is not None and quantity.name in names and quantity.unit_column else []
    return list(dict.fromkeys([*names, *beside]))


def _with_readings(batch: Batch, names: Sequence[str], rows: str) -> str:
    """Some rows (a SELECT of their `_n`) of the relation, with the readings of their columns beside them."""
    joins, parts = [], []
    for number, name in enumerate(names):
        cell, beside = f"o{number}", batch.contract.column(name).unit_column
        joins.append(f"LEFT JOIN {batch.table('read')} AS {cell} ON {cell}._n = r._n AND {cell}.column_name = '{name}'")
        parts += [f'{cell}.{part} AS "{part}:{name}"' for part in ("read", "precision", "earliest", "absent")]
        if beside is not None and beside not in names:
            kinds = {"precision": "VARCHAR", "absent": "VARCHAR", "earliest": "DATE"}
            parts.append(f'{cell}.unit AS "read:{beside}"')
            parts += [f'CAST(NULL AS {kind}) AS "{part}:{beside}"' for part, kind in kinds.items()]
    listed = ", ".join(["r.*", *parts])
    return f"(SELECT {listed} FROM {batch.relation} AS r {' '.join(joins)} WHERE r._n IN ({rows}))"
