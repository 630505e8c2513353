"""The second reader of workbooks: slower, for a sheet that the first one cannot open."""

from __future__ import annotations

import io
from datetime import date, datetime, time, timedelta

import polars as pl

from turnup.formats.model import FileRejected
from turnup.formats.tabular.numbers import number_text


def read_with_openpyxl(content: bytes, name: str) -> pl.DataFrame:
    """A sheet as text (columns ``c0..``), stored values of formulas.

    Raises:
        FileRejected: ``workbook`` when this reader cannot open it either.
    """
    import openpyxl

    # A workbook can break a reader in any way; the verdict is the same.
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, read_only=False, keep_links=False)
        rows = [[cell_text(value) for value in row] for row in book[name].iter_rows(values_only=True)]
    except MemoryError:
        raise
    except Exception as error:
        message = f"no reader can open the sheet '{name}' of this workbook ({type(error).__name__}: {error})"
        raise FileRejected("workbook", message, expected="a workbook that opens in a spreadsheet program") from error
    width = max((len(row) for row in rows), default=0)
    padded = [row + [None] * (width - len(row)) for row in rows]
    return pl.DataFrame(padded, schema={f"c{i}": pl.String for i in range(width)}, orient="row")


def cell_text(value: object) -> str | None:
    """A cell value in the same words as the first reader's."""
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, (date, time)):
        return value.isoformat()
    return str(value) if not isinstance(value, timedelta) else f"{value.total_seconds() / 86_400:g}"
