"""Column names: a form that compares, and which contract column a header means.

Belongs here: the meaning of one header text. Does not: where a header is (``header``) or what happens to a column
that means nothing (``mapping``).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.formats.model import How
    from turnup.programme import Source

_INVISIBLE = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
_GAPS = re.compile(r"[\s_\-]+")
_EDGES = "_*:.# "
_LONGEST_NAME = 100
_POSITION = re.compile(r"(?i)^(.*) \[column (\d+)\]$", re.DOTALL)


def clean(text: str) -> str:
    """A cell as people see it: invisible marks and outer white space (also no-break space) removed."""
    return _INVISIBLE.sub("", text).strip()


def name_key(text: str) -> str:
    """The form in which header names compare: case, white space, ``_``, ``-`` and a leading ``#`` do not matter."""
    # The same few names are compared under every contract; long texts are no names and are not kept.
    return _short_key(text) if len(text) <= _LONGEST_NAME else _folded(text)


def _folded(text: str) -> str:
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().strip()
    folded = folded.removeprefix("#fields:")
    return _GAPS.sub("_", folded).strip(_EDGES) or folded


_short_key = lru_cache(maxsize=50_000)(_folded)


def labels(cells: Sequence[str | None]) -> list[str]:
    """One distinct label per column: names given once stay, repeated and empty ones get their position (from 1)."""
    names = [clean(cell or "") for cell in cells]
    keys = [name_key(name) for name in names]
    count = Counter(keys)
    distinct: dict[str, None] = {}
    for position, (name, key) in enumerate(zip(names, keys, strict=True), start=1):
        once = bool(name) and count[key] == 1 and name not in distinct
        label = name if once else f"{name or 'unnamed'} [column {position}]"
        distinct[label if label not in distinct else f"{label} [column {position}]"] = None
    return list(distinct)


def plain(label: str) -> str:
    """A label without the position that ``labels`` may have added."""
    found = _POSITION.match(label) if "]" in label else None
    return found.group(1) if found else label


def occurrences(labels: Sequence[str | None]) -> list[int]:
    """For each label the how many-th of its name it is, from 1."""
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        key = name_key(plain(label or ""))
        seen[key] += 1
        found.append(seen[key])
    return found


@dataclass(frozen=True)
class Meaning:
    """What a header means under one contract and source."""

    target: str | None
    how: How


@dataclass(frozen=True)
class Vocabulary:
    """All names that are known for one dataset, by their comparing form."""

    declared: dict[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    names: dict[str, str] = field(default_factory=dict)
    synonyms: dict[str, str] = field(default_factory=dict)
    ignore_rest: bool = False

    @property
    def known(self) -> frozenset[str]:
        """Every name that means a column, in its comparing form."""
        return frozenset((*self.declared, *self.names, *self.synonyms))

    def meanings(self, labels: Sequence[str], bases: Sequence[str] = ()) -> list[Meaning]:
        """The meaning of each label of a header; ``Rack#2`` names the second column called Rack.

        ``bases`` are the names in the file where a label is more than that, such as Rack for Source Rack.
        """
        given = [
            name_key(base or plain(label)) for base, label in zip(bases or map(plain, labels), labels, strict=True)
        ]
        places = zip(labels, given, occurrences(given), strict=True)
        return [
            self.meaning(label, nth, (base, name_key(f"{base} [column {position}]")))
            for position, (label, base, nth) in enumerate(places, start=1)
        ]

    def meaning(self, label: str, nth: int = 1, others: Sequence[str] = ()) -> Meaning:
        """Declared mapping first, then declared ignores, the contract's own names, its synonyms."""
        found = self.recognise(label, nth, others)
        if found is not None:
            return found
        return Meaning(None, "ignored" if self.ignore_rest else "unknown")

    def recognise(self, label: str, nth: int = 1, others: Sequence[str] = ()) -> Meaning | None:
        """The meaning that is written down somewhere for the nth column of this name, or None.

        ``others`` are further names of the column, the one in the file first.
        """
        named = name_key(plain(label))
        base = others[0] if others else named
        keys = [f"{base}#{nth}", name_key(label), *others[1:], named, base]
        for key in dict.fromkeys(keys):
            if key in self.declared:
                return Meaning(self.declared[key], "declared")
            if key in self.ignored:
                return Meaning(None, "ignored")
        if named in self.names:
            return Meaning(self.names[named], "name")
        if named in self.synonyms:
            return Meaning(self.synonyms[named], "synonym")
        return None

    def targets(self, labels: Sequence[str], bases: Sequence[str] = ()) -> set[str]:
        """The contract's columns that a header names."""
        return {meaning.target for meaning in self.meanings(labels, bases) if meaning.target is not None}

    def score(self, cells: Iterable[str | None]) -> int:
        """How many different contract columns a row of cells names."""
        given = [cell for cell in cells if cell and cell.strip()]
        if not self.declared and not self.ignored:
            # Most rows are no header, and are asked once for each way of splitting them.
            known = {self.names.get(key) or self.synonyms.get(key) for key in map(name_key, map(plain, given))}
            return len(known - {None})
        found = (self.recognise(cell, nth) for cell, nth in zip(given, occurrences(given), strict=True))
        return len({meaning.target for meaning in found if meaning is not None and meaning.target is not None})


def vocabulary(contract: Contract, source: Source | None = None) -> Vocabulary:
    """The names known for a contract, with those that a source declares."""
    names = {name_key(column.name): column.name for column in contract.columns}
    synonyms = {
        name_key(synonym): column.name
        for column in contract.columns
        for synonym in column.synonyms
        if name_key(synonym) not in names
    }
    if source is None:
        return Vocabulary(names=names, synonyms=synonyms)
    return Vocabulary(
        declared={name_key(theirs): ours for theirs, ours in source.columns.items()},
        ignored=frozenset(name_key(name) for name in source.ignore if name != "*"),
        names=names,
        synonyms=synonyms,
        ignore_rest="*" in source.ignore,
    )
