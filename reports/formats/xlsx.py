"""The governance report's tables in full as a workbook: typed numbers and dates, one sheet a table, an index.

Sheets of systems and evidence come in hundreds with the same columns: their tables are stacked, a kind of table on one
sheet, with what each row belongs to in front. Text is always text: nothing becomes a formula or a link.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from reports.build.cells import table, words
from reports.formats.printed import as_table, data_date, fingerprints, freshness, reasons, shown
from reports.models.charts import Chart
from reports.models.common import Block, Cell, Definition, Header, Paragraph, Table
from reports.models.governance import GovernanceReport
from reports.palette import LIGHT, mark
from reports.workbooks.book import LONGEST_CELL, made, sheet_name, width_for

_INDEX = "Index"
_MOST_ROWS = 1_048_000
_EXCEL_FROM = date(1900, 3, 1)
_EXACT_DIGITS = 15
_PERCENT = re.compile(r"([\d,]{1,9}) %")


@dataclass(frozen=True)
class _Sheet:
    """One sheet: where its table stands in the report, its headings (numeric or not) and its rows."""

    part: str
    wanted: str
    title: str
    note: str
    heads: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[Cell, ...], ...]
    of: int


def governance_xlsx(report: GovernanceReport) -> bytes:
    """Return the workbook, with equal bytes for equal reports."""
    header = report.header
    title = f"Governance report · {header.week} · {header.programme}"
    return made(
        header.cut_off or datetime(1980, 1, 1, tzinfo=UTC), title[:255], lambda book: _fill(book, report, title)
    )


def _fill(book: Workbook, report: GovernanceReport, title: str) -> None:
    forms = _forms(book)
    index = book.add_worksheet(_INDEX)
    names = [_INDEX.casefold()]
    sheets = list(_sheets(report))
    for sheet in sheets:
        name = sheet_name(sheet.wanted, names)
        names.append(name)
        _write(book.add_worksheet(name), sheet, forms)
    _write_index(index, report, title, list(zip(names[1:], sheets, strict=True)), forms)


def _sheets(report: GovernanceReport) -> Iterator[_Sheet]:
    for section in report.sections:
        part = f"{section.number} {section.title}"
        for number, found in enumerate(_tables(section.blocks), start=1):
            yield _single(part, f"{section.number}.{number} {found.title}", found)
    yield from _stacked("13 Systems", "System", ((sheet.system_id, sheet.blocks) for sheet in report.sheets))
    yield from _stacked("13 Evidence", "Evidence of", ((page.title, page.blocks) for page in report.evidence))
    yield _single("13 Definitions", "Definitions", _definitions(report.definitions))


def _tables(blocks: Iterable[Block]) -> Iterator[Table]:
    """Tables, and the figures behind charts; sentences stand in the index."""
    for block in blocks:
        if isinstance(block, Table):
            if block.columns:
                yield block
        elif not isinstance(block, Paragraph):
            yield from _behind(block)


def _behind(chart: Chart) -> Iterator[Table]:
    figures = as_table(chart)
    if figures.columns:
        yield figures


def _single(part: str, wanted: str, found: Table) -> _Sheet:
    rows = tuple(row.cells for row in found.rows)
    return _Sheet(part, wanted, found.title, found.note, _heads(found), rows, max(found.of, len(rows)))


def _heads(found: Table) -> tuple[tuple[str, bool], ...]:
    return tuple((column.label, column.numeric) for column in found.columns)


def _stacked(part: str, owner: str, owned: Iterable[tuple[str, Iterable[Block]]]) -> Iterator[_Sheet]:
    """One sheet for all tables with the same headings, whoever they belong to."""
    stacks: dict[tuple[tuple[str, bool], ...], list[tuple[str, Table]]] = {}
    for name, blocks in owned:
        for found in _tables(blocks):
            stacks.setdefault(_heads(found), []).append((name, found))
    for heads, stack in stacks.items():
        rows = tuple((Cell(name, name), *row.cells) for name, found in stack for row in found.rows)
        of = sum(max(found.of, len(found.rows)) for _, found in stack)
        label = f"{part}: {', '.join(head for head, _ in heads[:2])}"
        title = f"{part}: {', '.join(head for head, _ in heads)}"
        yield _Sheet(part, label, title, "", ((owner, False), *heads), rows, of)


def _definitions(told: tuple[Definition, ...]) -> Table:
    heads = ("Figure", "Unit", "Meaning", "Formula")
    return table(
        "definitions", "Definitions: one number, one definition", heads,
        [(words(d.name), words(d.unit), words(d.meaning), words(d.formula)) for d in told],
    )  # fmt: skip


def _forms(book: Workbook) -> dict[str, Format]:
    text = {"valign": "top", "text_wrap": True}
    forms = {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "strong": book.add_format({"bold": True}),
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "bg_color": LIGHT["panel"]}),
        "text": book.add_format(text),
        "number": book.add_format({"valign": "top", "num_format": "#,##0.###"}),
        "whole": book.add_format({"valign": "top", "num_format": "#,##0"}),
        "share": book.add_format({"valign": "top", "num_format": "0 %"}),
        "date": book.add_format({"valign": "top", "num_format": "d mmm yyyy", "align": "left"}),
        "link": book.add_format({"font_color": LIGHT["link"], "underline": 1}),
        "note": book.add_format({"font_color": LIGHT["muted"], "text_wrap": True, "valign": "top"}),
        "warning": book.add_format({"font_color": LIGHT["amber"], "bold": True}),
    }
    for hue in ("red", "amber", "green", "grey"):
        forms[hue] = book.add_format({**text, "font_color": LIGHT[hue], "bg_color": LIGHT[f"{hue}-bg"]})
    return forms


def _write(sheet: Worksheet, content: _Sheet, forms: dict[str, Format]) -> None:
    """Title, link back, headings from row 4 on with filter and frozen panes, rows; notes have columns of their own."""
    heads = _with_notes(content)
    sheet.write_string(0, 0, content.title[:LONGEST_CELL], forms["title"])
    sheet.write_url(1, 0, f"internal:'{_INDEX}'!A1", forms["link"], "Index")
    if content.note:
        sheet.write_string(1, 1, content.note[:LONGEST_CELL], forms["note"])
    for place, (label, _) in enumerate(heads):
        sheet.write_string(3, place, label[:LONGEST_CELL], forms["head"])
    rows = content.rows[:_MOST_ROWS]
    for number, cells in enumerate(rows, start=4):
        for place, (_, pick) in enumerate(heads):
            _write_cell(sheet, number, place, pick(cells), forms)
    for place, (label, pick) in enumerate(heads):
        sheet.set_column(place, place, width_for([label, *(shown(pick(cells)) for cells in rows[:300])]))
    sheet.freeze_panes(4, 1)
    if heads:
        sheet.autofilter(3, 0, 3 + max(len(rows), 1), len(heads) - 1)


def _with_notes(content: _Sheet) -> list[tuple[str, Any]]:
    """Headings with what fetches their cell; a column whose cells have second lines is followed by one for these."""
    heads: list[tuple[str, Any]] = []
    for place, (label, _) in enumerate(content.heads):
        heads.append((label, _Pick(place)))
        if any(place < len(cells) and cells[place].note for cells in content.rows):
            heads.append((f"{label}: note", _Pick(place, note=True)))
    return heads


@dataclass(frozen=True)
class _Pick:
    """Fetches a cell of a row, or the cell's note as a cell."""

    place: int
    note: bool = False

    def __call__(self, cells: tuple[Cell, ...]) -> Cell:
        cell = cells[self.place] if self.place < len(cells) else Cell("")
        return Cell(cell.note, cell.note) if self.note else cell


