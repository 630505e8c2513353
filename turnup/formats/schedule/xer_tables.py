"""An XER file cut into its tables: lines of %T (table), %F (column names), %R (row) and %E (end), cells between tabs.

Belongs here: bytes to columns of text. Does not: what any table or column means.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, Finding
from turnup.formats.schedule.p6_tables import COLUMNS, ROW

HEADER = b"ERMHDR"
_TABLE, _FIELDS, _RECORD, _END = b"TFRE"
_BLANK, _STRAY = 1, 0
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LETTER = re.compile(rb"[\x80-\xff]")
_CURRENCIES = re.compile(rb"^%T\tCURRTYPE\s.*?(?=^%T|\Z)", re.DOTALL | re.MULTILINE)
# P6 writes the code page of its Windows machine; bytes that cp1252 leaves undefined keep their number.
_WESTERN = "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(256))


@dataclass(frozen=True)
class _Lines:
    """The file without blank lines, each line a record: start, kind and number (from 1) in the file as delivered."""

    text: bytes
    starts: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.uint8]
    numbers: npt.NDArray[np.int64]


def read_tables(data: bytes, encoding: str | None) -> tuple[dict[str, pl.DataFrame], list[Finding]]:
    """The known tables of an XER file, all cells text and empty cells null, with their line in column ``ROW``.

    Raises:
        FileRejected: not an XER file, or not in the declared encoding.
    """
    text, findings = _utf8(data, encoding)
    if not text.lstrip().startswith(HEADER):
        message = "not an XER file: its first line does not begin with ERMHDR"
        raise FileRejected("not_xer", message, row=1, expected="an export of Primavera P6")
    lines = _records(text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), findings)
    if not (lines.kinds == _END).any():
        message = "the file has no end mark (%E): it may be cut"
        findings.append(Finding("file_cut", "error", int(lines.numbers[-1]), None, None, message))
    return _tables(lines, findings), findings


def _utf8(data: bytes, encoding: str | None) -> tuple[bytes, list[Finding]]:
    if data.isascii():
        return data, []
    if encoding is None and not data.startswith(_MARKS):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return codecs.charmap_decode(data, "strict", _WESTERN)[0].encode(), _guessed(data)
    decoded = decode(data, encoding)
    return decoded.text.encode(), list(decoded.findings)


def _guessed(data: bytes) -> list[Finding]:
    """That the code page was guessed, unless only the signs of currencies tell it: every export holds those."""
    letter = _LETTER.search(_CURRENCIES.sub(lambda match: b"\n" * match[0].count(b"\n"), data, count=1))
    if letter is None:
        return []
    row = letter.string.count(b"\n", 0, letter.start()) + 1
    message = f"not UTF-8 (line {row}); read as cp1252, the usual code page of P6; declare 'encoding' if it differs"
    return [Finding("encoding_guessed", "info", row, None, "cp1252", message)]


def _records(text: bytes, findings: list[Finding]) -> _Lines:
    """Lines by kind; a line that begins with no mark goes on from the row above it."""
    array = np.frombuffer(text, np.uint8)
    starts, kinds = _kinds(array)
    numbers = np.arange(1, starts.size + 1)
    odd = np.flatnonzero(kinds <= _BLANK)[1:] if kinds[0] == _STRAY else np.flatnonzero(kinds <= _BLANK)
    if odd.size == 0:
        return _Lines(text, starts, kinds, numbers)
    kept = array.copy()
    keep = np.ones(array.size, np.bool_)
    joined = _joined(kinds, odd)
    for line in odd.tolist():
        # A row's text goes on over line breaks, which P6 itself would have written as 0x7F.
        if line in joined:
            kept[starts[line] - 1] = 0x7F
        else:
            end = starts[line + 1] if line + 1 < starts.size else array.size
            keep[starts[line] : end] = False
    stray = [line for line in odd.tolist() if kinds[line] == _STRAY]
    if stray:
        message = (
            f"{len(stray)} lines begin with no mark (first in line {stray[0] + 1}): taken as text of the row above"
        )
        findings.append(Finding("line_without_mark", "warning", stray[0] + 1, None, str(len(stray)), message))
    rest = np.setdiff1d(np.arange(starts.size), odd)
    shorter = kept[keep]
    at = np.concatenate([[0], np.cumsum(keep)])[starts[rest]]
    return _Lines(shorter.tobytes(), at, kinds[rest], numbers[rest])


def _kinds(array: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    starts = np.concatenate([[0], np.flatnonzero(array == ord("\n")) + 1])
    starts = starts[starts < array.size]
    padded = np.concatenate([array, np.frombuffer(b"\n\n\n", np.uint8)])
    first, second, third = padded[starts], padded[starts + 1], padded[starts + 2]
    marked = (first == ord("%")) & np.isin(second, list(b"TFRE")) & np.isin(third, list(b"\t\n "))
    kinds = np.where(marked, second, np.where(first == ord("\n"), _BLANK, _STRAY)).astype(np.uint8)
    return starts, kinds


def _joined(kinds: npt.NDArray[np.uint8], odd: npt.NDArray[np.int64]) -> set[int]:
    """Lines that continue a row: strays under a row, and the blank lines between them."""
    joined: set[int] = set()
    above, waiting = 0, list[int]()
    for line in odd.tolist():
        if not waiting or line != waiting[-1] + 1:
            above, waiting = int(kinds[line - 1]) if line - 1 not in joined else above, []
        waiting.append(line)
        if kinds[line] == _STRAY and above == _RECORD:
            joined.update(waiting)
    return joined


def _tables(lines: _Lines, findings: list[Finding]) -> dict[str, pl.DataFrame]:
    parts: dict[str, list[pl.DataFrame]] = {}
    marks = np.flatnonzero(lines.kinds != _RECORD).tolist()
    name = None
    for mark, until in zip(marks, [*marks[1:], lines.kinds.size], strict=True):
        kind = lines.kinds[mark]
        if kind == _END:
            break
        if kind == _TABLE:
            name = _cells(lines, mark)[0].strip().upper() if len(_cells(lines, mark)) else None
        if kind != _FIELDS and until > mark + 1:
            found = f"{until - mark - 1} rows of table {name} stand under no column names: not read"
            findings.append(Finding("rows_without_columns", "error", int(lines.numbers[mark]) + 1, None, name, found))
        if kind == _FIELDS and name in COLUMNS:
            parts.setdefault(name, []).append(_table(lines, mark, until, name, findings))
    return {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}


def _cells(lines: _Lines, line: int) -> list[str]:
    """The cells of one line after its mark."""
    end = lines.starts[line + 1] if line + 1 < lines.starts.size else len(lines.text)
    return lines.text[lines.starts[line] : end].decode().rstrip("\n").split("\t")[1:]


def _table(lines: _Lines, mark: int, until: int, name: str, findings: list[Finding]) -> pl.DataFrame:
    names = [cell.strip().lower() for cell in _cells(lines, mark)]
    wanted = {column: names.index(column) + 1 for column in COLUMNS[name] if column in names}
    numbers = pl.Series(ROW, lines.numbers[mark + 1 : until], pl.Int64)
    if until == mark + 1 or not wanted:
        empty = dict.fromkeys(wanted, pl.String())
        return pl.DataFrame(schema=empty | {ROW: pl.Int64()})
    end = int(lines.starts[until]) if until < lines.starts.size else len(lines.text)
    body = lines.text[lines.starts[mark + 1] : end]
    _surplus(lines, body, mark, name, len(names), findings)
    header = "\t".join(str(position) for position in range(len(names) + 1)).encode() + b"\n"
    frame = pl.read_csv(
        header + body, separator="\t", quote_char=None, infer_schema=False, truncate_ragged_lines=True,
        columns=[str(position) for position in sorted(wanted.values())],
    )  # fmt: skip
    return frame.select(pl.col(str(position)).alias(column) for column, position in wanted.items()).with_columns(
        numbers
    )


def _surplus(lines: _Lines, body: bytes, mark: int, name: str, width: int, findings: list[Finding]) -> None:
    """Report rows with more filled cells than there are columns."""
    array = np.frombuffer(body, np.uint8)
    tabs = np.concatenate([[0], np.cumsum(array == ord("\t"))])
    ends = np.append(np.flatnonzero(array == ord("\n")), array.size)[: int(lines.kinds.size)]
    counts = np.diff(tabs[ends], prepend=0)
    longer = [line + mark + 1 for line in np.flatnonzero(counts > width).tolist()]
    filled = [line for line in longer if any(cell.strip() for cell in _cells(lines, line)[width:])]
    if filled:
        row = int(lines.numbers[filled[0]])
        message = (
            f"{len(filled)} rows of table {name} have more cells than columns (first in line {row}): rest not read"
        )
        findings.append(Finding("surplus_cells", "warning", row, name, str(len(filled)), message))
