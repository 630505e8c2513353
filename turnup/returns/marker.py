"""The hidden sheet by which a send-back workbook is known again, whatever its name and wherever it is dropped.

It names the files whose rows were sent back and, for each row id, the row it stands for. Row ids are hashes of that
place, so an id from another workbook never means another row here.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePath
from typing import IO

import polars as pl

from turnup.formats.model import FileRejected
from turnup.formats.tabular.archive import MAXIMUM_ENTRY, check_archive
from turnup.formats.tabular.names import clean
from turnup.formats.tabular.sheets import cleaned
from turnup.isolation import shared_reader
from turnup.returns.headings import is_beyond

SHEET = "turnup"
_BLOCK = 1 << 20
_TITLE, _VERSION = "turnup send-back", "1"
_NO_WORKBOOKS = frozenset(
    {".csv", ".tsv", ".txt", ".log", ".out", ".json", ".jsonl", ".ndjson", ".xml", ".edi", ".x12"}
)


@dataclass(frozen=True)
class Original:
    """A table of a delivered file of which rows were sent back.

    Attributes:
        source: the source that took the file.
        path: where it lay in the inbox.
        sha256: its content.
        sheet: the sheet, or None for a file without sheets.
        columns: its column labels, in its own order.
    """

    source: str
    path: str
    sha256: str
    sheet: str | None
    columns: tuple[str, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """The labels that the file's header gave; the others stand over cells beyond it."""
        return tuple(label for label in self.columns if not is_beyond(label))


@dataclass(frozen=True)
class Place:
    """A row of an original: the original's number in the marker, the row, and the digest of its cells as sent."""

    original: int
    row: int
    sent: str


@dataclass(frozen=True)
class Marker:
    """What a send-back workbook says about itself.

    ``spelled`` has, per row id and label, the few cells that a reader of workbooks spells otherwise than their file.
    """

    week: str
    owner: str
    originals: tuple[Original, ...]
    rows: dict[str, Place]
    spelled: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def corrected(self) -> tuple[tuple[str, str], ...]:
        """Each (source, content) of which rows were sent back."""
        return tuple(sorted({(original.source, original.sha256) for original in self.originals}))


def row_id(original: Original, row: int) -> str:
    """The id of a row of an original."""
    place = "\0".join((original.source, original.sha256, original.sheet or "", str(row)))
    return f"R{hashlib.sha256(place.encode()).hexdigest()[:12]}"


def digest(cells: Iterable[str | None]) -> str:
    """What tells whether the cells of a row were changed: white space around them is no change."""
    return hashlib.sha256("\0".join(clean(cell or "") for cell in cells).encode()).hexdigest()[:16]


def marker_cells(marker: Marker) -> list[list[str]]:
    """The marker as rows of text cells."""
    lines = [[_TITLE, _VERSION, marker.week, marker.owner]]
    for number, item in enumerate(marker.originals):
        lines.append(["original", str(number), item.source, item.path, item.sha256, item.sheet or "", *item.columns])
    lines += [["row", key, str(place.original), str(place.row), place.sent] for key, place in marker.rows.items()]
    # The mark in front keeps the text from being spelled differently here too.
    lines += [["cell", key, label, f"={text}"] for (key, label), text in marker.spelled.items()]
    return lines


def as_read(texts: Collection[str]) -> dict[str, str | None]:
    """Texts of cells as a reader of workbooks hands each of them on."""
    given = pl.DataFrame({"c0": list(texts)}, schema={"c0": pl.String})
    return dict(zip(texts, cleaned(given)[0].get_column("c0").to_list(), strict=True))


@dataclass(frozen=True)
class Correction:
    """What reading a returned workbook needs besides the file: its marker, and which file's rows are wanted.

    Attributes:
        name: what the sender called the workbook.
        marker: what the workbook says about itself.
        source: the source whose rows are wanted.
        sha256: the content of the file that they correct.
        original: the stored copy of that file, which may be missing.
        original_name: what its sender called it.
    """

    name: str
    marker: Marker
    source: str
    sha256: str
    original: Path
    original_name: str


def marker_of(content: Path, name: str) -> Marker | None:
    """The marker of a stored file, or None for a file that is no send-back of this version."""
    if PurePath(name).suffix.lower() in _NO_WORKBOOKS or not content.is_file():
        return None
    return _marker(content, name)


@cache
def _marker(content: Path, name: str) -> Marker | None:
    """Remembered by path: a stored file is named by its content."""
    if not may_be_marked(content):
        return None
    try:
        cells = shared_reader().sheet(content, name, SHEET)
    except FileRejected:
        return None
    return marker_in(cells)


def may_be_marked(content: Path) -> bool:
    """A cheap look: does a workbook name such a sheet? Only then is it read, in the child."""
    with content.open("rb") as handle:
        head = handle.read(4)
        if head == b"\xd0\xcf\x11\xe0":
            return _holds(handle, SHEET.encode(), SHEET.encode("utf-16-le"))
    if head[:2] != b"PK":
        return False
    try:
        with check_archive(content) as archive:
            for name in ("xl/workbook.xml", "content.xml"):
                if name in archive.NameToInfo:
                    with archive.open(name) as part:
                        return _holds(part, f'name="{SHEET}"'.encode())
    except (FileRejected, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError):
        return False
    return False


def _holds(stream: IO[bytes], *needles: bytes) -> bool:
    """Whether bytes occur in a stream, without ever holding more than a block of it."""
    kept, read = b"", 0
    while read < MAXIMUM_ENTRY and (block := stream.read(_BLOCK)):
        if any(needle in kept + block for needle in needles):
            return True
        kept, read = block[-64:], read + len(block)
    return False


def marker_in(cells: pl.DataFrame) -> Marker | None:
    """The marker that the cells of a hidden sheet hold, or None."""
    return _read([[cell or "" for cell in row] for row in cells.rows()])


def _read(lines: Sequence[Sequence[str]]) -> Marker | None:
    if not lines or list(lines[0][:2]) != [_TITLE, _VERSION]:
        return None
    try:
        originals = tuple(_original(line) for line in lines if line[0] == "original")
        rows = {line[1]: Place(int(line[2]), int(line[3]), line[4]) for line in lines if line[0] == "row"}
        spelled = {(line[1], line[2]): line[3].removeprefix("=") for line in lines if line[0] == "cell"}
        known = all(key == row_id(originals[place.original], place.row) for key, place in rows.items())
    except (IndexError, ValueError):
        return None
    return Marker(lines[0][2], lines[0][3], originals, rows, spelled) if known else None


def _original(line: Sequence[str]) -> Original:
    return Original(line[2], line[3], line[4], line[5] or None, tuple(_filled(line[6:])))


def _filled(cells: Iterable[str]) -> list[str]:
    return [cell for cell in cells if cell]
