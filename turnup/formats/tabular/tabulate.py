"""From located rows to the frame of one table: plain rows in bulk, odd rows one by one, every row counted.

A reader hands over a ``Block``: rows that are certainly of the table's width as a frame of text, and all others as
records. What comes back is the table with labels as columns, its ledger, its refused rows and findings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from turnup.formats.decoding import SPACE
from turnup.formats.model import Finding, Ledger, Rejected
from turnup.formats.tabular.header import Header
from turnup.formats.tabular.names import clean, plain
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.rows import TOTAL_PATTERN, Kind, Sorted, Sorter, stated_count
from turnup.formats.tabular.sheet_xml import Cell
from turnup.formats.tabular.side_table import side_columns, side_finding

_TAIL = 50
"""So many last rows of a bulk frame are looked at one by one, because notes stand at the end."""

_FAULTS = {
    "long": (
        "cells of at most 131,072 characters",
        "holds a cell of more than 131,072 characters, or one whose quote is not closed",
    ),
    "nul_byte": ("text", "holds NUL bytes: the file was damaged on its way"),
    "quote": (
        "every opening quote closed before the next row",
        'opens a quote (") that is not closed where its cell ends; close it, or double a quote inside the text',
    ),
}


@dataclass(frozen=True)
class Apart:
    """Rows that are a table of something else."""

    records: tuple[Record, ...]

    @property
    def first(self) -> int:
        """Its first row."""
        return self.records[0].row


@dataclass(frozen=True)
class Block:
    """The rows below a header; ``bulk`` has the columns ``c0..`` and ``_row``, ``apart`` are other tables in it."""

    header: Header
    above: Sequence[Record]
    odd: Sequence[Record]
    bulk: pl.DataFrame | None
    fixed: bool
    sheet: str | None = None
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True)
class Table:
    """A read table: cells as delivered in ``c0..`` (the header's order), ``_row`` and ``_sheet``.

    ``natives`` are the cells that hold numbers, where that matters (``native_numbers``). Labels come from strangers and
    may be ``*`` or look like a pattern, so they never name columns of a frame here.
    """

    header: Header
    frame: pl.DataFrame
    ledger: Ledger
    rejected: tuple[Rejected, ...] = ()
    findings: tuple[Finding, ...] = ()
    sheet: str | None = None
    totals: tuple[Record, ...] = ()
    broken: tuple[Cell, ...] = ()
    beside: tuple[int, ...] = ()
    continued: int = 0
    natives: frozenset[tuple[int, int]] | None = None

    @property
    def empty_columns(self) -> frozenset[str]:
        """Labels of the columns that hold nothing at all."""
        width = range(self.header.width)
        maybe = set(width) - _showing(self.frame.head(_TAIL), width)
        shown = _showing(self.frame, sorted(maybe)) if maybe else set()
        return frozenset(self.header.names[index] for index in maybe - shown)

    def cells(self, indexes: Sequence[int]) -> pl.Expr:
        """Some columns of a row as delivered, under their labels."""
        cells = pl.struct(f"c{index}" for index in indexes)
        return cells.struct.rename_fields([self.header.names[index] for index in indexes])

    def given(self, indexes: Sequence[int]) -> pl.Expr:
        """The same as one JSON text."""
        return self.cells(indexes).struct.json_encode() if indexes else pl.lit("{}")


def _showing(frame: pl.DataFrame, indexes: Sequence[int]) -> set[int]:
    """Those columns that hold anything that shows."""
    shown = frame.select(pl.col(f"c{index}").str.strip_chars(SPACE).str.len_bytes().gt(0).any() for index in indexes)
    return {index for place, index in enumerate(indexes) if shown.item(0, place)} if indexes else set()


def tabulate(block: Block, required: tuple[int, ...]) -> Table:
    """Sort all rows of a block and put the data rows in file order."""
    bulk, odd = _split(block)
    last = bulk.get_column("_row").max() if bulk.height else 0
    sorter = Sorter(block.header, required, block.fixed)
    rows = sorter.sort(odd, last if isinstance(last, int) else 0, bulk.height)
    frame = _frame(block.header, bulk, [row.record for row in rows if row.kind == "data"])
    rejected = tuple(_refuse(row, block) for row in rows if row.kind == "rejected")
    above = _above(block.above)
    beside = [row.record for row in rows if row.kind == "side"]
    columns = side_columns(block.header, frame, len(beside))
    read = frame.height + len(rejected)
    ledger = _ledger(frame.height, rows, above, block.header.depth)
    named = columns or (range(block.header.least, block.header.width) if beside else ())
    side = [side_finding(frame, named, beside)] if named else []
    return Table(
        block.header,
        frame.with_columns(pl.lit(block.sheet, dtype=pl.String).alias("_sheet")),
        _with_others(ledger, block, len(beside)),
        rejected,
        (
            *_notes(rows, above),
            *_surplus(rows, block),
            *side,
            *map(_apart_finding, block.apart),
            *_counts(rows, above, read),
        ),
        block.sheet,
        tuple(row.record for row in rows if row.kind == "total" and row.stated is None),
        beside=columns,
        continued=ledger.other,
    )


def _counts(rows: Sequence[Sorted], above: dict[Kind | str, list[Record]], read: int) -> list[Finding]:
    """What lines above and below the table say about the number of rows, where that is not what was read."""
    said = [(row.record.row, row.stated) for row in rows if row.stated is not None]
    said += [(record.row, count) for record in above["title"] if (count := stated_count(record)) is not None]
    return [
        Finding(
            "count_mismatch",
            "warning",
            row,
            None,
            str(count),
            f"row {row} says that there are {count} rows, the table has {read}; the file may be cut or put together",
        )
        for row, count in said
        if count != read
    ]


def _with_others(ledger: Ledger, block: Block, beside: int) -> Ledger:
    others = beside + sum(record.lines for part in block.apart for record in part.records)
    return ledger.plus(Ledger(lines=others, other=others))


def _apart_finding(part: Apart) -> Finding:
    first, last = part.records[0].row, part.records[-1].row
    head = next(record for record in part.records if len(record.filled) > 1)
    message = (
        f"rows {first} to {last} are another table ({_show(head)}) that has not the columns of this dataset; they were "
        "counted and not read"
    )
    return Finding("other_table", "warning", first, None, _show(head), message)


def _split(block: Block) -> tuple[pl.DataFrame, list[Record]]:
    """Take out of the bulk every row that might be something else than plain data."""
    width = block.header.width
    empty = pl.DataFrame(schema={f"c{i}": pl.String for i in range(width)} | {"_row": pl.Int64})
    if block.bulk is None or not block.bulk.height:
        return empty, list(block.odd)
    bulk = block.bulk
    tail = pl.int_range(pl.len()) >= bulk.height - _TAIL
    marked = bulk.with_columns(_suspects(bulk, block.header).alias("_odd")).with_columns(pl.col("_odd") | tail)
    names = [name for name in bulk.columns if name != "_row"]
    odd = [Record(row[-1], row[:-1]) for row in marked.filter("_odd").select(*names, "_row").rows()]
    # Where only the tail is odd, the rest is taken as it stands and not copied.
    inner = marked.head(bulk.height - _TAIL) if bulk.height > _TAIL else marked.clear()
    kept = (inner if len(odd) == _TAIL else marked.filter(~pl.col("_odd"))).select(*names[:width], "_row")
    return kept, sorted([*block.odd, *odd], key=lambda record: record.row)


def _suspects(bulk: pl.DataFrame, header: Header) -> pl.Expr:
    """Rows that may be blank, a comment, a total, the header again, or wider than the table.

    All of these show in the first filled cell (or beyond the table); a row whose first named column is filled, and
    nothing before it, is judged by that one cell, which keeps a large table fast.
    """
    texts = [pl.col(f"c{index}").fill_null("").str.strip_chars(SPACE) for index in range(len(bulk.columns) - 1)]
    lead = next((i for i, key in enumerate(header.keys) if key), 0)
    first = texts[lead]
    told = first.str.contains(TOTAL_PATTERN) | first.str.starts_with("#")
    told = told | (first.str.to_lowercase() == clean(plain(header.names[lead])).lower())
    for index, text in enumerate(texts):
        if index < lead or index >= header.width:
            told = told | (text != "")
    return told | (first == "")


def _frame(header: Header, bulk: pl.DataFrame, records: Sequence[Record]) -> pl.DataFrame:
    schema = {f"c{i}": pl.String for i in range(header.width)} | {"_row": pl.Int64}
    blank = (None,) * header.width
    rows = [(*(record.cells + blank)[: header.width], record.row) for record in records]
    extra = pl.DataFrame(rows, schema=schema, orient="row")
    both = pl.concat([bulk, extra]) if bulk.height else extra
    if not both.get_column("_row").is_sorted():
        both = both.sort("_row")
    return both


def _above(records: Sequence[Record]) -> dict[Kind | str, list[Record]]:
    kinds: dict[Kind | str, list[Record]] = {"blank": [], "comment": [], "title": []}
    for record in records:
        if not record.filled:
            kinds["blank"].append(record)
        elif record.filled[0].startswith("#"):
            kinds["comment"].append(record)
        else:
            kinds["title"].append(record)
    return kinds


def _ledger(data: int, rows: Sequence[Sorted], above: dict[Kind | str, list[Record]], depth: int) -> Ledger:
    def count(kind: str) -> int:
        return sum(row.kind == kind for row in rows) + len(above.get(kind, ()))

    kinds = ("title", "footer", "comment", "blank", "total", "rejected")
    counts = {kind: count(kind) for kind in kinds} | {"header": count("header") + depth, "data": data}
    records = [
        *(row.record for row in rows if row.kind != "side"),
        *(record for group in above.values() for record in group),
    ]
    continued = sum(record.lines - 1 for record in records)
    return Ledger(lines=sum(counts.values()) + continued, other=continued, **counts)


def _refuse(row: Sorted, block: Block) -> Rejected:
    record, width = row.record, block.header.width
    given = record.given(block.header.names)
    if row.why in _FAULTS:
        expected, text = _FAULTS[row.why]
        return Rejected(record.row, block.sheet, None, None, row.why, expected, f"row {record.row} {text}", given)
    found = len(record.cells)
    cut = "" if record.ended else "; the file ends inside this row, so it was probably cut"
    message = f"row {record.row} has {found} fields, the header ({block.header.place}) has {width}{cut}"
    return Rejected(record.row, block.sheet, None, str(found), "width", f"{width} fields", message, given)


def _notes(rows: Sequence[Sorted], above: dict[Kind | str, list[Record]]) -> list[Finding]:
    """Each row that was set aside is named, so that nothing leaves the data in silence."""
    texts = {"comment": "comment, kept out of the data", "total": "totals row, used as a control total",
             "footer": "note below the table", "header": "the header is repeated here"}  # fmt: skip
    found = []
    for row in rows:
        if row.kind in texts:
            number = row.record.row
            message = f"row {number}: {texts[row.kind]}"
            found.append(Finding(f"{row.kind}_row", "info", number, None, _show(row.record), message))
    for kind in ("title", "comment"):
        for record in above[kind]:
            message = f"row {record.row}: {kind} above the table"
            found.append(Finding(f"{kind}_row", "info", record.row, None, _show(record), message))
    return sorted(found, key=lambda finding: finding.row or 0)


def _show(record: Record) -> str:
    return " | ".join(record.filled)[:200]


def _surplus(rows: Sequence[Sorted], block: Block) -> list[Finding]:
    width = block.header.width
    surplus = [row.record.row for row in rows if row.kind == "data" and len(row.record.cells) > width]
    if block.bulk is not None and len(block.bulk.columns) - 1 > width:
        surplus += block.bulk.get_column("_row").head(1).to_list()
    if not surplus:
        return []
    first = min(surplus)
    message = f"rows from row {first} on carry empty fields beyond the {width} of the header; they were left out"
    return [Finding("surplus_empty_fields", "info", first, None, None, message)]
