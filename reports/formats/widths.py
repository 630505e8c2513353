"""Widths of a table's columns on paper, reckoned from its texts: the same on every machine, and no page is overrun."""

from collections.abc import Sequence

from reports.formats.printed import shown
from reports.models.common import Row, Table

_PADDING = 11.0
_WIDEST = 300.0
_WORD = 92.0
_NARROWEST = 16.0
_SAMPLE = 60
_NARROW = frozenset("ijlIrtf.,:;'|!()[]/-· ")
_BROAD = frozenset("mwMW%@&+>=")


def column_widths(table: Table, room: float, size: float) -> list[float]:
    """Return one width in points per column, together at most `room`, for text of `size` points.

    Each column gets its longest word; what is left goes to those whose texts are longest. Long words are broken by
    the typesetter.
    """
    least, wanted = [], []
    for place, column in enumerate(table.columns):
        texts = [column.label, *_texts(table.rows[:_SAMPLE], place)]
        words = [word for text in texts for word in text.split(" ")]
        least.append(min(max(_widest(words, size), _NARROWEST), _WORD) + _PADDING)
        wanted.append(min(max(_widest(texts, size), _NARROWEST), _WIDEST) + _PADDING)
    return [round(width, 1) for width in _shared(least, [max(a, b) for a, b in zip(least, wanted, strict=True)], room)]


def keeps_together(text: str) -> bool:
    """Return whether a text, such as `20 Dec 26` or `512 GPUs`, is short enough to stay on one line."""
    return len(text) <= 12


def _texts(rows: Sequence[Row], place: int) -> list[str]:
    found = []
    for row in rows:
        if place < len(row.cells):
            cell = row.cells[place]
            text = shown(cell)
            found += [text.replace(" ", "\u00a0") if keeps_together(text) else text, cell.note]
    return found


def _widest(texts: Sequence[str], size: float) -> float:
    """Width of the longest of some texts in the shipped sans, by classes of characters; a tenth in hand for bold."""
    longest = max(texts, key=len, default="")[:200]
    ems = sum(0.3 if c in _NARROW else 0.88 if c in _BROAD else 0.7 if c.isupper() else 0.56 for c in longest)
    return ems * size * 1.06


def _shared(least: list[float], wanted: list[float], room: float) -> list[float]:
    if sum(wanted) <= room:
        return wanted
    spare = room - sum(least)
    if spare <= 0:
        return [width * room / sum(least) for width in least]
    longing = sum(wanted) - sum(least)
    return [low + (high - low) * spare / longing for low, high in zip(least, wanted, strict=True)]
