"""XLSX and XLSM: every sheet read as text without rounding, the table found wherever it stands.

Formulas are never evaluated: their stored value counts, and one without a stored value refuses its row.
"""

from __future__ import annotations

import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import fastexcel
import polars as pl

from turnup.formats.model import FileRejected, Finding
from turnup.formats.tabular.archive import check_archive, read_entry, repacked
from turnup.formats.tabular.native_numbers import natives_in
from turnup.formats.tabular.numbers import columns_in_doubt, exact, may_hold_long_numbers, written_out
from turnup.formats.tabular.second_reader import read_with_openpyxl
from turnup.formats.tabular.sheet_xml import MAXIMUM_CELLS, area, long_numbers, sheet_facts
from turnup.formats.tabular.sheets import Sheet, cleaned, wanted_names
from turnup.formats.xml_parts import parse_xml

_MAIN_PART = "xl/workbook.xml"
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
        held = {parts[name][0]: read_entry(archive, parts[name][0]) for name in names}
        for name in names:
            _refuse_large(name, held[parts[name][0]])
        book = repacked(archive, lambda part: part in held or _is_common(part), held)
        sheets = [_sheet(archive, book, name, held[parts[name][0]], visible=parts[name][1]) for name in names]
        epoch = _epoch(archive)
        return [
            replace(sheet, date_epoch=epoch, natives=partial(natives_in, path, parts[sheet.name][0]))
            for sheet in sheets
        ]


def _refuse_large(name: str, xml: bytes) -> None:
    if area(xml) > MAXIMUM_CELLS:
        message = f"the sheet '{name}' spans more than {MAXIMUM_CELLS:,} cells; send the used range only"
        raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")


def _is_common(part: str) -> bool:
    """Parts that belong to all sheets: list of sheets, styles, texts; not pictures, programs or links elsewhere."""
    folder, _, file = part.replace("\\", "/").rpartition("/")
    return file.endswith((".xml", ".rels")) and folder in ("", "_rels", "xl", "xl/_rels")


def _main_part(archive: zipfile.ZipFile) -> str:
    """The part that lists the sheets: ``xl/workbook.xml``, or what the archive itself says it is."""
    names = _names(archive)
    if _MAIN_PART in names or "_rels/.rels" not in names:
        return _MAIN_PART
    links = parse_xml(read_entry(archive, names["_rels/.rels"]), "the archive's list of parts")
    return next((str(x.get("Target")).lstrip("/") for x in links if str(x.get("Type")).endswith("/officeDocument")), "")


def _names(archive: zipfile.ZipFile) -> dict[str, str]:
    """Parts by their path with slashes; some programs write backslashes."""
    return {name.replace("\\", "/"): name for name in archive.namelist()}


def _parts(archive: zipfile.ZipFile) -> dict[str, tuple[str, bool]]:
    """Sheet name to its part in the archive and whether it is visible."""
    names, main = _names(archive), _main_part(archive)
    if "xl/workbook.bin" in names:
        message = "a binary workbook (.xlsb) is not read: save it as .xlsx"
        raise FileRejected("archive", message, expected="xlsx")
    if main not in names:
        message = "a ZIP archive that is no workbook: unpack it and send the files that are in it"
        raise FileRejected("archive", message, expected="the files themselves")
    folder, _, file = main.rpartition("/")
    folder = f"{folder}/" if folder else ""
    book = parse_xml(read_entry(archive, names[main]), "the workbook's list of sheets")
    linked = names.get(f"{folder}_rels/{file}.rels", "")
    links = parse_xml(read_entry(archive, linked), "the workbook's list of parts")
    targets = {
        link.get("Id"): str(link.get("Target")) for link in links if str(link.get("Type")).endswith("/worksheet")
    }
    parts = {}
    for sheet in [*book.iter(f"{_MAIN}sheet"), *book.iter(f"{_STRICT}sheet")]:
        target = targets.get(sheet.get(_LINK) or sheet.get(_STRICT_LINK))
        if target is not None:
            path = target.lstrip("/") if target.startswith("/") else f"{folder}{target}"
            parts[str(sheet.get("name"))] = (names.get(path, path), sheet.get("state") not in ("hidden", "veryHidden"))
    return parts


