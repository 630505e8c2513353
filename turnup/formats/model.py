"""What every reader returns: rows as text, a ledger of every line, and what was seen on the way.

Belongs here: the data classes shared by readers and their users. Does not: anything that reads a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

    from expectations.contract import Contract
    from turnup.formats.content import Content
    from turnup.programme import Source

Severity = Literal["error", "warning", "info"]
Answer = Literal["changed", "confirmed", "withdrawn", "unanswered"]
How = Literal["declared", "name", "synonym", "ignored", "unknown", "adapter"]


@dataclass(frozen=True)
class Ledger:
    """Where every line of a file went.

    A line is a line of text, a row of a sheet or a record of a JSON list. Continuation lines of a cell that holds
    line breaks, and records of other kinds in the same file, count as ``other``. A line of a log that bears several
    figures counts once for each figure, because each figure is one row of the dataset.
    """

    lines: int = 0
    data: int = 0
    header: int = 0
    title: int = 0
    footer: int = 0
    comment: int = 0
    blank: int = 0
    total: int = 0
    other: int = 0
    rejected: int = 0

    @property
    def balanced(self) -> bool:
        """Whether the lines are the sum of all other counts."""
        counts: list[int] = [getattr(self, field.name) for field in fields(self) if field.name != "lines"]
        return self.lines == sum(counts)

    def plus(self, other: Ledger) -> Ledger:
        """The ledger of two parts of one file."""
        return Ledger(**{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)})


@dataclass(frozen=True)
class Rejected:
    """A row that the reader could not hand on, in the words a vendor understands."""

    row: int
    sheet: str | None
    column: str | None
    value: str | None
    rule: str
    expected: str
    message: str
    given: str | None


@dataclass(frozen=True)
class Finding:
    """Something about a file that its users should know."""

    code: str
    severity: Severity
    row: int | None
    column: str | None
    value: str | None
    message: str


@dataclass(frozen=True)
class ColumnMapping:
    """What became of one column of the file."""

    name: str
    maps_to: str | None
    how: How


@dataclass(frozen=True)
class Fact:
    """A figure about a file that its owner can check at a glance, such as how many links a cable plan has.

    ``name`` is snake_case and belongs to the format; ``value`` is a count, an exact text or a list of texts.
    """

    name: str
    value: int | str | tuple[str, ...]
    unit: str = ""
    note: str = ""


@dataclass(frozen=True)
class Returned:
    """A row of a returned send-back: its place there, the row of the first file that it stands for, and the answer.

    ``changed`` rows have other cells than were sent, ``confirmed`` and ``withdrawn`` ones are marked as such by their
    sender; a row that is neither is ``unanswered``.
    """

    row: int
    sheet: str
    of_row: int
    of_sheet: str | None
    answer: Answer


@dataclass(frozen=True)
class RawTable:
    """The rows of one file for one dataset, all cells text.

    ``frame`` has the contract's columns that the file (or the source's defaults) fills, plus ``_row`` (Int64),
    ``_sheet`` and ``_given`` (the row as delivered, as JSON; see ``Request.cells``). It has ``ledger.data`` rows.

    Of a returned send-back, rows with a negative number are the other rows of the file that it corrects: they lend the
    context in which its own are typed, and count nowhere.

    ``source`` is how the cells are to be typed where that is not what programme.yaml says alone (a profile knows
    more); ``date_epoch`` is 1900 or 1904 for a workbook, from which its bare day numbers count.
    """

    format: str
    dataset: str
    frame: pl.DataFrame
    ledger: Ledger
    rejected: tuple[Rejected, ...]
    findings: tuple[Finding, ...]
    columns: tuple[ColumnMapping, ...]
    facts: tuple[Fact, ...] = ()
    source: Source | None = None
    date_epoch: Literal[1900, 1904] | None = None
    returned: tuple[Returned, ...] = ()


class FileRejected(Exception):
    """A whole file is refused; the message says what to do about it."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        row: int | None = None,
        column: str | None = None,
        value: str | None = None,
        expected: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.row = row
        self.column = column
        self.value = value
        self.expected = expected


@dataclass(frozen=True)
class Request:
    """A file to read, and how its rows are to be understood.

    With ``cells`` the rows of a large table may come with a ``_given`` that holds their cells under their labels and is
    not JSON yet (``given_texts`` makes it so): few of these rows are ever shown.
    """

    content: Content
    source: Source
    contract: Contract
    cells: bool = False


@dataclass(frozen=True)
class Look:
    """What can be said of a file that feeds no dataset: its ledger, figures and findings."""

    ledger: Ledger
    facts: tuple[Fact, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Format:
    """A readable format: does it claim a file, how is it read, and what does it feed.

    ``feeds`` names the datasets of a format that decides its columns itself, the main one first; it is empty for
    tables, which may feed any. ``look`` describes a file for ``turnup inspect`` when it feeds no dataset at all.
    ``family`` is the name that a source may declare for several formats of one tool. ``adds_up`` marks files that are
    a part each (a host, a run, a message), so that a new one must not replace the others: ``mode: events``.
    """

    name: str
    claims: Callable[[Content], bool]
    parse: Callable[[Request], RawTable]
    feeds: tuple[str, ...] = ()
    look: Callable[[Content], Look] | None = None
    family: str = ""
    adds_up: bool = False
