"""Messages inside their envelopes, with every control number and count checked (X12 and EDIFACT alike).

An envelope opens with a reference and closes with the same reference and a count of what it holds. What disagrees is a
fault of everything inside: a wrong reference or count says that segments or messages are missing, doubled or from
another file, as the acknowledgements of both standards put it (TA1, 997 and CONTRL reject for the same reasons).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from turnup.formats.edi.segments import Segment


@dataclass(frozen=True)
class Fault:
    """A control figure that does not hold; ``where`` names the segment's element, such as ``SE01``."""

    code: str
    row: int
    where: str
    value: str | None
    expected: str
    message: str


@dataclass(frozen=True)
class Level:
    """One kind of envelope: its tags and the elements of its references and its count."""

    name: str
    opens: str
    closes: str
    opened_as: int
    closed_as: int
    count: int
    numeric: bool = False


@dataclass
class Message:
    """One transaction set or message; ``segments`` include its header and trailer."""

    kind: str
    reference: str
    segments: list[Segment]
    faults: list[Fault] = field(default_factory=list)
    envelope: list[Fault] = field(default_factory=list)
    stated: int | None = None
    interchange: Segment | None = None

    @property
    def row(self) -> int:
        """Number of the segment that opens the message."""
        return self.segments[0].number

    @property
    def label(self) -> str:
        """What people call the message."""
        return f"{self.kind} {self.reference}"

    def all(self, *tags: str) -> list[Segment]:
        """Its segments with one of the tags."""
        return [segment for segment in self.segments if segment.tag in tags]

    def first(self, tag: str) -> Segment | None:
        """Its first segment with the tag."""
        return next((segment for segment in self.segments if segment.tag == tag), None)


@dataclass
class Envelopes:
    """What the walk through a file found; ``faults`` are those that lie outside every interchange."""

    messages: list[Message] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    opening: int = 0
    closing: int = 0
    references: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Open:
    """An envelope that is not closed yet; ``held`` counts what lies directly inside."""

    depth: int
    segment: Segment
    held: int = 0
    messages: list[Message] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


class Walk:
    """Goes through the segments once; ``levels`` run from the interchange down to the message."""

    def __init__(self, levels: Sequence[Level], kind_at: tuple[int, int], passing: frozenset[str]) -> None:
        """``kind_at`` is where a message's header names its kind; ``passing`` may stand between envelopes."""
        self._levels = levels
        self._kind_at = kind_at
        self._passing = passing
        self._opens = {level.opens: depth for depth, level in enumerate(levels)}
        self._closes = {level.closes: depth for depth, level in enumerate(levels)}
        self._stack: list[_Open] = []
        self.found = Envelopes()

    def through(self, segments: Sequence[Segment]) -> Envelopes:
        """Take all segments of a file."""
        for segment in segments:
            if segment.tag in self._opens:
                self._open(self._opens[segment.tag], segment)
            elif segment.tag in self._closes:
                self._close(self._closes[segment.tag], segment)
            else:
                self._inside(segment)
        self._abandon(0)
        return self.found

    def _open(self, depth: int, segment: Segment) -> None:
        self._abandon(depth)
        self.found.opening += 1
        opened = _Open(depth, segment)
        if self._stack:
            self._stack[-1].held += 1
        if depth == len(self._levels) - 1:
            kind = segment.text(*self._kind_at) or "(no kind)"
            interchange = self._stack[0].segment if self._stack else None
            reference = segment.text(self._levels[depth].opened_as) or "(no number)"
            message = Message(kind, reference, [segment], interchange=interchange)
            opened.messages.append(message)
            self.found.messages.append(message)
        self._stack.append(opened)

    def _inside(self, segment: Segment) -> None:
        if self._stack and self._stack[-1].depth == len(self._levels) - 1:
            self._stack[-1].messages[0].segments.append(segment)
        elif segment.tag not in self._passing:
            self._stray(segment)

    def _stray(self, segment: Segment) -> None:
        told = f"segment {segment.number} ({segment.tag or 'no tag'}) stands outside every message"
        fault = Fault("stray_segment", segment.number, segment.tag, segment.shown()[:80], "inside a message", told)
        (self._stack[-1].faults if self._stack else self.found.faults).append(fault)

    def _close(self, depth: int, segment: Segment) -> None:
        self.found.closing += 1
        if not any(opened.depth == depth for opened in self._stack):
            self._stray(segment)
            return
        self._abandon(depth + 1)
        opened = self._stack.pop()
        if depth == len(self._levels) - 1:
            opened.messages[0].segments.append(segment)
        self._check(opened, segment)
        self._settle(opened)

    def _check(self, opened: _Open, closing: Segment) -> None:
        level = self._levels[opened.depth]
        is_message = opened.depth == len(self._levels) - 1
        held = len(opened.messages[0].segments) if is_message else opened.held
        stated = closing.text(level.count)
        if is_message:
            opened.messages[0].stated = int(stated) if stated and stated.isdecimal() else None
        if not (stated and stated.isdecimal() and int(stated) == held):
            what = "segments" if is_message else f"{self._levels[opened.depth + 1].name}s"
            where = f"{closing.tag}{level.count:02d}"
            told = f"{where} (segment {closing.number}) says {stated or 'nothing'} {what}, there are {held}"
            opened.faults.append(Fault("control_count", closing.number, where, stated, str(held), told))
        first, last = opened.segment.text(level.opened_as), closing.text(level.closed_as)
        if opened.depth == 0:
            self.found.references.append((first or "", last or ""))
        if _reference(first, level) != _reference(last, level):
            where = f"{closing.tag}{level.closed_as:02d}"
            told = (
                f"the {level.name} opens as {first or '(no number)'} ({level.opens}{level.opened_as:02d}, segment "
                f"{opened.segment.number}) and closes as {last or '(no number)'} ({where}, segment {closing.number})"
            )
            opened.faults.append(Fault("control_number", closing.number, where, last, first or "", told))

    def _abandon(self, depth: int) -> None:
        """Close whatever is still open at ``depth`` or deeper: its trailer is missing."""
        while self._stack and self._stack[-1].depth >= depth:
            opened = self._stack.pop()
            level = self._levels[opened.depth]
            told = (
                f"the {level.name} that opens in segment {opened.segment.number} has no {level.closes}: the file is cut"
            )
            opened.faults.append(Fault("cut_message", opened.segment.number, level.closes, None, level.closes, told))
            self._settle(opened)

    def _settle(self, opened: _Open) -> None:
        """Hand the faults of a closed envelope to the messages in it, and those to the envelope around."""
        if opened.depth == len(self._levels) - 1:
            opened.messages[0].faults += opened.faults
        else:
            for message in opened.messages:
                message.envelope += opened.faults
            if not opened.messages:
                self.found.faults += opened.faults
        if self._stack:
            self._stack[-1].messages += opened.messages


def _reference(text: str | None, level: Level) -> str | None:
    return text.lstrip("0") or "0" if text and level.numeric and text.isdecimal() else text
