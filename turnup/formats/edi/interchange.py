"""X12 and EDIFACT files: which characters divide them, their envelopes, and what is odd about their shape."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.edi.envelope import Envelopes, Level, Walk
from turnup.formats.edi.segments import Segment, Separators, cut
from turnup.formats.model import Fact, FileRejected, Finding

_X12 = (
    Level("interchange", "ISA", "IEA", opened_as=13, closed_as=2, count=1, numeric=True),
    Level("group", "GS", "GE", opened_as=6, closed_as=2, count=1, numeric=True),
    Level("transaction set", "ST", "SE", opened_as=2, closed_as=2, count=1),
)
_EDIFACT = (
    Level("interchange", "UNB", "UNZ", opened_as=5, closed_as=2, count=1),
    Level("group", "UNG", "UNE", opened_as=5, closed_as=2, count=1),
    Level("message", "UNH", "UNT", opened_as=1, closed_as=2, count=1),
)
_X12_PASSING = frozenset({"TA1", "ISB", "ISE"})
_CHARSETS = {"UNOC": "iso8859-1", "UNOD": "iso8859-2", "UNOE": "iso8859-5", "UNOF": "iso8859-7"}
_ISA_ELEMENTS = 16
_ISA_LENGTH = 105
_DEFAULT = Separators("+", ":", "'", "?")
_EDIFACT_START = re.compile(r"\s*(?:UNA.{6}\s*)?UN[BH]", re.DOTALL)


@dataclass(frozen=True)
class EdiFile:
    """A file of messages: its segments, envelopes and oddities."""

    standard: str
    segments: tuple[Segment, ...]
    envelopes: Envelopes
    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def is_x12(content: Content) -> bool:
    """Whether a file starts with an X12 interchange header."""
    start = content.head_text.lstrip()[:4]
    return start[:3] == "ISA" and len(start) == 4 and not start[3].isalnum() and not start[3].isspace()


def is_edifact(content: Content) -> bool:
    """Whether a file starts with an EDIFACT service string, interchange or message."""
    found = _EDIFACT_START.match(content.head_text)
    if found is None:
        return False
    following = content.head_text[found.end() : found.end() + 1]
    return bool(following) and not following.isalnum() and not following.isspace()


def read_x12(content: Content, encoding: str | None) -> EdiFile:
    """Read an X12 file by the separators that its first ISA segment declares.

    Raises:
        FileRejected: ``x12`` when the ISA segment has not its sixteen elements.
    """
    decoded = decode(content.data, encoding)
    text = decoded.text.lstrip()
    mark = text[3:4]
    places = [found.start() for found in re.finditer(re.escape(mark), text[:600])][:_ISA_ELEMENTS]
    if len(places) < _ISA_ELEMENTS or len(text) < places[-1] + 3:
        message = "the interchange header ISA has not its 16 elements: the file is cut or has been edited"
        raise FileRejected("x12", message, row=1, column="ISA", value=text[:106], expected="a complete ISA segment")
    end = places[-1] + 2
    ending = "\n" if text[end : end + 2] == "\r\n" else text[end]
    separators = Separators(mark, text[end - 1], ending)
    pieces = cut(text, separators)
    walk = Walk(_X12, (1, 1), _X12_PASSING)
    read = EdiFile("x12", pieces.segments, walk.through(pieces.segments))
    read.findings.extend(decoded.findings)
    _isa_shape(read, text[:end])
    _shape(read, text, pieces.tail)
    for segment in pieces.segments:
        if segment.tag == "ISA":
            _isa_content(read, segment)
    return read


def _isa_shape(read: EdiFile, isa: str) -> None:
    blanks = isa.count("\u00a0")
    read.facts.append(Fact("isa_length", len(isa), "characters", f"without its terminator; {_ISA_LENGTH} are right"))
    if len(isa) != _ISA_LENGTH:
        odd = f", {blanks} of them no-break spaces" if blanks else ""
        message = (
            f"the ISA segment has {len(isa)} characters before its terminator{odd}, {_ISA_LENGTH} are right; it was "
            "read by its separators"
        )
        read.findings.append(Finding("isa_length", "warning", 1, "ISA", str(len(isa)), message))


def _isa_content(read: EdiFile, isa: Segment) -> None:
    if isa.text(15) == "T":
        message = f"ISA15 of interchange {isa.text(13)} is T: it was sent as a test"
        read.findings.append(Finding("test_message", "warning", isa.number, "ISA15", "T", message))
    group = next((s for s in read.segments[isa.number :] if s.tag in ("GS", "ISA")), None)
    if group is None or group.tag == "ISA":
        return
    sent, grouped = isa.text(9) or "", group.text(4) or ""
    if len(sent) == 6 and len(grouped) in (6, 8) and sent != grouped[-6:]:
        read.facts.append(Fact("interchange_dates", (sent, grouped), note="ISA09 and GS04"))
        message = f"the interchange is of {sent} (ISA09), its group of {grouped} (GS04)"
        read.findings.append(Finding("date_mismatch", "warning", group.number, "GS04", grouped, message))


def _shape(read: EdiFile, text: str, tail: str) -> None:
    """What a standard file has none of: indents, no-break spaces, an end without a terminator."""
    read.facts.extend(
        Fact(name, text.count(mark), "characters")
        for name, mark in (("tabs", "\t"), ("no_break_spaces", "\u00a0"))
        if mark in text
    )
    if tail:
        last = read.segments[-1].number
        message = f"segment {last} has no terminator: the file may be cut there"
        read.findings.append(Finding("open_segment", "warning", last, read.segments[-1].tag, tail[:80], message))


def read_edifact(content: Content, encoding: str | None) -> EdiFile:
    """Read an EDIFACT file by its service string (UNA), or by the standard's own separators."""
    decoded = decode(content.data, encoding or _charset(content))
    text = decoded.text.lstrip()
    separators = _DEFAULT
    if text.startswith("UNA"):
        release = None if text[6] == " " else text[6]
        separators = Separators(text[4], text[3], text[8], release)
        text = text[9:]
    pieces = cut(text, separators)
    walk = Walk(_EDIFACT, (2, 1), frozenset({"UNA"}))
    read = EdiFile("edifact", pieces.segments, walk.through(pieces.segments))
    read.findings.extend(decoded.findings)
    if separators.release is not None and separators.release in text:
        escaped = len(re.findall(re.escape(separators.release) + ".", text, re.DOTALL))
        read.facts.append(Fact("released_characters", escaped, "characters", "separators meant as plain text"))
    _shape(read, text, pieces.tail)
    for segment in pieces.segments:
        if segment.tag == "UNB" and segment.text(11) == "1":
            message = f"interchange {segment.text(5)} was sent as a test (UNB11)"
            read.findings.append(Finding("test_message", "warning", segment.number, "UNB11", "1", message))
    return read


def _charset(content: Content) -> str | None:
    """The character set that the interchange declares, where the bytes are not UTF-8."""
    try:
        content.data.decode("utf-8")
    except UnicodeDecodeError:
        declared = re.search(r"UNO[A-Z]", content.head_text[:200])
        return _CHARSETS.get(declared.group()) if declared else None
    return None
