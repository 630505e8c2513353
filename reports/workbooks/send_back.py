"""The workbook that goes back to an owner: each open row as delivered, its wrong cells marked, ready to be corrected.

The model is ``turnup.returns.open_rows.SendBack``; a corrected copy is known again by its hidden sheet.
"""

import hashlib
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from xlsxwriter.format import Format
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from reports.workbooks.book import made, remark, sheet_name, width_for, write_texts
from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes
from turnup.returns.headings import ANSWER, AS_IT_STANDS, OURS, ROW_ID, TAKE_BACK, WRONG
from turnup.returns.marker import SHEET, marker_cells, row_id
from turnup.returns.send_back import Fault, OpenRow, OpenTable, SendBack

FOLDER = "send-back"
_FIRST, _REFUSED, _ELSEWHERE = "Read me", "Files not read", "Correct at the source"
_TAKEN = "Taken, please look"
_MOST_REMARKS = 5_000
_ROWS_A_SHEET = 100_000
_WORDS = re.compile(r"[^\w]+")
_HOW_TO = (
    "Each further sheet holds rows of one file of yours, as you sent them. Marked cells are wrong or in doubt; the "
    "comment on a cell says why, and what was expected.",
    "1. Correct the marked cells in place. Every cell is text: write dates as YYYY-MM-DD, numbers as in your file.",
    f"2. Under '{ANSWER}' choose '{TAKE_BACK}' for a row that shall not count, or '{AS_IT_STANDS}' for one that "
    "needs no change. A row that you leave as it is, or delete, stays open.",
    f"3. Leave the column '{ROW_ID}' alone: by it each row finds its place. Rows without one are not read; send "
    "further rows in a file of their own.",
    "4. Send this workbook back, under any name. Only its rows are taken; the rest of your file stays as it is.",
    "If you send the whole file again, corrected, that settles these rows too.",
)


@dataclass(frozen=True)
class _Look:
    """The formats of one workbook."""

    head: Format
    ours: Format
    text: Format
    own: Format
    refused: Format
    doubtful: Format
    prose: Format


def send_back_workbook(model: SendBack) -> bytes:
    """The workbook of one owner; equal models give equal bytes."""

    def fill(book: Workbook) -> None:
        look = _look(book)
        first = book.add_worksheet(_FIRST)
        names: list[str] = [_FIRST, SHEET]
        listed = []
        if model.refused:
            _refused_files(book.add_worksheet(_REFUSED), look, model)
            names.append(_REFUSED)
        if model.unsendable:
            _elsewhere(book.add_worksheet(_ELSEWHERE), look, model)
            names.append(_ELSEWHERE)
        if model.taken:
            _taken(book.add_worksheet(_TAKEN), look, model)
            names.append(_TAKEN)
        for table in model.tables:
            for start in range(0, len(table.rows), _ROWS_A_SHEET):
                name = sheet_name(_wanted(table), names)
                names.append(name)
                rows = table.rows[start : start + _ROWS_A_SHEET]
                _table(book.add_worksheet(name), look, table, rows)
                listed.append((table, len(rows), name))
        _read_me(first, look, model, listed)
        _marker(book.add_worksheet(SHEET), look, model)

    return made(model.closes_at, f"{model.programme}, {model.week}: rows for {model.owner}", fill)


def workbook_files(models: Iterable[SendBack], out_dir: Path) -> dict[str, Path]:
    """Owner to workbook, in ``send-back`` below a week's folder; ``models`` is everything that goes back."""
    files: dict[str, Path] = {}
    for model in models:
        files[model.owner] = (
            out_dir / FOLDER / f"{_file_name(model.owner, [path.stem for path in files.values()])}.xlsx"
        )
    return files


