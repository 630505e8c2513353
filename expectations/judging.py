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

from expectations import date_order, odd_values, repeated_rows, row_messages
from expectations.contract import Contract
from expectations.odd_values import Reading, Refusal
from expectations.row_rules import BESIDE, typed_select
from expectations.typing_rules import TypingRules

JUDGED, REFUSED = "judged_rows", "refused_rows"
"""Tables that `judge` leaves: every row typed, and one row per failure."""

_ODD: dict[str, type[pl.DataType]] = {
    "_ingest": pl.String, "column_name": pl.String, "value": pl.String, "beside": pl.String, "read": pl.String,
    "precision": pl.String, "earliest": pl.Date, "absent": pl.String, "unit": pl.String, "rule": pl.String,
    "expected": pl.String, "message": pl.String,
}  # fmt: skip
_UNREAD = ("type", "ambiguous_date", "enum")


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that the values of a file's column show and its users should know."""

    ingest: str
    code: str
    column: str
    value: str | None
    message: str


def judge(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None = None,
) -> list[Remark]:
    """Type and judge the rows of `relation` (see `typed_select`) into the tables `judged_rows` and `refused_rows`.

    A row of `judged_rows` is accepted when no row of `refused_rows` has its `_n`.
    """
    query = typed_select(contract, relation, rules, present)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {JUDGED} AS {query}")
    remarks = _reread(con, contract, relation, rules, present)
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE {REFUSED} AS
        WITH faults AS (
            SELECT _n, _ingest, _row, _sheet, _given, {BESIDE} AS beside, unnest(_failures) AS failure
            FROM {JUDGED} WHERE _failures IS NOT NULL)
        SELECT f._n, f._ingest, f._row, f._sheet, f._given, f.failure."column" AS column_name,
            f.failure.value AS value, coalesce(o.rule, f.failure.rule) AS rule,
            coalesce(o.expected, f.failure.expected) AS expected, coalesce(o.message, f.failure.message) AS message
        FROM faults AS f LEFT JOIN odd_values AS o
          ON o.rule IS NOT NULL AND o._ingest = f._ingest AND o.column_name = f.failure."column"
          AND o.value = f.failure.value AND o.beside IS NOT DISTINCT FROM f.beside
        UNION ALL
        SELECT _n, _ingest, _row, _sheet, _given, failure."column", failure.value, failure.rule, failure.expected,
            failure.message
        FROM ({repeated_rows.failing(contract, JUDGED)})"""
    )
    return [*remarks, *_spellings(con, contract)]


def _reread(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None,
) -> list[Remark]:
    """Read the unread values one by one and type their rows again; leaves the table `odd_values`."""
    readable = [column.name for column in contract.columns if column.type in odd_values.READ_HERE]
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE odd_cells AS
        SELECT _n, _ingest, failure."column" AS column_name, failure.value AS value, failure.rule AS rule, beside
        FROM (SELECT _n, _ingest, {BESIDE} AS beside, unnest(_failures) AS failure
              FROM {JUDGED} WHERE _failures IS NOT NULL)
        WHERE list_contains({list(_UNREAD)}, failure.rule) AND list_contains({readable}::VARCHAR[], failure."column")
          AND failure.value IS NOT NULL"""
    )
    found = con.sql("SELECT DISTINCT _ingest, column_name, value, beside, rule FROM odd_cells ORDER BY ALL").fetchall()
    orders, remarks = _proved_orders(contract, found, rules)
    read = [_odd_row(contract, cell, rules, orders) for cell in found]
    con.register("odd_frame", pl.DataFrame([row for row in read if row], schema=_ODD, orient="row"))
    con.execute("CREATE OR REPLACE TEMP TABLE odd_values AS SELECT * FROM odd_frame")
    con.unregister("odd_frame")
    _type_again(con, contract, relation, rules, present, orders)
    return [*remarks, *_counts(con)]


_Cell = tuple[str, str, str, str | None, str]
_Orders = dict[tuple[str, str], date_order.Evidence]


def _proved_orders(contract: Contract, cells: Sequence[_Cell], rules: TypingRules) -> tuple[_Orders, list[Remark]]:
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


