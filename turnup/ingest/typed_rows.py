"""Rows of files as the dataset's types: accepted and refused ones, and the ledger that counts them.

Belongs here: the tables that one batch leaves in its connection. Does not: the rules (``expectations``), or where the
tables are kept (``turnup.warehouse``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from expectations.judging import Judged, judge
from expectations.row_rules import NOTES
from turnup.formats.adapted import given_texts
from turnup.identity import add_keys
from turnup.warehouse.connection import identifier
from turnup.warehouse.side_tables import LEDGER_READ, SIDE_TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from expectations.contract import Contract
    from expectations.typing_rules import TypingRules
    from turnup.ingest.reading import FilesRead


def empty_typed(contract: Contract) -> str:
    """SELECT with the columns and types of a dataset's accepted rows, and no row."""
    types = {column.name: column.sql_type for column in contract.columns}
    types |= {f"{column.name}_key": "VARCHAR" for column in contract.columns if column.type == "id"}
    types |= {"_ingest": "VARCHAR", "_row": "BIGINT", "_sheet": "VARCHAR", **NOTES}
    fields = ", ".join(f"NULL::{kind} AS {identifier(name)}" for name, kind in types.items())
    return f"SELECT {fields} WHERE false"


# Rows with a negative number lend context to those of a returned send-back.
_OF_THE_FILE = "_row >= 0"
_CONTEXT_ROW = r"'\brow -(\d+)'"


def type_rows(con: duckdb.DuckDBPyConnection, contract: Contract, reading: FilesRead) -> tuple[int, int]:
    """Make ``typed`` (every row, with its failures) and the side tables; returns rows accepted and rows quarantined."""
    # Joins that tell a scan which rows they need would make Arrow filter texts in the layout in which they lie here,
    # which it cannot.
    con.execute("SET disabled_optimizers = 'join_filter_pushdown'")
    groups = [group for _, group in sorted(reading.frames.items())]
    # The rows as delivered are large, and stay outside.
    delivered = [
        pl.concat([frame.drop("_given") for frame in frames], how="diagonal").with_row_index("_n")
        for _, frames in groups
    ]
    judged = [
        _judge(con, contract, rules, frame, number)
        for number, ((rules, _), frame) in enumerate(zip(groups, delivered, strict=True))
    ]
    accepted = [
        f"""SELECT * EXCLUDE (_n, _beside, _failures) FROM {each.rows}
        WHERE {_OF_THE_FILE} AND _n NOT IN (SELECT _n FROM {each.refused})"""
        for each in judged
    ]
    con.execute(f"CREATE TEMP VIEW accepted AS {' UNION ALL BY NAME '.join([empty_typed(contract), *accepted])}")
    con.register("reader_rows", pl.DataFrame(reading.rows["_quarantine"], schema=SIDE_TABLES["_quarantine"]))
    con.execute("CREATE TABLE refused AS SELECT * FROM reader_rows")
    for number, (each, (_, frames)) in enumerate(zip(judged, groups, strict=True)):
        con.register(f"given_{number}", _given(con, each, frames))
        con.execute(
            f"""INSERT INTO refused BY NAME
            SELECT f._ingest, f._row AS "row", f._sheet AS sheet, f.column_name, f.value, f.rule, f.expected,
                   regexp_replace(f.message, {_CONTEXT_ROW}, 'row \\1 of the file that it corrects', 'g') AS message,
                   r._given AS given
            FROM {each.refused} AS f JOIN given_{number} AS r USING (_n) WHERE f.{_OF_THE_FILE}"""
        )
        reading.rows["_findings"] += [
            {"_ingest": remark.ingest, "code": remark.code, "severity": "info", "row": None,
             "column_name": remark.column, "value": remark.value, "message": remark.message}
            for remark in each.remarks
        ]  # fmt: skip
    for name, schema in (*SIDE_TABLES.items(), ("_ledger", LEDGER_READ)):
        con.register(f"read{name}", pl.DataFrame(reading.rows[name], schema=schema))
    alone = all(_each_line_once(frame) for _, frames in groups for frame in frames)
    con.execute(_LEDGER.format(accepted=_ACCEPTED_ROWS if alone else _ACCEPTED_LINES))
    totals = con.sql("SELECT coalesce(sum(accepted), 0)::BIGINT, coalesce(sum(quarantined), 0)::BIGINT FROM ledger")
    accepted, quarantined = totals.fetchall()[0]
    return int(accepted), int(quarantined)


