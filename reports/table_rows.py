"""Rows of a table as HTML. A page has tens of thousands of cells, so they are written here and not by a template.

Every text passes through ``escape``, whatever it is. Belongs here: cells. Does not: what stands around the rows.
"""

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup, escape

from reports.models.common import Cell, Column, Row, Table
from reports.palette import mark

_LONG, _MIDDLING = 44, 16
"""Characters from which on a text has a wider column."""


def table_rows(table: Table, href: Callable[[str], str]) -> Markup:
    """Return the rows of a table, the first cell of each its heading; `href` says where a link leads, or nowhere."""
    rows = "".join(_row(row, table.columns, href) for row in table.rows)
    return Markup(rows)  # noqa: S704 - every text in it has been escaped


def _row(row: Row, columns: tuple[Column, ...], href: Callable[[str], str]) -> str:
    identity = f' id="{_safe(row.id)}"' if row.id else ""
    first, *others = ((_classes(cell, columns[n]), _content(cell, href)) for n, cell in enumerate(row.cells))
    cells = "".join(f'<td class="{classes}">{content}</td>' for classes, content in others)
    return f'<tr{identity}><th scope="row" class="{first[0]}">{first[1]}</th>{cells}</tr>\n'


def _classes(cell: Cell, column: Column) -> str:
    """Alignment, width, hue: what the stylesheet knows a cell by."""
    kind = "n" if column.numeric else f"text {_width(cell)}"
    hue = f" status h-{mark(cell.status).hue}" if cell.status else ""
    return f"{kind}{hue}{' faded' if cell.faded else ''}"


def _width(cell: Cell) -> str:
    size = max(len(cell.text), len(cell.note) * 2 // 3)
    return "long" if size > _LONG else "mid" if size > _MIDDLING else "short"


def _content(cell: Cell, href: Callable[[str], str]) -> str:
    """Glyph of the status, text with its link, and the second line; a status without a text says its word."""
    glyph = f'<span aria-hidden="true">{_safe(mark(cell.status).glyph)}</span> ' if cell.status else ""
    if cell.status and not cell.text:
        text = _safe(mark(cell.status).word)
    else:
        to = href(cell.link)
        text = f'<a href="{_safe(to)}">{_safe(cell.text)}</a>' if to else _safe(cell.text)
    return f"{glyph}{text}<small>{_safe(cell.note)}</small>" if cell.note else f"{glyph}{text}"


@lru_cache(maxsize=1 << 14)
def _safe(text: str) -> str:
    return str(escape(text))
