"""Finding the header: the row that names most of the contract's columns, with the rows above or below that complete it.

Rows above it are titles, comments or blank. A fixed row from the source wins over the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from turnup.formats.model import FileRejected
from turnup.formats.tabular.header import SEARCHED_ROWS, Header, best_header, header_at
from turnup.formats.tabular.names import Vocabulary
from turnup.formats.tabular.records import Record
from turnup.formats.tabular.stacked_header import joined_header, refuse_collisions


def search(records: Sequence[Record], names: Vocabulary) -> tuple[Header | None, int]:
    """The header among the first rows, or None, and how many columns of the contract it names."""
    index, score = _first_of_several(records, names, *best_header(records, names))
    single = header_at(records, index) if score else None
    header = joined_header(records[:SEARCHED_ROWS], single, names)
    if header is None or header is single:
        return header, score
    return header, len(names.targets(header.names, header.bases))


def _first_of_several(records: Sequence[Record], names: Vocabulary, index: int, score: int) -> tuple[int, int]:
    """An earlier header, when tables of one dataset stand below each other and a later one names more columns."""
    for earlier in range(index - 1):
        record = records[earlier]
        named = names.score(record.cells) if len(record.filled) > 1 else 0
        telling = named > 1 and named * 2 >= score and named * 3 >= len(record.filled) * 2
        if telling and any(names.score(row.cells) == 0 for row in records[earlier + 1 : index] if row.filled):
            return earlier, named
    return index, score


def find_header(
    records: Sequence[Record], names: Vocabulary, wanted: int | Literal["auto"], known: Sequence[str]
) -> Header:
    """The header.

    Raises:
        FileRejected: ``no_header`` when no row names a known column, or the fixed row does not exist;
            ``column_collision`` when joined rows give two columns one name.
    """
    if wanted != "auto":
        for index, record in enumerate(records[: wanted + SEARCHED_ROWS]):
            if record.row == wanted:
                return header_at(records, index)
        raise FileRejected("no_header", f"the source says that row {wanted} is the header, but there is no such row")
    header, _ = search(records, names)
    if header is None:
        first = next((record for record in records if record.filled), None)
        seen = f"; the first row reads: {', '.join(first.filled[:8])}" if first else ""
        message = (
            f"no row among the first {min(len(records), SEARCHED_ROWS)} names a column of this dataset (such as "
            f"{', '.join(known[:6])}){seen}. Map the file's columns under 'columns:' of the source in programme.yaml"
        )
        raise FileRejected("no_header", message, row=first.row if first else None, expected=", ".join(known))
    refuse_collisions(records, header)
    return header
