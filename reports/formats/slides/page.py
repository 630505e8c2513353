"""One slide: title placeholder with the message, what it belongs to, table or chart, notes, imprint and issue state.

Belongs here: where things stand on a slide. Does not: which slides there are.
"""

from dataclasses import dataclass, replace
from math import ceil
from typing import Any, cast

from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Emu, Pt

from reports.formats.printed import shown
from reports.formats.widths import column_widths
from reports.models.common import Cell, Table
from reports.palette import LIGHT, mark
from reports.text import shorten

WIDTH, HEIGHT = 960.0, 540.0
LEFT, ROOM = 36.0, 888.0
TOP, BOTTOM = 108.0, 496.0
_FONT = "Arial"
_SIZES = (14.0, 12.0, 10.5)
_LINE = 1.24
_ROW = 6.0
_LONGEST_TITLE = 170
_LONGEST_CELL = 160
_TITLE_ONLY = 5


@dataclass(frozen=True)
class Frame:
    """What all slides carry: issue state, imprint and how many slides there are."""

    issue: str
    hue: str
    imprint: str


def colour(name: str) -> RGBColor:
    """Return a colour of the light palette."""
    made: Any = RGBColor  # its constructor carries no types
    return cast("RGBColor", made(*bytes.fromhex(LIGHT[name].lstrip("#"))))


def add_slide(deck: Any, frame: Frame, kicker: str, title: str) -> Any:
    """Add a slide with its title, the line above it, the issue state and the imprint with the slide's number."""
    slide = deck.slides.add_slide(deck.slide_layouts[_TITLE_ONLY])
    _place(slide.shapes.title, LEFT, 40, ROOM, 60)
    _write(slide.shapes.title.text_frame, shorten(title, _LONGEST_TITLE), 22 if len(title) < 90 else 17, bold=True)
    slide.shapes.title.text_frame.vertical_anchor = MSO_ANCHOR.TOP
    add_text(slide, kicker, LEFT, 16, ROOM - 130, 22, size=11, hue="muted", name="Subject")
    _badge(slide, frame)
    number = len(deck.slides)
    add_text(slide, frame.imprint, LEFT, 506, ROOM - 70, 24, size=8, hue="muted", name="Imprint")
    place = add_text(slide, str(number), WIDTH - LEFT - 60, 506, 60, 24, size=9, hue="muted", name="Slide number")
    place.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT
    return slide


def _badge(slide: Any, frame: Frame) -> None:
    box = add_text(slide, frame.issue, WIDTH - LEFT - 120, 14, 120, 24, size=12, hue=frame.hue, bold=True, name="Issue")
    box.fill.solid()
    box.fill.fore_color.rgb = colour(f"{frame.hue}-bg")
    box.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


def add_text(
    slide: Any, text: str, x: float, y: float, width: float, height: float, *,
    size: float, hue: str = "ink", bold: bool = False, name: str,
) -> Any:  # fmt: skip
    """Add a box of text and return it."""
    box = slide.shapes.add_textbox(Pt(x), Pt(y), Pt(width), Pt(height))
    box.name = name
    _write(box.text_frame, text, size, bold=bold, hue=hue)
    return box


def describe(shape: Any, title: str, text: str) -> None:
    """Give a shape its alternative text."""
    shape.name = shorten(title, 120)
    shape._element.xpath(".//p:cNvPr")[0].set("descr", f"{title}. {text}" if text else title)


@dataclass(frozen=True)
class Laid:
    """As much of a table as a slide holds, with the size of its text and the widths of its columns in points."""

    table: Table
    size: float
    widths: list[float]

    def heights(self) -> list[float]:
        """Heights of the heading and of each row."""
        rows = [[Cell(column.label) for column in self.table.columns], *(list(row.cells) for row in self.table.rows)]
        return [_row_height(cells, self.widths, self.size) for cells in rows]


