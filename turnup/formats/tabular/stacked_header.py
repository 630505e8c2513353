"""Headers of several rows: ``Source`` over ``Rack`` and ``Port`` names the columns ``Source Rack`` and ``Source Port``.

Rows are joined only when one row alone does not name what is needed, or names two columns alike. A title over the whole
table is no part of the header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turnup.formats.model import FileRejected
from turnup.formats.tabular.header import Header, header_of
from turnup.formats.tabular.names import Vocabulary, clean, name_key, occurrences, plain
from turnup.formats.tabular.records import Record, column_letter

_DEEPEST = 5
_SEARCHED = 10
_NUMBER = re.compile(r"^[-+]?[\d.,]+%?$")


@dataclass(frozen=True)
class _Candidate:
    """A header, how many of the contract's columns it names once, and how many columns only position tells apart."""

    header: Header
    telling: int
    alike: int

    @property
    def rank(self) -> tuple[int, int, int]:
        return (self.telling, -self.alike, -self.header.depth)


def joined_header(records: Sequence[Record], single: Header | None, names: Vocabulary) -> Header | None:
    """The single row, or several rows joined where they name more of the contract or tell more columns apart."""
    found = [_weighed(header, names) for header in _windows(records, single, names)]
    best = max(found, key=lambda candidate: candidate.rank, default=None)
    if best is None or not best.telling:
        return single
    if single is not None:
        alone = _weighed(single, names)
        below = best.header.index > single.index and best.rank[:2] >= alone.rank[:2]
        if not below and best.rank[:2] <= alone.rank[:2]:
            return single
    return best.header


def _weighed(header: Header, names: Vocabulary) -> _Candidate:
    meanings = names.meanings(header.names, header.bases)
    claims = Counter(meaning.target for meaning in meanings if meaning.target is not None)
    alike = sum(plain(name) not in (name, "unnamed") for name in header.names)
    return _Candidate(header, sum(count == 1 for count in claims.values()), alike)


def _windows(records: Sequence[Record], single: Header | None, names: Vocabulary) -> Iterator[Header]:
    """Every group of rows that may be one header, around the single row, or anywhere near the top without one."""
    if single is None:
        bottoms: Sequence[int] = range(1, min(len(records), _SEARCHED))
        tops = range(len(bottoms) + 1)
    else:
        bottoms = range(single.index, min(single.index + _DEEPEST, len(records)))
        tops = range(max(0, single.index - _DEEPEST + 1), single.index + 1)
    for bottom in bottoms:
        for top in tops:
            if top < bottom < top + _DEEPEST and _band(records[top : bottom + 1], single, bottom):
                cells = _cells(_parts(records[top : bottom + 1]), names)
                yield header_of(records, bottom, cells, bottom - top + 1)


def _band(rows: Sequence[Record], single: Header | None, bottom: int) -> bool:
    """Whether rows read like one header: every row but the last groups columns, and none is a title."""
    reach = [_reach(rows[: at + 1]) for at in range(len(rows))]
    if reach[-1] > rows[-1].row or any(row.fault or row.lines > 1 for row in rows):
        return False
    if any(not row.filled and (at == 0 or row.row > reach[at - 1]) for at, row in enumerate(rows)):
        return False
    if single is not None:
        for at in range(len(rows) - (bottom - single.index), len(rows)):
            if rows[at].row > reach[at - 1] and not _completes(rows[at - 1], rows[at]):
                return False
    elif any(_NUMBER.match(text) for row in rows for text in row.filled):
        return False
    shown = [row for row in rows if row.filled]
    lead = min(_places(shown[-1]))
    last = max(place for row in shown for place in _places(row))
    return all(_groups(row, lead, last) or row.row <= _reach(rows[:at]) for at, row in enumerate(shown[:-1]))


def _reach(rows: Sequence[Record]) -> int:
    """The last row that merged cells of a few rows reach down to."""
    return max((bottom for row in rows for left, right, bottom in row.merged or () if row.cell(left)), default=0)


def _places(row: Record) -> list[int]:
    return [index for index in range(len(row.cells)) if row.cell(index)]


