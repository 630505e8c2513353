"""The header of a table, and the one row that names most of a contract's columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnup.formats.model import FileRejected
from turnup.formats.tabular.names import Vocabulary, labels, name_key
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.sides import with_sides

SEARCHED_ROWS = 200
MAXIMUM_COLUMNS = 4_096
_SEARCHED_CELLS = 50_000
_FEWEST_ROWS = 10


@dataclass(frozen=True)
class Header:
    """The header of a table: its place in the list of records, and one distinct label per column.

    ``bases`` are the names as they stand in the file, before repeated ones were told apart; ``depth`` is how many rows
    the header takes, of which ``index`` and ``row`` are the last.
    """

    index: int
    row: int
    names: tuple[str, ...]
    keys: tuple[str, ...]
    bases: tuple[str, ...] = ()
    depth: int = 1

    @property
    def top(self) -> int:
        """Place of its first row in the list of records."""
        return self.index - self.depth + 1

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"row {self.row}" if self.depth == 1 else f"rows {self.row - self.depth + 1} to {self.row}"

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
    return header_of(records, index, records[index].cells, 1)


def header_of(records: Sequence[Record], index: int, cells: Sequence[str | None], depth: int) -> Header:
    """The header of these names, which ends in a record.

    Raises:
        FileRejected: ``too_large``.
    """
    check_width(len(cells), records[index].row)
    if cells and cells[0]:
        cells = (_without_mark(cells[0]), *cells[1:])
    bases = tuple(cell or "" for cell in cells)
    names = with_sides(bases, labels(cells))
    return Header(index, records[index].row, tuple(names), tuple(map(name_key, bases)), bases, depth)


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
