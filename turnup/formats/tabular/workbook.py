"""XLSX and XLSM: every sheet read as text without rounding, the table found wherever it stands.

Formulas are never evaluated: their stored value counts, and one without a stored value refuses its row.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import fastexcel
import polars as pl
from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Request
from turnup.formats.tabular.archive import check_archive, read_entry
from turnup.formats.tabular.finish import from_tables, required_positions
from turnup.formats.tabular.header import SEARCHED_ROWS, Header, best_header, find_header
from turnup.formats.tabular.names import name_key, vocabulary
from turnup.formats.tabular.numbers import columns_in_doubt, exact
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sheet_xml import MAXIMUM_CELLS, SheetFacts, sheet_facts
from turnup.formats.tabular.tabulate import Block, Table, tabulate

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_STRICT_LINK = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_MIDNIGHT = r"^(\d{4}-\d\d-\d\d) 00:00:00$"
_NO_DATE = r"^1899-12-3[01] 00:00:00$"
_TIME_OF_DAY = r"^1899-12-3[01] (\d\d:\d\d:\d\d(?:\.\d+)?)$"


@dataclass(frozen=True)
class Sheet:
    """One sheet as text: columns ``c0..`` from column A on, row i is frame row i - 1."""

    name: str
    visible: bool
    frame: pl.DataFrame
    facts: SheetFacts
    findings: tuple[Finding, ...] = ()

    def head(self, rows: int) -> list[Record]:
        """The first rows."""
        return [Record(number, cells) for number, cells in enumerate(self.frame.head(rows).rows(), start=1)]


def parse_workbook(request: Request) -> RawTable:
    """Read the sheets that hold the dataset's columns.

    Raises:
        FileRejected: for a refused archive, a missing sheet, or no sheet with known columns.
    """
    sheets = read_sheets(request.content.path, request.source.sheet)
    chosen, left = _choose(request, sheets)
    tables = [_table(request, sheet) for sheet in chosen]
    findings = [finding for sheet in chosen for finding in _sheet_findings(sheet)]
    extra = Ledger()
    for sheet in left:
        rows = sheet.frame.height
        extra = extra.plus(Ledger(lines=rows, other=rows))
        message = f"the sheet '{sheet.name}' ({rows} rows) holds no table of this dataset and was not read"
        findings.append(Finding("sheet_not_read", "info", None, None, sheet.name, message))
    return from_tables(request, "xlsx", tables, findings, extra)


def read_sheets(path: Path, wanted: str | None) -> list[Sheet]:
    """All sheets, or the one that is wanted, as text.

    Raises:
        FileRejected: ``no_sheet``, ``zip_bomb``, ``archive`` or ``too_large``.
    """
    with check_archive(path) as archive:
        parts = _parts(archive)
        names = [name for name in parts if wanted is None or name_key(name) == name_key(wanted)]
        if not names:
            message = f"the sheet '{wanted}' is not in the workbook; it has: {', '.join(parts)}"
            raise FileRejected("no_sheet", message, value=wanted, expected=", ".join(parts))
        facts = {name: sheet_facts(read_entry(archive, parts[name][0])) for name in names}
    for name in names:
        if facts[name].area > MAXIMUM_CELLS:
            message = f"the sheet '{name}' spans more than {MAXIMUM_CELLS:,} cells; send the used range only"
            raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")
    return [_sheet(path, name, facts[name], visible=parts[name][1]) for name in names]


def _parts(archive: zipfile.ZipFile) -> dict[str, tuple[str, bool]]:
    """Sheet name to its part in the archive and whether it is visible."""
    try:
        book = ElementTree.fromstring(read_entry(archive, "xl/workbook.xml"), forbid_dtd=True)
        links = ElementTree.fromstring(read_entry(archive, "xl/_rels/workbook.xml.rels"), forbid_dtd=True)
    except (ElementTree.ParseError, DefusedXmlException) as error:
        raise FileRejected("archive", f"this is no workbook, or a damaged one ({error})") from error
    targets = {link.get("Id"): str(link.get("Target")) for link in links}
    parts = {}
    for sheet in [*book.iter(f"{_MAIN}sheet"), *book.iter(f"{_STRICT}sheet")]:
        target = targets.get(sheet.get(_LINK) or sheet.get(_STRICT_LINK), "")
        path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if "worksheets/" in path:
            parts[str(sheet.get("name"))] = (path, sheet.get("state") not in ("hidden", "veryHidden"))
    return parts


def _sheet(path: Path, name: str, facts: SheetFacts, *, visible: bool) -> Sheet:
    from turnup.formats.tabular.second_reader import read_with_openpyxl

    findings: tuple[Finding, ...] = ()
    try:
        if not facts.addressed:
            raise fastexcel.FastExcelError("cells without addresses")
        frame = _bulk(path, name)
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
        frame = read_with_openpyxl(path, name)
        message = f"the sheet '{name}' was read by the second reader, the first refused it: {error}"
        findings = (Finding("second_reader", "info", None, None, name, message),)
    cleaned, no_date = _cleaned(frame)
    if no_date:
        message = f"{no_date} date cells in '{name}' hold serial 0, which is no date; they were read as empty"
        findings = (*findings, Finding("serial_zero", "info", None, None, "0", message))
    return Sheet(name, visible, cleaned, facts, findings)


def _bulk(path: Path, name: str) -> pl.DataFrame:
    """A sheet as text, its numbers exact; columns counted from A."""
    book = fastexcel.read_excel(path)
    sheet = book.load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
    places = {column.name: column.absolute_index for column in sheet.available_columns()}
    texts: pl.DataFrame = sheet.to_polars()
    doubted = columns_in_doubt(texts) if texts.height else []
    if doubted:
        numbers = book.load_sheet(name, header_row=None, skip_rows=0, dtypes="float").to_polars()
        texts = texts.with_columns(exact(texts.get_column(column), numbers.get_column(column)) for column in doubted)
    held = {places[column]: column for column in texts.columns}
    blank = pl.lit(None, dtype=pl.String)
    width = max(held, default=-1) + 1
    return texts.select((pl.col(held[i]) if i in held else blank).alias(f"c{i}") for i in range(width))


def _cleaned(frame: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Dates without a midnight, times without a day, no-date cells empty, escaped carriage returns removed."""
    if not frame.height:
        return frame, 0
    marks = frame.select(pl.all().str.contains(":", literal=True) | pl.all().str.contains("_x000D_", literal=True))
    touched = [name for name in frame.columns if marks.get_column(name).any()]
    text = pl.col(touched)
    no_date = text.str.contains(_NO_DATE)
    zeros = frame.select(no_date.sum()).row(0) if touched else ()
    cleaned = frame.with_columns(pl.when(~no_date).then(text).name.keep()).with_columns(
        text.str.replace(_MIDNIGHT, "$1").str.replace(_TIME_OF_DAY, "$1").str.replace_all("_x000D_", "", literal=True)
    )
    return cleaned, sum(int(count or 0) for count in zeros)


