"""An XLSX file in memory: text stays text, and equal content gives equal bytes."""

import io
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

LONGEST_CELL = 32_767
"""Characters that a cell can hold."""

_LONGEST_COMMENT = 2_000
_FORBIDDEN_IN_NAMES = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_LONGEST_NAME = 31
_AS_THEY_ARE = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def made(created: datetime, title: str, fill: Callable[[Workbook], None]) -> bytes:
    """The bytes of a workbook that ``fill`` lays out; ``created`` stands in its properties instead of the clock."""
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, _AS_THEY_ARE)
    book.set_properties({"title": title, "created": created.replace(tzinfo=None), "author": "turnup"})
    fill(book)
    book.close()
    return target.getvalue()


def sheet_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that a sheet may have and no other sheet has, as near as possible to the wanted one."""
    base = _FORBIDDEN_IN_NAMES.sub(" ", wanted).strip(" '") or "sheet"
    used = {name.casefold() for name in taken} | {"history"}
    name, number = _cut(base, _LONGEST_NAME), 1
    while name.casefold() in used:
        number += 1
        ending = f" ({number})"
        name = _cut(base, _LONGEST_NAME - len(ending)) + ending
    return name


def _cut(text: str, most: int) -> str:
    """The beginning of a text; Excel counts a character outside the basic plane, such as 👷, as two."""
    units = text.encode("utf-16-le")[: 2 * most]
    return units.decode("utf-16-le", "ignore").strip(" '")


def write_texts(sheet: Worksheet, row: int, column: int, texts: Sequence[str | None], form: Format) -> None:
    """Write cells as text, whatever they begin with; None leaves a formatted empty cell."""
    for place, text in enumerate(texts, start=column):
        if text:
            sheet.write_string(row, place, text, form)
        else:
            sheet.write_blank(row, place, None, form)


def remark(sheet: Worksheet, row: int, column: int, text: str) -> None:
    """Hang a comment on a cell, large enough for its text."""
    shown = text if len(text) <= _LONGEST_COMMENT else f"{text[: _LONGEST_COMMENT - 1]}…"
    lines = sum(1 + len(line) // 42 for line in shown.split("\n"))
    sheet.write_comment(row, column, shown, {"width": 300, "height": 22 + 17 * lines})


def width_for(texts: Iterable[str | None], *, most: int = 50) -> int:
    """A column width in characters for its longest text, within reason."""
    longest = max((len(line) for text in texts if text for line in text.split("\n")), default=0)
    return min(max(longest + 2, 10), most)
