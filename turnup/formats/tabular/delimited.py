"""CSV and its kin (comma, semicolon, tab, pipe) in any encoding, with titles, notes and totals around the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from turnup.formats.decoding import Decoded
from turnup.formats.model import FileRejected, Finding, RawTable, Request
from turnup.formats.tabular.bulk import Scan, read_regular, scan
from turnup.formats.tabular.careful import careful_records
from turnup.formats.tabular.dialect import prove, unsplit
from turnup.formats.tabular.finish import from_tables, tables_of
from turnup.formats.tabular.header import SEARCHED_ROWS
from turnup.formats.tabular.header_search import find_header
from turnup.formats.tabular.names import vocabulary
from turnup.formats.tabular.tabulate import Block, Table

BULK_FROM = 500
"""Records from which on a text is read in bulk; below, the careful path is fast enough."""


def parse_delimited(request: Request) -> RawTable:
    """Read a delimited text for one dataset.

    Raises:
        FileRejected: when the encoding, the header or a column stops the whole file.
    """
    data = request.content.data
    if not data:
        raise FileRejected("empty_file", "the file is empty (0 bytes)", expected="a table with a header")
    decoded = request.content.text(request.source.encoding)
    delimiter = request.source.delimiter or prove(decoded.text, vocabulary(request.contract, request.source)).delimiter
    _refuse_one_column(decoded.text, delimiter)
    tables = read_tables(request, decoded, data, delimiter)
    findings = [*decoded.findings, *_line_findings(tables)]
    return from_tables(request, "tsv" if delimiter == "\t" else "csv", tables, findings)


def _refuse_one_column(text: str, delimiter: str) -> None:
    """A file of many columns that is read as one is no table of one column."""
    other = unsplit(text, delimiter)
    if other is None:
        return
    if other.startswith(" "):
        message = "the columns are set apart by blanks only: export the table as CSV, with one character between fields"
        raise FileRejected("delimiter", message, expected="a delimiter")
    mark = "\\t" if other == "\t" else other.removeprefix("\\")
    message = (
        f"every row is one field, but nearly all rows hold '{mark}' equally often: write delimiter: \"{mark}\" in the "
        "source of programme.yaml"
    )
    raise FileRejected("delimiter", message, value=mark, expected="a delimiter that splits the rows")


def read_tables(request: Request, decoded: Decoded, data: bytes, delimiter: str) -> list[Table]:
    """The tables of a text: in bulk where that is proved right, else record by record."""
    block = _bulk_block(request, decoded, data, delimiter) or _careful_block(request, decoded.text, delimiter)
    return tables_of(block, request)


def _header_names(request: Request) -> Sequence[str]:
    return [column.name for column in request.contract.columns]


def _careful_block(request: Request, text: str, delimiter: str) -> Block:
    records = careful_records(text, delimiter)
    names = vocabulary(request.contract, request.source)
    header = find_header(records, names, request.source.header, _header_names(request))
    return Block(header, records[: header.top], records[header.index + 1 :], None, fixed=False)


def _bulk_block(request: Request, decoded: Decoded, data: bytes, delimiter: str) -> Block | None:
    if data.count(b"\n") < BULK_FROM:
        return None
    utf8 = decoded.encoding == "utf-8"
    found = scan(data.removeprefix(b"\xef\xbb\xbf") if utf8 else decoded.text.encode(), delimiter)
    if found is None or found.starts.size < BULK_FROM:
        return None
    wanted = request.source.header
    searched = SEARCHED_ROWS if wanted == "auto" else wanted + SEARCHED_ROWS
    head = found.records(range(min(searched, found.starts.size)))
    names = vocabulary(request.contract, request.source)
    header = find_header(head, names, wanted, _header_names(request))
    read = read_regular(found, header.index + 1, _usual_width(found, header.index, header.width))
    if read is None or any(record.lines > 1 for record in head[: header.index + 1]):
        return None
    return Block(header, head[: header.top], read[1], read[0], fixed=False)


def _usual_width(found: Scan, header: int, width: int) -> int:
    """The width most rows below the header have, but never less than the header's."""
    widths, counts = np.unique(found.widths[header + 1 :], return_counts=True)
    return max(width, int(widths[counts.argmax()])) if widths.size else width


def _line_findings(tables: Sequence[Table]) -> list[Finding]:
    continued = sum(table.continued for table in tables)
    if not continued:
        return []
    message = f"{continued} lines continue a quoted cell that holds line breaks"
    return [Finding("multi_line_cell", "info", None, None, str(continued), message)]
