"""Which dataset a header belongs to, and what its columns may mean: proposals with a reason and a confidence.

Names and synonyms of a contract are accepted as in reading. Content and likeness are only proposed: a likeness is never
written into a source by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.formats.inspected import ColumnProposal
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.header_search import search
from turnup.formats.tabular.mapping import nearest
from turnup.formats.tabular.names import Meaning, Vocabulary, name_key, plain, vocabulary
from turnup.formats.tabular.records import Record

if TYPE_CHECKING:
    from expectations.contract import Contract

_LIKELY = 0.75
_CONTENT = 0.9
_SEEN = 100
_GENERIC = frozenset(
    {
        *("id", "name", "type", "status", "state", "description", "notes", "comment", "value", "date", "created"),
        *("updated", "version", "model", "title", "number", "key"),
    }
)
"""Names that any table may have: they say nothing about the dataset."""


@dataclass(frozen=True)
class Fit:
    """How well a contract fits a file."""

    dataset: str
    header: Header
    named: int
    telling: int
    required: float
    covered: float
    hinted: bool

    @property
    def likely(self) -> bool:
        """Whether enough speaks for the dataset: telling names, and most required columns or most of the file."""
        enough = self.required >= 0.5 and (self.named > 2 or self.covered >= 0.5) and self.covered >= 0.2
        return self.telling > 0 and (enough or (self.named > 1 and self.covered >= 0.5))

    @property
    def rank(self) -> tuple[float, str]:
        """Fits compare by named columns, required columns filled, columns of the file explained, and the file name."""
        score = self.named * (0.5 + self.covered) + 3 * self.required + (4 if self.hinted else 0)
        return (score, self.dataset)


def best_fit(records: Sequence[Record], name: str, contracts: Mapping[str, Contract]) -> Fit | None:
    """The dataset whose names explain the file best, or None when no contract names two of its columns."""
    fits = [_fit(records, name, contract) for _, contract in sorted(contracts.items())]
    return max((fit for fit in fits if fit is not None and fit.likely), key=lambda fit: fit.rank, default=None)


def _fit(records: Sequence[Record], name: str, contract: Contract) -> Fit | None:
    names = vocabulary(contract)
    header, named = search(records, names)
    if header is None:
        return None
    meanings = _meanings(header, names)
    known = [label for label, meaning in zip(header.names, meanings, strict=True) if meaning]
    found = {meaning.target for meaning in meanings if meaning}
    telling = sum(name_key(plain(label)) not in _GENERIC for label in known)
    required = [column.name for column in contract.columns if column.required and column.default is None]
    share = sum(column in found for column in required) / len(required) if required else 1.0
    covered = named / header.named if header.named else 0.0
    words = name_key(name.rpartition("/")[2].rpartition(".")[0])
    hinted = contract.name in words or contract.name.rstrip("s") in words.split("_")
    return Fit(contract.name, header, named, telling, share, covered, hinted)


def _meanings(header: Header, names: Vocabulary) -> list[Meaning | None]:
    """The meaning of each column, None where it has none."""
    found = names.meanings(header.names, header.bases)
    return [meaning if meaning.how != "unknown" else None for meaning in found]


def propose(header: Header, body: Sequence[Record], contract: Contract) -> list[ColumnProposal]:
    """A proposal for every column of a header; each contract column is taken once."""
    names = vocabulary(contract)
    meanings = _meanings(header, names)
    taken: dict[str, str] = {}
    for how in ("name", "synonym"):
        for label, meaning in zip(header.names, meanings, strict=True):
            if meaning is not None and meaning.how == how and meaning.target is not None:
                taken.setdefault(meaning.target, label)
    used = set(taken)
    proposals = []
    for index, (label, meaning) in enumerate(zip(header.names, meanings, strict=True)):
        target = meaning.target if meaning is not None else None
        if target is None:
            proposals.append(_weaker(label, index, body, contract, used))
        elif taken[target] != label:
            reason = f"also means {target}, which '{taken[target]}' fills"
            proposals.append(ColumnProposal(label, None, "none", reason, 0.0))
        else:
            proposals.append(_known(label, target, named=name_key(plain(label)) in names.names))
    return proposals


def _known(label: str, target: str, *, named: bool) -> ColumnProposal:
    if named:
        return ColumnProposal(label, target, "name", "the contract's own name", 1.0)
    return ColumnProposal(label, target, "synonym", f"a known name of {target}", 0.95)


def _weaker(label: str, index: int, body: Sequence[Record], contract: Contract, used: set[str]) -> ColumnProposal:
    """By content, then by likeness, else nothing."""
    values = [text for record in body[:_SEEN] if (text := record.cell(index))]
    by_content = _by_content(values, contract, used)
    if by_content is not None:
        target, share = by_content
        used.add(target)
        reason = f"{share:.0%} of its values are values of {target}"
        return ColumnProposal(label, None, "content", reason, round(0.8 * share, 2), target)
    target, likeness = nearest(label, contract)
    if target and target not in used and likeness >= _LIKELY and plain(label) != "unnamed":
        reason = f"looks like {target} or one of its known names ({likeness:.0%})"
        return ColumnProposal(label, None, "fuzzy", reason, round(0.6 * likeness, 2), target)
    return ColumnProposal(label, None, "none", "no column of the contract has this name", 0.0)


def _by_content(values: Sequence[str], contract: Contract, used: set[str]) -> tuple[str, float] | None:
    """The enumerated column whose allowed values these are, when they are at least two different ones."""
    keys = [value.casefold() for value in values]
    if len(set(keys)) < 2:
        return None
    shares = [
        (sum(key in allowed for key in keys) / len(keys), column.name)
        for column in contract.columns
        if column.type == "enum"
        and column.name not in used
        and (allowed := {text.casefold() for text in column.values})
    ]
    share, name = max(shares, default=(0.0, ""))
    return (name, share) if share >= _CONTENT else None
