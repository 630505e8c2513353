"""What messages of one standard have in common: parties, dates, references, and which part number counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from turnup.formats.edi.segments import Segment
from turnup.formats.edi.values import dated, day

X12_PARTS = ("BP", "IN", "PN", "MG", "MN", "MF", "VP", "VN", "VC", "CB", "SK", "UP", "UK", "EN", "UI")
"""Qualifiers of part numbers, the buyer's own first, then the maker's, the seller's and trade numbers."""
EDIFACT_PARTS = ("IN", "BP", "MF", "MN", "SA", "VN", "VP", "EN", "UP", "SRV")


@dataclass(frozen=True)
class Party:
    """A party of a message; ``code`` is the number that the partners know it by."""

    code: str | None
    name: str | None
    address: str | None

    @property
    def shown(self) -> str | None:
        """Its name, or else its number."""
        return self.name or self.code


NOBODY = Party(None, None, None)


def first_of(found: Mapping[str, Party], roles: Sequence[str]) -> Party:
    """The party in the first of the roles that is filled."""
    return next((found[role] for role in roles if role in found), NOBODY)


def chosen(values: Mapping[str, str], order: Sequence[str]) -> str | None:
    """The value of the first qualifier in order that is there, or any other one."""
    return next((values[name] for name in order if name in values), next(iter(values.values()), None))


def x12_parties(segments: Iterable[Segment]) -> dict[str, Party]:
    """The parties of N1 loops by their role (N101)."""
    loops: list[list[Segment]] = []
    for segment in segments:
        if segment.tag == "N1":
            loops.append([segment])
        elif segment.tag in ("N2", "N3", "N4") and loops:
            loops[-1].append(segment)
    found: dict[str, Party] = {}
    for head, *rest in loops:
        lines = [text for s in rest for text in map(s.text, range(1, 5)) if text]
        address = ", ".join(lines) or None
        found.setdefault(head.text(1) or "", Party(head.text(4), head.text(2), address))
    return found


def x12_dates(segments: Iterable[Segment]) -> dict[str, str]:
    """Days of DTM segments by qualifier."""
    found: dict[str, str] = {}
    for segment in segments:
        on = day(segment.text(2))
        if segment.tag == "DTM" and on is not None:
            found.setdefault(segment.text(1) or "", on)
    return found


def x12_references(segments: Iterable[Segment]) -> dict[str, str]:
    """Values of REF segments by qualifier."""
    found: dict[str, str] = {}
    for segment in segments:
        value = segment.text(2)
        if segment.tag == "REF" and value is not None:
            found.setdefault(segment.text(1) or "", value)
    return found


def edifact_parties(segments: Iterable[Segment]) -> dict[str, Party]:
    """The parties of NAD segments by their role."""
    found: dict[str, Party] = {}
    for segment in segments:
        if segment.tag == "NAD":
            name = segment.joined(4) or segment.joined(3)
            places = [segment.joined(place) for place in (5, 6, 7, 8, 9)]
            address = ", ".join(text for text in places if text) or None
            found.setdefault(segment.text(1) or "", Party(segment.text(2), name, address))
    return found


def edifact_dates(segments: Iterable[Segment]) -> dict[str, str]:
    """Days and instants of DTM segments by qualifier."""
    found: dict[str, str] = {}
    for segment in segments:
        at = dated(segment.text(1, 2), segment.text(1, 3)) if segment.tag == "DTM" else None
        if at is not None:
            found.setdefault(segment.text(1, 1) or "", at)
    return found


def edifact_references(segments: Iterable[Segment]) -> dict[str, Segment]:
    """RFF segments by qualifier."""
    found: dict[str, Segment] = {}
    for segment in segments:
        if segment.tag == "RFF" and segment.text(1, 2) is not None:
            found.setdefault(segment.text(1, 1) or "", segment)
    return found


def edifact_part(segments: Iterable[Segment]) -> str | None:
    """The part number of a LIN group: LIN03, or a better one among its PIA segments."""
    numbers: dict[str, str] = {}
    for segment in segments:
        places = [3] if segment.tag == "LIN" else range(2, 7) if segment.tag == "PIA" else []
        for place in places:
            value = segment.text(place, 1)
            if value is not None:
                numbers.setdefault(segment.text(place, 2) or "", value)
    return chosen(numbers, EDIFACT_PARTS)


def quantities(segments: Iterable[Segment]) -> dict[str, tuple[str, str | None, Segment]]:
    """QTY segments by qualifier: number, unit and segment."""
    found: dict[str, tuple[str, str | None, Segment]] = {}
    for segment in segments:
        number = segment.text(1, 2)
        if segment.tag == "QTY" and number is not None:
            found.setdefault(segment.text(1, 1) or "", (number, segment.text(1, 3), segment))
    return found


def groups(
    segments: Sequence[Segment], tag: str, *, until: Iterable[str] = ()
) -> tuple[list[Segment], list[list[Segment]]]:
    """The segments before the first one with the tag, and one list per such segment with those that follow it."""
    stop = frozenset(until)
    before: list[Segment] = []
    found: list[list[Segment]] = []
    for segment in segments:
        if segment.tag in stop and found:
            break
        if segment.tag == tag:
            found.append([segment])
        else:
            (found[-1] if found else before).append(segment)
    return before, found
