"""From the file's columns to the contract's: every column is mapped, ignored by rule, or stops the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from turnup.formats.model import ColumnMapping, FileRejected, Finding
from turnup.formats.tabular.names import name_key, occurrences, plain, vocabulary

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source


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


def map_columns(names: Sequence[str], row: int, empty: frozenset[str], source: Source, contract: Contract) -> Mapped:
    """Map every label of a header.

    ``empty`` are the columns without any value: an unnamed one of them is left out.

    Raises:
        FileRejected: ``unknown_column``, ``column_collision``, ``duplicate_column`` or ``missing_column``.
    """
    known = vocabulary(contract, source)
    columns: list[ColumnMapping] = []
    targets: dict[str, str] = {}
    findings: list[Finding] = []
    meanings = dict(zip(names, known.meanings(names), strict=True))
    for name, meaning in meanings.items():
        if plain(name) == "unnamed" and name in empty:
            continue
        if meaning.how == "unknown":
            others = [other for other in names if other != name and meanings[other].how == "unknown"]
            raise _unknown(name, [other for other in others if other not in empty], row, contract)
        if meaning.target is not None:
            if meaning.target in targets:
                raise _collision(meaning.target, targets[meaning.target], name, row)
            targets[meaning.target] = name
        columns.append(ColumnMapping(name, meaning.target, meaning.how))
    _require(targets, row, source, contract)
    plains = [name_key(plain(name)) for name in names]
    seen = {*map(name_key, names), *plains, *(f"{key}#{n}" for key, n in zip(plains, occurrences(names), strict=True))}
    for theirs, ours in sorted(source.columns.items()):
        if name_key(theirs) not in seen:
            message = f"the source maps the column '{theirs}' to {ours}, but the file has no such column"
            findings.append(Finding("declared_column_absent", "warning", row, theirs, None, message))
    return Mapped(tuple(columns), targets, tuple(findings))


def _unknown(name: str, others: Sequence[str], row: int, contract: Contract) -> FileRejected:
    close, likeness = nearest(name, contract)
    near = likeness >= 0.6
    guess = f"nearest column of {contract.name}: {close}" if near else f"no column of {contract.name} is near"
    map_it = f'columns: {{"{name}": {close if near else "<column>"}}}'
    message = (
        f"the column '{name}' (header in row {row}) is unknown; {guess}. In the source of programme.yaml write either "
        f'{map_it} or ignore: ["{name}"]' + (f"; also unknown: {', '.join(others[:20])}" if others else "")
    )
    return FileRejected("unknown_column", message, row=row, column=name, value=name, expected=close)


def _collision(target: str, first: str, second: str, row: int) -> FileRejected:
    same = name_key(plain(first)) == name_key(plain(second))
    message = (
        f"the columns '{first}' and '{second}' (header in row {row}) both mean {target}; in the source of "
        f'programme.yaml write columns: {{"{first}": {target}}} and ignore: ["{second}"], or the other way round'
    )
    code = "duplicate_column" if same else "column_collision"
    return FileRejected(code, message, row=row, column=second, value=second, expected=target)


def _require(targets: dict[str, str], row: int, source: Source, contract: Contract) -> None:
    for column in contract.columns:
        filled = column.name in targets or column.name in source.defaults
        if column.required and not filled and column.default is None and column.fallback is None:
            message = (
                f"the required column {column.name} of {contract.name} is missing (header in row {row}). In the source "
                f'of programme.yaml write columns: {{"<their name>": {column.name}}} '
                f"or defaults: {{{column.name}: <value>}}"
            )
            raise FileRejected("missing_column", message, row=row, column=column.name, expected=column.name)