def _judge(
    con: duckdb.DuckDBPyConnection, contract: Contract, rules: TypingRules, delivered: pl.DataFrame, number: int
) -> Judged:
    """Judge the files that are typed in one way."""
    # Handed over as they lie: DuckDB itself would ask for texts in an older layout, and copy them all.
    rows = complete_rows(delivered, contract).to_arrow(compat_level=pl.CompatLevel.newest())
    con.register(f"raw_{number}", rows)
    return judge(con, contract, f"raw_{number}", rules, delivered.columns, f"judged_{number}")


def _given(con: duckdb.DuckDBPyConnection, judged: Judged, frames: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The refused rows as delivered; ``_n`` counts the rows of all frames, one after another."""
    refused = con.sql(f"SELECT DISTINCT _n FROM {judged.refused} ORDER BY _n").pl().get_column("_n")
    found, first = [], 0
    for frame in frames:
        numbered = frame.select("_given").with_row_index("_n", offset=first)
        found.append(given_texts(numbered.filter(pl.col("_n").is_in(refused.cast(pl.UInt32).implode()))))
        first += frame.height
    return pl.concat(found)


# A line of a log can carry several figures: lines are counted, and a line with any refused figure is quarantined.
_ACCEPTED_LINES = """
    SELECT _ingest, count(*) AS lines
    FROM (SELECT DISTINCT _ingest, coalesce(_sheet, '') AS sheet, _row AS "row" FROM accepted)
    ANTI JOIN refused_lines USING (_ingest, sheet, "row") GROUP BY ALL"""
_ACCEPTED_ROWS = "SELECT _ingest, count(*) AS lines FROM accepted GROUP BY ALL"
_LEDGER = """
CREATE TABLE ledger AS
WITH refused_lines AS (SELECT DISTINCT _ingest, coalesce(sheet, '') AS sheet, "row" FROM refused)
SELECT l.*, l.data + l.rejected AS rows_read, coalesce(a.lines, 0) AS accepted,
       CASE l.status WHEN 'rejected' THEN l.rejected ELSE coalesce(q.lines, 0) END AS quarantined
FROM read_ledger l
LEFT JOIN ({accepted}) a USING (_ingest)
LEFT JOIN (SELECT _ingest, count(*) AS lines FROM refused_lines GROUP BY ALL) q USING (_ingest)
"""


def _each_line_once(frame: pl.DataFrame) -> bool:
    """Whether the rows of a file stand in the order of its lines, one a line: then nothing need be told apart."""
    return bool(frame.select((pl.col("_row").diff().fill_null(1) > 0).all()).item())


def complete_rows(frame: pl.DataFrame, contract: Contract) -> pl.DataFrame:
    """Add the contract's absent columns as NULL and the normal form of every identifier."""
    absent = [column.name for column in contract.columns if column.name not in frame.columns]
    complete = frame.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in absent)
    return add_keys(complete, [column.name for column in contract.columns if column.type == "id"])


def queries(dataset: str) -> dict[str, str]:
    """Per table of a batch the SELECT of its rows, after ``type_rows``."""
    return {
        dataset: "SELECT * FROM accepted",  # in the order of the files, which is already the same every time
        "_quarantine": "SELECT * FROM refused ORDER BY _ingest, sheet, row, column_name, rule",
        "_findings": "SELECT * FROM read_findings ORDER BY ALL",
        "_columns": "SELECT * FROM read_columns ORDER BY _ingest, place",
        "_returned": "SELECT * FROM read_returned ORDER BY _ingest, sheet, row",
        "_ledger": "SELECT * FROM ledger ORDER BY _ingest",
    }