def _write_cell(sheet: Worksheet, row: int, column: int, cell: Cell, forms: dict[str, Format]) -> None:
    value, hue = cell.value, mark(cell.status).hue if cell.status else ""
    share = _PERCENT.fullmatch(cell.text)
    if share and not hue:
        sheet.write_number(row, column, int(share[1].replace(",", "")) / 100, forms["share"])
    elif isinstance(value, (int, Decimal)) and not hue and _says_no_more(cell.text) and _exact(value):
        sheet.write_number(row, column, float(value), forms["whole" if value == int(value) else "number"])
    elif isinstance(value, date) and not isinstance(value, datetime) and value >= _EXCEL_FROM:
        day = datetime(value.year, value.month, value.day)  # noqa: DTZ001 - a day has no zone
        sheet.write_datetime(row, column, day, forms.get(hue) or forms["date"])
    elif shown(cell):
        sheet.write_string(row, column, _cut(shown(cell)), forms.get(hue) or forms["text"])


def _says_no_more(text: str) -> bool:
    """Whether a printed text holds nothing besides its number and unit, unlike `3 of 8` or `96 (50 %)`."""
    return not any(sign in text for sign in ("/", "(", " of ", "<", ">"))


def _exact(value: int | Decimal) -> bool:
    return len(str(value).strip("-").replace(".", "").strip("0")) <= _EXACT_DIGITS


def _cut(text: str) -> str:
    """Excel's longest cell, with what was longer said at its end."""
    if len(text) <= LONGEST_CELL:
        return text
    ending = f"… [{len(text):,} characters, whole in governance.json]"
    return text[: LONGEST_CELL - len(ending)] + ending


def _write_index(
    sheet: Worksheet, report: GovernanceReport, title: str, sheets: list[tuple[str, _Sheet]], forms: dict[str, Format]
) -> None:
    row = _write_header(sheet, report.header, title, forms)
    for place, label in enumerate(("Sheet", "Part", "Table", "Rows here", "Rows there are")):
        sheet.write_string(row, place, label, forms["head"])
    sheet.freeze_panes(row + 1, 0)
    for number, (name, content) in enumerate(sheets, start=row + 1):
        sheet.write_url(number, 0, f"internal:'{name.replace(chr(39), chr(39) * 2)}'!A1", forms["link"], name)
        sheet.write_string(number, 1, content.part[:255], forms["text"])
        sheet.write_string(number, 2, content.title[:1000], forms["text"])
        sheet.write_number(number, 3, min(len(content.rows), _MOST_ROWS), forms["whole"])
        sheet.write_number(number, 4, content.of, forms["whole"])
    row += len(sheets) + 2
    for section in report.sections:
        sheet.write_string(row, 1, f"{section.number} {section.title}", forms["strong"])
        sheet.write_string(row, 2, _cut(section.message), forms["strong"])
        for block in section.blocks:
            if isinstance(block, Paragraph):
                row += 1
                sheet.write_string(row, 2, _cut(block.text), forms["note"])
        row += 1
    for place, width in enumerate((32, 30, 90, 11, 11)):
        sheet.set_column(place, place, width)


def _write_header(sheet: Worksheet, header: Header, title: str, forms: dict[str, Format]) -> int:
    state = mark(header.issue_state)
    sheet.write_string(0, 0, _cut(title), forms["title"])
    sheet.write_string(1, 0, f"{state.glyph} {state.word}", forms["warning"])
    lines = (data_date(header), freshness(header), fingerprints(header), reasons(header))
    for number, line in enumerate(lines, start=2):
        sheet.write_string(number, 0, _cut(line))
    return 2 + len(lines) + 1
