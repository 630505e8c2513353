"""EDI text to segments: cut at the separators that the file itself declares, with the release character respected.

Belongs here: characters and positions. Does not: what a segment means, or which segments belong together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_AROUND = " \t\r\n\u00a0\ufeff\u2007\u202f"


@dataclass(frozen=True, slots=True)
class Separators:
    """The characters that divide a file; ``release`` makes the next character plain text (EDIFACT only)."""

    element: str
    component: str
    segment: str
    release: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment; ``number`` counts from 1 through the file, ``elements`` hold their components."""

    number: int
    tag: str
    elements: tuple[tuple[str, ...], ...]

    def text(self, element: int, component: int = 1) -> str | None:
        """The component of an element, both counted from 1 as the standards do, or None when it is empty."""
        if element > len(self.elements):
            return None
        parts = self.elements[element - 1]
        return (parts[component - 1].strip(_AROUND) or None) if component <= len(parts) else None

    def joined(self, element: int) -> str | None:
        """All components of an element as one text, or None when all are empty."""
        parts = self.elements[element - 1] if element <= len(self.elements) else ()
        return " ".join(part.strip(_AROUND) for part in parts if part.strip(_AROUND)) or None

    def pairs(self, first: int) -> dict[str, str]:
        """Qualifier to value of elements that come in pairs from the ``first`` on, as in LIN and PO1."""
        found: dict[str, str] = {}
        for place in range(first, len(self.elements), 2):
            qualifier, value = self.text(place), self.text(place + 1)
            if qualifier and value:
                found.setdefault(qualifier, value)
        return found

    def shown(self) -> str:
        """The segment as people write it."""
        return "+".join([self.tag, *(":".join(parts) for parts in self.elements)])


@dataclass(frozen=True)
class Cut:
    """All segments of a file, and what stood after the last segment terminator."""

    segments: tuple[Segment, ...]
    tail: str


def cut(text: str, marks: Separators) -> Cut:
    """Cut a text into segments; line breaks and indents around segments mean nothing unless they end segments."""
    *pieces, tail = _split(text, marks.segment, marks.release)
    if marks.segment in "\r\n":
        pieces, tail = [*pieces, tail], ""
    segments: list[Segment] = []
    for piece in pieces:
        cleaned = _plain(piece, marks)
        if cleaned:
            segments.append(_segment(len(segments) + 1, cleaned, marks))
    rest = _plain(tail, marks)
    if rest:
        segments.append(_segment(len(segments) + 1, rest, marks))
    return Cut(tuple(segments), rest)


def _plain(piece: str, marks: Separators) -> str:
    """A segment without the line breaks of a file that was wrapped or indented by hand."""
    kept = piece.rstrip("\r") if marks.segment in "\r\n" else piece.replace("\r", "").replace("\n", "")
    return kept.lstrip(_AROUND)


def _segment(number: int, piece: str, marks: Separators) -> Segment:
    tag, *elements = _split(piece, marks.element, marks.release)
    if tag == "ISA":  # its last element is the component separator itself
        return Segment(number, tag, tuple((_unescaped(text, marks),) for text in elements))
    parts = (_split(element, marks.component, marks.release) for element in elements)
    return Segment(number, tag.strip(_AROUND), tuple(tuple(_unescaped(text, marks) for text in each) for each in parts))


def _split(text: str, mark: str, release: str | None) -> list[str]:
    if release is None or release not in text:
        return text.split(mark)
    pieces, start = [], 0
    for found in re.finditer(f"{re.escape(release)}.|{re.escape(mark)}", text, re.DOTALL):
        if found.group() == mark:
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]


def _unescaped(text: str, marks: Separators) -> str:
    if marks.release is None or marks.release not in text:
        return text
    return re.sub(f"{re.escape(marks.release)}(.)", r"\1", text, flags=re.DOTALL)
