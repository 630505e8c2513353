"""What any bill of material is checked for, whoever wrote it: derived cells, figures and findings.

Nothing is repaired: a doubtful line is kept as delivered, and named. Cells are derived only where the file gives none.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from turnup.formats.bom.figures import figures
from turnup.formats.bom.levels import multiplied, with_parents
from turnup.formats.bom.lines import NOT_FITTED_WORDS, lines_of
from turnup.formats.bom.placeholders import placeholder
from turnup.formats.bom.remarks import remarks
from turnup.formats.model import RawTable


def examined(table: RawTable, sign: str) -> RawTable:
    """The table with parent lines, part numbers and orderable filled, and with figures and findings.

    ``sign`` is the decimal sign of the source.
    """
    frame = _not_fitted_in_line(table.frame)
    frame, by_level = with_parents(frame)
    frame, nameless = _named(frame)
    frame = _unorderable(frame, nameless)
    lines = lines_of(frame, sign)
    needed, loops = multiplied(lines)
    findings = (*table.findings, *by_level, *remarks(lines, nameless, needed, loops))
    facts = (*table.facts, *figures(lines, nameless, needed))
    return replace(table, frame=frame, findings=findings, facts=facts)


def _filled(frame: pl.DataFrame, name: str) -> pl.Expr:
    return pl.col(name) if name in frame.columns else pl.lit(None, dtype=pl.String)


def _not_fitted_in_line(frame: pl.DataFrame) -> pl.DataFrame:
    """A line number that reads DNP is no number: the line is not fitted."""
    if "line" not in frame.columns:
        return frame
    said = pl.col("line").str.strip_chars().str.to_lowercase().is_in(sorted(NOT_FITTED_WORDS))
    if not frame.select(said.any()).item():
        return frame
    return frame.with_columns(
        pl.when(said).then(pl.lit("false")).otherwise(_filled(frame, "fitted")).alias("fitted"),
        pl.when(~said).then(pl.col("line")).alias("line"),
    )


def _named(frame: pl.DataFrame) -> tuple[pl.DataFrame, frozenset[int]]:
    """The name in the design stands in for a missing part number; the positions of lines that have none."""
    part = _filled(frame, "part_number")
    without = frame.select(part.is_null().alias("bare")).get_column("bare").arg_true().to_list()
    if not without or "design_name" not in frame.columns:
        return frame, frozenset(without)
    return frame.with_columns(pl.coalesce(part, "design_name").alias("part_number")), frozenset(without)


def _unorderable(frame: pl.DataFrame, nameless: frozenset[int]) -> pl.DataFrame:
    """A line without a part number, or with a placeholder for one, cannot be ordered."""
    columns = ("part_number", "description", "manufacturer")
    cells = frame.select(_filled(frame, name).alias(name) for name in columns)
    # A part stands on many lines, and is asked once.
    asked = {row: placeholder(*row) for row in cells.unique().rows()}
    if not nameless and not any(asked.values()):
        return frame
    mask = pl.Series([at in nameless or asked[row] for at, row in enumerate(cells.iter_rows())], dtype=pl.Boolean)
    return frame.with_columns(
        pl.when(mask).then(pl.lit("false")).otherwise(_filled(frame, "orderable")).alias("orderable")
    )
