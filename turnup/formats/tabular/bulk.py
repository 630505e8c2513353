"""Large regular text in bulk: record ends and widths are counted on the raw bytes, then polars reads the cells.

The count over the bytes is independent of the reader: every record that is not exactly of the table's width is read
one by one, and the reader must return as many rows as were counted, or the careful path reads the whole file.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from turnup.formats.tabular.careful import lines_of, swallows
from turnup.formats.tabular.records import Record

Positions = npt.NDArray[np.int64]
_QUOTE, _FEED, _RETURN, _HASH = 34, 10, 13, 35
_PIECE = 1 << 18


@dataclass(frozen=True)
class Scan:
    """Where each record of a text starts and ends (end excludes its line feed), its width and first line."""

    data: bytes
    delimiter: str
    starts: Positions
    ends: Positions
    widths: Positions
    rows: Positions
    lines: Positions
    quoted: bool

    def record(self, index: int) -> Record:
        """One record, read by the csv module."""
        start, end = int(self.starts[index]), int(self.ends[index])
        text = self.data[start:end].decode("utf-8").removesuffix("\r")
        place = (int(self.rows[index]), int(self.lines[index]), end < len(self.data))
        try:
            cells = next(csv.reader(lines_of(text), delimiter=self.delimiter), [])
        except csv.Error:
            return Record(place[0], tuple(text.split(self.delimiter)), *place[1:], "long")
        return Record(place[0], tuple(cells), *place[1:])

    def swallows(self, index: int, width: int) -> bool:
        """Whether a record over several lines seems to have taken rows into a quoted cell."""
        text = self.data[int(self.starts[index]) : int(self.ends[index])].decode("utf-8")
        return swallows(lines_of(text), self.delimiter, width - 1)

    def records(self, indexes: Sequence[int] | Positions) -> list[Record]:
        """Several records."""
        return [self.record(int(index)) for index in indexes]


def scan(data: bytes, delimiter: str) -> Scan | None:
    """Count the records of a text, or None when it is not cleanly quoted, empty or has odd line ends."""
    if not data or b"\0" in data or data.count(b"\r") != data.count(b"\r\n"):
        return None
    octets = np.frombuffer(data, dtype=np.uint8)
    quotes = _positions(octets, _QUOTE)
    if not _clean(octets, quotes, ord(delimiter)):
        return None
    feeds = _positions(octets, _FEED)
    ends = _outside(feeds, quotes)
    if not ends.size or ends[-1] != len(data) - 1:
        ends = np.append(ends, len(data))
    starts = np.append([0], ends[:-1] + 1)
    widths = _widths(octets, ord(delimiter), ends, quotes)
    rows = np.searchsorted(feeds, starts) + 1 if quotes.size else np.arange(1, ends.size + 1)
    after = np.append(rows[1:], len(feeds) + (data[-1] != _FEED) + 1)
    return Scan(data, delimiter, starts, ends, widths, rows, after - rows, bool(quotes.size))


def _pieces(octets: npt.NDArray[np.uint8], octet: int) -> Iterator[tuple[int, Positions]]:
    """Where an octet stands, piece by piece: the piece's first position, and positions in it.

    Pieces stay in the processor's cache; marks over the whole file would fill as much memory as the file.
    """
    for at in range(0, octets.size, _PIECE):
        yield at, np.flatnonzero(octets[at : at + _PIECE] == octet)


def _positions(octets: npt.NDArray[np.uint8], octet: int) -> Positions:
    return np.concatenate([places + at for at, places in _pieces(octets, octet)])


def _before(octets: npt.NDArray[np.uint8], octet: int, positions: Sequence[Positions]) -> list[Positions]:
    """How often an octet stands before each of these positions, which ascend."""
    counts = [np.empty(wanted.size, dtype=np.int64) for wanted in positions]
    done, seen = [0] * len(positions), 0
    for at, places in _pieces(octets, octet):
        last = at + _PIECE >= octets.size
        for index, wanted in enumerate(positions):
            start = done[index]
            stop = wanted.size if last else int(np.searchsorted(wanted, at + _PIECE))
            counts[index][start:stop] = np.searchsorted(places, wanted[start:stop] - at) + seen
            done[index] = stop
        seen += places.size
    return counts


def _widths(octets: npt.NDArray[np.uint8], delimiter: int, ends: Positions, quotes: Positions) -> Positions:
    """Fields of each record: the delimiters up to its end, less those inside quotes, less those of earlier records."""
    opening, closing = quotes[0::2], quotes[1::2]
    before, opened, closed = _before(octets, delimiter, (ends, opening, closing))
    if quotes.size:
        inside = np.cumsum(closed - opened)
        before -= np.append([0], inside)[np.searchsorted(opening, ends)]
    widths: Positions = np.diff(before, prepend=0) + 1
    return widths


def _outside(positions: Positions, quotes: Positions) -> Positions:
    """Those positions that an even number of quotes precedes."""
    if not quotes.size:
        return positions
    outside: Positions = positions[np.searchsorted(quotes, positions) % 2 == 0]
    return outside


def _clean(octets: npt.NDArray[np.uint8], quotes: Positions, delimiter: int) -> bool:
    """Quotes stand only where fields begin and end (or doubled inside), and each one is closed."""
    if quotes.size % 2:
        return False
    opening, closing = quotes[0::2], quotes[1::2]
    before = octets[opening[opening > 0] - 1]
    after = octets[closing[closing < octets.size - 1] + 1]
    begins = np.isin(before, [delimiter, _FEED, _QUOTE])
    ends = np.isin(after, [delimiter, _FEED, _RETURN, _QUOTE])
    return bool(begins.all() and ends.all())


def read_regular(found: Scan, first: int, width: int) -> tuple[pl.DataFrame, list[Record]] | None:
    """Frame (``c0..``, ``_row``) of the regular records from ``first`` on, and all others as records.

    None when the reader's rows are not the counted ones, or a quoted cell may have taken rows in.
    """
    body = np.arange(found.starts.size) >= first
    heads = np.frombuffer(found.data, dtype=np.uint8)[np.minimum(found.starts, len(found.data) - 1)]
    plain = (found.widths == width) & (found.lines == 1) & (heads != _HASH) & (heads != _FEED) & (heads != _RETURN)
    plain &= (found.ends > found.starts) & (found.ends - found.starts <= csv.field_size_limit())
    regular = np.flatnonzero(body & plain)
    odd = np.flatnonzero(body & ~plain)
    if not regular.size or any(found.swallows(int(index), width) for index in odd if found.lines[index] > 1):
        return None
    frame = _cells(found, regular, width)
    if frame is None or frame.height != regular.size:
        return None
    numbered = frame.with_columns(pl.Series("_row", found.rows[regular], dtype=pl.Int64))
    return numbered, found.records(odd)


def _runs(found: Scan, regular: Positions) -> list[tuple[int, int]]:
    """From where to where the regular records lie, run by run."""
    breaks = np.flatnonzero(np.diff(regular) > 1)
    firsts = regular[np.append([0], breaks + 1)]
    lasts = regular[np.append(breaks, regular.size - 1)]
    return list(zip(found.starts[firsts].tolist(), found.ends[lasts].tolist(), strict=True))


def _cells(found: Scan, regular: Positions, width: int) -> pl.DataFrame | None:
    runs, skipped = _runs(found, regular), 0
    if len(runs) == 1 and runs[0][1] >= len(found.data) - 1:
        # All that follows the first one: the reader skips the lines before it, and nothing is copied.
        data, skipped = found.data, int(found.rows[regular[0]]) - 1
    else:
        data = b"\n".join(found.data[start:end].removesuffix(b"\n") for start, end in runs)
    try:
        return pl.read_csv(
            data,
            has_header=False,
            skip_lines=skipped,
            separator=found.delimiter,
            quote_char='"' if found.quoted else None,
            schema={f"c{index}": pl.String for index in range(width)},
            empty_string_is_null=False,
        )
    except pl.exceptions.PolarsError:
        return None
