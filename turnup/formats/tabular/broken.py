"""Cells of a sheet that cannot be used: errors, formulas without a stored value, numbers longer than a sheet can keep.

In a mapped column such a cell refuses its row, named by its address; in an ignored column it is a finding.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.model import Finding, Rejected
from turnup.formats.tabular.mapping import Mapped
from turnup.formats.tabular.sheet_xml import LONGEST_NUMBER, Cell
from turnup.formats.tabular.tabulate import Table

if TYPE_CHECKING:
    from expectations.contract import Contract

_RULES = {
    "error_cell": ("a value", "holds the error {text}"),
    "formula_without_value": (
        "a stored value",
        "holds a formula without a stored value; save the file after calculating",
    ),
    "long_number": (
        "text",
        f"holds a number of more than {LONGEST_NUMBER} digits ({{text}}): a number keeps only {LONGEST_NUMBER}, "
        "so the identifier cannot be recovered; send it as text",
    ),
}


def without_broken(table: Table, mapped: Mapped, contract: Contract) -> tuple[Table, list[Finding]]:
    """The table without the rows that such cells refuse, these rows as refused, and a finding for the other cells."""
    if not table.broken:
        return table, []
    ours = {theirs: target for target, theirs in mapped.targets.items()}
    ids = {column.name for column in contract.columns if column.type == "id"}
    data = set(table.frame.get_column("_row").to_list())
    refusing: list[tuple[Cell, str]] = []
    findings = []
    for cell in table.broken:
        name = table.header.names[cell.column]
        target = ours.get(name)
        if cell.row not in data or (cell.rule == "long_number" and target not in ids):
            continue
        if target is None:
            message = f"cell {cell.address} of an ignored column {_RULES[cell.rule][1].format(text=cell.text)}"
            findings.append(Finding(cell.rule, "info", cell.row, name, cell.text, message))
        else:
            refusing.append((cell, name))
    return _refused(table, refusing), findings


def _refused(table: Table, refusing: list[tuple[Cell, str]]) -> Table:
    rows = sorted({cell.row for cell, _ in refusing})
    if not rows:
        return table
    out = table.frame.filter(pl.col("_row").is_in(rows))
    given = dict(out.select("_row", table.given(range(table.header.width)).alias("given")).rows())
    refused = [_rejected(cell, name, table.sheet, given.get(cell.row)) for cell, name in refusing]
    ledger = replace(table.ledger, data=table.ledger.data - len(rows), rejected=table.ledger.rejected + len(rows))
    kept = table.frame.filter(~pl.col("_row").is_in(rows))
    both = sorted([*table.rejected, *refused], key=lambda row: row.row)
    return replace(table, frame=kept, ledger=ledger, rejected=tuple(both))


def _rejected(cell: Cell, name: str, sheet: str | None, given: str | None) -> Rejected:
    expected, text = _RULES[cell.rule]
    place = f"cell {cell.address} ({name})" if sheet is not None else f"row {cell.row}, column '{name}',"
    message = f"{place} {text.format(text=cell.text)}"
    return Rejected(cell.row, sheet, name, cell.text, cell.rule, expected, message, given)
