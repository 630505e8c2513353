"""Sheets that are made one at a time, when they are asked for: thousands of them do not fit beside the reports.

Belongs here: the sequence. Does not: what a sheet says (``sheets``, ``site_sheets``).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import overload

from reports.models.sheets import Sheet

Later = tuple[Sheet, Callable[[], Sheet]]
"""A sheet as far as it is known without its boxes, and what makes the whole."""


class Sheets(Sequence[Sheet]):
    """Sheets in their order; `heads` are the same without their boxes, for who only needs to know where they lie."""

    def __init__(self, later: Iterable[Later] = ()) -> None:
        self._later = tuple(later)
        self.heads = tuple(head for head, _ in self._later)

    def __len__(self) -> int:
        return len(self._later)

    @overload
    def __getitem__(self, place: int) -> Sheet: ...

    @overload
    def __getitem__(self, place: slice) -> "Sheets": ...

    def __getitem__(self, place: int | slice) -> "Sheet | Sheets":
        return Sheets(self._later[place]) if isinstance(place, slice) else self._later[place][1]()