def fitting(table: Table, bottom: float = BOTTOM) -> Laid:
    """Return a table laid out in the largest text in which it fits, else as many of its rows as fit in the smallest."""
    shortened = tuple(replace(row, cells=tuple(_short(cell) for cell in row.cells)) for row in table.rows[:60])
    table = replace(table, rows=shortened)
    for size in _SIZES:
        laid = Laid(table, size, _stretched(column_widths(table, ROOM, size)))
        if sum(laid.heights()) <= bottom - TOP:
            return laid
    left, kept = bottom - TOP, -1
    for height in laid.heights():
        left -= height
        kept += left >= 0
    return replace(laid, table=replace(table, rows=table.rows[: max(kept, 1)]))


def add_table(slide: Any, laid: Laid) -> None:
    """Add a native table: headings, cells with notes, status cells on their ground with glyph and word."""
    table, heights = laid.table, laid.heights()
    frame = slide.shapes.add_table(
        len(heights), len(table.columns), Pt(LEFT), Pt(TOP), Pt(sum(laid.widths)), Pt(sum(heights))
    )
    describe(frame, table.title, f"{len(table.rows)} rows")
    grid = frame.table
    grid.horz_banding = False
    for number, height in enumerate(heights):
        grid.rows[number].height = Pt(height)
    for place, column in enumerate(table.columns):
        grid.columns[place].width = Pt(laid.widths[place])
        _fill(grid.cell(0, place), Cell(column.label), laid.size, numeric=column.numeric, head=True)
        for number, row in enumerate(table.rows, start=1):
            cell = row.cells[place] if place < len(row.cells) else Cell("")
            _fill(grid.cell(number, place), cell, laid.size, numeric=column.numeric, head=False)


def _fill(target: Any, cell: Cell, size: float, *, numeric: bool, head: bool) -> None:
    target.margin_left = target.margin_right = Pt(4)
    target.margin_top = target.margin_bottom = Pt(2)
    target.vertical_anchor = MSO_ANCHOR.BOTTOM if head else MSO_ANCHOR.TOP
    hue = mark(cell.status).hue if cell.status else ""
    target.fill.solid()
    target.fill.fore_color.rgb = colour(f"{hue}-bg" if hue else "panel" if head else "page")
    ink = hue or ("muted" if cell.faded else "ink")
    _write(target.text_frame, shown(cell), size, bold=head, hue=ink)
    if cell.note:
        _run(target.text_frame.add_paragraph(), cell.note, size - 1.5, hue=hue or "muted")
    for paragraph in target.text_frame.paragraphs:
        paragraph.alignment = PP_ALIGN.RIGHT if numeric else PP_ALIGN.LEFT


def _write(frame: Any, text: str, size: float, *, bold: bool = False, hue: str = "ink") -> None:
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = Pt(4)
    paragraph = frame.paragraphs[0]
    paragraph.alignment = PP_ALIGN.LEFT
    _run(paragraph, text, size, bold=bold, hue=hue)


def _run(paragraph: Any, text: str, size: float, *, bold: bool = False, hue: str = "ink") -> None:
    run = paragraph.add_run()
    run.text = text
    run.font.size, run.font.bold, run.font.name = Pt(size), bold, _FONT
    run.font.color.rgb = colour(hue)


def _place(shape: Any, x: float, y: float, width: float, height: float) -> None:
    shape.left, shape.top, shape.width, shape.height = Emu(Pt(x)), Emu(Pt(y)), Emu(Pt(width)), Emu(Pt(height))


def _short(cell: Cell) -> Cell:
    return replace(cell, text=shorten(cell.text, _LONGEST_CELL), note=shorten(cell.note, _LONGEST_CELL))


def _stretched(widths: list[float]) -> list[float]:
    """Columns of a narrow table widened to four fifths of the slide."""
    grow = max(1.0, 0.8 * ROOM / sum(widths))
    return [round(width * grow, 1) for width in widths]


def _row_height(cells: list[Cell], widths: list[float], size: float) -> float:
    lines = [
        _lines(shown(cell), width, size) + (_lines(cell.note, width, size) if cell.note else 0)
        for cell, width in zip(cells, widths, strict=False)
    ]
    return _ROW + _LINE * size * max(lines, default=1)


def _lines(text: str, width: float, size: float) -> int:
    return max(1, ceil(len(text) * size * 0.55 / max(width - 8, 8)))
