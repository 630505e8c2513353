"""From read tables to the rows of a dataset: mapping, and the row as delivered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from turnup.formats.adapted import apply_source
from turnup.formats.model import ColumnMapping, Fact, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.tabular.broken import without_broken
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.mapping import Mapped, map_columns
from turnup.formats.tabular.names import name_key, vocabulary
from turnup.formats.tabular.native_numbers import with_own_mark
from turnup.formats.tabular.regions import split
from turnup.formats.tabular.shares import check_shares
from turnup.formats.tabular.tabulate import Block, Table, tabulate
from turnup.formats.tabular.totals import check_totals

_LARGE = 500
"""Rows from which on making each one's JSON takes long enough to be put off."""


def from_tables(
    request: Request, form: str, tables: Sequence[Table], findings: Sequence[Finding], extra: Ledger | None = None
) -> RawTable:
    """Map each table of a file and put them together in file order."""
    frames: list[pl.DataFrame] = []
    filled: list[tuple[str | None, dict[str, str]]] = []
    columns: list[ColumnMapping] = []
    cells = request.cells and len(tables) == 1 and tables[0].frame.height >= _LARGE
    found = list(findings)
    rejected: list[Rejected] = []
    ledger = extra or Ledger()
    for table in tables:
        mapped = map_columns(table, request.source, request.contract)
        table = _with_own_mark(table, mapped, request)
        found += [
            *table.findings,
            *mapped.findings,
            *check_totals(table, _commas(table, mapped, request)),
            *check_shares(table),
        ]
        table, seen = without_broken(table, mapped, request.contract)
        found += seen
        rejected += table.rejected
        frames.append(_mapped_frame(table, mapped, cells=cells))
        columns += mapped.columns
        filled.append((table.sheet, mapped.targets))
        ledger = ledger.plus(table.ledger)
    found += _missing_on_sheets(filled)
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
        _figures(frame, columns),
    )


def _figures(frame: pl.DataFrame, columns: Sequence[ColumnMapping]) -> tuple[Fact, ...]:
    """How large the table is, and how many rows are there twice, letter for letter."""
    rows, distinct = frame.height, _distinct(frame.get_column("_given"))
    return (
        Fact("rows", rows, "rows"),
        Fact("columns", len({column.name for column in columns}), "columns"),
        Fact("distinct_rows", distinct, "rows"),
        Fact("duplicate_rows", rows - distinct, "rows", "rows that repeat an earlier one letter for letter"),
    )


def _distinct(given: pl.Series) -> int:
    """How many different rows there are; hashes that all differ prove that all rows do."""
    hashes = given.struct.unnest().hash_rows() if isinstance(given.dtype, pl.Struct) else given
    found = hashes.n_unique()
    return found if hashes is given or found == len(given) else given.struct.json_encode().n_unique()


def _missing_on_sheets(filled: Sequence[tuple[str | None, dict[str, str]]]) -> list[Finding]:
    """Columns that some sheets of a workbook have and others lack."""
    known: dict[str, str] = {}
    sheets: dict[str | None, dict[str, str]] = {}
    for sheet, targets in filled:
        known = targets | known
        sheets[sheet] = sheets.get(sheet, {}) | targets
    found = []
    for sheet, targets in sheets.items():
        for target, name in sorted(known.items()):
            if sheet is not None and target not in targets:
                message = f"the sheet '{sheet}' has no column '{name}' ({target}), which other sheets have"
                found.append(Finding("column_missing_on_sheet", "warning", None, name, sheet, message))
    return found


def _mapped_frame(table: Table, mapped: Mapped, *, cells: bool) -> pl.DataFrame:
    at = {name: index for index, name in enumerate(table.header.names)}
    indexes = [at[column.name] for column in mapped.columns]
    # Arrow hands the names of cells on as texts that end at a NUL.
    as_cells = cells and indexes and not any("\0" in column.name for column in mapped.columns)
    return table.frame.select(
        *(pl.col(f"c{at[theirs]}").alias(ours) for ours, theirs in mapped.targets.items()),
        "_row",
        "_sheet",
        (table.cells(indexes) if as_cells else table.given(indexes)).alias("_given"),
    )


def _commas(table: Table, mapped: Mapped, request: Request) -> list[int]:
    """Places of the columns with a decimal comma; one that is no column of ours is written as the source is."""
    ours = {theirs: target for target, theirs in mapped.targets.items()}
    return [
        index for index, name in enumerate(table.header.names) if request.source.decimal_of(ours.get(name, name)) == ","
    ]


def _with_own_mark(table: Table, mapped: Mapped, request: Request) -> Table:
    if table.natives is None:
        return table
    at = {name: index for index, name in enumerate(table.header.names)}
    places = {ours: at[theirs] for ours, theirs in mapped.targets.items()}
    return replace(table, frame=with_own_mark(table.frame, places, table.natives, request.source, request.contract))


def tables_of(block: Block, request: Request) -> list[Table]:
    """The tables of a block, each with its rows sorted."""
    names = vocabulary(request.contract, request.source)
    parts = split(block, names, frozenset(_needed(request)))
    tables = [tabulate(part, required_positions(part.header, request)) for part in parts]
    return [tables[0], *map(_said, tables[1:])]


def _said(table: Table) -> Table:
    row = table.header.row
    message = f"row {row}: a further table of this dataset begins here, under its own header"
    return replace(table, findings=(Finding("further_table", "info", row, None, None, message), *table.findings))


def _needed(request: Request) -> set[str]:
    """Columns of the contract that nothing but the file can fill."""
    return {
        column.name
        for column in request.contract.columns
        if column.required and column.default is None and column.fallback is None
    } - set(request.source.defaults)


def required_positions(header: Header, request: Request) -> tuple[int, ...]:
    """Positions of the columns without which a row is no data row."""
    known = vocabulary(request.contract, request.source)
    needed = _needed(request)
    names = header.names
    meanings = enumerate(zip(names, known.meanings(names, header.bases), strict=True))
    return tuple(index for index, (name, meaning) in meanings if name_key(name) and meaning.target in needed)
