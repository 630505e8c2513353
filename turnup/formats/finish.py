"""From read tables to the rows of a dataset: mapping, the row as delivered, value and default maps.

Cells are trimmed here and empty ones become null; nothing is typed and no null token is interpreted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.broken import without_broken
from turnup.formats.mapping import Mapped, map_columns
from turnup.formats.model import ColumnMapping, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.names import name_key, vocabulary
from turnup.formats.tabulate import SPACE, Table
from turnup.formats.totals import check_totals

if TYPE_CHECKING:
    from turnup.programme import Source


def from_tables(
    request: Request, form: str, tables: Sequence[Table], findings: Sequence[Finding], extra: Ledger | None = None
) -> RawTable:
    """Map each table of a file and put them together in file order."""
    frames: list[pl.DataFrame] = []
    columns: list[ColumnMapping] = []
    found = list(findings)
    rejected: list[Rejected] = []
    ledger = extra or Ledger()
    for table in tables:
        mapped = map_columns(
            table.header.names, table.header.row, table.empty_columns, request.source, request.contract
        )
        found += [*table.findings, *mapped.findings, *check_totals(table)]
        table, seen = without_broken(table, mapped, request.contract)
        found += seen
        rejected += table.rejected
        frames.append(_mapped_frame(table, mapped))
        columns += mapped.columns
        ledger = ledger.plus(table.ledger)
    frame = apply_source(pl.concat(frames, how="diagonal"), request.source)
    if not frame.height:
        found.append(Finding("no_data_rows", "warning", None, None, None, "the table has a header and no data row"))
    return RawTable(
        form,
        request.contract.name,
        frame,
        ledger,
        tuple(rejected),
        tuple(found),
        tuple(dict.fromkeys(columns)),
    )


def adapted(request: Request, form: str, frame: pl.DataFrame, ledger: Ledger, findings: Sequence[Finding]) -> RawTable:
    """The rows of a format that knows the dataset's columns itself."""
    held = [column.name for column in request.contract.columns if column.name in frame.columns]
    complete = apply_source(frame.select(*held, "_row", "_sheet", "_given"), request.source)
    mapping = tuple(ColumnMapping(name, name, "adapter") for name in held)
    return RawTable(form, request.contract.name, complete, ledger, (), tuple(findings), mapping)


def _mapped_frame(table: Table, mapped: Mapped) -> pl.DataFrame:
    at = {name: index for index, name in enumerate(table.header.names)}
    return table.frame.select(
        *(pl.col(f"c{at[theirs]}").alias(ours) for ours, theirs in mapped.targets.items()),
        "_row",
        "_sheet",
        table.given([at[column.name] for column in mapped.columns]).alias("_given"),
    )


def apply_source(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    """Trim every cell, translate values as the source declares, and fill the gaps with its defaults."""
    names = [name for name in frame.columns if not name.startswith("_")]
    trimmed = frame.with_columns(_trimmed(name) for name in names)
    translated = trimmed.with_columns(
        _translated(column, table) for column, table in sorted(source.values.items()) if column in names
    )
    defaults = []
    for column, value in sorted(source.defaults.items()):
        filled = pl.col(column).fill_null(pl.lit(value)) if column in names else pl.lit(value)
        defaults.append(filled.cast(pl.String).alias(column))
    return translated.with_columns(defaults)


def _trimmed(name: str) -> pl.Expr:
    text = pl.col(name).str.strip_chars(SPACE)
    return pl.when(text != "").then(text).alias(name)


def _translated(column: str, table: dict[str, str]) -> pl.Expr:
    key = pl.col(column).str.to_lowercase()
    pairs = {theirs.strip().lower(): ours for theirs, ours in table.items()}
    return key.replace_strict(list(pairs), list(pairs.values()), default=pl.col(column), return_dtype=pl.String).alias(
        column
    )


def required_positions(names: Sequence[str], request: Request) -> tuple[int, ...]:
    """Positions of the columns without which a row is no data row."""
    known = vocabulary(request.contract, request.source)
    needed = {
        column.name
        for column in request.contract.columns
        if column.required and column.default is None and column.fallback is None
    } - set(request.source.defaults)
    return tuple(index for index, name in enumerate(names) if name_key(name) and known.meaning(name).target in needed)
