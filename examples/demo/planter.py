"""The tools to spoil a file and note it in the truth: one cell, one row, one file at a time.

Belongs here: edits and their records. Does not: which defects there are (``defects``, ``contradictions``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from examples.demo.configuration import programme
from examples.demo.sheet import Cell, Drop
from examples.demo.truth import Arrival, Defect, Truth
from examples.demo.weeks import label


@dataclass(frozen=True)
class Place:
    """A row of a file."""

    drop: Drop
    index: int

    @property
    def row(self) -> int:
        """Row number as a reader counts."""
        return self.drop.table.line(self.index, self.drop.dialect.kind)


class Planter:
    """Edits drops and records what was done to them."""

    def __init__(self, drops: list[Drop], truth: Truth) -> None:
        """Take the files of the story and the truth to write to."""
        self.drops = drops
        self._truth = truth
        self._sources: dict[str, dict[str, Any]] = programme()["sources"]

    def file(self, name: str) -> Drop:
        """Return the newest drop of this name."""
        found = [drop for drop in self.drops if drop.name == name]
        if not found:
            raise LookupError(f"no file {name}")
        return found[-1]

    def place(self, name: str, **where: Cell) -> Place:
        """Return the one row of a file whose cells hold these values."""
        drop = self.file(name)
        return Place(drop, drop.table.find(**where))

    def cell(self, place: Place, column: str, value: Cell) -> Place:
        """Overwrite a cell, named by the sender's column."""
        table = place.drop.table
        table.rows[place.index][table.index(column)] = value
        return place

    def append(self, name: str, row: list[Cell]) -> Place:
        """Add a row at the end of a file's table."""
        table = self.file(name).table
        table.rows.append(row)
        return Place(self.file(name), len(table.rows) - 1)

    def refused(
        self, defect: str, rule: str, place: Place, week: int, until: int | None, column: str, note: str
    ) -> None:
        """Record a row that must be quarantined; ``column`` is the sender's, empty when the whole row is at fault."""
        table = place.drop.table
        given = table.rows[place.index][table.index(column)] if column in table.columns else ""
        mapping = self._sources[place.drop.source].get("columns", {})
        self.refused_line(defect, rule, place.drop, place.row, week, until, note, column=mapping.get(column, column),
                          value="" if given is None else str(given))  # fmt: skip

    def refused_line(
        self, defect: str, rule: str, drop: Drop, row: int, week: int, until: int | None, note: str, **more: Any
    ) -> None:
        """Record a line of a file that must be quarantined."""
        resolved = None if until is None else label(until)
        self._add(Defect(
            defect, "quarantine", rule, self._dataset(drop), label(week), note, file=drop.path, row=row,
            resolved=resolved, **more
        ))  # fmt: skip

    def file_fault(
        self, defect: str, code: str, drop: Drop, week: int, until: int | None, note: str, **more: Any
    ) -> None:
        """Record a finding about a whole file."""
        resolved = None if until is None else label(until)
        self._add(Defect(
            defect, "file", code, self._dataset(drop), label(week), note, file=drop.path, resolved=resolved, **more
        ))  # fmt: skip

    def contradiction(
        self, defect: str, code: str, dataset: str, week: int, until: int | None, note: str, **more: Any
    ) -> None:
        """Record a finding that the rows of one or more files must give."""
        resolved = None if until is None else label(until)
        self._add(Defect(defect, "finding", code, dataset, label(week), note, resolved=resolved, **more))

    def expectation(self, defect: str, name: str, dataset: str, column: str, week: int, until: int, note: str) -> None:
        """Record an expectation of a contract that must fail with severity error."""
        self._add(Defect(defect, "expectation", name, dataset, label(week), note, column=column, resolved=label(until)))

    def escalation(self, defect: str, rule: str, subject: str, week: int, until: int | None, note: str) -> None:
        """Record an escalation that a rule of programme.yaml must raise for these weeks."""
        resolved = None if until is None else label(until)
        self._add(Defect(defect, "escalation", rule, "", label(week), note, subject=subject, resolved=resolved))

    def arrival(self, kind: str, drop: Drop, week: int, note: str) -> None:
        """Record an unusual arrival."""
        self._truth.arrivals.append(
            Arrival(kind, drop.path, drop.received.isoformat(timespec="minutes"), label(week), note)
        )

    def send(self, drop: Drop) -> Drop:
        """Add a file."""
        self.drops.append(drop)
        return drop

    def withhold(self, name: str) -> None:
        """Take a file out: it was never sent."""
        self.drops.remove(self.file(name))

    def move(self, name: str, received: datetime) -> Drop:
        """Let a file arrive at another time."""
        old = self.file(name)
        new = replace(old, received=received)
        self.drops[self.drops.index(old)] = new
        return new

    def _add(self, defect: Defect) -> None:
        self._truth.defects.append(defect)

    def _dataset(self, drop: Drop) -> str:
        return str(self._sources[drop.source]["dataset"])
