"""Drops to bytes, the same bytes on every machine.

Belongs here: encodings and file layouts. Does not: content. No clock is read: workbooks carry a fixed creation date.
"""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import xlsxwriter

from examples.demo.sheet import Cell, Dialect, Drop, Table

_CREATED = datetime(2026, 8, 1, tzinfo=UTC).replace(tzinfo=None)


def write_drop(inbox: Path, drop: Drop) -> None:
    """Write one file below the inbox."""
    target = inbox / drop.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(render(drop))


def render(drop: Drop) -> bytes:
    """Return the bytes of a drop."""
    if isinstance(drop.body, str):
        return drop.body.encode(drop.dialect.encoding)
    return {"csv": _csv, "xlsx": _xlsx, "json": _json}[drop.dialect.kind](drop.body, drop.dialect)


def _csv(table: Table, dialect: Dialect) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=dialect.delimiter, lineterminator=dialect.newline)
    writer.writerows(table.titles)
    writer.writerow(table.columns)
    writer.writerows([[_text(cell, dialect) for cell in row] for row in table.rows])
    if table.totals:
        writer.writerow([_text(cell, dialect) for cell in table.totals_row()])
    return text.getvalue().encode(dialect.encoding)


def _text(cell: Cell, dialect: Dialect) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return cell.strftime(dialect.moments)
    if isinstance(cell, date):
        return cell.strftime(dialect.dates)
    if isinstance(cell, Decimal | float):
        return str(cell).replace(".", dialect.decimal)
    return str(cell)


def _json(table: Table, dialect: Dialect) -> bytes:
    records = [dict(zip(table.columns, (_plain(cell, dialect) for cell in row), strict=True)) for row in table.rows]
    return (json.dumps(records, indent=1, ensure_ascii=False) + "\n").encode(dialect.encoding)


def _plain(cell: Cell, dialect: Dialect) -> Any:
    if isinstance(cell, date):
        return _text(cell, dialect)
    return float(cell) if isinstance(cell, Decimal) else cell


def _xlsx(table: Table, dialect: Dialect) -> bytes:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True})
    book.set_properties({"title": dialect.tab, "created": _CREATED})
    formats = {"date": book.add_format({"num_format": "yyyy-mm-dd"}), "head": book.add_format({"bold": True})}
    page = book.add_worksheet(dialect.tab)
    heads: list[list[Cell]] = [*table.titles, list(table.columns)]
    for number, row in enumerate(heads):
        for place, cell in enumerate(row):
            _put(page, number, place, cell, formats, formats["head"])
    body = [*table.rows, table.totals_row()] if table.totals else table.rows
    for number, row in enumerate(body, start=len(table.titles) + 1):
        for place, cell in enumerate(row):
            _put(page, number, place, cell, formats, None)
    page.freeze_panes(len(table.titles) + 1, 0)
    book.close()
    return buffer.getvalue()


def _put(page: Any, row: int, column: int, cell: Cell, formats: dict[str, Any], style: Any) -> None:
    if cell is None:
        return
    if isinstance(cell, datetime):
        page.write_string(row, column, cell.strftime("%Y-%m-%dT%H:%M:%SZ"))
    elif isinstance(cell, date):
        page.write_datetime(row, column, datetime(cell.year, cell.month, cell.day), formats["date"])  # noqa: DTZ001
    elif isinstance(cell, bool):
        page.write_string(row, column, "Yes" if cell else "No")
    elif isinstance(cell, int | float | Decimal):
        page.write_number(row, column, float(cell), style)
    else:
        page.write_string(row, column, cell, style)
