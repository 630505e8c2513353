"""ODS, the spreadsheet of LibreOffice: cells straight from its XML, so that times and error cells are not lost.

Repeated rows and cells are written out only where something stands in them. Formulas are never evaluated.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element

import polars as pl
from defusedxml import ElementTree

from turnup.formats.content import Content
from turnup.formats.model import FileRejected, Finding
from turnup.formats.tabular.archive import check_archive, read_entry
from turnup.formats.tabular.native_numbers import is_either
from turnup.formats.tabular.numbers import number_text
from turnup.formats.tabular.sheet_xml import LONGEST_NUMBER, MAXIMUM_CELLS, Cell, SheetFacts, Span
from turnup.formats.tabular.sheets import Sheet, cleaned, wanted_names
from turnup.formats.xml_parts import BROKEN

_MIME = b"application/vnd.oasis.opendocument.spreadsheet"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_TIME = re.compile(r"^(-?)PT(\d+)H(\d+)M(\d+)(?:[.,](\d+))?S$")
_ERROR = re.compile(r"^(?:#[A-Z0-9/]+[!?]?|Err:\d+)$")
_NUMERIC = ("float", "percentage", "currency")
_EPOCH_1904 = re.compile(rb'<table:null-date [^>]*table:date-value="1904-01-01"')
_LONGEST_ROW = 16_384


@dataclass
class _Grid:
    """The cells of one sheet while it is read."""

    name: str
    visible: bool
    rows: list[list[str | None]] = field(default_factory=list)
    broken: list[Cell] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0
    waiting: int = 0
    cells: int = 0
    natives: set[tuple[int, int]] = field(default_factory=set)

    def add(self, element: Element) -> None:
        """Take one row; empty rows wait until a filled one follows."""
        repeat = _count(element, "number-rows-repeated")
        number = len(self.rows) + self.waiting + 1
        noted, known = len(self.broken), len(self.natives)
        cells = self._cells(element, number)
        if not cells:
            self.waiting += repeat
            return
        self.cells += (self.waiting + repeat) * len(cells)
        if self.cells > MAXIMUM_CELLS:
            message = f"the sheet '{self.name}' spans more than {MAXIMUM_CELLS:,} cells; send the used range only"
            raise FileRejected("too_large", message, expected=f"at most {MAXIMUM_CELLS} cells")
        self.rows += [[] for _ in range(self.waiting)]
        self.rows += [cells] * repeat
        if repeat > 1 and len(self.natives) > known:
            columns = {column for row, column in self.natives if row == number}
            self.natives |= {(number + step, column) for step in range(1, repeat) for column in columns}
        again = self.broken[noted:]
        self.broken += [replace(cell, row=cell.row + step) for step in range(1, repeat) for cell in again]
        self.waiting = 0
        if element.get(f"{_TABLE}visibility") in ("collapse", "filter"):
            self.hidden_rows += repeat

    def _cells(self, element: Element, row: int) -> list[str | None]:
        cells: list[str | None] = []
        gap = 0
        for cell in element:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            repeat = _count(cell, "number-columns-repeated")
            place = len(cells) + gap
            text, rule = _value(cell)
            if rule:
                self.broken += [Cell(row, place + step, text or "", rule) for step in range(min(repeat, _LONGEST_ROW))]
                text = text if rule == "long_number" else None
            if cell.get(f"{_OFFICE}value-type") in _NUMERIC and is_either(text):
                self.natives |= {(row, place + step) for step in range(min(repeat, _LONGEST_ROW))}
            self._span(cell, row, place)
            if text is None and not rule:
                gap += repeat
                continue
            cells += [None] * gap + [text] * min(repeat, _LONGEST_ROW)
            gap = 0
        return cells

    def _span(self, cell: Element, row: int, place: int) -> None:
        wide, high = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
        if wide > 1 or high > 1:
            self.spans.append(Span(row, row + high - 1, place, place + wide - 1))

    def sheet(self) -> Sheet:
        """The sheet, its rows padded to one width."""
        width = max((len(row) for row in self.rows), default=0)
        padded = [row + [None] * (width - len(row)) for row in self.rows]
        frame = pl.DataFrame(padded, schema={f"c{i}": pl.String for i in range(width)}, orient="row")
        text, no_date = cleaned(frame)
        findings = []
        if no_date:
            message = f"{no_date} date cells in '{self.name}' hold serial 0, which is no date; they were read as empty"
            findings.append(Finding("serial_zero", "info", None, None, "0", message))
        facts = SheetFacts(
            tuple(self.broken),
            self.hidden_rows,
            frame.height * width,
            addressed=True,
            hidden_columns=self.hidden_columns,
            spans=tuple(self.spans),
        )
        return Sheet(self.name, self.visible, text, facts, tuple(findings), natives=lambda: frozenset(self.natives))


def is_document(content: Content) -> bool:
    """Whether a file is a zip archive that says it is an OpenDocument spreadsheet."""
    return content.head.startswith(b"PK\x03\x04") and _MIME in content.head[:256]


def read_sheets(path: Path, wanted: str | None) -> list[Sheet]:
    """All sheets, or the one that is wanted, as text.

    Raises:
        FileRejected: ``archive`` for a damaged or encrypted file, ``zip_bomb``, ``too_large``, ``no_sheet``.
    """
    with check_archive(path) as archive:
        _refuse_encrypted(archive)
        xml = read_entry(archive, "content.xml")
    try:
        grids = list(_grids(xml))
    except BROKEN as error:
        raise FileRejected("archive", f"this is no spreadsheet, or a damaged one ({error})") from error
    names = wanted_names([grid.name for grid in grids], wanted)
    epoch: Literal[1900, 1904] = 1904 if _EPOCH_1904.search(xml) else 1900
    return [replace(grid.sheet(), date_epoch=epoch) for grid in grids if grid.name in names]


def _refuse_encrypted(archive: zipfile.ZipFile) -> None:
    if b"encryption-data" in read_entry(archive, "META-INF/manifest.xml"):
        message = "the spreadsheet is encrypted; send it without a password"
        raise FileRejected("archive", message, expected="no password")


def _grids(xml: bytes) -> Iterator[_Grid]:
    """The sheets in order; a table inside a cell belongs to no sheet."""
    hidden: set[str] = set()
    grid: _Grid | None = None
    depth = 0
    style = ""
    for event, element in ElementTree.iterparse(io.BytesIO(xml), events=("start", "end"), forbid_dtd=True):
        tag = element.tag
        if event == "start":
            if tag == f"{_TABLE}table":
                depth += 1
                if depth == 1:
                    named = str(element.get(f"{_TABLE}name") or f"sheet {depth}")
                    grid = _Grid(named, element.get(f"{_TABLE}style-name") not in hidden)
            elif tag == f"{_STYLE}style":
                style = str(element.get(f"{_STYLE}name"))
            elif tag == f"{_STYLE}table-properties" and element.get(f"{_TABLE}display") == "false":
                hidden.add(style)
        elif grid is not None and _ends(tag, element, grid, depth):
            depth -= 1
            if depth == 0:
                yield grid
                grid = None


def _ends(tag: str, element: Element, grid: _Grid, depth: int) -> bool:
    """Take what ended into the grid; true when it was a table."""
    if tag == f"{_TABLE}table-row" and depth == 1:
        grid.add(element)
        element.clear()
    elif tag == f"{_TABLE}table-column" and element.get(f"{_TABLE}visibility") in ("collapse", "filter"):
        repeat = _count(element, "number-columns-repeated")
        grid.hidden_columns += repeat if repeat < _LONGEST_ROW // 2 else 0
    elif tag == f"{_TABLE}table":
        element.clear()
        return True
    return False


def _count(element: Element, name: str) -> int:
    text = element.get(f"{_TABLE}{name}") or "1"
    return max(1, int(text)) if text.isdigit() and len(text) < 9 else 1


def _value(cell: Element) -> tuple[str | None, str]:
    """The text of a cell, and the rule that refuses it."""
    kind = cell.get(f"{_OFFICE}value-type")
    shown = _shown(cell)
    formula = cell.get(f"{_TABLE}formula") is not None
    if cell.get(f"{_CALC}value-type") == "error" or (formula and _ERROR.match(shown)):
        return shown or "#ERROR", "error_cell"
    if formula and kind is None and not shown:
        return None, "formula_without_value"
    if kind in _NUMERIC:
        return _number(cell.get(f"{_OFFICE}value") or shown)
    if kind == "date":
        return _date(cell.get(f"{_OFFICE}date-value") or shown), ""
    if kind == "time":
        return _time(cell.get(f"{_OFFICE}time-value") or shown), ""
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") or shown, ""
    return (shown or cell.get(f"{_OFFICE}string-value") or None), ""


def _number(text: str) -> tuple[str | None, str]:
    try:
        number = Decimal(text)
    except ArithmeticError:
        return text or None, ""
    if not number.is_finite():
        return text, ""
    rule = "long_number" if number.adjusted() >= LONGEST_NUMBER else ""
    return number_text(float(number)), rule


def _date(text: str) -> str:
    return text.replace("T", " ") if "T" in text else f"{text} 00:00:00"


def _time(text: str) -> str:
    """A time of day, or a length of time in hours, minutes and seconds."""
    found = _TIME.match(text)
    if found is None:
        return text
    sign, hours, minutes, seconds, rest = found.groups()
    part = (rest or "").rstrip("0")
    return f"{sign}{hours:>02}:{minutes:>02}:{seconds:>02}" + (f".{part}" if part else "")


def _shown(cell: Element) -> str:
    """The paragraphs of a cell; notes and drawings beside them are not its text."""
    return "\n".join(_paragraph(part) for part in cell if part.tag == f"{_TEXT}p")


def _paragraph(element: Element) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            count = child.get(f"{_TEXT}c") or "1"
            parts.append(" " * (int(count) if count.isdigit() and len(count) < 5 else 1))
        elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            parts.append("\t" if child.tag.endswith("tab") else "\n")
        elif child.tag != f"{_OFFICE}annotation":
            parts.append(_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)
