"""A line of a bill of material as its checks see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import polars as pl

from turnup.formats.bom.designators import Designators, designators
from turnup.formats.exact import decimal_of

UNFITTED = frozenset({"false", "no", "n", "0"})
NOT_FITTED_WORDS = frozenset(
    {"dnp", "dni", "dnf", "dnl", "nf", "np", "no pop", "nopop", "not fitted", "do not populate", "do not fit",
     "do not install", "do not place", "not populated", "not placed", "not installed", "unfitted"}
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One line: its row in the file, what people call it, and its cells."""

    row: int
    sheet: str | None
    label: str
    cells: Mapping[str, str | None]
    quantity: Decimal | None
    extended: Decimal | None
    unit_price: Decimal | None
    extended_price: Decimal | None

    @cached_property
    def places(self) -> Designators | None:
        """Its reference designators, when it has any."""
        cell = self.cells.get("designators")
        return designators(cell) if cell else None

    @property
    def part(self) -> str:
        """The part number, empty when there is none."""
        return self.cells.get("part_number") or ""

    @property
    def name(self) -> str:
        """The name in the design."""
        return self.cells.get("design_name") or ""

    @property
    def fitted(self) -> bool:
        """Whether the line is fitted; a quantity of nothing is not."""
        return (self.cells.get("fitted") or "true").casefold() not in UNFITTED and self.quantity != 0

    @property
    def pieces(self) -> Decimal:
        """Its quantity, nothing when it is no number."""
        return self.quantity or Decimal(0)


def lines_of(frame: pl.DataFrame, sign: str) -> list[Line]:
    """The lines of a frame in file order."""
    found = []
    for cells in frame.drop("_given").to_dicts():
        row = int(cells.pop("_row"))
        sheet = cells.pop("_sheet")
        label = f"line {cells['line']}" if cells.get("line") else f"row {row}"
        numbers = (decimal_of(cells.get(name), sign) for name in ("quantity", "extended_quantity"))
        prices = (decimal_of(cells.get(name), sign) for name in ("unit_price", "extended_price"))
        found.append(Line(row, sheet, label, cells, *numbers, *prices))
    return found
