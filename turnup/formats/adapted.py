"""Rows as the dataset's columns: cells trimmed, values translated and gaps filled as the source declares.

Empty cells become null here; nothing is typed and no null token is interpreted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.decoding import SPACE
from turnup.formats.model import ColumnMapping, Fact, Finding, Ledger, RawTable, Rejected, Request

if TYPE_CHECKING:
    from turnup.programme import Source


def adapted(
    request: Request,
    form: str,
    frame: pl.DataFrame,
    ledger: Ledger,
    findings: Sequence[Finding],
    *,
    rejected: Sequence[Rejected] = (),
    facts: Sequence[Fact] = (),
) -> RawTable:
    """The rows of a format that knows the dataset's columns itself.

    ``frame`` has contract columns as text (others are dropped), ``_row``, ``_sheet`` and ``_given``.
    """
    held = [column.name for column in request.contract.columns if column.name in frame.columns]
    complete = apply_source(frame.select(*held, "_row", "_sheet", "_given"), request.source)
    mapping = tuple(ColumnMapping(name, name, "adapter") for name in held)
    return RawTable(
        form, request.contract.name, complete, ledger, tuple(rejected), tuple(findings), mapping, tuple(facts)
    )


def apply_source(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    """Trim every cell, translate values as the source declares, and fill the gaps with its defaults."""
    names = [name for name in frame.columns if not name.startswith("_")]
    trimmed = frame.with_columns(_trimmed(name) for name in _to_trim(frame, names))
    translated = trimmed.with_columns(
        _translated(column, table) for column, table in sorted(source.values.items()) if column in names
    )
    defaults = []
    for column, value in sorted(source.defaults.items()):
        filled = pl.col(column).fill_null(pl.lit(value)) if column in names else pl.lit(value)
        defaults.append(filled.cast(pl.String).alias(column))
    return translated.with_columns(defaults)


_BLANK = "[" + "".join(rf"\x{{{ord(mark):x}}}" for mark in SPACE) + "]"
_BLANK_EDGE = rf"^{_BLANK}|{_BLANK}$|^$"


def _to_trim(frame: pl.DataFrame, names: Sequence[str]) -> list[str]:
    """The columns with a cell that is empty or has a blank at its edge; looking is cheaper than trimming them all."""
    texts = [name for name in names if frame.schema[name] == pl.String]
    if not texts:
        return list(names)
    edges = frame.select(pl.col(name).str.contains(_BLANK_EDGE).any() for name in texts)
    return [name for name in names if name not in texts or edges.get_column(name).item()]


def _trimmed(name: str) -> pl.Expr:
    text = pl.col(name).str.strip_chars(SPACE)
    return pl.when(text != "").then(text).alias(name)


def _translated(column: str, table: dict[str, str]) -> pl.Expr:
    key = pl.col(column).str.to_lowercase()
    pairs = {theirs.strip().lower(): ours for theirs, ours in table.items()}
    return key.replace_strict(list(pairs), list(pairs.values()), default=pl.col(column), return_dtype=pl.String).alias(
        column
    )


def given_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with the rows as delivered as JSON, whether they are that already or still cells."""
    if not isinstance(frame.schema["_given"], pl.Struct):
        return frame
    return frame.with_columns(pl.col("_given").struct.json_encode())
