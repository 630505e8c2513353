"""From the file's columns to the contract's: every column is mapped, ignored by rule, or stops the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from turnup.formats.model import ColumnMapping, FileRejected, Finding
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import name_key, occurrences, plain, vocabulary
from turnup.formats.tabular.tabulate import Table

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source


_SENT_BACK = "sent_back:"
"""How the columns begin that a send-back adds to those of the file."""


@dataclass(frozen=True)
class Mapped:
    """The mapping of one table: what became of each column, and which column fills which target."""

    columns: tuple[ColumnMapping, ...]
    targets: dict[str, str]
    findings: tuple[Finding, ...] = ()


def nearest(name: str, contract: Contract) -> tuple[str, float]:
    """The contract column whose name or synonym looks most like a header, and how much (0 to 1); a proposal only."""
    choices = {name_key(column.name): column.name for column in contract.columns}
    choices |= {name_key(text): column.name for column in contract.columns for text in column.synonyms}
    found = process.extractOne(name_key(plain(name)), sorted(choices), scorer=_likeness)
    return (choices[found[0]], found[1] / 100) if found else ("", 0.0)


def _likeness(left: str, right: str, **_: object) -> float:
    """Letters in order, or words in any order, whichever is closer (0 to 100)."""
    words = fuzz.token_sort_ratio(left.replace("_", " "), right.replace("_", " "))
    return float(max(fuzz.ratio(left, right), words))


def map_columns(table: Table, source: Source, contract: Contract) -> Mapped:
    """Map every label of a header.

    An unnamed column without any value is left out; what stands beside the table is ignored by rule.

    Raises:
        FileRejected: ``unknown_column``, ``column_collision``, ``duplicate_column`` or ``missing_column``.
    """
    known = vocabulary(contract, source)
    header, empty = table.header, table.empty_columns
    names, place = header.names, _Place(header, table.sheet)
    beside = {names[index] for index in table.beside}
    columns: list[ColumnMapping] = []
    targets: dict[str, str] = {}
    findings: list[Finding] = []
    meanings = dict(zip(names, known.meanings(names, header.bases), strict=True))
    for name, meaning in meanings.items():
        if plain(name) == "unnamed" and name in empty:
            continue
        if meaning.how == "unknown" and name in beside:
            columns.append(ColumnMapping(name, None, "ignored"))
            continue
        if meaning.how == "unknown":
            others = [other for other in names if other != name and meanings[other].how == "unknown"]
            raise _unknown(name, [other for other in others if other not in empty], place, contract)
        if meaning.target is not None:
            if meaning.target in targets:
                raise _collision(meaning.target, targets[meaning.target], name, place)
            targets[meaning.target] = name
        columns.append(ColumnMapping(name, meaning.target, meaning.how))
    _require(targets, place, source, contract)
    seen = _spellings(header)
    for theirs, ours in sorted(source.columns.items()):
        if name_key(theirs) not in seen:
            message = f"the source maps the column '{theirs}' to {ours}, but {place.whole} has no such column"
            findings.append(Finding("declared_column_absent", "warning", header.row, theirs, None, message))
    return Mapped(tuple(columns), targets, tuple(findings))


@dataclass(frozen=True)
class _Place:
    """Where a header stands, in words."""

    header: Header
    sheet: str | None

    @property
    def row(self) -> int:
        return self.header.row

    @property
    def whole(self) -> str:
        return f"the sheet '{self.sheet}'" if self.sheet else "the file"

    def __str__(self) -> str:
        return f"header in {self.header.place}" + (f" of the sheet '{self.sheet}'" if self.sheet else "")


def _spellings(header: Header) -> set[str]:
    """Every name under which a source may mean a column of this header."""
    bases = [name_key(plain(base)) for base in (header.bases or header.names)]
    plains = {name_key(plain(name)) for name in header.names}
    numbered = {f"{key}#{nth}" for key, nth in zip(bases, occurrences(bases), strict=True)}
    placed = {name_key(f"{key} [column {position}]") for position, key in enumerate(bases, start=1)}
    return {*map(name_key, header.names), *plains, *bases, *numbered, *placed}


def _unknown(name: str, others: Sequence[str], place: _Place, contract: Contract) -> FileRejected:
    if name_key(name).startswith(_SENT_BACK):
        message = (
            f"a send-back without its hidden sheet ({place}): saved in another format, or copied. Its rows are not read"
            ", and must not be read as a whole file; correct them in the workbook itself and return that"
        )
        return FileRejected("send_back_copy", message, row=place.row, column=name, value=name, expected="the workbook")
    close, likeness = nearest(name, contract)
    near = likeness >= 0.6
    guess = f"nearest column of {contract.name}: {close}" if near else f"no column of {contract.name} is near"
    map_it = f'columns: {{"{name}": {close if near else "<column>"}}}'
    message = (
        f"the column '{name}' ({place}) is unknown; {guess}. In the source of programme.yaml write either "
        f'{map_it} or ignore: ["{name}"]' + (f"; also unknown: {', '.join(others[:20])}" if others else "")
    )
    return FileRejected("unknown_column", message, row=place.row, column=name, value=name, expected=close)


def _collision(target: str, first: str, second: str, place: _Place) -> FileRejected:
    same = name_key(plain(first)) == name_key(plain(second))
    message = (
        f"the columns '{first}' and '{second}' ({place}) both mean {target}; in the source of "
        f'programme.yaml write columns: {{"{first}": {target}}} and ignore: ["{second}"], or the other way round'
    )
    code = "duplicate_column" if same else "column_collision"
    return FileRejected(code, message, row=place.row, column=second, value=second, expected=target)


def _require(targets: dict[str, str], place: _Place, source: Source, contract: Contract) -> None:
    for column in contract.columns:
        filled = column.name in targets or column.name in source.defaults
        if column.required and not filled and column.default is None and column.fallback is None:
            message = (
                f"the required column {column.name} of {contract.name} is missing ({place}). In the source "
                f'of programme.yaml write columns: {{"<their name>": {column.name}}} '
                f"or defaults: {{{column.name}: <value>}}"
            )
            raise FileRejected("missing_column", message, row=place.row, column=column.name, expected=column.name)
