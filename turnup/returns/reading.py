"""A returned workbook, read as if its rows stood in the file that they correct.

The same mapping, translations and known tables as for that file, with the other rows around them: a known table may
derive something from these, and dates may be proved by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from expectations import value_sql as sql
from turnup.formats.content import Content
from turnup.formats.model import FileRejected, Finding, Ledger, RawTable, Rejected, Request, Returned
from turnup.formats.registry import detect, finished, resolved
from turnup.formats.tabular.books import sheets_of
from turnup.formats.tabular.finish import from_tables
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import name_key, plain
from turnup.formats.tabular.native_numbers import has_comma
from turnup.formats.tabular.sheet_xml import Cell
from turnup.formats.tabular.tabulate import Table
from turnup.returns.headings import OUR_KEYS
from turnup.returns.lines import Headed, Line, attributed, fault, headed, lines_of, unknown_answers
from turnup.returns.marker import SHEET, Correction, Marker, Original

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source

FORM = "send-back"
_OF_WHOLE_FILES = frozenset({"declared_column_absent", "no_data_rows"})
Place = tuple[str | None, int]


def hidden_sheet(content: Path, name: str, sheet: str) -> RawTable:
    """The cells of one sheet of a workbook, for whoever wants to know what it is.

    Raises:
        FileRejected: it has no such sheet, or cannot be read.
    """
    held = Content(content, name)
    found = sheets_of(held, detect(held).name, sheet)[0]
    return RawTable(FORM, "", found.frame, Ledger(), (), (), ())


@dataclass(frozen=True)
class _CellThere(Cell):
    """A cell under its number in the file's table, and its address in the returned sheet."""

    there: str

    @property
    def address(self) -> str:
        """Its address in the returned sheet."""
        return self.there


@dataclass(frozen=True)
class _Sorted:
    """The lines of one file's rows: those to be read, those refused, and what was answered to each row."""

    read: list[Line]
    refused: list[Rejected]
    returned: list[Returned]


def read_returned(content: Path, correction: Correction, source: Source, contract: Contract) -> RawTable:
    """Read the rows that correct one file.

    Raises:
        FileRejected: the workbook cannot be read, or the file that it corrects was never received here.
    """
    if not correction.original.is_file():
        message = f"it corrects '{correction.original_name}', which this programme never received; send that file first"
        raise FileRejected("unknown_original", message, expected=correction.original_name)
    marker = correction.marker
    held = Content(content, correction.name)
    sheets = [sheet for sheet in sheets_of(held, detect(held).name) if sheet.name != SHEET]
    ours = [found for sheet in sheets if (found := headed(sheet)) is not None]
    lines = [line for sheet in ours for line in lines_of(sheet, marker)]
    own = attributed(lines, marker)[correction.source, correction.sha256]
    sorted_lines = _sorted(own, marker)
    original = Content(correction.original, correction.original_name)
    form, profile, request = resolved(original, source, contract)
    remarks = _remarks(ours, own, marker)
    table = _tables(sorted_lines.read, marker, replace(request, content=held), remarks)
    refused = (*sorted_lines.refused, *table.rejected)
    if table.frame.height:
        among = _among_others(table, form.parse(request), sorted_lines.returned, request)
        table = _back(finished(among, profile, request, source), table, sorted_lines.returned)
        refused = (*refused, *table.rejected)
    own_rows = table.frame.filter(pl.col("_row") > 0).height
    rejected, header = len({(item.sheet, item.row) for item in refused}), len({line.headed.sheet.name for line in own})
    lines_read = sum(sheet.frame.height for sheet in sheets)
    other = lines_read - own_rows - rejected - header
    ledger = Ledger(lines=lines_read, data=own_rows, rejected=rejected, header=header, other=other)
    return replace(table, format=FORM, ledger=ledger, rejected=refused, returned=tuple(sorted_lines.returned), facts=())


def _sorted(own: Sequence[Line], marker: Marker) -> _Sorted:
    last = {line.key: line for line in own if line.original is not None}
    found = _Sorted([], [], [])
    for line in own:
        original = None if line.original is None else marker.originals[line.original]
        later = last[line.key].row if original is not None and last[line.key] is not line else None
        refusal = fault(line, original, later)
        if refusal is not None:
            found.refused.append(refusal)
        if original is None or line.of_row is None:
            continue
        answer = line.answer(original)
        if refusal is None and answer in ("changed", "confirmed"):
            found.read.append(line)
        sheet = line.headed.sheet.name
        found.returned.append(Returned(line.row, sheet, line.of_row, original.sheet, answer))
    return found


def _remarks(sheets: Sequence[Headed], lines: Sequence[Line], marker: Marker) -> list[Finding]:
    """Columns that the sender added, and answers that mean nothing: named, and not read."""
    known = OUR_KEYS | {name_key(label) for original in marker.originals for label in original.columns}
    added = [
        Finding(
            "column_added", "warning", sheet.header, key, None,
            f"the column '{key}' of '{sheet.sheet.name}' was added; it was not read",
        )
        for sheet in sheets
        for key in sheet.places
        if key not in known
    ]  # fmt: skip
    return [*added, *unknown_answers(lines)]