def write_send_backs(models: Sequence[SendBack], out_dir: Path, record: Path) -> dict[str, Path]:
    """Write the workbook of every owner, and remove those of owners who have nothing open any more.

    A workbook that somebody changed in its place is neither overwritten nor removed: it is put beside, under a name
    that says so.

    Args:
        models: everything that goes back for the week, per owner.
        out_dir: folder of the week.
        record: file that remembers what was written there.
    """
    files = workbook_files(models, out_dir)
    contents = {files[model.owner]: send_back_workbook(model) for model in models}
    ours = _written(record)
    for file in sorted((out_dir / FOLDER).glob("*.xlsx")):
        standing, wanted = _hash(file.read_bytes()), contents.get(file)
        if (wanted is not None and standing == _hash(wanted)) or (wanted is None and file.name not in ours):
            continue
        if standing != ours.get(file.name):
            file.rename(_beside(file))
        elif wanted is None:
            file.unlink()
    for target, content in contents.items():
        replace_bytes(target, content)
    replace_bytes(record, canonical_json({target.name: _hash(content) for target, content in contents.items()}))
    return files


def _written(record: Path) -> dict[str, str]:
    try:
        return dict(read_json(record))
    except (StoreDamaged, TypeError, ValueError):
        return {}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _beside(file: Path) -> Path:
    names = (f"{file.stem} changed{f' {number}' if number else ''}.xlsx" for number in itertools.count())
    return next(path for name in names if not (path := file.with_name(name)).exists())


def _file_name(owner: str, taken: Sequence[str]) -> str:
    base = _WORDS.sub("-", owner.casefold()).strip("-")[:60] or "owner"
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def _wanted(table: OpenTable) -> str:
    file = PurePosixPath(table.original.path).name
    return f"{table.original.sheet} {file}" if table.original.sheet else file


def _look(book: Workbook) -> _Look:
    base = {"valign": "top", "num_format": "@"}
    return _Look(
        head=book.add_format({**base, "bold": True, "bg_color": "#1F4E79", "font_color": "#FFFFFF", "border": 1}),
        ours=book.add_format({**base, "bold": True, "bg_color": "#DDE6F0", "text_wrap": True, "border": 1}),
        text=book.add_format(base),
        own=book.add_format({**base, "text_wrap": True, "font_color": "#444444", "bg_color": "#F2F2F2"}),
        refused=book.add_format({**base, "bg_color": "#F8C7C4", "border": 2, "border_color": "#B3261E"}),
        doubtful=book.add_format({**base, "bg_color": "#FDE8B0", "border": 2, "border_color": "#946200"}),
        prose=book.add_format({"text_wrap": True, "valign": "top"}),
    )


def _read_me(sheet: Worksheet, look: _Look, model: SendBack, listed: Sequence[tuple[OpenTable, int, str]]) -> None:
    sheet.set_column(0, 0, 44)
    sheet.set_column(1, 1, 24)
    sheet.set_column(2, 4, 16)
    lines = [f"{model.programme}, week {model.week}: rows for {model.owner}", *_HOW_TO]
    for row, line in enumerate(lines):
        sheet.merge_range(row, 0, row, 4, "", look.prose)
        sheet.write_string(row, 0, line, look.prose)
        sheet.set_row(row, 32 if len(line) > 110 else 16)
    start = len(lines) + 1
    write_texts(sheet, start, 0, ("Your file", "Sheet in this workbook", "Rows refused", "Rows in doubt"), look.ours)
    for row, (table, _, name) in enumerate(listed, start=start + 1):
        counts = (str(table.count("refused")), str(table.count("doubtful")))
        write_texts(sheet, row, 0, (table.original.path, name, *counts), look.text)
    below = start + len(listed) + 2
    if model.refused:
        sheet.write_string(below, 0, f"Files that could not be read: {len(model.refused)}, see '{_REFUSED}'", look.text)
    if model.unsendable:
        text = f"Rows to correct in the system they come from: see '{_ELSEWHERE}'"
        sheet.write_string(below + 1, 0, text, look.text)
    if model.taken:
        text = f"Rows that were taken and do not fit the rest: {len(model.taken)}, see '{_TAKEN}'"
        sheet.write_string(below + 2, 0, text, look.text)


def _refused_files(sheet: Worksheet, look: _Look, model: SendBack) -> None:
    write_texts(sheet, 0, 0, ("Your file", "Received, UTC", "What is wrong and what to do"), look.ours)
    for row, item in enumerate(model.refused, start=1):
        cells = (item.file, f"{item.received_at:%Y-%m-%d %H:%M}", f"{item.message} Send the file again when corrected.")
        write_texts(sheet, row, 0, cells, look.prose)
    for place, width in enumerate((44, 18, 100)):
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 0)