def _groups(row: Record, lead: int, last: int) -> bool:
    """A row of two cells groups columns; one of a single cell only where that is less wide than the table."""
    places = _places(row)
    narrow = any(left == places[0] and right < last for left, right, _ in row.merged or ())
    return len(places) > 1 or places[0] > lead or narrow


def _completes(upper: Record, lower: Record) -> bool:
    """Whether a row names parts of the cells above it: it fills only what they span, and two columns of one of them.

    A workbook says which cells span; in text a filled cell before an empty one does.
    """
    filled = set(_places(lower))
    if not filled or any(_NUMBER.match(text) for text in lower.filled):
        return False
    if upper.merged is not None:
        spans = [set(range(left, right + 1)) for left, right, _ in upper.merged if right > left]
    else:
        places = [*_places(upper), max(len(upper.cells), len(lower.cells))]
        spans = [set(range(left, right)) for left, right in pairwise(places) if right > left + 1]
    named = set().union(*spans)
    return filled <= named and any(len(span & filled) > 1 for span in spans)


def _parts(rows: Sequence[Record]) -> tuple[tuple[str, ...], ...]:
    """For each column the texts above each other, without repeats; what a cell spans stands over each column of it."""
    width = max(len(row.cells) for row in rows)
    below = [{place for row in rows[at + 1 :] for place in _places(row)} for at in range(len(rows))]
    lines = [_spread(row, width, named) for row, named in zip(rows, below, strict=True)]
    return tuple(tuple(dict.fromkeys(text for line in lines if (text := line[at]))) for at in range(width))


def _spread(row: Record, width: int, named: set[int]) -> list[str]:
    texts = [row.cell(index) for index in range(width)]
    if row.merged is not None:
        for left, right, _ in row.merged:
            for at in range(left + 1, min(right + 1, width)):
                texts[at] = texts[at] or (texts[left] if at in named else "")
        return texts
    for at in range(1, width):
        if not texts[at] and at in named:
            texts[at] = texts[at - 1]
    return texts


def _cells(parts: Sequence[tuple[str, ...]], names: Vocabulary) -> list[str]:
    """The joined name of each column; its lowest part alone where only that is known, and known once."""
    joined = [" ".join(texts) for texts in parts]
    lowest = [texts[-1] if texts else "" for texts in parts]
    counts = Counter(map(name_key, lowest))
    nths = occurrences(joined)
    cells = []
    for text, last, nth in zip(joined, lowest, nths, strict=True):
        alone = counts[name_key(last)] == 1 and names.recognise(text, nth) is None
        cells.append(last if alone and names.recognise(last) is not None else text)
    return cells


def refuse_collisions(records: Sequence[Record], header: Header) -> None:
    """Two columns of different labels that the joined rows make one name stop the file.

    Raises:
        FileRejected: ``column_collision``.
    """
    if header.depth == 1:
        return
    seen: dict[str, tuple[int, tuple[str, ...]]] = {}
    for at, (base, parts) in enumerate(zip(header.bases, _parts(records[header.top : header.index + 1]), strict=True)):
        key = name_key(clean(base))
        first, other = seen.setdefault(key, (at, parts))
        if key and other != parts:
            message = (
                f"the header in {header.place} gives columns {column_letter(first)} ({' / '.join(other)}) and "
                f"{column_letter(at)} ({' / '.join(parts)}) the same name '{base}'; write the one row that names them "
                "under 'header:' in the source of programme.yaml, or rename one"
            )
            raise FileRejected("column_collision", message, row=header.row, column=base, expected="distinct names")


def merged_block(records: Sequence[Record], before: int) -> Header | None:
    """A header of several rows that merged cells hold together, above a row, whatever it names."""
    for top, record in enumerate(records[:before]):
        if len(record.filled) < 2 or _reach([record]) <= record.row:
            continue
        bottom = top
        while bottom + 1 < len(records) and records[bottom + 1].row <= _reach(records[top : bottom + 1]):
            bottom += 1
        rows = records[top : bottom + 1]
        if len(rows) <= _DEEPEST and not any(_NUMBER.match(text) for row in rows for text in row.filled):
            return header_of(records, bottom, [" ".join(texts) for texts in _parts(rows)], len(rows))
    return None