def _type_again(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    relation: str,
    rules: TypingRules,
    present: Collection[str] | None,
    orders: _Orders,
) -> None:
    """Type the rows again of which a value was read, or a column's order proved, and put them in place."""
    con.execute(
        """CREATE OR REPLACE TEMP TABLE read_cells AS
        SELECT c._n, o.* FROM odd_cells AS c JOIN odd_values AS o
          ON o._ingest = c._ingest AND o.column_name = c.column_name AND o.value = c.value
          AND o.beside IS NOT DISTINCT FROM c.beside WHERE o.rule IS NULL"""
    )
    for proved, ingests in _by_order(con, orders):
        kept = replace(rules, date_orders={**rules.date_orders, **proved})
        names = [row[0] for row in con.sql("SELECT DISTINCT column_name FROM read_cells ORDER BY 1").fetchall()]
        columns = [*proved]
        again = f"""SELECT _n FROM read_cells WHERE list_contains({ingests}, _ingest)
            UNION SELECT _n FROM odd_cells WHERE list_contains({ingests}, _ingest)
              AND rule = 'ambiguous_date' AND list_contains({columns}::VARCHAR[], column_name)"""
        query = typed_select(
            contract, _with_readings(contract, relation, names, again), kept, present, _read(contract, names)
        )
        con.execute(f"CREATE OR REPLACE TEMP TABLE again AS {query}")
        con.execute(f"DELETE FROM {JUDGED} WHERE _n IN (SELECT _n FROM again)")
        con.execute(f"INSERT INTO {JUDGED} BY NAME SELECT * FROM again")


def _by_order(
    con: duckdb.DuckDBPyConnection, orders: _Orders
) -> Iterator[tuple[dict[str, date_order.Order], list[str]]]:
    """The files to type again, by the column orders that they prove."""
    touched = {row[0] for row in con.sql("SELECT DISTINCT _ingest FROM read_cells").fetchall()}
    proved: dict[str, dict[str, date_order.Order]] = {ingest: {} for ingest in touched}
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


def _with_readings(contract: Contract, relation: str, names: Sequence[str], again: str) -> str:
    """The rows `again` (SELECT of `_n`) of a relation, with the readings of their columns beside them."""
    joins, parts = [], []
    for number, name in enumerate(names):
        joins.append(f"LEFT JOIN read_cells AS o{number} ON o{number}._n = r._n AND o{number}.column_name = '{name}'")
        parts += [f'o{number}.{part} AS "{part}:{name}"' for part in ("read", "precision", "earliest", "absent")]
        column = contract.column(name)
        if column.unit_column is not None and column.unit_column not in names:
            kinds = {"precision": "VARCHAR", "absent": "VARCHAR", "earliest": "DATE"}
            parts.append(f'o{number}.unit AS "read:{column.unit_column}"')
            parts += [f'CAST(NULL AS {kind}) AS "{part}:{column.unit_column}"' for part, kind in kinds.items()]
    listed = ", ".join(["r.*", *parts])
    return f"(SELECT {listed} FROM {relation} AS r {' '.join(joins)} WHERE r._n IN ({again}))"


_COUNTED = """
SELECT _ingest, column_name, 'absent_values' AS code, split_part(absent, ':', 1) AS said, count(*) AS cells
FROM read_cells WHERE absent IS NOT NULL GROUP BY ALL
UNION ALL
SELECT _ingest, column_name, 'imprecise_dates', precision, count(*) FROM read_cells WHERE precision IS NOT NULL
GROUP BY ALL
ORDER BY ALL
"""


def _counts(con: duckdb.DuckDBPyConnection) -> list[Remark]:
    """How often the cells of a column say why they are empty, or name more than a day."""
    remarks = []
    for ingest, column, code, said, cells in con.sql(_COUNTED).fetchall():
        if code == "absent_values":
            message = f"{cells} cells of {column} hold no value but the reason '{said}'"
        else:
            message = f"{cells} dates of {column} name a {said.replace('_', ' ')}; its last day counts"
        remarks.append(Remark(ingest, code, column, said, message))
    return remarks


def _spellings(con: duckdb.DuckDBPyConnection, contract: Contract) -> list[Remark]:
    """Identifiers of one file that differ in spelling only, and so are one; and serials that identify nothing."""
    remarks = []
    for name in contract.ids:
        text, key = f'"{name}"', f'"{name}_key"'
        query = f"""SELECT _ingest, count(*), min(one), arg_min(other, one) FROM (
            SELECT _ingest, min({text}) AS one, max({text}) AS other FROM {JUDGED} WHERE {key} IS NOT NULL
            GROUP BY _ingest, {key} HAVING min({text}) <> max({text})) GROUP BY ALL ORDER BY ALL"""
        for ingest, count, one, other in con.sql(query).fetchall():
            message = (
                f"{count} values of {name} are spelt in more than one way, such as '{one}' and '{other}'; each is one"
            )
            remarks.append(Remark(ingest, "spelling_differs", name, other, message))
        query = f"""SELECT _ingest, count(*), min({text}) FROM {JUDGED}
            WHERE {text} IS NOT NULL AND {key} IS NULL GROUP BY ALL ORDER BY ALL"""
        for ingest, count, example in con.sql(query).fetchall():
            message = f"{count} cells of {name} hold a placeholder such as '{example}', which identifies nothing"
            remarks.append(Remark(ingest, "placeholder_identifier", name, example, message))
    return remarks
