"""Finding the header row: the row that names most of the contract's columns.

Rows above it are titles, comments or blank. A fixed row from the source wins over the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from turnup.formats.model import FileRejected
from turnup.formats.tabular.names import Vocabulary, labels, name_key
from turnup.formats.tabular.records import Record

SEARCHED_ROWS = 200
MAXIMUM_COLUMNS = 4_096
_SEARCHED_CELLS = 50_000
_FEWEST_ROWS = 10


@dataclass(frozen=True)
class Header:
    """The header of a table: its place in the list of records, and one distinct label per column."""

    index: int
    row: int
    names: tuple[str, ...]
    keys: tuple[str, ...]

    @property
    def width(self) -> int:
        """Columns of the table, also unnamed ones."""
        return len(self.names)

    @property
    def least(self) -> int:
        """The width a row must have: up to the last column that has a name."""
        last = max((index for index, key in enumerate(self.keys) if key), default=-1)
        return last + 1

    @property
    def named(self) -> int:
        """Columns that have a name."""
        return sum(not name.startswith("unnamed [column ") for name in self.names)


def header_at(records: Sequence[Record], index: int) -> Header:
    """The header made of one record."""
    cells = records[index].cells
    check_width(len(cells), records[index].row)
    if cells and cells[0]:
        cells = (_without_mark(cells[0]), *cells[1:])
    keys = tuple(name_key(cell or "") for cell in cells)
    return Header(index, records[index].row, tuple(labels(cells)), keys)


def _without_mark(cell: str) -> str:
    """``#Fields:StartDevice`` and ``# name`` name the column behind the mark."""
    text = cell.strip()
    for mark in ("#Fields:", "#fields:", "#"):
        if text.startswith(mark) and text[len(mark) :].strip():
            return text[len(mark) :].strip()
    return cell


def best_header(records: Sequence[Record], names: Vocabulary) -> tuple[int, int]:
    """Index and score (known columns named) of the best row among the first ones; the earliest wins a tie."""
    scores = [names.score(record.cells) for record in searched(records)]
    if not scores:
        return 0, 0
    score = max(scores)
    return scores.index(score), score


def searched(records: Sequence[Record]) -> Sequence[Record]:
    """The rows among which a header is looked for; fewer in a very wide table.

    Raises:
        FileRejected: ``too_large`` for a row wider than any table.
    """
    head = records[:SEARCHED_ROWS]
    widest = max((len(record.cells) for record in head), default=0)
    if widest > MAXIMUM_COLUMNS:
        check_width(widest, next(record.row for record in head if len(record.cells) == widest))
    return head[: max(_FEWEST_ROWS, _SEARCHED_CELLS // max(widest, 1))]


def check_width(columns: int, row: int | None = None) -> None:
    """Refuse what is wider than any table.

    Raises:
        FileRejected: ``too_large``.
    """
    if columns > MAXIMUM_COLUMNS:
        where = f"row {row}" if row is not None else "the table"
        message = f"{where} has {columns:,} columns; a table of at most {MAXIMUM_COLUMNS:,} columns is read"
        raise FileRejected("too_large", message, row=row, expected=f"at most {MAXIMUM_COLUMNS} columns")


def find_header(
    records: Sequence[Record], names: Vocabulary, wanted: int | Literal["auto"], known: Sequence[str]
) -> Header:
    """The header row.

    Raises:
        FileRejected: ``no_header`` when no row names a known column, or the fixed row does not exist.
    """
    if wanted != "auto":
        for index, record in enumerate(records[: wanted + SEARCHED_ROWS]):
            if record.row == wanted:
                return header_at(records, index)
        raise FileRejected("no_header", f"the source says that row {wanted} is the header, but there is no such row")
    index, score = best_header(records, names)
    if score == 0:
        first = next((record for record in records if record.filled), None)
        seen = f"; the first row reads: {', '.join(first.filled[:8])}" if first else ""
        message = (
            f"no row among the first {min(len(records), SEARCHED_ROWS)} names a column of this dataset (such as "
            f"{', '.join(known[:6])}){seen}. Map the file's columns under 'columns:' of the source in programme.yaml"
        )
        raise FileRejected("no_header", message, row=first.row if first else None, expected=", ".join(known))
    return header_at(records, index)
