"""Reference designators: ``C3, C4``, ``R10-R16`` and ``C[5-8,1,13]`` as the places they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass

_GROUP = re.compile(r"([A-Za-z]{1,5})\[([^\[\]]*)\]")
_OPEN = re.compile(r"[A-Za-z]{1,5}\[[^\]]*$")
_SPAN = re.compile(r"\s*(?:[-\u2013:]|\.\.)\s*")
_RANGE = re.compile(r"^([A-Za-z]{0,5})(\d+)-([A-Za-z]{0,5})(\d+)$")
_ONE = re.compile(r"^[A-Za-z]{1,5}_?\d+[A-Za-z]{0,2}$")
_TITLE = re.compile(r"^[^,;\[\]]*?\s-\s+|^[^\d,;\[\]]*-\s*(?=[A-Za-z]{1,5}[\[\d])")
_LONGEST_RANGE = 10_000


@dataclass(frozen=True)
class Designators:
    """What a cell names: its places, whether it uses ranges, and whether a bracket never closes."""

    places: tuple[str, ...]
    ranges: bool
    unclosed: bool
    unread: tuple[str, ...]

    @property
    def countable(self) -> bool:
        """Whether every part of the cell was understood, so that the number of places means something."""
        return bool(self.places) and not self.unclosed and not self.unread


def designators(cell: str) -> Designators:
    """The places that a cell names; a project name before `` - `` is no place."""
    text = _TITLE.sub("", cell.strip(), count=1)
    unclosed = bool(_OPEN.search(text)) or text.count("[") != text.count("]")
    groups = [(found[1], found[2]) for found in _GROUP.finditer(text)] + [("", _GROUP.sub(" ", text))]
    places: list[str] = []
    unread: list[str] = []
    ranged = "[" in text
    for prefix, items in groups:
        for item in filter(None, re.split(r"[,;\s]+", _SPAN.sub("-", items))):
            found = _expand(item, prefix)
            ranged = ranged or len(found) > 1
            places.extend(found)
            if not found:
                unread.append(item)
    return Designators(tuple(dict.fromkeys(places)), ranged, unclosed, tuple(unread))


def _expand(item: str, prefix: str) -> list[str]:
    """One place, or all places of a range; nothing when it is neither."""
    span = _RANGE.match(item)
    if span:
        letters, low, again, high = span.group(1) or prefix, int(span.group(2)), span.group(3), int(span.group(4))
        same = not again or again.casefold() == letters.casefold()
        if letters and same and low <= high < low + _LONGEST_RANGE:
            return [f"{letters}{number}" for number in range(low, high + 1)]
        return []
    if prefix and item.isdigit():
        return [f"{prefix}{item}"]
    return [item] if _ONE.match(item) else []
