"""XLS, the binary workbook of before 2007 (BIFF5 and BIFF8 in an OLE container).

The bulk reader gives the cells. Error cells, numbers longer than a sheet keeps, hidden parts and merged cells come from
the records of the file itself ([MS-XLS] 2.4), because the bulk reader is silent about them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

import olefile
import polars as pl

from turnup.formats.content import Content
from turnup.formats.model import FileRejected, Finding
from turnup.formats.tabular.foreign import refusing_breakdowns
from turnup.formats.tabular.native_numbers import is_either
from turnup.formats.tabular.numbers import number_text
from turnup.formats.tabular.sheet_xml import Cell, SheetFacts, Span
from turnup.formats.tabular.sheets import Sheet, cleaned, wanted_names
from turnup.formats.tabular.workbook import bulk_text

MAGIC = b"\xd0\xcf\x11\xe0"
_BOF, _EOF, _SHEET, _PASSWORD = 0x0809, 0x000A, 0x0085, 0x002F
_ROW, _COLUMNS, _FORMULA, _ERROR, _NUMBER, _MERGED, _FILTERED = 0x0208, 0x007D, 0x0006, 0x0205, 0x0203, 0x00E5, 0x009B
_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
_TOO_LONG = 1e15
_SHORT, _SHORTS = 0x027E, 0x00BD
_DATES, _WORKSHEET, _EMPTY = 0x0022, 0, 3


@dataclass
class _Seen:
    """What the records of one sheet say."""

    broken: list[Cell] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0
    filtered: bool = False
    empty_formulas: int = 0
    natives: set[tuple[int, int]] = field(default_factory=set)

    def take(self, kind: int, data: bytes) -> None:
        """Note one record."""
        if kind in (_FORMULA, _ERROR, _NUMBER):
            self._cell(kind, data)
        elif kind in (_SHORT, _SHORTS):
            row, column = struct.unpack_from("<2H", data) if len(data) >= 4 else (0, 0)
            for step, number in enumerate(_short_numbers(data[4:])):
                self._number(row, column + step, number)
        elif kind == _ROW and len(data) >= 14:
            self.hidden_rows += bool(data[12] & 0x20)
        elif kind == _COLUMNS and len(data) >= 10:
            first, last = struct.unpack_from("<2H", data)
            self.hidden_columns += (min(last, 255) - first + 1) if data[8] & 1 else 0
        elif kind == _MERGED:
            for top, bottom, left, right in struct.iter_unpack("<4H", data[2 : 2 + (len(data) - 2) // 8 * 8]):
                self.spans.append(Span(top + 1, bottom + 1, left, right))
        elif kind == _FILTERED:
            self.filtered = True

    def _number(self, row: int, column: int, number: float) -> None:
        if 1 <= abs(number) < 1000 and is_either(number_text(number)):
            self.natives.add((row + 1, column))

    def _cell(self, kind: int, data: bytes) -> None:
        if len(data) < {_ERROR: 8, _NUMBER: 14, _FORMULA: 14}[kind]:
            return
        row, column = struct.unpack_from("<2H", data)
        code = None
        if kind == _ERROR:
            code = data[6] if data[7] else None
        elif kind == _FORMULA and data[12:14] == b"\xff\xff":
            code = data[8] if data[6] == 2 else None
            self.empty_formulas += data[6] == _EMPTY
        else:
            number = struct.unpack_from("<d", data, 6)[0]
            self._number(row, column, number)
            if abs(number) >= _TOO_LONG:
                self.broken.append(Cell(row + 1, column, f"{number:.15g}", "long_number"))
        if code is not None:
            self.broken.append(Cell(row + 1, column, _ERRORS.get(code, "#ERROR"), "error_cell"))


def _short_numbers(cells: bytes) -> Iterator[float]:
    """Numbers in the short form ([MS-XLS] 2.5.217), each after the two bytes of its format."""
    for place in range(2, len(cells) - 3, 6):
        raw = struct.unpack_from("<l", cells, place)[0]
        whole = raw >> 2
        number = float(whole) if raw & 2 else struct.unpack("<d", struct.pack("<q", (raw & ~3 & 0xFFFFFFFF) << 32))[0]
        yield number / 100 if raw & 1 else number


def read_sheets(path: Path, wanted: str | None) -> list[Sheet]:
    """All sheets, or the one that is wanted, as text.

    Raises:
        FileRejected: ``archive`` for a damaged or encrypted file, ``no_sheet``, ``workbook``.
    """
    stream = _stream(path)
    sheets = _sheets(stream)
    epoch = _epoch(stream)
    return [
        replace(_sheet(path, stream, name, *sheets[name]), date_epoch=epoch)
        for name in wanted_names(list(sheets), wanted)
    ]


def is_document(content: Content) -> bool:
    """Whether a file is an OLE container with a workbook in it, readable or encrypted, or a damaged one."""
    if not content.head.startswith(MAGIC):
        return False
    try:
        with olefile.OleFileIO(str(content.path)) as container:
            return any(container.exists(name) for name in ("Workbook", "Book", "EncryptedPackage"))
    except (OSError, ValueError, IndexError, struct.error):
        return True


def _stream(path: Path) -> bytes:
    try:
        with olefile.OleFileIO(str(path)) as container:
            if container.exists("EncryptedPackage"):
                raise _encrypted()
            name = "Workbook" if container.exists("Workbook") else "Book"
            stream: bytes = container.openstream(name).read()
            return stream
    except (OSError, ValueError, IndexError, struct.error) as error:
        raise FileRejected("archive", f"the workbook cannot be opened ({error}): it is cut or damaged") from error


def _encrypted() -> FileRejected:
    return FileRejected("archive", "the workbook is encrypted; send it without a password", expected="no password")


def _records(stream: bytes, position: int) -> Iterator[tuple[int, bytes]]:
    """Records from a place on, to the end of the part that begins there; parts inside it (charts) are passed over."""
    depth = 0
    while position + 4 <= len(stream):
        kind, size = struct.unpack_from("<2H", stream, position)
        data = stream[position + 4 : position + 4 + size]
        position += 4 + size
        depth += (kind == _BOF) - (kind == _EOF)
        if depth <= 1:
            yield kind, data
        if depth <= 0:
            return


def _sheets(stream: bytes) -> dict[str, tuple[int, bool]]:
    """Worksheets of the book: name to place in the stream and whether it is visible."""
    sheets: dict[str, tuple[int, bool]] = {}
    wide = len(stream) > 6 and struct.unpack_from("<H", stream, 4)[0] >= 0x0600
    for kind, data in _records(stream, 0):
        if kind == _PASSWORD:
            raise _encrypted()
        if kind == _SHEET and len(data) > 8 and data[5] == _WORKSHEET:
            place = struct.unpack_from("<L", data)[0]
            sheets[_name(data[6:], wide=wide)] = (place, data[4] & 3 == 0)
    return sheets


def _epoch(stream: bytes) -> Literal[1900, 1904]:
    """The year from which the book counts its days."""
    modes = (data for kind, data in _records(stream, 0) if kind == _DATES)
    return 1904 if next(modes, b"")[:1] == b"\x01" else 1900


def _name(data: bytes, *, wide: bool) -> str:
    if not wide:
        return data[1 : 1 + data[0]].decode("cp1252", errors="replace")
    if data[1] & 1:
        return data[2 : 2 + 2 * data[0]].decode("utf-16-le", errors="replace")
    return data[2 : 2 + data[0]].decode("latin-1")


def _sheet(path: Path, stream: bytes, name: str, place: int, visible: bool) -> Sheet:
    seen = _Seen()
    for kind, data in _records(stream, place):
        seen.take(kind, data)
    with refusing_breakdowns("the workbook"):
        frame: pl.DataFrame = bulk_text(path, name)
    text, no_date = cleaned(frame)
    findings = []
    if no_date:
        message = f"{no_date} date cells in '{name}' hold serial 0, which is no date; they were read as empty"
        findings.append(Finding("serial_zero", "info", None, None, "0", message))
    if seen.empty_formulas:
        message = f"{seen.empty_formulas} formulas in '{name}' hold an empty text: no result, or never calculated"
        findings.append(Finding("empty_formula", "info", None, None, str(seen.empty_formulas), message))
    facts = SheetFacts(
        tuple(seen.broken),
        seen.hidden_rows,
        frame.height * frame.width,
        addressed=True,
        hidden_columns=seen.hidden_columns,
        filters=("a filter",) if seen.filtered else (),
        spans=tuple(seen.spans),
    )
    return Sheet(name, visible, text, facts, tuple(findings), natives=partial(frozenset, seen.natives))
