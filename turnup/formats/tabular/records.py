"""One row of a table before it has a meaning: where it stands and its cells as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from turnup.formats.tabular.names import clean


@dataclass(frozen=True)
class Record:
    """A row of a sheet or a record of a delimited file.

    ``row`` counts from 1 (for a record over several lines its first line), ``lines`` is how many lines it takes,
    ``ended`` tells whether a line end follows it, and ``fault`` why it cannot be read as a row at all. ``merged``
    are first column, last column and last row of the merged cells that begin in it, None where the file cannot say.
    """

    row: int
    cells: tuple[str | None, ...]
    lines: int = 1
    ended: bool = True
    fault: str = ""
    merged: tuple[tuple[int, int, int], ...] | None = None

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that show something, trimmed."""
        return tuple(text for cell in self.cells if cell and (text := clean(cell)))

    def cell(self, index: int) -> str:
        """A cell as people see it, empty where the row ends before it."""
        return clean(self.cells[index] or "") if index < len(self.cells) else ""

    def given(self, names: Sequence[str]) -> str:
        """The row as delivered, as JSON; cells beyond the header are named by position."""
        extra = [f"[column {position}]" for position in range(len(names) + 1, len(self.cells) + 1)]
        pairs = zip([*names, *extra], self.cells, strict=False)
        return json.dumps(dict(pairs), ensure_ascii=False, separators=(",", ":"))


def column_letter(index: int) -> str:
    """The spreadsheet letter of a column, counted from 0."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
