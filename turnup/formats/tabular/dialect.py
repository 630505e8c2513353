"""Which character separates the fields: proved by equal widths and the contract's names, never by one sniffer alone."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from turnup.formats.tabular.careful import lines_of
from turnup.formats.tabular.names import Vocabulary

CANDIDATES = (",", ";", "\t", "|")
_SAMPLE = 200
_HEAD = 65_536
_SEPARATORS = {";": 1, "\t": 1, r"\|": 1, ",": 1, r"\^": 1, "~": 1, ":": 2, r" {2,}": 1}
"""What may separate fields, as a pattern, and how often a line has it at least; colons also stand in times."""


@dataclass(frozen=True)
class Proof:
    """How well a delimiter fits the head of a file."""

    delimiter: str
    score: int
    share: float
    width: int

    @property
    def proved(self) -> bool:
        """Whether most rows have one width of more than one column."""
        return self.width > 1 and self.share >= 0.5

    @property
    def rank(self) -> tuple[int, float, int]:
        """Order of proofs: names found in rows of equal width, then the share of such rows, then the width."""
        return (self.score if self.proved else 0, self.share if self.width > 1 else 0.0, self.width)


def prove(text: str, names: Vocabulary) -> Proof:
    """The best delimiter; clevercsv decides where two fit equally well."""
    head = _head(text)
    proofs = sorted((_proof(head, delimiter, names) for delimiter in CANDIDATES), key=lambda proof: proof.rank)
    best = proofs[-1]
    rivals = [proof for proof in proofs if proof.rank[:2] == best.rank[:2] and proof.width > 1]
    if len(rivals) > 1:
        proposed = _proposal(head)
        best = next((proof for proof in rivals if proof.delimiter == proposed), best)
    return best if best.width > 1 else _proof(head, ",", names)


def _head(text: str) -> str:
    if len(text) <= _HEAD:
        return text
    end = text.rfind("\n", 0, _HEAD)
    return text[: end + 1] if end > 0 else text[:_HEAD]


def _proof(head: str, delimiter: str, names: Vocabulary) -> Proof:
    rows = sample(head, delimiter)
    scores = [names.score(row) for row in rows]
    score = max(scores, default=0)
    body = rows[scores.index(score) :] if score else rows
    widths = Counter(len(row) for row in body if any(row))
    if not widths:
        return Proof(delimiter, 0, 0.0, 0)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    return Proof(delimiter, score, count / sum(widths.values()), width)


def sample(head: str, delimiter: str) -> list[list[str]]:
    """The first rows under a delimiter, read leniently."""
    rows: Sequence[list[str]] = []
    try:
        rows = list(islice(csv.reader(lines_of(head), delimiter=delimiter), _SAMPLE))
    except csv.Error:
        rows = [line.split(delimiter) for line in lines_of(head)[:_SAMPLE]]
    return list(rows)


def unsplit(text: str, delimiter: str) -> str | None:
    """The character that seems to separate the fields of a text which the delimiter leaves in one column."""
    head = _head(text)
    rows = [row for row in sample(head, delimiter) if any(row)]
    if len(rows) < 2 or sum(len(row) == 1 for row in rows) * 10 < len(rows) * 9:
        return None
    lines = [row[0] for row in rows if len(row) == 1]
    for other, least in _SEPARATORS.items():
        counts = [len(re.findall(other, line.strip())) for line in lines]
        count, share = Counter(counts).most_common(1)[0]
        if count >= least and counts[0] == count and share * 10 >= len(lines) * 9 and other != re.escape(delimiter):
            return other
    return None


def _proposal(head: str) -> str | None:
    import clevercsv

    try:
        found = clevercsv.Sniffer().sniff(head[:8_192], delimiters=list(CANDIDATES))
    except (clevercsv.Error, ValueError, IndexError):
        return None
    return str(found.delimiter) if found is not None else None
