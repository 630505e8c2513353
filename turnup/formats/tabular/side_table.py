"""A small table pasted beside the main one: kept with the rows as delivered, named, and never taken for data."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from turnup.formats.decoding import SPACE
from turnup.formats.model import Finding
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import clean
from turnup.formats.tabular.records import Record, column_letter

_FEW_ROWS = 10


def side_columns(header: Header, frame: pl.DataFrame, rows_beside: int) -> tuple[int, ...]:
    """Unnamed columns behind the last named one that hold a table of their own.

    They are filled in some rows only: with an empty column before them, or in the first rows of a longer table.
    """
    held = [index for index in range(header.least, header.width) if _filled(frame, index)]
    if not held and not rows_beside:
        return ()
    if not held:
        return tuple(range(header.least, header.width))
    shown = pl.any_horizontal(pl.col(f"c{i}").fill_null("").str.strip_chars(SPACE) != "" for i in held)
    marks = frame.select(shown.alias("shown")).to_series()
    count, rows = int(marks.sum()), len(marks)
    if held[0] > header.least:
        return tuple(held) if count < rows or rows_beside else ()
    last = marks.arg_true().to_list()[-1]
    return tuple(held) if rows >= _FEW_ROWS and last * 2 < rows else ()


def _filled(frame: pl.DataFrame, index: int) -> bool:
    column = frame.get_column(f"c{index}")
    return bool((column.fill_null("").str.strip_chars(SPACE) != "").any())


def side_finding(frame: pl.DataFrame, columns: Sequence[int], beside: Sequence[Record]) -> Finding:
    """What stands beside the table, and in which rows."""
    texts = [pl.col(f"c{index}").fill_null("").str.strip_chars(SPACE) != "" for index in columns]
    filled = frame.filter(pl.any_horizontal(texts)).get_column("_row").to_list()
    rows = sorted([*filled, *(record.row for record in beside)])
    letters = column_letter(columns[0])
    if len(columns) > 1:
        letters = f"{letters} to {column_letter(columns[-1])}"
    seen = frame.filter(pl.any_horizontal(texts)).select(f"c{i}" for i in columns).head(1).rows()
    words = [clean(text or "") for text in seen[0]] if seen else list(beside[0].filled)
    shown = " | ".join(text for text in words if text)[:200]
    what = "a table of its own stands" if len(rows) > 1 else "a note stands"
    message = (
        f"{what} beside the main table in columns {letters}, rows {rows[0]} to {rows[-1]} ({len(rows)} rows); "
        "it was not read, its cells are kept with the rows as delivered"
    )
    return Finding("side_table", "warning", rows[0], letters, shown, message)
