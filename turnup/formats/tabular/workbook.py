"""XLSX and XLSM: every sheet read as text without rounding, the table found wherever it stands.

Formulas are never evaluated: their stored value counts, and one without a stored value refuses its row.
"""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Literal

import fastexcel
import polars as pl

from turnup.formats.model import FileRejected, Finding
from turnup.formats.tabular.archive import check_archive, read_entry, repacked
from turnup.formats.tabular.numbers import columns_in_doubt, exact
from turnup.formats.tabular.sheet_xml import MAXIMUM_CELLS, SheetFacts, sheet_facts
from turnup.formats.tabular.sheets import Sheet, cleaned, wanted_names
from turnup.formats.xml_parts import parse_xml

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_STRICT_LINK = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


def read_sheets(path: Path, wanted: str | None) -> list[Sheet]:
    """All sheets, or the one that is wanted, as text.

    Raises:
        FileRejected: ``no_sheet``, ``zip_bomb``, ``archive`` or ``too_large``.
    """
    with check_archive(path) as archive:
        parts = _parts(archive)
        names = wanted_names(list(parts), wanted)
        facts = {name: _facts(name, read_entry(archive, parts[name][0])) for name in names}
        wanted_parts = {parts[name][0] for name in names}
        book = repacked(archive, lambda part: part in wanted_parts or _is_common(part))
        sheets = [_sheet(archive, book, name, facts[name], visible=parts[name][1]) for name in names]
        return [replace(sheet, date_epoch=_epoch(archive)) for sheet in sheets]


def _facts(name: str, xml: bytes) -> SheetFacts:
    facts = sheet_facts(xml)
    if facts.area > MAXIMUM_CELLS:
        message = f"the sheet '{name}' spans more than {MAXIMUM_CELLS:,} cells; send the used range only"
        raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")
    return facts


def _is_common(part: str) -> bool:
    """Parts that belong to all sheets: list of sheets, styles, texts; not pictures, programs or links elsewhere."""
    folder, _, file = part.rpartition("/")
    return file.endswith((".xml", ".rels")) and folder in ("", "_rels", "xl", "xl/_rels")


def _parts(archive: zipfile.ZipFile) -> dict[str, tuple[str, bool]]:
    """Sheet name to its part in the archive and whether it is visible."""
    if "xl/workbook.bin" in archive.namelist():
        message = "a binary workbook (.xlsb) is not read: save it as .xlsx"
        raise FileRejected("archive", message, expected="xlsx")
    if "xl/workbook.xml" not in archive.namelist():
        message = "a ZIP archive that is no workbook: unpack it and send the files that are in it"
        raise FileRejected("archive", message, expected="the files themselves")
    book = parse_xml(read_entry(archive, "xl/workbook.xml"), "the workbook's list of sheets")
    links = parse_xml(read_entry(archive, "xl/_rels/workbook.xml.rels"), "the workbook's list of parts")
    targets = {link.get("Id"): str(link.get("Target")) for link in links}
    parts = {}
    for sheet in [*book.iter(f"{_MAIN}sheet"), *book.iter(f"{_STRICT}sheet")]:
        target = targets.get(sheet.get(_LINK) or sheet.get(_STRICT_LINK), "")
        path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if "worksheets/" in path:
            parts[str(sheet.get("name"))] = (path, sheet.get("state") not in ("hidden", "veryHidden"))
    return parts


def _epoch(archive: zipfile.ZipFile) -> Literal[1900, 1904]:
    """The year from which the workbook counts its days."""
    book = parse_xml(read_entry(archive, "xl/workbook.xml"), "the workbook's list of sheets")
    settings = [*book.iter(f"{_MAIN}workbookPr"), *book.iter(f"{_STRICT}workbookPr")]
    return 1904 if any(each.get("date1904") in ("1", "true", "on") for each in settings) else 1900


def _sheet(archive: zipfile.ZipFile, book: bytes, name: str, facts: SheetFacts, *, visible: bool) -> Sheet:
    from turnup.formats.tabular.second_reader import read_with_openpyxl

    findings: tuple[Finding, ...] = ()
    try:
        if not facts.addressed:
            raise fastexcel.FastExcelError("cells without addresses")
        frame = bulk_text(book, name)
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
        frame = read_with_openpyxl(repacked(archive, lambda _: True), name)
        message = f"the sheet '{name}' was read by the second reader, the first refused it: {error}"
        findings = (Finding("second_reader", "info", None, None, name, message),)
    text, no_date = cleaned(frame)
    if no_date:
        message = f"{no_date} date cells in '{name}' hold serial 0, which is no date; they were read as empty"
        findings = (*findings, Finding("serial_zero", "info", None, None, "0", message))
    return Sheet(name, visible, text, facts, findings)


def bulk_text(path: Path | bytes, name: str) -> pl.DataFrame:
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
