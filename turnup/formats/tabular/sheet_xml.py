"""What a bulk reader does not tell about a sheet: error cells, formulas without a value, hidden rows, its extent.

The bulk reader gives an error cell as nothing, and a number longer than a spreadsheet keeps as if it were exact. In the
sheet's XML each of these is found with its address, so that no cell changes or vanishes in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from turnup.formats.tabular.records import column_letter

LONGEST_NUMBER = 15
"""Significant digits that a spreadsheet number keeps."""

_PREFIX = re.compile(rb"<(\w+):worksheet[ >]")
_FORMULA = rb"<f(?:\s[^>]*)?(?:/>|>[^<]*</f>)"
_LONG = re.compile(rb"<v>(-?(?:\d{16,}|\d(?:\.\d+)?[eE]\+?(?:1[5-9]|[2-9]\d|\d{3})))(?:\.\d+)?</v>")
_ERROR = re.compile(rb'<c ([^>]*\bt="e"[^>]*)>(?:' + _FORMULA + rb")?(?:<v>([^<]*)</v>)?")
_NO_VALUE = re.compile(rb"<c ([^>]*[^>/])>" + _FORMULA + rb"(?:<v\s*/>|<v></v>)?</c>")
_DECIMALS = re.compile(rb"\.(?:(?<=\d{8}\.)|\d{10})")
_EXPONENTS = (re.compile(rb"E(?<=\dE)[-+]?\d+</v>"), re.compile(rb"e(?<=\de)[-+]?\d+</v>"))
_THOUSANDTHS = re.compile(rb"\.\d{3}</v>")
_NUMBER = re.compile(rb"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_ADDRESS = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_CELL_ADDRESS = re.compile(rb'<c [^>]*\br="[A-Z]+\d+"|<c [^>]*\Z')
_TEXTUAL = re.compile(rb'\bt="(?:s|str|inlineStr|b|e|d)"')
_HIDDEN_ROW = re.compile(rb'<row [^>]*\bhidden="(?:1|true)"')
_HIDDEN_COLUMNS = re.compile(rb'<col [^>]*\bhidden="(?:1|true)"[^>]*>')
_FIRST, _LAST = re.compile(rb'\bmin="(\d+)"'), re.compile(rb'\bmax="(\d+)"')
_FILTER = re.compile(rb'<autoFilter [^>]*\bref="([A-Z$:0-9]+)"')
_MERGED = re.compile(rb'<mergeCell [^>]*\bref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_LAST_ROW = re.compile(rb'<row [^>]*\br="(\d+)"')


_TWO_LETTERS = re.compile(rb'r="([A-Z]{2,3})\d')
_THREE_LETTERS = re.compile(rb'r="[A-Z]{3}\d')
_HEAD = 1 << 20
MAXIMUM_CELLS = 30_000_000
_ALL_COLUMNS = 16_384
_TWO_LETTER_COLUMNS = 702


@dataclass(frozen=True)
class Cell:
    """A cell that cannot be used: place (row from 1, column from 0), its text and the rule that refuses it."""

    row: int
    column: int
    text: str
    rule: str

    @property
    def address(self) -> str:
        """Its address in the sheet, such as ``B12``."""
        return f"{column_letter(self.column)}{self.row}"


@dataclass(frozen=True)
class Span:
    """Merged cells: rows from 1, columns from 0, both ends included."""

    top: int
    bottom: int
    left: int
    right: int


@dataclass(frozen=True)
class SheetFacts:
    """What a sheet says about its cells.

    ``area`` bounds the cells that a reader may lay out; ``numbers`` are the cells to be written out exactly.
    """

    broken: tuple[Cell, ...]
    hidden_rows: int
    area: int
    addressed: bool
    hidden_columns: int = 0
    filters: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    numbers: tuple[Cell, ...] = ()


def sheet_facts(xml: bytes) -> SheetFacts:
    """Scan a sheet's XML; each search runs only where a plain look shows that there is something to find.

    Numbers that are too long are not looked for: ``long_numbers`` does where the cells show one.
    """
    xml = _without_prefix(xml)
    broken = (*_errors(xml), *_without_value(xml))
    hidden = len(_HIDDEN_ROW.findall(xml)) if b'hidden="' in xml else 0
    head = xml[:_HEAD]
    addressed = b"<c>" not in head and head.count(b"<c ") == len(_CELL_ADDRESS.findall(head))
    addressed = addressed and all(cell.row for cell in broken)
    columns = sum(_hidden_columns(match.group(0)) for match in _HIDDEN_COLUMNS.finditer(head))
    filters = tuple(match.group(1).decode() for match in _FILTER.finditer(xml)) if b"<autoFilter" in xml else ()
    return SheetFacts(broken, hidden, area(xml), addressed, columns, filters, tuple(_spans(xml)), tuple(_exact(xml)))


def _hidden_columns(element: bytes) -> int:
    """Columns of a ``col`` element; one that reaches to the sheet's edge hides what is not used, and counts nothing."""
    first, last = (int(found.group(1)) if (found := edge.search(element)) else 0 for edge in (_FIRST, _LAST))
    return last - first + 1 if last < _ALL_COLUMNS else 0


