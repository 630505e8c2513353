"""Short constructors for table cells, and for tables with a cap that is always stated."""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice

from reports.build.caps import most
from reports.models.common import Cell, Column, Paragraph, Row, Table
from reports.text import anchor
from reports.wording import DASH, day, plural, quantity, signed


def words(text: str, *, link: str = "", note: str = "") -> Cell:
    """Return a cell of text; empty text is shown as a dash."""
    return Cell(text or DASH, text or None, "", link, note)


def figure(value: Decimal | int | None, *, link: str = "", suffix: str = "", faded: bool = False) -> Cell:
    """Return a cell with a number."""
    text = quantity(value) + (suffix if value is not None else "")
    return Cell(text, value, "", link, "", faded)


def change(value: Decimal | int | None, suffix: str = "") -> Cell:
    """Return a cell with a signed difference."""
    return Cell(signed(value, suffix), value)


def when(value: date | None, *, status: str = "") -> Cell:
    """Return a cell with a date."""
    return Cell(day(value), value, status)


def state(status: str, note: str = "") -> Cell:
    """Return a status cell: glyph and word come from the palette."""
    return Cell("", status, status or "grey", "", note)


def system(system_id: str, note: str = "") -> Cell:
    """Return a cell that links to a system's sheet."""
    return Cell(system_id or DASH, system_id or None, "", anchor("SYS", system_id) if system_id else "", note)


def columns(*labels: str) -> tuple[Column, ...]:
    """Return columns from labels: `>Due#due` is numeric and defined under DEF-due."""
    return tuple(_column(label) for label in labels)


def _column(label: str) -> Column:
    text, _, definition = label.lstrip(">").partition("#")
    return Column(text, label.startswith(">"), anchor("DEF", definition) if definition else "")


def brief(value: Decimal | None) -> Decimal | None:
    """Two decimals are enough to compare by eye."""
    return None if value is None else round(value, 2)


def table(
    identity: str,
    title: str,
    heads: Sequence[str],
    rows: Iterable[Row | tuple[Cell, ...]],
    *,
    cap: int = 0,
    of: int | None = None,
    note: str = "",
) -> Table:
    """Return a table; with more rows than `cap` the rest is counted in the note, never dropped in silence.

    `of` is how many rows there are: told that, a table makes none of those that it does not show.
    """
    cap = most(cap) if cap else 0
    made = islice(rows, cap) if cap and of is not None else rows
    every = [row if isinstance(row, Row) else Row(row) for row in made]
    shown = every[:cap] if cap else every
    there = len(every) if of is None else of
    left = there - len(shown)
    said = f"{plural(left, 'more row')} not shown here; all are in the warehouse." if left else ""
    return Table(identity, title, columns(*heads), tuple(shown), there, " ".join(t for t in (note, said) if t))


def absent(*datasets: str) -> tuple[Paragraph, ...]:
    """Return the sentence on datasets that were not delivered, one each."""
    return tuple(Paragraph(f"no data: {dataset} not delivered", "absent") for dataset in datasets)


def missing(warehouse_delivered: Iterable[tuple[str, bool]]) -> tuple[Paragraph, ...]:
    """Return the sentences for those of some datasets that were not delivered."""
    return absent(*(dataset for dataset, delivered in warehouse_delivered if not delivered))
