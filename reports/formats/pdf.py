"""Both reports as PDF: the model becomes the data of a static typst template, text prepared for print.

A table carries at most 400 rows and says where the rest stands; texts of thousands of characters are shortened, with
the place of the whole. System sheets and evidence are many short pages that nobody prints: they stand in the HTML.
"""

import re
from collections.abc import Iterable
from typing import Any

from reports.formats.answers import answers
from reports.formats.glyphs import FAMILIES, printable
from reports.formats.printed import as_table, first_rows, imprint, issued, reasons, shown
from reports.formats.svg import chart_svg
from reports.formats.typeset import GlyphMissing, PageOverrun, typeset
from reports.formats.widths import column_widths, keeps_together
from reports.models.common import Block, Cell, Column, Definition, Header, Paragraph, Row, Section, Table
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport, SystemSheet
from reports.palette import LIGHT, mark
from reports.text import shorten
from reports.wording import plural

MOST_ROWS = 400
MOST_FOLDED_ROWS = 40
"""Rows of a table that is of interest to few, as the pages fold it."""

_ROOM = 786.0
_SIZE, _SIZE_ON_PAGE_1 = 8.0, 8.6
_LONGEST = 900
_LONGEST_ON_PAGE_1 = (260, 100, 40, 12)
_WHOLE = " [whole in the HTML]"
_LONG_WORD = re.compile(r"\S{19,}")
_PIECE = re.compile(r"[^-/_.,:;|]{1,9}[-/_.,:;|]?|[-/_.,:;|]")
_BREAK_HERE = "\u200b"

Data = dict[str, Any]


def executive_pdf(report: ExecutiveReport) -> bytes:
    """Return the executive report: page 1 with the four answers on one sheet, then its further pages."""
    pages = [Section("", page.id, page.title, page.message, page.blocks) for page in report.pages]
    name = "Executive readiness report"
    return _made(name, report.header, answers(report), pages, report.status_note)


def governance_pdf(report: GovernanceReport) -> bytes:
    """Return the governance report: its sections, the systems by status, the definitions."""
    annex = Section("13", "S13", "Annex: systems and definitions", _annex_message(report), _annex(report))
    return _made("Governance report", report.header, (), [*report.sections, annex], "")


def _annex_message(report: GovernanceReport) -> str:
    return (
        f"{plural(len(report.sheets), 'system')}, {plural(len(report.definitions), 'definition')}; "
        f"system sheets and {plural(len(report.evidence), 'evidence page')} stand in governance.html"
    )


def _annex(report: GovernanceReport) -> tuple[Block, ...]:
    systems = tuple(Row(_system(sheet)) for sheet in report.sheets)
    meanings = tuple(Row(_meaning(definition)) for definition in report.definitions)
    heads = (Column("System"), Column("Name"), Column("Status"), Column("Summary"))
    figures = (Column("Figure"), Column("Unit"), Column("Meaning"), Column("Formula"))
    return (
        Table("S13-systems", "Systems", heads, systems, len(systems)),
        Table("S13-definitions", "Definitions: one number, one definition", figures, meanings, len(meanings)),
    )


def _system(sheet: SystemSheet) -> tuple[Cell, ...]:
    return (Cell(sheet.system_id), Cell(sheet.name), Cell("", sheet.status, sheet.status), Cell(sheet.summary))


def _meaning(told: Definition) -> tuple[Cell, ...]:
    return (Cell(told.name), Cell(told.unit), Cell(told.meaning), Cell(told.formula))


def _made(name: str, header: Header, first: tuple[Section, ...], parts: Iterable[Section], status_note: str) -> bytes:
    every = list(parts)
    text_font_only = False
    longest = list(_LONGEST_ON_PAGE_1)
    while True:
        print_ = _Print(text_font_only=text_font_only, on_page_1=longest[0])
        try:
            return typeset("report.typ", print_.report(name, header, first, every, status_note))
        except GlyphMissing:
            if text_font_only:
                raise
            text_font_only = True
        except PageOverrun:
            if len(longest) == 1:
                raise
            longest.pop(0)


class _Print:
    """Text prepared for the fonts that are there."""

    def __init__(self, *, text_font_only: bool, on_page_1: int) -> None:
        self._text_font_only, self._on_page_1 = text_font_only, on_page_1
        self._longest, self._size = _LONGEST, _SIZE

    def report(
        self, name: str, header: Header, first: tuple[Section, ...], parts: list[Section], status_note: str
    ) -> Data:
        state = mark(header.issue_state)
        day = header.as_of or (header.cut_off.date() if header.cut_off else None)
        self._longest, self._size = self._on_page_1, _SIZE_ON_PAGE_1
        data = {
            "title": self.text(f"{name} · {header.week} · {header.programme}"),
            "imprint": self.text(imprint(header)),
            "issued": self.text(issued(header)),
            "reasons": self.text(reasons(header)),
            "issue": {"text": self.text(f"{state.glyph} {state.word}"), "hue": state.hue},
            "date": [day.year, day.month, day.day] if day else [1970, 1, 1],
            "colours": dict(LIGHT),
            "families": list(FAMILIES),
            "status_note": self.text(status_note),
            "answers": [self.section(section, _ROOM / 2 - 10) for section in first],
        }
        self._longest, self._size = _LONGEST, _SIZE
        return {**data, "parts": [self.section(section, _ROOM) for section in parts]}

    def section(self, section: Section, room: float) -> Data:
        title = f"{section.number} · {section.title}" if section.number else section.title
        blocks = [self.block(block, room) for block in section.blocks]
        return {"title": self.text(title), "message": self.text(section.message), "blocks": blocks}

    def block(self, block: Block, room: float) -> Data:
        if isinstance(block, Paragraph):
            return {"type": "paragraph", "text": self.text(block.text), "tone": block.tone}
        if isinstance(block, Table):
            return self.table(block, room)
        drawing = chart_svg(block, text_font_only=self._text_font_only)
        if not drawing:
            return self.table(as_table(block), room)
        alt = f"{block.title}. {block.description}"
        return {"type": "chart", "title": self.text(block.title), "alt": self.text(alt), "svg": drawing}

    def table(self, table: Table, room: float) -> Data:
        most = MOST_FOLDED_ROWS if table.folded else MOST_ROWS
        kept = first_rows(table, most, "all are in governance.xlsx and the HTML")
        wide = len(table.columns)
        return {
            "type": "table",
            "title": self.text(table.title),
            "note": self.text(kept.note),
            "widths": column_widths(kept, room, self._size),
            "heads": [[self.text(column.label), column.numeric] for column in table.columns],
            "rows": [[self.cell(cell) for cell in (*row.cells, *[Cell("")] * wide)[:wide]] for row in kept.rows],
        }

    def cell(self, cell: Cell) -> list[Any]:
        hue = mark(cell.status).hue if cell.status else ""
        text = self.text(shown(cell))
        return [text.replace(" ", "\u00a0") if keeps_together(text) else text, self.text(cell.note), hue, cell.faded]

    def text(self, text: str) -> str:
        """The text as it can be printed: known glyphs, places to break long words, no more than a page can hold."""
        shown = printable(text[: self._longest + 1], text_font_only=self._text_font_only)
        if len(shown) > self._longest:
            shown = f"{shorten(shown, self._longest)}{_WHOLE if self._longest > 200 else ''}"
        return _LONG_WORD.sub(_broken, shown)


def _broken(word: re.Match[str]) -> str:
    return _BREAK_HERE.join(_PIECE.findall(word.group()))
