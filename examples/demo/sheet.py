"""Tables as a person builds them before saving: header, rows, title lines, totals line.

Belongs here: the shape of a table and where its rows end up in a file. Does not: bytes (``write``) or content.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

Cell = str | int | float | Decimal | bool | date | datetime | None


@dataclass(frozen=True)
class Dialect:
    """How a sender's program writes files.

    Attributes:
        kind: csv, xlsx, json or text.
        dates: strftime pattern of a date in text files.
        moments: strftime pattern of a moment in text files.
    """

    kind: str = "csv"
    delimiter: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    dates: str = "%Y-%m-%d"
    moments: str = "%Y-%m-%dT%H:%M:%SZ"
    newline: str = "\r\n"
    tab: str = "Sheet1"


@dataclass
class Table:
    """One table of one file.

    Attributes:
        columns: header as the sender spells it.
        rows: one list of cells per row; a row may be made ragged on purpose.
        titles: lines above the header.
        totals: columns whose sum stands in a last line.
    """

    columns: list[str]
    rows: list[list[Cell]]
    titles: list[list[Cell]] = field(default_factory=list)
    totals: tuple[str, ...] = ()

    def index(self, column: str) -> int:
        """Return the position of a column."""
        return self.columns.index(column)

    def find(self, **wanted: Cell) -> int:
        """Return the index of the one row whose cells hold these values (blanks of a header as ``_``)."""
        places = {self._place(name): value for name, value in wanted.items()}
        hits = [
            number
            for number, row in enumerate(self.rows)
            if all(row[place] == value for place, value in places.items())
        ]
        if len(hits) != 1:
            raise LookupError(f"{wanted} is in {len(hits)} rows, expected one")
        return hits[0]

    def _place(self, name: str) -> int:
        plain = [column.replace(" ", "_").replace("/", "_").replace(".", "") for column in self.columns]
        return plain.index(name)

    def line(self, index: int, kind: str = "csv") -> int:
        """Return the number a reader gives a row: its line, or its record number in JSON."""
        return index + 1 if kind == "json" else len(self.titles) + 2 + index

    def totals_row(self) -> list[Cell]:
        """Return the totals line, labelled in its first cell."""
        row: list[Cell] = ["TOTAL", *[None] * (len(self.columns) - 1)]
        for column in self.totals:
            place = self.index(column)
            row[place] = sum(value for line in self.rows if isinstance(value := line[place], int | Decimal))
        return row


@dataclass
class Drop:
    """One file as it reached the inbox.

    Attributes:
        received: local moment of arrival; names the inbox folder.
        name: file name as sent.
        source: the source of ``programme.yaml`` it belongs to.
        body: a table, or the text of a log.
    """

    received: datetime
    name: str
    source: str
    body: Table | str
    dialect: Dialect = Dialect()

    @property
    def path(self) -> str:
        """Place below ``inbox/``."""
        return f"{self.received:%Y-%m-%dT%H%M}/{self.name}"

    @property
    def table(self) -> Table:
        """The table of a drop that has one."""
        if isinstance(self.body, str):
            raise TypeError(f"{self.name} is a log, not a table")
        return self.body
