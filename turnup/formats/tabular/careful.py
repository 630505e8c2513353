"""Delimited text record by record: for small files, and for those whose quoting is not clean.

A quote that never closes must not swallow the rows behind it: its first line is refused and reading goes on with
the next line.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from turnup.formats.model import FileRejected
from turnup.formats.tabular.records import Record

_MAXIMUM_FAULTS = 1_000


def careful_records(text: str, delimiter: str) -> list[Record]:
    """All records of a text with the line each one starts in.

    Raises:
        FileRejected: ``quoting`` when more lines are broken than can be set aside one by one.
    """
    lines = lines_of(text)
    typical = Counter(line.count(delimiter) for line in lines[:500] if line.strip()).most_common(1)
    usual = typical[0][0] if typical else 0
    records: list[Record] = []
    start, faults = 0, 0
    while start < len(lines):
        start, broken = _read_on(lines, start, delimiter, usual, records)
        faults += broken
        if faults > _MAXIMUM_FAULTS:
            first = next(record.row for record in records if record.fault)
            message = f"more than {_MAXIMUM_FAULTS} rows open a quote that does not close (first in row {first})"
            raise FileRejected("quoting", message, row=first, expected="closed quotes")
    return records


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends: only line feeds and carriage returns end a line, no other separator does."""
    return list(io.StringIO(text, newline=""))


def _read_on(lines: Sequence[str], start: int, delimiter: str, usual: int, records: list[Record]) -> tuple[int, bool]:
    """Read until the end or a broken line; returns where to go on and whether a line was broken."""
    position = start
    reader = csv.reader(_from(lines, start), delimiter=delimiter, strict=True)
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            fault = "long" if len(lines[position]) > csv.field_size_limit() else "quote"
            return _break(lines, position, delimiter, records, fault)
        if cells is None:
            return len(lines), False
        end = start + reader.line_num
        if end - position > 1 and swallows(lines[position:end], delimiter, usual):
            return _break(lines, position, delimiter, records)
        records.append(Record(position + 1, tuple(cells), end - position, lines[end - 1].endswith(("\n", "\r"))))
        position = end


def _from(lines: Sequence[str], start: int) -> Iterator[str]:
    return iter(lines) if start == 0 else islice(lines, start, None)


def swallows(lines: Sequence[str], delimiter: str, usual: int) -> bool:
    """Whether the quoted cells of a record over several lines seem to hold whole rows.

    ``usual`` is how many delimiters a row has: a line inside the record with as many of them is probably a row.
    """
    if usual < 2:
        return False
    inside = any(line.count(delimiter) >= usual for line in lines[1:-1])
    return inside or (lines[0].count(delimiter) > 0 and lines[-1].count(delimiter) >= usual)


def _break(
    lines: Sequence[str], position: int, delimiter: str, records: list[Record], fault: str = "quote"
) -> tuple[int, bool]:
    line = lines[position]
    cells = tuple(line.rstrip("\r\n").split(delimiter))
    records.append(Record(position + 1, cells, 1, line.endswith(("\n", "\r")), fault))
    return position + 1, True
