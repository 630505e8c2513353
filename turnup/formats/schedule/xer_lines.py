"""An XER file as lines: its text as UTF-8, and the kind, place and number of every line.

Belongs here: code pages, line ends, text that goes on over line breaks. Does not: tables and columns.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, Finding

HEADER = b"ERMHDR"
TABLE, FIELDS, RECORD, END = b"TFRE"
_HEAD, _BLANK, _STRAY = 2, 1, 0
_BYTE_ORDER = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CURRENCIES = re.compile(rb"^%T\tCURRTYPE\s.*?(?=^%T|\Z)", re.DOTALL | re.MULTILINE)
# P6 writes the code page of its Windows machine; bytes that cp1252 leaves undefined keep their number.
_WESTERN = "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(256))

Places = npt.NDArray[np.int64]
Kinds = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Lines:
    """The file without blank lines, each line a whole record: start, kind and number (from 1) as delivered."""

    text: bytes
    starts: Places
    kinds: Kinds
    numbers: Places

    def slice(self, first: int, until: int) -> bytes:
        """The bytes of lines ``first`` to before ``until``."""
        end = int(self.starts[until]) if until < self.starts.size else len(self.text)
        return self.text[int(self.starts[first]) : end]

    def cells(self, line: int) -> list[str]:
        """The cells of one line after its mark."""
        return self.slice(line, line + 1).decode().rstrip("\n").split("\t")[1:]


def read_lines(data: bytes, encoding: str | None) -> tuple[Lines, list[Finding]]:
    """The lines of an XER file.

    Raises:
        FileRejected: ``not_xer``, or ``encoding`` when it is not in the declared one.
    """
    text, findings = _utf8(data, encoding)
    if not text.lstrip().startswith(HEADER):
        message = "not an XER file: its first line does not begin with ERMHDR"
        raise FileRejected("not_xer", message, row=1, expected="an export of Primavera P6")
    lines, odd = _records(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    if not (lines.kinds == END).any():
        message = "the file has no end mark (%E): it may be cut"
        odd.append(Finding("file_cut", "error", int(lines.numbers[-1]), None, None, message))
    return lines, [*findings, *odd]


def _utf8(data: bytes, encoding: str | None) -> tuple[bytes, list[Finding]]:
    wide = data.startswith(_BYTE_ORDER) or b"\x00" in data[:64]
    if data.isascii() and not wide:
        return data, []
    if encoding is None and not wide:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return codecs.charmap_decode(data, "strict", _WESTERN)[0].encode(), _guessed(data)
    decoded = decode(data, encoding)
    return decoded.text.encode(), list(decoded.findings)


def _guessed(data: bytes) -> list[Finding]:
    """That the code page was guessed, unless only the signs of currencies tell it: every export holds those."""
    money = _CURRENCIES.search(data)
    letters = np.frombuffer(data, np.uint8) > 0x7F
    if money is not None:
        letters[money.start() : money.end()] = False
    if not letters.any():
        return []
    row = data.count(b"\n", 0, int(letters.argmax())) + 1
    message = f"not UTF-8 (line {row}); read as cp1252, the usual code page of P6; declare 'encoding' if it differs"
    return [Finding("encoding_guessed", "info", row, None, "cp1252", message)]


def _records(text: bytes) -> tuple[Lines, list[Finding]]:
    """Lines by kind; a line that begins with no mark goes on from the row above it."""
    array = np.frombuffer(text, np.uint8)
    starts, kinds = _kinds(array)
    numbers = np.arange(1, starts.size + 1)
    odd = np.flatnonzero(kinds <= _BLANK)
    if odd.size == 0:
        return Lines(text, starts, kinds, numbers), []
    kept, keep = array.copy(), np.ones(array.size, np.bool_)
    joined = _joined(kinds, odd)
    ends = np.append(starts[1:], array.size)
    for line in odd.tolist():
        if line in joined:
            # A row's text goes on over a line break, which P6 itself would have written as 0x7F.
            kept[starts[line] - 1] = 0x7F
        else:
            keep[starts[line] : ends[line]] = False
    rest = np.setdiff1d(np.arange(starts.size), odd)
    places = np.concatenate([[0], np.cumsum(keep)])[starts[rest]]
    return Lines(kept[keep].tobytes(), places, kinds[rest], numbers[rest]), _strays(kinds, joined)


def _kinds(array: npt.NDArray[np.uint8]) -> tuple[Places, Kinds]:
    starts = np.concatenate([[0], np.flatnonzero(array == ord("\n")) + 1])
    starts = starts[starts < array.size]
    padded = np.concatenate([array, np.frombuffer(b"\n\n\n", np.uint8)])
    first, second, third = padded[starts], padded[starts + 1], padded[starts + 2]
    marked = (first == ord("%")) & np.isin(second, list(b"TFRE")) & np.isin(third, list(b"\t\n "))
    kinds = np.where(marked, second, np.where(first == ord("\n"), _BLANK, _STRAY)).astype(np.uint8)
    kinds[int((kinds != _BLANK).argmax())] = _HEAD
    return starts, kinds


def _joined(kinds: Kinds, odd: Places) -> set[int]:
    """Lines that continue a row: strays under a row, and the blank lines between them."""
    joined: set[int] = set()
    above, waiting = 0, list[int]()
    for line in odd.tolist():
        if not waiting or line != waiting[-1] + 1:
            above, waiting = int(kinds[line - 1]), []
        waiting.append(line)
        if kinds[line] == _STRAY and above == RECORD:
            joined.update(waiting)
    return joined


def _strays(kinds: Kinds, joined: set[int]) -> list[Finding]:
    ended = np.flatnonzero(kinds == END)
    strays = np.flatnonzero(kinds[: ended[0] if ended.size else None] == _STRAY).tolist()
    found = []
    for code, lines, fate in (
        ("line_without_mark", [line for line in strays if line in joined], "taken as text of the row above"),
        ("line_not_read", [line for line in strays if line not in joined], "not read"),
    ):
        if lines:
            message = f"{len(lines)} lines begin with no mark (first in line {lines[0] + 1}): {fate}"
            found.append(Finding(code, "warning", lines[0] + 1, None, str(len(lines)), message))
    return found
