"""Parquet: typed columns as exact text: decimals with their scale, floats in shortest digits, instants with zone."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from turnup.formats.content import cell_text
from turnup.formats.model import FileRejected, Ledger, RawTable, Request
from turnup.formats.tabular.finish import from_tables
from turnup.formats.tabular.foreign import refusing_breakdowns
from turnup.formats.tabular.header import Header, check_width
from turnup.formats.tabular.names import name_key
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import Cell
from turnup.formats.tabular.tabulate import Table

MAXIMUM_CELLS = 100_000_000
"""A few bytes can stand for any number of equal rows."""

_TOO_LONG = 1e15
_MIDNIGHT = " 00:00:00"


def parse_parquet(request: Request) -> RawTable:
    """Read a Parquet file; each row counts as one line, and there is no header line.

    Raises:
        FileRejected: ``workbook`` for a damaged file, ``too_large``.
    """
    names, texts, broken = request.content.once("parquet", lambda: _texts(request.content.path))
    rows = texts.height
    frame = texts.with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("_row"), pl.lit(None, dtype=pl.String).alias("_sheet")
    )
    header = Header(0, 1, names, tuple(name_key(name) for name in names))
    table = Table(header, frame, Ledger(lines=rows, data=rows), broken=broken)
    return from_tables(request, "parquet", [table], [])


def head(path: Path, rows: int) -> list[Record]:
    """The column names and the first rows."""
    names, texts, _ = _texts(path, rows)
    return [Record(1, names), *(Record(number, row) for number, row in enumerate(texts.rows(), start=2))]


def _texts(path: Path, rows: int | None = None) -> tuple[tuple[str, ...], pl.DataFrame, tuple[Cell, ...]]:
    """Column names, cells as text in ``c0..``, and floats of more digits than one can keep."""
    with refusing_breakdowns("the Parquet file"):
        scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        names = tuple(scan.collect_schema())
        check_width(len(names))
        count = int(scan.select(pl.len()).collect().item()) if names else 0
        if rows is None and count * len(names) > MAXIMUM_CELLS:
            message = f"the file holds {count:,} rows of {len(names)} columns; at most {MAXIMUM_CELLS:,} cells are read"
            raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")
        frame = (scan if rows is None else scan.head(rows)).collect()
        texts = pl.DataFrame([_text(frame.get_column(name)).alias(f"c{i}") for i, name in enumerate(names)])
        broken = tuple(cell for i, name in enumerate(names) for cell in _long(frame.get_column(name), i))
    return names, texts, broken


def _text(column: pl.Series) -> pl.Series:
    """A column as text."""
    kind = column.dtype
    if kind.is_float():
        return _floats(column)
    if isinstance(kind, pl.Datetime):
        return _instants(column, kind.time_zone)
    if kind.is_nested() or kind == pl.Binary or kind == pl.Object:
        return pl.Series([cell_text(_plain(value)) for value in column.to_list()], dtype=pl.String)
    if kind == pl.Time:
        return column.dt.to_string("%H:%M:%S%.f")
    if kind == pl.Duration:
        return column.dt.to_string("iso")
    return column.cast(pl.String)


def _floats(column: pl.Series) -> pl.Series:
    """The shortest digits that give the same number back, without exponent or an empty fraction."""
    shortest = column.cast(pl.String)
    odd = shortest.str.contains("e", literal=True).fill_null(value=False)
    plain = shortest.str.replace(r"\.0$", "")
    if not odd.any():
        return plain
    spelled = {text: format(Decimal(text), "f") for text in shortest.filter(odd).unique().to_list()}
    return plain.replace(spelled)


def _instants(column: pl.Series, zone: str | None) -> pl.Series:
    """ISO; with the offset where the column has a zone, without the time where every value is a midnight."""
    if zone is not None:
        return column.dt.to_string("%Y-%m-%dT%H:%M:%S%.f%:z")
    text = column.dt.to_string("%Y-%m-%d %H:%M:%S%.f")
    midnights = text.str.ends_with(_MIDNIGHT).all()
    return text.str.strip_suffix(_MIDNIGHT) if midnights else text


def _plain(value: Any) -> Any:
    """A nested value as JSON knows it; numbers that JSON would round stay text."""
    if isinstance(value, dict):
        return {str(key): _plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(held) for held in value]
    if isinstance(value, bytes):
        return _bytes(value)
    if isinstance(value, (dt.datetime, dt.date, dt.time)):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)


def _bytes(value: bytes) -> str:
    """Text where the bytes are text (older writers mark none as such), else hexadecimal digits."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return f"0x{value.hex()}"


def _long(column: pl.Series, index: int) -> list[Cell]:
    if not column.dtype.is_float():
        return []
    long = column.is_finite() & (column.abs() >= _TOO_LONG)
    rows = long.fill_null(value=False).arg_true()
    return [Cell(int(row) + 1, index, f"{column[int(row)]:.15g}", "long_number") for row in rows]
