"""Bytes to text, never with loss: which encoding a file has, and how we know.

Order of proof: byte-order mark, the source's declaration, strict UTF-8, UTF-16 by its zero bytes, and last the
Western code page when every encoding that could be meant gives the same letters.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from turnup.formats.model import FileRejected, Finding

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WESTERN = ("cp1252", "cp1250", "iso8859-15", "cp1254")
_HEAD = 65_536
_LOST = re.compile(r"(?<=[^\W\d_])\?(?=[^\W\d_])(?!\w*[=&])")

SPACE = "".join(chr(code) for code in range(0x3001) if chr(code).isspace()) + "\ufeff\u200b\u200c\u200d\u2060"
"""What is trimmed from cells: every white space, and characters that are seen by nobody."""


@dataclass(frozen=True)
class Decoded:
    """The text of a file, its encoding and what was noticed."""

    text: str
    encoding: str
    mark: bool
    findings: tuple[Finding, ...] = ()


def decode(data: bytes, declared: str | None) -> Decoded:
    """Decode strictly.

    Raises:
        FileRejected: ``encoding`` with the first line that does not decode and what to declare.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding, mark=True)
    if declared is not None:
        return _strict(data, _known(declared), mark=False)
    by_zeros = _wide(data[:_HEAD])
    if by_zeros is not None:
        return _strict(data, by_zeros, mark=False)
    try:
        return _checked(data.decode("utf-8"), "utf-8", mark=False)
    except UnicodeDecodeError as error:
        return _western(data, error)


def _known(declared: str) -> str:
    try:
        return codecs.lookup(declared).name
    except LookupError as error:
        message = f"the declared encoding '{declared}' does not exist; write one such as utf-8 or cp1252"
        raise FileRejected("encoding", message, value=declared, expected="a known encoding") from error


def _strict(data: bytes, encoding: str, *, mark: bool) -> Decoded:
    try:
        return _checked(data.decode(encoding), encoding, mark=mark)
    except UnicodeDecodeError as error:
        row = _row(data, error.start, encoding)
        message = f"line {row} is not {encoding} text (byte {error.start}): the file is damaged or has another encoding"
        raise FileRejected("encoding", message, row=row, expected=encoding) from error


def _row(data: bytes, position: int, encoding: str) -> int:
    return data[:position].decode(encoding, errors="replace").count("\n") + 1


def _wide(head: bytes) -> str | None:
    """UTF-16 without a mark: nearly every second byte of Western text is zero."""
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.6 and even < 0.1:
        return "utf-16-le"
    if even > 0.6 and odd < 0.1:
        return "utf-16-be"
    return None


def _western(data: bytes, error: UnicodeDecodeError) -> Decoded:
    row = data[: error.start].count(b"\n") + 1
    readings = {reading for encoding in _WESTERN if (reading := _try(data, encoding)) is not None}
    if len(readings) == 1:
        text = readings.pop()
        message = f"not UTF-8 (line {row}); read as cp1252, which all Western encodings agree with; declare 'encoding'"
        found = Finding("encoding_guessed", "warning", row, None, "cp1252", message)
        decoded = _checked(text, "cp1252", mark=False)
        return Decoded(text, "cp1252", mark=False, findings=(found, *decoded.findings))
    message = (
        f"line {row} is not UTF-8 and several encodings are possible: write 'encoding: cp1252' (or the right one) in "
        "the source of programme.yaml"
    )
    raise FileRejected("encoding", message, row=row, expected="UTF-8, or a declared encoding")


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _checked(text: str, encoding: str, *, mark: bool) -> Decoded:
    findings = []
    text = text.removeprefix("\ufeff")
    lost = text.find("\ufffd")
    if lost >= 0:
        row = text.count("\n", 0, lost) + 1
        count = text.count("\ufffd")
        message = f"{count} letters were lost before the file reached us (first in line {row})"
        findings.append(Finding("lost_letters", "warning", row, None, str(count), message))
    question = _LOST.search(text) if "?" in text else None
    if question is not None:
        row = text.count("\n", 0, question.start()) + 1
        count = sum(1 for _ in _LOST.finditer(text))
        message = f"'?' inside {count} words (first in line {row}): perhaps letters lost in an earlier conversion"
        findings.append(Finding("lost_letters", "info", row, None, str(count), message))
    return Decoded(text, encoding, mark, tuple(findings))
