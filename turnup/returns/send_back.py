"""What goes back to an owner for one week: rows to correct, files and rows that were refused, rows that do not fit.

Belongs here: the records, and the mark by which a returned workbook is known. Does not: finding them (``open_rows``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from turnup.returns.marker import Marker, Original, Place, as_read, digest, row_id

Cells = dict[str, str | None]
_OFTEN_RESPELLED = re.compile(r":|_x000D_")
"""Texts that a reader of workbooks may spell differently: times and dates, escaped carriage returns."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a row.

    ``columns`` are labels of the file (none for a fault of the whole row); a doubtful row counts, a refused one does
    not.
    """

    columns: tuple[str, ...]
    kind: Literal["refused", "doubtful"]
    rule: str
    expected: str
    message: str


@dataclass(frozen=True)
class OpenRow:
    """A row that goes back.

    Attributes:
        row: its number in the file.
        cells: what it says: as delivered, or as it came back the last time.
        faults: what is wrong with it.
        first: as first delivered, when it came back since, else None.
        returned_in: the file in which it came back.
    """

    row: int
    cells: Cells
    faults: tuple[Fault, ...]
    first: Cells | None = None
    returned_in: str = ""


@dataclass(frozen=True)
class OpenTable:
    """The open rows of one table of one delivered file, in its order."""

    original: Original
    dataset: str
    rows: tuple[OpenRow, ...]

    def count(self, kind: str) -> int:
        """Rows with a fault of this kind."""
        return sum(any(fault.kind == kind for fault in row.faults) for row in self.rows)


@dataclass(frozen=True)
class Unsendable:
    """A fault of a row that cannot be corrected in a workbook: of a log, an interchange, an unreadable line."""

    file: str
    sheet: str
    row: int | None
    column: str
    value: str
    message: str


@dataclass(frozen=True)
class Taken:
    """A row that counts and does not fit the rest of the programme: an unknown reference, a move nobody decided."""

    file: str
    sheet: str
    row: int
    code: str
    subject: str
    message: str


@dataclass(frozen=True)
class RefusedFile:
    """A file that was not read at all, and no readable one came after it."""

    file: str
    source: str
    received_at: datetime
    code: str
    message: str


@dataclass(frozen=True)
class SendBack:
    """Everything that goes back to one owner for one week; rows that were taken need no answer in the workbook."""

    programme: str
    week: str
    closes_at: datetime
    owner: str
    tables: tuple[OpenTable, ...] = ()
    unsendable: tuple[Unsendable, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    taken: tuple[Taken, ...] = ()

    @property
    def rows(self) -> int:
        """Rows to correct in the workbook."""
        return sum(len(table.rows) for table in self.tables)

    def marker(self) -> Marker:
        """By what the workbook is known when it returns."""
        rows, spelled = {}, {}
        read = self._read_back()
        for number, table in enumerate(self.tables):
            for item in table.rows:
                key = row_id(table.original, item.row)
                rows[key] = Place(
                    number, item.row, digest(_cell(item, label, read) for label in table.original.columns)
                )
                for label, text in item.cells.items():
                    if text is not None and read.get(text, text) != text:
                        spelled[key, label] = text
        return Marker(self.week, self.owner, tuple(table.original for table in self.tables), rows, spelled)

    def _read_back(self) -> dict[str, str | None]:
        """Texts that a reader of workbooks may spell differently, as it does; all at once, for there may be many."""
        every = (text for table in self.tables for item in table.rows for text in item.cells.values())
        return as_read(dict.fromkeys(text for text in every if text is not None and _OFTEN_RESPELLED.search(text)))


def _cell(item: OpenRow, label: str, read: Mapping[str, str | None]) -> str | None:
    text = item.cells.get(label)
    return read.get(text, text) if text is not None else None
