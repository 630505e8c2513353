"""Workbooks of every kind, read once per file: XLSX, XLS and ODS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from turnup.formats.content import Content
from turnup.formats.model import RawTable, Request
from turnup.formats.tabular import ods, workbook, xls
from turnup.formats.tabular.sheets import Sheet, from_sheets, wanted_names

_READERS: Mapping[str, Callable[[Path, str | None], list[Sheet]]] = {
    "xlsx": workbook.read_sheets,
    "xls": xls.read_sheets,
    "ods": ods.read_sheets,
}
FORMS = tuple(_READERS)


def parse_book(request: Request, form: str) -> RawTable:
    """Read the sheets of a workbook that hold the dataset's columns.

    Raises:
        FileRejected: for a refused archive, a missing sheet, or no sheet with known columns.
    """
    return from_sheets(request, form, sheets_of(request.content, form, request.source.sheet))


def sheets_of(content: Content, form: str, wanted: str | None = None) -> list[Sheet]:
    """All sheets, or the one that is wanted; what was read for one purpose is not read again for another.

    Raises:
        FileRejected: ``no_sheet``, ``zip_bomb``, ``archive`` or ``too_large``.
    """
    if wanted is not None and not content.has(f"sheets {form}"):
        return _READERS[form](content.path, wanted)
    sheets: list[Sheet] = content.once(f"sheets {form}", lambda: _READERS[form](content.path, None))
    names = wanted_names([sheet.name for sheet in sheets], wanted) if sheets or wanted is not None else []
    return [sheet for sheet in sheets if sheet.name in names]