def _tables(lines: Sequence[Line], marker: Marker, request: Request, findings: Sequence[Finding]) -> RawTable:
    groups: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.headed.sheet.name, line.original or 0), []).append(line)
    if not groups:
        empty = pl.DataFrame(schema={"_row": pl.Int64, "_sheet": pl.String, "_given": pl.String})
        return RawTable(FORM, request.contract.name, empty, Ledger(), (), tuple(findings), ())
    comma = has_comma(request.source)
    tables = [_table(group, marker.originals[number], comma=comma) for (_, number), group in groups.items()]
    table = from_tables(request, FORM, tables, findings)
    return replace(table, findings=tuple(item for item in table.findings if item.code not in _OF_WHOLE_FILES))


def _table(lines: Sequence[Line], original: Original, *, comma: bool) -> Table:
    """Lines of one sheet that correct rows of one table, under that table's labels."""
    names = original.header
    sheet = lines[0].headed
    header = Header(0, sheet.header, names, tuple(name_key(plain(name)) for name in names))
    schema = {f"c{index}": pl.String for index in range(len(names))} | {"_row": pl.Int64}
    frame = pl.DataFrame([(*line.own(original), line.row) for line in lines], schema=schema, orient="row")
    rows = {line.row for line in lines}
    at = {sheet.places[name_key(name)]: index for index, name in enumerate(names)}
    broken = tuple(
        _CellThere(cell.row, at[cell.column], cell.text, cell.rule, cell.address)
        for cell in sheet.sheet.facts.broken
        if cell.row in rows and cell.column in at
    )
    named = frame.with_columns(pl.lit(sheet.sheet.name, dtype=pl.String).alias("_sheet"))
    natives = frozenset((row, at[column]) for row, column in sheet.sheet.natives() if column in at) if comma else None
    ledger = Ledger(lines=frame.height, data=frame.height)
    return Table(header, named, ledger, sheet=sheet.sheet.name, broken=broken, natives=natives)


def _among_others(table: RawTable, base: RawTable, returned: Sequence[Returned], request: Request) -> RawTable:
    """The rows in their places among the other rows of their file, as the file would have been read with them."""
    moved = _with_places(_moved(table.frame, _origins(returned)), request)
    others = base.frame.filter(
        ~_among((item.of_sheet, item.of_row) for item in returned if item.answer != "unanswered")
    )
    whole = pl.concat([others, moved], how="diagonal")
    order = {sheet: number for number, sheet in enumerate(base.frame.get_column("_sheet").unique(maintain_order=True))}
    sheets = pl.Series("_order", [order.get(sheet, 0) for sheet in whole.get_column("_sheet")], dtype=pl.Int64)
    frame = whole.with_columns(sheets).sort("_order", "_row").drop("_order")
    return replace(base, frame=frame, rejected=(), findings=())


def _with_places(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The rows with what a contract makes from a row's place made, while they still have their place in the file."""
    placed = [column for column in request.contract.columns if column.fallback and "_row" in column.fallback]
    if not placed:
        return frame
    kept = [name for name in frame.columns if name not in {column.name for column in placed}]
    made = []
    for column in placed:
        given = column.name in frame.columns
        text = sql.cleaned(sql.name(column.name), request.source.null_tokens) if given else "NULL"
        made.append(f"coalesce({text}, {column.fallback}) AS {sql.name(column.name)}")
    with duckdb.connect() as con:
        con.register("returned_rows", frame.with_row_index("_place"))
        chosen = ", ".join([*map(sql.name, kept), *made])
        return con.sql(f"SELECT {chosen} FROM returned_rows ORDER BY _place").pl()


def _back(done: RawTable, table: RawTable, returned: Sequence[Returned]) -> RawTable:
    """The finished rows under their numbers in the workbook, the others of their file under negative ones."""
    places = {origin: place for place, origin in _origins(returned).items()}
    rows = {row: place for (_, row), place in places.items()}
    own = _moved(done.frame.filter(_among(places)), places)
    others = done.frame.filter(~_among(places)).with_columns(-pl.col("_row"))
    findings = [replace(item, row=rows[item.row][1]) for item in done.findings if item.row in rows]
    refused = [
        replace(item, sheet=places[item.sheet, item.row][0], row=places[item.sheet, item.row][1])
        for item in done.rejected
        if (item.sheet, item.row) in places
    ]
    return replace(
        done,
        frame=pl.concat([own, others]),
        rejected=tuple(refused),
        findings=(*table.findings, *findings),
        columns=table.columns,
    )


def _origins(returned: Sequence[Returned]) -> dict[Place, Place]:
    """Place in the workbook to place in the file, of the rows that are read."""
    read = (item for item in returned if item.answer in ("changed", "confirmed"))
    return {(item.sheet, item.row): (item.of_sheet, item.of_row) for item in read}


def _among(places: Iterable[Place]) -> pl.Expr:
    keys = [f"{row} {sheet or ''}" for sheet, row in places]
    return (pl.col("_row").cast(pl.String) + " " + pl.col("_sheet").fill_null("")).is_in(keys)


def _moved(frame: pl.DataFrame, places: Mapping[Place, Place]) -> pl.DataFrame:
    """The rows under other coordinates."""
    old = zip(frame.get_column("_sheet"), frame.get_column("_row"), strict=True)
    new = [places[sheet, row] for sheet, row in old]
    return frame.with_columns(
        pl.Series("_sheet", [sheet for sheet, _ in new], dtype=pl.String),
        pl.Series("_row", [row for _, row in new], dtype=pl.Int64),
    )
