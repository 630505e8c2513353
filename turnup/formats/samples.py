"""The first rows of a file under every way of seeing it as a table, before any contract has been chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from expectations.contract import load_contracts
from turnup.formats.content import Content, load_json
from turnup.formats.model import FileRejected
from turnup.formats.tabular import parquet
from turnup.formats.tabular.books import FORMS, sheets_of
from turnup.formats.tabular.careful import careful_records
from turnup.formats.tabular.dialect import prove
from turnup.formats.tabular.header import SEARCHED_ROWS
from turnup.formats.tabular.json_records import listed_rows, record_list, records_table
from turnup.formats.tabular.names import Vocabulary, vocabulary
from turnup.formats.tabular.records import Record

if TYPE_CHECKING:
    from expectations.contract import Contract
    from turnup.programme import Source


@dataclass(frozen=True)
class Samples:
    """Head rows of each table of a file, at least one; ``proved`` is false for text of rows without a common width."""

    tables: tuple[Sequence[Record], ...]
    proved: bool = True
    sheets: tuple[str | None, ...] = (None,)


def samples(
    held: Content, form: str, contracts: Mapping[str, Contract] | None = None, source: Source | None = None
) -> Samples:
    """The first rows of each table; ``source`` says how the file is to be understood, when that is known.

    Raises:
        FileRejected: when the file cannot be opened as its format.
    """
    if form in FORMS:
        sheets = sheets_of(held, form)
        if not sheets:
            raise FileRejected("no_sheet", "the workbook has no sheet with cells")
        tables = tuple(sheet.head(SEARCHED_ROWS) for sheet in sheets)
        return Samples(tables, sheets=tuple(sheet.name for sheet in sheets))
    if form == "parquet":
        return Samples((parquet.head(held.path, SEARCHED_ROWS),))
    if form in ("json", "jsonl"):
        return Samples((_json_head(held, form, source),))
    text = held.text(source.encoding if source else None).text
    known = _everything(contracts or load_contracts())
    cut = _first_lines(text)
    proof = prove(text, known)
    delimiter = (source.delimiter if source else None) or proof.delimiter
    return Samples((careful_records(cut, delimiter)[:SEARCHED_ROWS],), proof.proved)


def _first_lines(text: str) -> str:
    """Enough text for the searched rows, ended at a line."""
    end = 0
    for _ in range(SEARCHED_ROWS * 2):
        following = text.find("\n", end)
        if following < 0:
            return text
        end = following + 1
    return text[:end]


def _everything(contracts: Mapping[str, Contract]) -> Vocabulary:
    """All names of all contracts, to tell delimiters apart."""
    names: dict[str, str] = {}
    for dataset, contract in sorted(contracts.items()):
        known = vocabulary(contract)
        names |= {key: f"{dataset}.{key}" for key in (*known.synonyms, *known.names) if key not in names}
    return Vocabulary(names=names)


def _json_head(held: Content, form: str, source: Source | None) -> list[Record]:
    if form == "jsonl":
        lines = held.text(source.encoding if source else None).text.split("\n")[:SEARCHED_ROWS]
        records = [content_of(line) for line in lines if line.strip()]
    else:
        records = _records(held, source.sheet if source else None)[:SEARCHED_ROWS]
    rows = listed_rows(records)
    if rows is not None:
        return rows
    table = records_table(list(enumerate(records, start=1)), [], 0)
    names = table.header.names
    cells = table.frame.drop("_row", "_sheet").rows() if names else []
    return [Record(1, names), *(Record(number, row) for number, row in enumerate(cells, start=2))]


def _records(held: Content, wanted: str | None) -> list[Any]:
    try:
        return record_list(held.document.value, wanted)[0]
    except RecursionError as error:
        raise FileRejected("json", "the document is nested too deeply", expected="a list of objects") from error


def content_of(line: str) -> object:
    """The JSON value of a line, or the line itself when it is none."""
    try:
        return load_json(line).value
    except FileRejected:
        return line
