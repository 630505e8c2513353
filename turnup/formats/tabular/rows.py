"""What each row below the header is: data, blank, comment, repeated header, total, footer note, or refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import name_key
from turnup.formats.tabular.records import Record

Kind = Literal["data", "blank", "comment", "header", "total", "footer", "side", "rejected"]

_LAST_LINES = 5
TOTAL_PATTERN = r"(?i)^(?:grand[ -]|sub[ -]?)?(?:totals?|sum|summe|gesamt)\s*:?$"
_TOTAL = re.compile(TOTAL_PATTERN)
_NOTE = re.compile(
    r"(?i)^(?:\*+|notes?\b|source\b|generated\b|exported\b|prepared\b|printed\b|created\b|end of\b|confidential\b|"
    r"disclaimer\b|page \d|report\b|legend\b|footer\b|\(c\)|©|-{3,}|={3,})"
)


_MANY, _ONE = "(?:rows|records|lines|entries|line items)", "(?:row|record|line|entry|item)"
_DONE = "(?:count|total|in all|in set|selected|exported|returned|written)"
_NUMBER = r"(\d[\d,]*)"
_STATED = tuple(
    re.compile(rf"(?i)^\W*{pattern}\W*$")
    for pattern in (
        rf"(?:total |number of |no\.? of )*{_MANY}(?: {_DONE})?\W*?{_NUMBER}",
        rf"(?:total )?{_ONE}[ _-]?count\W*?{_NUMBER}",
        rf"(?:total\W+)?{_NUMBER} (?:{_MANY}|{_ONE})(?: {_DONE})?",
    )
)


def stated_count(record: Record) -> int | None:
    """How many rows a control line says there are (``Total rows: 123``, ``(123 rows)``), or None when it is none."""
    if not record.filled or len(record.filled) > 3:
        return None
    text = " ".join(record.filled)[:200]
    found = next((match for pattern in _STATED if (match := pattern.match(text))), None)
    return int(found.group(1).replace(",", "")) if found else None


@dataclass(frozen=True)
class Sorted:
    """A row with its kind; ``why`` is the rule that refused it, ``stated`` how many rows it says there are."""

    record: Record
    kind: Kind
    why: str = ""
    stated: int | None = None


@dataclass(frozen=True)
class Sorter:
    """Decides row by row; ``required`` are the positions of columns that no data row may lack.

    ``fixed`` is true for sheets, where every row has the width of the sheet and only the text tells a note from data.
    """

    header: Header
    required: tuple[int, ...]
    fixed: bool

    def sort(self, records: Sequence[Record], last_plain: int = 0, held: int = 0) -> list[Sorted]:
        """Sort rows in file order; ``last_plain`` is the last of ``held`` data rows that are known already."""
        rows = [self._sort_one(record) for record in records]
        rows = self._with_count(rows, last_plain, held)
        plain = (row.record.row for row in rows if row.kind == "data" and self._plain(row.record))
        return self._with_footers(rows, max([last_plain, *plain]))

    def _with_count(self, rows: list[Sorted], last_plain: int, held: int) -> list[Sorted]:
        """A line near the end that states the number of rows is a control total; a row of data is none by its words."""
        shown = [index for index, row in enumerate(rows) if row.kind != "blank" and row.record.row > last_plain]
        for index in reversed(shown[-_LAST_LINES:]):
            row = rows[index]
            stated = stated_count(row.record)
            if stated is None or row.kind not in ("data", "rejected"):
                continue
            read = held + sum(other.kind in ("data", "rejected") for other in rows[:index])
            if stated == read or not self._plain(row.record):
                return [*rows[:index], Sorted(row.record, "total", stated=stated), *rows[index + 1 :]]
        return rows

    def _plain(self, record: Record) -> bool:
        if record.fault or len(record.cells) < self.header.least or self._early(record) is not None:
            return False
        if self.required:
            return all(record.cell(index) for index in self.required)
        return len(record.filled) * 2 >= self.header.named

    def _early(self, record: Record) -> Kind | None:
        if not record.filled:
            return "blank"
        if self._comment(record):
            return "comment"
        if _TOTAL.match(record.filled[0]):
            return "total"
        if self._repeats_header(record):
            return "header"
        if len(record.cells) <= self.header.width and not any(map(record.cell, range(self.header.least))):
            return "side"
        return None

    def _comment(self, record: Record) -> bool:
        first = record.cell(0)
        if not first.startswith("#"):
            return False
        alone = self.header.named > 1 and len(record.filled) == 1
        return alone or len(record.cells) < self.header.least or first.startswith("# ")

    def _repeats_header(self, record: Record) -> bool:
        keys = [name_key(cell or "") for cell in record.cells[: self.header.width]]
        return len(record.filled) > 1 and tuple(keys) == self.header.keys

    def _sort_one(self, record: Record) -> Sorted:
        if record.fault:
            return Sorted(record, "rejected", record.fault)
        if any("\0" in cell for cell in record.filled):
            return Sorted(record, "rejected", "nul_byte")
        early = self._early(record)
        if early is not None:
            return Sorted(record, early)
        width = self.header.width
        if len(record.cells) < self.header.least or any(record.cell(i) for i in range(width, len(record.cells))):
            return Sorted(record, "rejected", "width")
        return Sorted(record, "data")

    def _with_footers(self, rows: list[Sorted], last: int) -> list[Sorted]:
        """Rows after the last plain row that read like notes are footer; all others stay what they are."""
        tail = [row for row in rows if row.record.row > last and row.kind in ("data", "rejected")]
        if not tail or self.header.named <= 1:
            return rows
        apart = {row.record.row for row in rows if row.kind in ("blank", "total", "comment")}
        if self.fixed:
            notes = self._sheet_notes(tail, apart)
        else:
            notes = self._text_notes(tail, apart)
        return [Sorted(row.record, "footer") if row.record.row in notes else row for row in rows]

    def _sheet_notes(self, tail: list[Sorted], apart: set[int]) -> set[int]:
        few = max(1, self.header.named // 2)
        block = [row.record for row in tail if len(row.record.filled) <= few]
        if len(block) < len(tail):
            return set()
        prose = any(" " in text and len(text) >= 8 for record in block for text in record.filled)
        detached = block[0].row - 1 in apart
        return {record.row for record in block} if prose or detached else set()

    def _text_notes(self, tail: list[Sorted], apart: set[int]) -> set[int]:
        notes: set[int] = set()
        for row in tail:
            record = row.record
            first = record.cell(0)
            if len(record.filled) != 1 or not first:
                continue
            detached = record.row - 1 in apart or record.row - 1 in notes
            if detached and (" " in first or _NOTE.match(first)):
                notes.add(record.row)
            elif record.ended and _NOTE.match(first) and " " in first:
                notes.add(record.row)
        return notes
