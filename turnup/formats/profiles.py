"""Tables whose columns are known: exports of tools that everybody uses, recognised by their header.

A profile is data: which header names prove it, and what a person would otherwise write into the source. What a source
declares itself always wins. ``Rack#2`` means the second column that is named Rack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from turnup.formats.model import Format, RawTable, Request
from turnup.formats.tabular.header import searched
from turnup.formats.tabular.names import name_key
from turnup.formats.tabular.records import Record
from turnup.value_keys import typing_under

if TYPE_CHECKING:
    from turnup.programme import Source


@dataclass(frozen=True)
class Profile:
    """A known table.

    Attributes:
        name: what ``format:`` of a source may say.
        title: what it is, for people.
        dataset: the dataset it feeds, or None for a table that is only described.
        signature: header names that stand together in one row, in any spelling.
        columns: their name to ours.
        ignore: their columns that mean nothing here.
        values: as in a source.
        defaults: as in a source.
        typing: how its values are written, with the keys of a source (``dates``, ``reasons``, ``references`` ...).
        finish: adds figures, findings or derived cells to what was read; the row as delivered is in ``_given``.
    """

    name: str
    title: str
    dataset: str | None
    signature: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    typing: Mapping[str, Any] = field(default_factory=dict)
    finish: Callable[[RawTable], RawTable] | None = None

    def read(self, form: Format, request: Request) -> RawTable:
        """Read a file as this table; ``request.source`` is overlaid already."""
        return self.completed(form.parse(request), request.source)

    def completed(self, table: RawTable, source: Source) -> RawTable:
        """Rows that were read under the overlaid source as this table.

        A column that the profile knows and does not need may be absent without a word.
        """
        proof = {name_key(name) for name in self.signature}
        spared = {name for name in self.columns if name_key(name) not in proof}
        findings = tuple(
            finding
            for finding in table.findings
            if finding.code != "declared_column_absent" or finding.column not in spared
        )
        table = replace(table, format=self.name, findings=findings, source=source)
        finished = self.finish(table) if self.finish is not None else table
        own = {fact.name: fact for fact in finished.facts}
        return replace(finished, facts=tuple(own.values()))


def fitting(tables: Sequence[Sequence[Record]], choices: Sequence[Profile]) -> Profile | None:
    """The profile with the longest signature of which one row of some table has every name, or None."""
    rows = [{name_key(cell) for cell in record.cells if cell} for records in tables for record in searched(records)]
    fits = [
        profile
        for profile in choices
        if any({name_key(name) for name in profile.signature} <= row for row in rows if row)
    ]
    return max(fits, key=lambda profile: (len(profile.signature), profile.name), default=None)


def overlaid(source: Source, profile: Profile) -> Source:
    """The source with what the profile knows beneath what it declares."""
    taken = {*source.columns.values()}
    theirs = {name_key(name) for name in (*source.columns, *source.ignore)}
    own = {name: ours for name, ours in profile.columns.items() if name_key(name) not in theirs}
    columns = {name: ours for name, ours in own.items() if ours not in taken} | source.columns
    unused = tuple(name for name, ours in own.items() if ours in taken)
    values = {column: dict(table) for column, table in profile.values.items()}
    for column, table in source.values.items():
        values[column] = values.get(column, {}) | table
    return source.model_copy(
        update={
            "format": "auto",
            "columns": columns,
            "ignore": (*source.ignore, *profile.ignore, *unused),
            "values": values,
            "defaults": {**profile.defaults, **source.defaults},
            **typing_under(source, profile.typing),
        }
    )