def _choose(request: Request, sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[Sheet]]:
    """The sheets with a header of this dataset, and the others; one that names far fewer columns is an other."""
    names = vocabulary(request.contract, request.source)
    if request.source.header != "auto":
        return list(sheets), []
    scores = [best_header(sheet.head(SEARCHED_ROWS), names)[1] for sheet in sheets]
    best = max(scores, default=0)
    if best == 0:
        return list(sheets[:1]), []
    chosen = [sheet for sheet, score in zip(sheets, scores, strict=True) if score * 2 > best]
    return chosen, [sheet for sheet in sheets if sheet not in chosen]


def _table(request: Request, sheet: Sheet) -> Table:
    names = vocabulary(request.contract, request.source)
    known = [column.name for column in request.contract.columns]
    wanted = request.source.header
    head = sheet.head(SEARCHED_ROWS if wanted == "auto" else wanted + 1)
    header = find_header(head, names, wanted, known)
    body = sheet.frame.with_row_index("_row", offset=1).slice(header.index + 1)
    bulk = body.select(pl.exclude("_row"), pl.col("_row").cast(pl.Int64))
    table = tabulate(
        Block(header, head[: header.index], (), bulk, fixed=True, sheet=sheet.name),
        required_positions(header.names, request),
    )
    return _with_broken(table, header, sheet)


def _with_broken(table: Table, header: Header, sheet: Sheet) -> Table:
    below = tuple(cell for cell in sheet.facts.broken if cell.row > header.row and cell.column < header.width)
    return replace(table, broken=below)


def _sheet_findings(sheet: Sheet) -> list[Finding]:
    findings = list(sheet.findings)
    if not sheet.visible:
        message = f"the sheet '{sheet.name}' is hidden; its rows were read"
        findings.append(Finding("hidden_sheet", "warning", None, None, sheet.name, message))
    if sheet.facts.hidden_rows:
        message = f"{sheet.facts.hidden_rows} rows of '{sheet.name}' are hidden (a filter?); they were read"
        findings.append(Finding("hidden_rows", "warning", None, None, str(sheet.facts.hidden_rows), message))
    return findings
