"""A totals row is a control total: what it says is compared with the sum of the rows above it."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.tabular.tabulate import Table

_NUMBER = re.compile(r"^[-+]?\d[\d,]*(?:\.\d+)?$")


def check_totals(table: Table) -> list[Finding]:
    """One finding per column whose rows do not add up to the last totals row (only when there is one such row)."""
    if len(table.totals) != 1:
        return []
    total = table.totals[0]
    above = table.frame.filter(pl.col("_row") < total.row)
    findings = []
    for index, name in enumerate(table.header.names):
        stated = _number(total.cell(index))
        values = [_number(text) for text in above.get_column(f"c{index}").to_list()] if stated is not None else []
        numbers = [value for value in values if value is not None]
        if stated is None or not numbers or sum(numbers) == stated:
            continue
        message = f"the totals row {total.row} says {stated} for '{name}', the rows above it add up to {sum(numbers)}"
        findings.append(Finding("total_mismatch", "warning", total.row, name, str(stated), message))
    return findings


def _number(text: str | None) -> Decimal | None:
    if text is None or not _NUMBER.match(text.strip()):
        return None
    try:
        return Decimal(text.strip().replace(",", ""))
    except InvalidOperation:
        return None
