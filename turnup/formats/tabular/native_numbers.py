"""Numbers that a workbook keeps as numbers, where the source writes a decimal comma.

A cell that holds the number 12.345 comes as the text ``12.345``, which is twelve thousand in a text cell of such a
source. Here it takes the source's own mark, so that neither is read as the other.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.tabular.archive import read_entry
from turnup.formats.tabular.numbers import number_text
from turnup.formats.tabular.sheet_xml import thousandths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from expectations.contract import Contract
    from turnup.programme import Source

Places = frozenset[tuple[int, int]]
"""Cells by row (from 1) and column (from 0)."""

_NUMERIC = ("int", "dec", "money", "price", "float")
_WITH_POINT = r"^[+-]?\d+\.\d+$"
_EITHER = r"^[+-]?[1-9]\d{0,2}\.\d{3}$"


def is_either(text: str | None) -> bool:
    """Whether a number's text would be thousands under a decimal comma."""
    return text is not None and re.search(_EITHER, text) is not None


def natives_in(path: Path, part: str) -> Places:
    """Where such numbers stand in a sheet of an XLSX, looked for only where it matters."""
    with zipfile.ZipFile(path) as archive:
        cells = thousandths(read_entry(archive, part))
        return frozenset((cell.row, cell.column) for cell in cells if is_either(number_text(float(cell.text))))


def has_comma(source: Source) -> bool:
    """Whether any column of the source is written with a decimal comma."""
    return "," in (source.decimal.values() if isinstance(source.decimal, dict) else (source.decimal,))


def with_own_mark(
    frame: pl.DataFrame, columns: Mapping[str, int], natives: Places, source: Source, contract: Contract
) -> pl.DataFrame:
    """The cells ``c0..``, with a comma where they hold numbers; ``columns`` is ours to the place in the frame."""
    types = {column.name: column.type for column in contract.columns}
    changed = []
    for place in sorted({at for ours, at in columns.items() if types.get(ours) in _NUMERIC and _comma(source, ours)}):
        text = pl.col(f"c{place}")
        rows = sorted(row for row, column in natives if column == place)
        native = text.str.contains(_WITH_POINT) & (~text.str.contains(_EITHER) | pl.col("_row").is_in(rows))
        changed.append(pl.when(native).then(text.str.replace(".", ",", literal=True)).otherwise(text).name.keep())
    return frame.with_columns(changed)


def _comma(source: Source, column: str) -> bool:
    return source.decimal_of(column) == ","
