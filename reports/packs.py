"""The agenda of a call as a page and as a workbook: one file each, in the reports' look, nothing loaded, no script."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from xlsxwriter.workbook import Workbook

from reports.models.common import Cell, Column, Row, Table
from reports.page import environment
from reports.render import write_whole
from reports.text import anchor, clean
from reports.wording import day, quantity
from reports.workbooks.book import LONGEST_CELL, made, sheet_name, width_for, write_texts
from turnup.durable import replace_bytes
from turnup.working_day.pack import Pack, PackTable

FOLDER = "packs"
_WORDS = re.compile(r"[^\w]+")
_NUMBERS = (int, float, Decimal)


def write_pack(pack: Pack, out_dir: Path) -> tuple[Path, Path]:
    """Write the page and the workbook below a week's folder; the same pack takes the place of an earlier one."""
    name = f"{pack.kind}-{_WORDS.sub('-', pack.name.casefold()).strip('-')[:60] or 'unnamed'}"
    folder = out_dir / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    page = write_whole(folder / f"{name}.html", pack_html(pack))
    replace_bytes(folder / f"{name}.xlsx", pack_workbook(pack))
    return page, folder / f"{name}.xlsx"


def pack_html(pack: Pack) -> str:
    """The page; equal packs give equal text."""
    link: Callable[[str], str] = lambda _: ""  # noqa: E731 - a page of its own has nothing to lead to
    tables = [_table(table) for table in pack.tables]
    return environment().get_template("pack.html.j2").render(href=link, pack=pack, name=clean(pack.name), tables=tables)


def pack_workbook(pack: Pack) -> bytes:
    """The workbook, a sheet for each subject; equal packs give equal bytes."""

    def fill(book: Workbook) -> None:
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        text = book.add_format({"text_wrap": True, "valign": "top", "num_format": "@"})
        names: list[str] = []
        for table in pack.tables:
            names.append(sheet_name(table.title, names))
            sheet = book.add_worksheet(names[-1])
            write_texts(sheet, 0, 0, table.heads, head)
            lines = list(_texts(table))
            for number, line in enumerate(lines, start=1):
                write_texts(sheet, number, 0, line, text)
            if not lines:
                sheet.write_string(1, 0, table.none, text)
            for place, title in enumerate(table.heads):
                sheet.set_column(place, place, width_for([title, *(line[place] for line in lines)], most=60))
            sheet.freeze_panes(1, 0)

    return made(pack.cut_off, f"{clean(pack.programme)}, {pack.week}: {clean(pack.name)}", fill)


def _table(table: PackTable) -> Table:
    texts = list(_texts(table))
    numeric = [
        bool(table.rows) and all(row[place] is None or _is_number(row[place]) for row in table.rows)
        for place in range(len(table.heads))
    ]
    columns = tuple(Column(head, number) for head, number in zip(table.heads, numeric, strict=True))
    rows = tuple(Row(tuple(Cell(text) for text in line)) for line in texts)
    return Table(anchor("pack", table.title), table.title, columns, rows, len(rows), "" if rows else table.none)


def _texts(table: PackTable) -> Iterator[list[str]]:
    for row in table.rows:
        yield [_text(value)[:LONGEST_CELL] for value in row]


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M} UTC"
        case date():
            return day(value)
        case float():
            return quantity(Decimal(repr(value)))
        case int() | Decimal():
            return quantity(Decimal(value))
        case _:
            return clean(value)


def _is_number(value: object) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)
