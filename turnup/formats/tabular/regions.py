"""Several tables below each other on one sheet or in one text.

A further table with the dataset's columns is read under its own header; one of something else is counted and named,
never read as data of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from turnup.formats.decoding import SPACE
from turnup.formats.tabular.header import Header, header_at
from turnup.formats.tabular.names import Vocabulary, labels, name_key
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.tabulate import Apart, Block

_NUMERIC = r"^[-+]?[\d.,:/ -]*\d[\d.,:/ -]*%?$"
_NUMBER = re.compile(_NUMERIC)
_DIGIT = re.compile(r"\d")
_ABSENT = frozenset({"tbd", "tba", "n/a", "na", "none", "unknown", "null", "-", "--", "?"})


@dataclass(frozen=True)
class _Paragraph:
    """Rows between blank rows: titles of one cell first, then the row that may be a header, and what follows it."""

    titles: tuple[Record, ...]
    head: Record
    body: tuple[Record, ...]
    apart: bool = True

    @property
    def records(self) -> tuple[Record, ...]:
        return (*self.titles, self.head, *self.body)


def split(block: Block, names: Vocabulary, required: frozenset[str]) -> list[Block]:
    """The tables of a block, each under its own header.

    ``required`` are the columns of the contract without which a header does not begin a further table.
    """
    block = _widened(block)
    header, titles = block.header, block.above
    needed = required & names.targets(header.names, header.bases)
    begins: list[tuple[int, Header, Sequence[Record]]] = [(0, header, titles)]
    apart: list[Apart] = []
    for part in _paragraphs(block, names):
        if _continues(part.head, header, names, needed):
            header = header_at([part.head], 0)
            begins.append((part.records[0].row, header, part.titles))
        elif part.apart and _foreign(part, block, header, names, required):
            apart.append(Apart(part.records))
    if len(begins) == 1 and not apart:
        return [block]
    ends = [*(row for row, _, _ in begins[1:]), None]
    return [_piece(block, *begin, end, apart) for begin, end in zip(begins, ends, strict=True)]


def _piece(
    block: Block, first: int, header: Header, above: Sequence[Record], end: int | None, apart: Sequence[Apart]
) -> Block:
    """The rows of a block from a row on, under the header there."""
    start = header.row if first else 0
    mine = [part for part in apart if start < part.first and (end is None or part.first < end)]
    out = {record.row for part in mine for record in part.records}

    def within(row: int) -> bool:
        return row > start and (end is None or row < end) and row not in out

    bulk = block.bulk
    if bulk is not None:
        numbers = pl.col("_row")
        kept = (numbers > start) & ~numbers.is_in(sorted(out))
        bulk = bulk.filter(kept & (numbers < end) if end is not None else kept)
        missing = range(len(bulk.columns) - 1, header.width)
        bulk = bulk.with_columns(pl.lit(None, dtype=pl.String).alias(f"c{index}") for index in missing)
        bulk = bulk.select(pl.exclude("_row"), "_row")
    odd = [record for record in block.odd if within(record.row)]
    return replace(block, header=header, above=above, odd=odd, bulk=bulk, apart=tuple(mine))


def _paragraphs(block: Block, names: Vocabulary) -> Iterator[_Paragraph]:
    """Where another table may begin: behind a blank row, or at a row whose first cell is the name of a column."""
    bulk = block.bulk if block.bulk is not None else pl.DataFrame(schema={"_row": pl.Int64})
    lead = next((index for index, key in enumerate(block.header.keys) if key), 0)
    blanks = {record.row for record in block.odd if not record.filled and not record.fault}
    naming = {record.row for record in block.odd if not record.fault and name_key(record.cell(lead)) in names.known}
    if bulk.height:
        cells = bulk.get_column(f"c{lead}").fill_null("").str.strip_chars(SPACE)
        shown = pl.any_horizontal(pl.exclude("_row").fill_null("").str.strip_chars(SPACE) != "")
        blanks |= set(bulk.filter(cells == "").filter(~shown).get_column("_row").to_list())
        naming |= set(bulk.filter(cells.is_in(_names_in(cells, names).implode())).get_column("_row").to_list())
    if not blanks and not naming:
        return
    odd = {record.row: record for record in block.odd}
    rows = sorted({*bulk.get_column("_row").to_list(), *odd})
    at = {row: index for index, row in enumerate(rows)}

    def record(row: int) -> Record:
        if row in odd:
            return odd[row]
        return Record(row, bulk.row(bulk.get_column("_row").search_sorted(row))[:-1])

    first = next((row for row in rows if row not in blanks), None)
    starts = {row for row in rows if row not in blanks and row != first and rows[at[row] - 1] in blanks}
    seen = 0
    for row in sorted(starts | naming):
        if row <= seen:
            continue
        part = _paragraph([record(other) for other in _until_blank(rows, at[row], blanks)], apart=row in starts)
        if part is not None:
            seen = part.head.row
            yield part


def _names_in(cells: pl.Series, names: Vocabulary) -> pl.Series:
    """The texts among cells that are the name of a column."""
    texts = cells.unique()
    keys = texts.str.to_lowercase().str.replace_all(r"[\s_\-]+", "_").str.strip_chars("_*:.# ")
    return texts.filter(keys.is_in(sorted(names.known)))


def _until_blank(rows: Sequence[int], index: int, blanks: set[int]) -> list[int]:
    end = index
    while end < len(rows) and rows[end] not in blanks:
        end += 1
    return list(rows[index:end])


def _paragraph(records: Sequence[Record], *, apart: bool) -> _Paragraph | None:
    titles = 0
    while titles < len(records) and len(records[titles].filled) == 1:
        titles += 1
    if titles == len(records) or records[titles].fault:
        return None
    return _Paragraph(tuple(records[:titles]), records[titles], tuple(records[titles + 1 :]), apart)


def _continues(head: Record, header: Header, names: Vocabulary, needed: frozenset[str] | set[str]) -> bool:
    """Whether a row is a header of the same dataset, other than the one that holds."""
    found = header_at([head], 0)
    if _same(found, header) or any(_NUMBER.match(text) for text in head.filled):
        return False
    targets = names.targets(found.names, found.bases)
    known = names.targets(header.names, header.bases)
    return len(targets) > 1 and len(targets) * 2 >= len(known) and needed <= targets


def _same(left: Header, right: Header) -> bool:
    return tuple(key for key in left.keys if key) == tuple(key for key in right.keys if key)


def _foreign(part: _Paragraph, block: Block, header: Header, names: Vocabulary, required: frozenset[str]) -> bool:
    """Whether rows are a table of something else: a row of distinct words over rows that do not fit the header."""
    words = part.head.filled
    if not part.body or len(words) < 2 or len(set(words)) < len(words):
        return False
    if any(_DIGIT.search(text) or text.casefold() in _ABSENT for text in words):
        return False
    if _same(header_at([part.head], 0), header):
        return False
    rows = (part.head, *part.body)
    if not block.fixed:
        widths = {len(row.cells) for row in rows}
        if len(widths) == 1 and (max(widths) < header.least or _surplus(rows, header)):
            return True
    meanings = names.meanings(header.names, header.bases)
    needed = [index for index, meaning in enumerate(meanings) if meaning.target in required]
    if any(not any(row.cell(index) for row in rows) for index in needed):
        return True
    return any(part.head.cell(index) for index in _number_columns(block, header, part.records[0].row))


def _surplus(rows: Sequence[Record], header: Header) -> bool:
    return all(any(row.cell(index) for index in range(header.width, len(row.cells))) for row in rows)


def _number_columns(block: Block, header: Header, before: int) -> list[int]:
    """Columns that hold nothing but numbers, at least two, in the rows above."""
    texts: list[list[str]] = [[] for _ in range(header.least)]
    for record in block.odd:
        if header.row < record.row < before and len(record.filled) > 1:
            for index in range(header.least):
                texts[index].append(record.cell(index))
    found = []
    for index in range(header.least):
        values = [text for text in texts[index] if text]
        if block.bulk is not None and f"c{index}" in block.bulk.columns:
            above = block.bulk.filter((pl.col("_row") < before) & (pl.col("_row") > header.row))
            column = above.get_column(f"c{index}").fill_null("").str.strip_chars(SPACE)
            values += column.filter(column != "").to_list()
        if len(values) > 1 and all(_NUMBER.match(text) for text in values):
            found.append(index)
    return found


def _widened(block: Block) -> Block:
    """The header made as wide as a side table that begins behind an empty field beyond it."""
    width = block.header.width
    beyond = [record for record in block.odd if _fills_beyond(record, width)]
    if block.fixed or len(beyond) < 2 or any(record.cell(width) or record.fault for record in beyond):
        return block
    numbers = sorted(record.row for record in block.odd if record.filled)
    if block.bulk is not None:
        numbers = sorted({*numbers, *block.bulk.get_column("_row").to_list()})
    first = numbers.index(beyond[0].row)
    if first > 2 or len(beyond) * 2 > len(numbers):
        return block
    if numbers[first : first + len(beyond)] != [record.row for record in beyond]:
        return block
    bases = (*(block.header.bases or block.header.names), *[""] * (max(len(record.cells) for record in beyond) - width))
    extra = labels(bases)[width:]
    header = replace(
        block.header,
        names=(*block.header.names, *extra),
        keys=(*block.header.keys, *[""] * len(extra)),
        bases=bases,
    )
    bulk = block.bulk
    if bulk is not None:
        missing = range(len(bulk.columns) - 1, header.width)
        bulk = bulk.with_columns(pl.lit(None, dtype=pl.String).alias(f"c{index}") for index in missing)
        bulk = bulk.select(pl.exclude("_row"), "_row")
    return replace(block, header=header, bulk=bulk)


def _fills_beyond(record: Record, width: int) -> bool:
    return any(record.cell(index) for index in range(width, len(record.cells)))
