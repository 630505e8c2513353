"""Rows of readers as they stand in the warehouse: text in, typed by their contract, refused rows told."""

import polars as pl

from expectations.contract import load_contracts
from expectations.judging import judge
from expectations.typing_rules import TypingRules
from turnup.formats.schedule.rows import rows_of
from turnup.ingest import complete_rows
from turnup.schedule.columns import DATASETS
from turnup.schedule.staged import projects_of
from turnup.warehouse.connection import connect


def typed(dataset, frame, rules=None):
    """The accepted rows of a dataset, and what was refused."""
    contract = load_contracts()[dataset]
    held = [column.name for column in contract.columns if column.name in frame.columns]
    delivered = frame.select(*held, "_row", "_sheet").with_columns(pl.lit("f").alias("_ingest")).with_row_index("_n")
    with connect() as con:
        con.register("raw", complete_rows(delivered, contract))
        judged = judge(con, contract, "raw", rules or TypingRules(), delivered.columns)
        refused = con.sql(f"SELECT _row, column_name, value, message FROM {judged.refused} ORDER BY ALL").fetchall()
        kept = f"SELECT * FROM {judged.rows} WHERE _n NOT IN (SELECT _n FROM {judged.refused}) ORDER BY _n"
        return con.sql(kept).pl(), refused


def through_the_warehouse(*projects):
    """Projects written as rows, typed, and made projects again; nothing may be refused."""
    frames = []
    for dataset in DATASETS:
        rows, refused = typed(dataset, rows_of(dataset, projects))
        assert refused == []
        frames.append(rows)
    return projects_of(*frames)
