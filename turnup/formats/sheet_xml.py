"""What a bulk reader does not tell about a sheet: exact numbers, error cells, formulas without a value.

The bulk reader gives numbers as text of ten digits and error cells as nothing. In the sheet's XML every long
number, error and formula without a stored value is found with its address, so that no cell
changes or vanishes in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from turnup.formats.records import column_letter

_CELL = rb"<(?:\w+:)?c ([^>]*[^>/])>"
_FORMULA = rb"(?:<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>[^<]*</(?:\w+:)?f>))"
_LONG = re.compile(_CELL + _FORMULA + rb"?<(?:\w+:)?v>([-+.\deE]{12,})</(?:\w+:)?v>")
_ERROR = re.compile(rb'<(?:\w+:)?c ([^>]*\bt="e"[^>]*)>' + _FORMULA + rb"?(?:<(?:\w+:)?v>([^<]*)<)?")
_NO_VALUE = re.compile(_CELL + _FORMULA + rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>")
_ADDRESS = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_TEXTUAL = re.compile(rb'\bt="(?:s|str|inlineStr|b|e|d)"')
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row [^>]*\bhidden=\"(?:1|true)\"")
_ROW = re.compile(rb'<(?:\w+:)?row [^>]*\br="(\d+)"')
_BARE_CELL = re.compile(rb'<(?:\w+:)?c(?:>| (?![^>]*\br=")[^>]*>)')
_WIDE = re.compile(rb'\br="([A-Z]{2,3})\d')
LONGEST_NUMBER = 15
"""Significant digits that a spreadsheet number keeps."""


@dataclass(frozen=True)
class Cell:
    """A cell that needs care: place (row from 1, column from 0), text and, when it cannot be used, the rule."""

    row: int
    column: int
    text: str
    rule: str = ""

    @property
    def address(self) -> str:
        """Its address in the sheet, such as ``B12``."""
        return f"{column_letter(self.column)}{self.row}"


@dataclass(frozen=True)
class SheetFacts:
    """What the XML of a sheet says about its cells."""

    numbers: tuple[Cell, ...]
    broken: tuple[Cell, ...]
    hidden_rows: int
    area: int
    addressed: bool


def sheet_facts(xml: bytes) -> SheetFacts:
    """Scan a sheet's XML."""
    numbers = tuple(_numbers(xml))
    errors = [_cell(match.group(1), _plain(match.group(2)) or "#ERROR", "error_cell") for match in _ERROR.finditer(xml)]
    empty = [_cell(match.group(1), "", "formula_without_value") for match in _NO_VALUE.finditer(xml)]
    long = [
        Cell(cell.row, cell.column, cell.text, "long_number") for cell in numbers if _digits(cell.text) > LONGEST_NUMBER
    ]
    broken = (*(cell for cell in (*errors, *empty) if cell is not None), *long)
    hidden = len(_HIDDEN_ROW.findall(xml))
    return SheetFacts(numbers, broken, hidden, _area(xml), _BARE_CELL.search(xml) is None)


def _plain(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", errors="replace")


def _cell(attributes: bytes, text: str, rule: str = "") -> Cell | None:
    found = _ADDRESS.search(attributes)
    return Cell(int(found.group(2)), column_index(found.group(1).decode()), text, rule) if found else None


def _numbers(xml: bytes) -> list[Cell]:
    cells = []
    for match in _LONG.finditer(xml):
        attributes, text = match.groups()
        if _TEXTUAL.search(attributes) is None:
            cell = _cell(attributes, number_text(text.decode()))
            if cell is not None:
                cells.append(cell)
    return cells


def column_index(letters: str) -> int:
    """Column of a spreadsheet letter, from 0."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return index - 1


def number_text(text: str) -> str:
    """A stored number as a spreadsheet means it: 15 significant digits, no exponent, no trailing zeros."""
    number = Decimal(format(float(text), f".{LONGEST_NUMBER}g"))
    if float(text).is_integer() and abs(float(text)) >= 10**LONGEST_NUMBER:
        return format(Decimal(text).to_integral_value(), "f") if "e" not in text.lower() else format(number, "f")
    plain = format(number, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _digits(text: str) -> int:
    return len(text.lstrip("-").partition(".")[0])


def _area(xml: bytes) -> int:
    """An upper bound of the cells between the first and the last one, which a reader may want to lay out."""
    rows = [int(match.group(1)) for match in _ROW.finditer(xml)]
    wide = {column_index(letters.decode()) for letters in set(_WIDE.findall(xml))}
    return max(rows, default=0) * (max(wide, default=25) + 1)
