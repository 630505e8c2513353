"""Sheets of any workbook: which of them hold the dataset, where their tables are, what is hidden in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Request
from turnup.formats.tabular.finish import from_tables, tables_of
from turnup.formats.tabular.header import SEARCHED_ROWS
from turnup.formats.tabular.header_search import find_header, search
from turnup.formats.tabular.names import name_key, vocabulary
from turnup.formats.tabular.native_numbers import Places, has_comma
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import SheetFacts
from turnup.formats.tabular.tabulate import Block, Table

_MIDNIGHT = r"^(\d{4}-\d\d-\d\d) 00:00:00$"
_NO_DATE = r"^1899-12-3[01] 00:00:00$"
_TIME_OF_DAY = r"^1899-12-3[01] (\d\d:\d\d:\d\d(?:\.\d+)?)$"


@dataclass(frozen=True)
class Sheet:
    """One sheet as text: columns ``c0..`` from column A on, row i is frame row i - 1.

    ``date_epoch`` is the year from which the workbook counts its days, where it is known; ``natives`` tells the cells
    that hold a number and would be thousands under a decimal comma.
    """

    name: str
    visible: bool
    frame: pl.DataFrame
    facts: SheetFacts
    findings: tuple[Finding, ...] = ()
    date_epoch: Literal[1900, 1904] | None = None
    natives: Callable[[], Places] = frozenset

    def head(self, rows: int) -> list[Record]:
        """The first rows, with what is merged in each."""
        merged: dict[int, list[tuple[int, int, int]]] = {}
        for span in self.facts.spans:
            if span.top <= rows:
                merged.setdefault(span.top, []).append((span.left, span.right, span.bottom))
        return [
            Record(number, cells, merged=tuple(merged.get(number, ())))
            for number, cells in enumerate(self.frame.head(rows).rows(), start=1)
        ]


def wanted_names(names: Sequence[str], wanted: str | None) -> list[str]:
    """The sheets to read: all, or the one that a source names.

    Raises:
        FileRejected: ``no_sheet``.
    """
    found = [name for name in names if wanted is None or name_key(name) == name_key(wanted)]
    if not found:
        message = f"the sheet '{wanted}' is not in the workbook; it has: {', '.join(names)}"
        raise FileRejected("no_sheet", message, value=wanted, expected=", ".join(names))
    return found


def from_sheets(request: Request, form: str, sheets: Sequence[Sheet]) -> RawTable:
    """Read the sheets that hold the dataset's columns; the others are counted and named.

    Raises:
        FileRejected: for no sheet with known columns.
    """
    chosen, left = _choose(request, sheets)
    tables = [table for sheet in chosen for table in _tables(request, sheet)]
    findings = [finding for sheet in chosen for finding in _sheet_findings(sheet)]
    extra = Ledger()
    for sheet in left:
        rows = sheet.frame.height
        extra = extra.plus(Ledger(lines=rows, other=rows))
        findings.append(not_read(sheet))
    epoch = next((sheet.date_epoch for sheet in chosen), None)
    return replace(from_tables(request, form, tables, findings, extra), date_epoch=epoch)


def not_read(sheet: Sheet, of: str = "this dataset") -> Finding:
    """That a sheet was left alone, with its name as value."""
    kind = "sheet" if sheet.visible else "hidden sheet"
    rows = f"{sheet.frame.height} row{'' if sheet.frame.height == 1 else 's'}"
    message = f"the {kind} '{sheet.name}' ({rows}) holds no table of {of} and was not read"
    return Finding("sheet_not_read", "info", None, None, sheet.name, message)


def cleaned(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Dates without a midnight, times without a day, no-date cells empty, escaped carriage returns removed."""
    if not frame.height:
        return frame, 0
    marks = frame.select(pl.all().str.contains(":", literal=True) | pl.all().str.contains("_x000D_", literal=True))
    touched = [name for name in frame.columns if marks.get_column(name).any()]
    text = pl.col(touched)
    no_date = text.str.contains(_NO_DATE)
    zeros = frame.select(no_date.sum()).row(0) if touched else ()
    spelled = frame.with_columns(pl.when(~no_date).then(text).name.keep()).with_columns(
        text.str.replace(_MIDNIGHT, "$1").str.replace(_TIME_OF_DAY, "$1").str.replace_all("_x000D_", "", literal=True)
    )
    return spelled, sum(int(count or 0) for count in zeros)


def _choose(request: Request, sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Sheet]]:
    """The sheets with a header of this dataset, and the others; one that names far fewer columns is an other."""
    names = vocabulary(request.contract, request.source)
    if request.source.header != "auto":
        return list(sheets), []
    scores = [search(sheet.head(SEARCHED_ROWS), names)[1] for sheet in sheets]
    best = max(scores, default=0)
    if best == 0:
        return list(sheets[:1]), []
    chosen = [sheet for sheet, score in zip(sheets, scores, strict=True) if score * 2 > best]
    return chosen, [sheet for sheet in sheets if sheet not in chosen]


def _tables(request: Request, sheet: Sheet) -> list[Table]:
    names = vocabulary(request.contract, request.source)
    known = [column.name for column in request.contract.columns]
    wanted = request.source.header
    head = sheet.head(SEARCHED_ROWS if wanted == "auto" else wanted + 1)
    header = find_header(head, names, wanted, known)
    body = sheet.frame.with_row_index("_row", offset=1).slice(header.index + 1)
    bulk = body.select(pl.exclude("_row"), pl.col("_row").cast(pl.Int64))
    block = Block(header, head[: header.top], (), bulk, fixed=True, sheet=sheet.name)
    tables = tables_of(block, request)
    ends = [*(table.header.row for table in tables[1:]), sheet.frame.height + 1]
    natives = sheet.natives() if has_comma(request.source) else None
    return [replace(_with_broken(table, sheet, end), natives=natives) for table, end in zip(tables, ends, strict=True)]


def _with_broken(table: Table, sheet: Sheet, end: int) -> Table:
    header = table.header
    below = tuple(cell for cell in sheet.facts.broken if header.row < cell.row < end and cell.column < header.width)
    return replace(table, broken=below)


def _sheet_findings(sheet: Sheet) -> list[Finding]:
    findings = list(sheet.findings)
    if not sheet.visible:
        message = f"the sheet '{sheet.name}' is hidden; its rows were read"
        findings.append(Finding("hidden_sheet", "warning", None, None, sheet.name, message))
    if sheet.facts.hidden_columns:
        message = f"{sheet.facts.hidden_columns} columns of '{sheet.name}' are hidden; they were read"
        findings.append(Finding("hidden_columns", "warning", None, None, str(sheet.facts.hidden_columns), message))
    for place in sheet.facts.filters:
        message = f"'{sheet.name}' has a filter ({place}); rows that it hides were read"
        findings.append(Finding("filtered_sheet", "info", None, None, place, message))
    if sheet.facts.hidden_rows:
        message = f"{sheet.facts.hidden_rows} rows of '{sheet.name}' are hidden (a filter?); they were read"
        findings.append(Finding("hidden_rows", "warning", None, None, str(sheet.facts.hidden_rows), message))
    return findings