def _elsewhere(sheet: Worksheet, look: _Look, model: SendBack) -> None:
    write_texts(sheet, 0, 0, ("Your file", "Its sheet", "Its row", "Its column", "Holds", "What is wrong"), look.ours)
    for row, item in enumerate(model.unsendable, start=1):
        cells = (
            item.file,
            item.sheet,
            "" if item.row is None else str(item.row),
            item.column,
            item.value,
            item.message,
        )
        write_texts(sheet, row, 0, [cell[:32_767] for cell in cells], look.prose)
    for place, width in enumerate((44, 16, 10, 20, 30, 100)):
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 0)


def _taken(sheet: Worksheet, look: _Look, model: SendBack) -> None:
    write_texts(sheet, 0, 0, ("Your file", "Its sheet", "Its row", "About", "What does not fit", "Finding"), look.ours)
    for row, item in enumerate(model.taken, start=1):
        cells = (item.file, item.sheet, str(item.row), item.subject, item.message, item.code)
        write_texts(sheet, row, 0, [cell[:32_767] for cell in cells], look.prose)
    for place, width in enumerate((44, 16, 10, 30, 100, 28)):
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 0)


def _table(sheet: Worksheet, look: _Look, table: OpenTable, rows: Sequence[OpenRow]) -> None:
    labels = table.original.columns
    write_texts(sheet, 0, 0, OURS, look.ours)
    write_texts(sheet, 0, len(OURS), labels, look.head)
    remarks = 0
    for line, item in enumerate(rows, start=1):
        place = (table.original.path, table.original.sheet, str(item.row))
        wrong = "\n".join(fault.message for fault in item.faults) + _came_back(item)
        write_texts(sheet, line, 0, (row_id(table.original, item.row), *place, wrong[:32_767], None), look.own)
        for at, label in enumerate(labels, start=len(OURS)):
            faults = [fault for fault in item.faults if label in fault.columns]
            write_texts(sheet, line, at, [item.cells.get(label)], _form(look, faults))
            if faults and remarks < _MOST_REMARKS:
                remark(sheet, line, at, _remark(item, label, faults))
                remarks += 1
    _shape(sheet, table, rows)


def _form(look: _Look, faults: Sequence[Fault]) -> Format:
    if not faults:
        return look.text
    return look.refused if any(fault.kind == "refused" for fault in faults) else look.doubtful


def _came_back(item: OpenRow) -> str:
    return f"\nIt came back in {item.returned_in} and is still wrong." if item.returned_in else ""


def _remark(item: OpenRow, label: str, faults: Sequence[Fault]) -> str:
    lines = []
    for fault in faults:
        lines += [fault.message, f"Rule: {fault.rule}."]
        if fault.expected and fault.expected not in fault.message:
            lines.append(f"Expected: {fault.expected}.")
    if item.first is not None and item.first.get(label) != item.cells.get(label):
        lines.append(
            f"First delivered as '{item.first.get(label) or ''}', returned as '{item.cells.get(label) or ''}'."
        )
    return "\n".join(lines)


def _shape(sheet: Worksheet, table: OpenTable, rows: Sequence[OpenRow]) -> None:
    for place, width in enumerate((16, 24, 12, 8, 60, 18)):
        sheet.set_column(place, place, width)
    for at, label in enumerate(table.original.columns, start=len(OURS)):
        sheet.set_column(at, at, width_for([label, *(item.cells.get(label) for item in rows[:200])], most=40))
    last = len(OURS) + len(table.original.columns) - 1
    sheet.freeze_panes(1, OURS.index(WRONG) + 1)
    sheet.ignore_errors({"number_stored_as_text": f"A1:{xl_rowcol_to_cell(len(rows), last)}"})
    answer = OURS.index(ANSWER)
    choice = {"validate": "list", "source": [TAKE_BACK, AS_IT_STANDS], "error_message": "Choose from the list."}
    sheet.data_validation(1, answer, len(rows), answer, choice)


def _marker(sheet: Worksheet, look: _Look, model: SendBack) -> None:
    for row, cells in enumerate(marker_cells(model.marker())):
        write_texts(sheet, row, 0, cells, look.text)
    sheet.very_hidden()