def _spans(xml: bytes) -> Iterator[Span]:
    if b"<mergeCell " in xml:
        for match in _MERGED.finditer(xml, xml.find(b"<mergeCell ")):
            left, top, right, bottom = match.groups()
            yield Span(int(top), int(bottom), column_index(left.decode()), column_index(right.decode()))


def _without_prefix(xml: bytes) -> bytes:
    found = _PREFIX.search(xml[:4_096])
    if found is None:
        return xml
    prefix = found.group(1) + b":"
    return xml.replace(b"<" + prefix, b"<").replace(b"</" + prefix, b"</")


def _errors(xml: bytes) -> Iterator[Cell]:
    if b't="e"' in xml:
        for match in _ERROR.finditer(xml):
            text = (match.group(2) or b"#ERROR").decode("utf-8", errors="replace")
            yield _cell(match.group(1), text, "error_cell")


def _without_value(xml: bytes) -> Iterator[Cell]:
    if b"<f" in xml:
        for match in _NO_VALUE.finditer(xml):
            if b't="str"' in match.group(1) and b"<v" in match.group(0):
                continue  # the formula gave an empty text, and that is stored
            yield _cell(match.group(1), "", "formula_without_value")


def long_numbers(xml: bytes) -> Iterator[Cell]:
    """Numbers of more digits than a sheet keeps."""
    xml = _without_prefix(xml)
    for match in _LONG.finditer(xml):
        start = xml.rfind(b"<c ", 0, match.start())
        attributes = xml[start + 3 : xml.find(b">", start)]
        if start >= 0 and _TEXTUAL.search(attributes) is None:
            yield _cell(attributes, match.group(1).decode(), "long_number")


def thousandths(xml: bytes) -> Iterator[Cell]:
    """Numbers that may have three decimals, as stored."""
    return _numbers(_without_prefix(xml), (_THOUSANDTHS, _DECIMALS, *_EXPONENTS))


def _exact(xml: bytes) -> Iterator[Cell]:
    """Numbers of which the bulk reader, which writes nine decimals, may lose or invent digits."""
    return _numbers(xml, (_DECIMALS, *_EXPONENTS))


def _numbers(xml: bytes, patterns: Sequence[re.Pattern[bytes]]) -> Iterator[Cell]:
    for pattern in patterns:
        for match in pattern.finditer(xml):
            start = xml.rfind(b"<", 0, match.start())
            if xml[start : start + 3] != b"<v>":
                continue
            text = xml[start + 3 : xml.find(b"<", start + 3)]
            cell = xml.rfind(b"<c ", 0, start)
            attributes = xml[cell + 3 : xml.find(b">", cell)]
            if cell >= 0 and _TEXTUAL.search(attributes) is None and _NUMBER.fullmatch(text):
                yield _cell(attributes, text.decode(), "number")


def _cell(attributes: bytes, text: str, rule: str) -> Cell:
    """The cell of these attributes; row 0 when they hold no address."""
    found = _ADDRESS.search(attributes)
    if found is None:
        return Cell(0, 0, text, rule)
    return Cell(int(found.group(2)), column_index(found.group(1).decode()), text, rule)


def column_index(letters: str) -> int:
    """Column of a spreadsheet letter, from 0."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return index - 1


def area(xml: bytes) -> int:
    """Rows up to the last one times an upper bound of the columns, exact only as far as the limit needs it."""
    xml = _without_prefix(xml)
    last = xml.rfind(b"<row ")
    found = _LAST_ROW.match(xml, last) if last >= 0 else None
    rows = int(found.group(1)) if found else xml.count(b"<row")
    if rows * _ALL_COLUMNS <= MAXIMUM_CELLS:
        return rows * _ALL_COLUMNS
    if _TWO_LETTERS.search(xml) is None:
        return rows * 26
    if rows * _TWO_LETTER_COLUMNS <= MAXIMUM_CELLS and _THREE_LETTERS.search(xml) is None:
        return rows * _TWO_LETTER_COLUMNS
    return rows * (1 + max(column_index(letters.decode()) for letters in set(_TWO_LETTERS.findall(xml))))