def _epoch(archive: zipfile.ZipFile) -> Literal[1900, 1904]:
    """The year from which the workbook counts its days."""
    book = parse_xml(read_entry(archive, _names(archive)[_main_part(archive)]), "the workbook's list of sheets")
    settings = [*book.iter(f"{_MAIN}workbookPr"), *book.iter(f"{_STRICT}workbookPr")]
    return 1904 if any(each.get("date1904") in ("1", "true", "on") for each in settings) else 1900


def _sheet(archive: zipfile.ZipFile, book: bytes, name: str, xml: bytes, *, visible: bool) -> Sheet:
    findings: tuple[Finding, ...] = ()
    # The bulk reader works outside Python, so that the XML can be looked through meanwhile.
    with ThreadPoolExecutor(1) as other:
        looking = other.submit(sheet_facts, xml)
        frame, refused = _tried(book, name)
        facts = looking.result()
    if frame is not None and facts.addressed:
        frame = written_out(frame, facts.numbers)
    else:
        why = refused or "cells without addresses"
        frame, reader = _second(archive, book, name, None if facts.broken else frame)
        message = f"the sheet '{name}' was read by the {reader}: {why}"
        findings = (Finding("second_reader", "info", None, None, name, message),)
    if may_hold_long_numbers(frame):
        facts = replace(facts, broken=(*facts.broken, *long_numbers(xml)))
    text, no_date = cleaned(frame)
    if no_date:
        message = f"{no_date} date cells in '{name}' hold serial 0, which is no date; they were read as empty"
        findings = (*findings, Finding("serial_zero", "info", None, None, "0", message))
    return Sheet(name, visible, text, facts, findings)


def _second(archive: zipfile.ZipFile, book: bytes, name: str, whole: pl.DataFrame | None) -> tuple[pl.DataFrame, str]:
    """The sheet by the second reader; where that fails, by the first alone, when every cell of it can be used."""
    try:
        return read_with_openpyxl(repacked(archive, lambda _: True, {}), name), "second reader"
    except FileRejected:
        if whole is None:
            raise
        return bulk_text(book, name), "first reader alone"


def _tried(book: bytes, name: str) -> tuple[pl.DataFrame | None, str]:
    """The sheet by the bulk reader, or why it refused it."""
    try:
        return plain_text(book, name), ""
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError) as error:
        return None, str(error)


def plain_text(source: Path | bytes, name: str) -> pl.DataFrame:
    """A sheet as the bulk reader writes it, numbers with nine decimals; columns counted from A."""
    sheet = fastexcel.read_excel(source).load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
    held = {column.absolute_index: column.name for column in sheet.available_columns()}
    texts: pl.DataFrame = sheet.to_polars()
    blank = pl.lit(None, dtype=pl.String)
    width = max(held, default=-1) + 1
    return texts.select((pl.col(held[i]) if i in held else blank).alias(f"c{i}") for i in range(width))


def bulk_text(source: Path | bytes, name: str) -> pl.DataFrame:
    """A sheet as text, its numbers exact, of a workbook whose cells only the bulk reader can see."""
    texts = plain_text(source, name)
    doubted = columns_in_doubt(texts) if texts.height else []
    if not doubted:
        return texts
    sheet = fastexcel.read_excel(source).load_sheet(name, header_row=None, skip_rows=0, dtypes="float")
    numbers: pl.DataFrame = sheet.to_polars()
    held = {f"c{column.absolute_index}": column.name for column in sheet.available_columns()}
    return texts.with_columns(exact(texts.get_column(at), numbers.get_column(held[at])) for at in doubted)
