"""A totals row is a control total: what it says is compared with the sum of the rows above it."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal

from turnup.formats.model import Finding
from turnup.formats.tabular.tabulate import Table

_NUMBER = re.compile(r"^[-+]?\d[\d,]*(?:\.\d+)?$")
_SWAPPED = str.maketrans(",.", ".,")


def check_totals(table: Table, commas: Collection[int] = ()) -> list[Finding]:
    """One finding per totals row and column that the rows above do not add up to.

    A total may stand for all rows above it, or for those since any earlier totals row: a part, a group of parts.

    Args:
        table: its rows and totals.
        commas: places of the columns that are written with a decimal comma.
    """
    findings = []
    for index, name in enumerate(table.header.names):
        comma = index in commas
        stated = {total.row: _number(total.cell(index), comma=comma) for total in table.totals}
        if all(number is None for number in stated.values()):
            continue
        rows = zip(table.frame.get_column("_row"), table.frame.get_column(f"c{index}"), strict=True)
        numbers = [(row, number) for row, text in rows if (number := _number(text, comma=comma)) is not None]
        starts = [0, *stated]
        for row, total in stated.items():
            sums = [sum(number for at, number in numbers if start < at < row) for start in starts if start < row]
            above = any(at < row for at, _ in numbers)
            if total is None or not above or total in sums:
                continue
            message = f"the totals row {row} says {total} for '{name}', the rows above it add up to {sums[0]}"
            findings.append(Finding("total_mismatch", "warning", row, name, str(total), message))
    return findings


def _number(text: str | None, *, comma: bool) -> Decimal | None:
    written = (text or "").strip()
    plain = written.translate(_SWAPPED) if comma else written
    return Decimal(plain.replace(",", "")) if _NUMBER.match(plain) else None
