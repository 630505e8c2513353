"""A line of a bill of material as its checks see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import polars as pl

from turnup.formats.bom.designators import Designators, designators
from turnup.formats.exact import decimal_of

_NUMBERS = ("quantity", "extended_quantity", "unit_price", "extended_price")
_NOTHING = Decimal(0)
UNFITTED = frozenset({"false", "no", "n", "0"})
NOT_FITTED_WORDS = frozenset(
    {"dnp", "dni", "dnf", "dnl", "nf", "np", "no pop", "nopop", "not fitted", "do not populate", "do not fit",
     "do not install", "do not place", "not populated", "not placed", "not installed", "unfitted"}
)  # fmt: skip


@dataclass(eq=False, slots=True)
class Line:
    """One line: its row in the file, what people call it, and its cells.

    Attributes:
        part: the part number, empty when there is none.
        name: the name in the design.
        fitted: whether the line is fitted; a quantity of nothing is not.
        pieces: its quantity, nothing when it is no number.
        places: its reference designators, when it has any.
    """

    row: int
    sheet: str | None
    label: str
    cells: Mapping[str, str | None]
    quantity: Decimal | None
    extended: Decimal | None
    unit_price: Decimal | None
    extended_price: Decimal | None
    part: str = field(init=False)
    name: str = field(init=False)
    fitted: bool = field(init=False)
    pieces: Decimal = field(init=False)
    places: Designators | None = field(init=False)

    def __post_init__(self) -> None:
        """Bills have hundreds of thousands of lines, and every check asks for these."""
        cells, cell = self.cells, self.cells.get("designators")
        self.part = cells.get("part_number") or ""
        self.name = cells.get("design_name") or ""
        self.fitted = (cells.get("fitted") or "true").casefold() not in UNFITTED and self.quantity != 0
        self.pieces = self.quantity or _NOTHING
        self.places = designators(cell) if cell else None


def lines_of(frame: pl.DataFrame, sign: str) -> list[Line]:
    """The lines of a frame in file order."""
    found = []
    held = {name: name in frame.columns for name in _NUMBERS}
    for cells in frame.drop("_given").to_dicts():
        row = int(cells.pop("_row"))
        sheet = cells.pop("_sheet")
        label = f"line {cells['line']}" if cells.get("line") else f"row {row}"
        numbers = [decimal_of(cells[name], sign) if here else None for name, here in held.items()]
        found.append(Line(row, sheet, label, cells, *numbers))
    return found
