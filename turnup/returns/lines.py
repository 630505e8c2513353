"""The rows of a returned workbook: which row of which file each one corrects, withdraws or fails to name.

Rows are known by their id alone, so a sheet may be renamed, sorted or merged with another one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnup.formats.model import Answer, Finding, Rejected
from turnup.formats.tabular.header import SEARCHED_ROWS
from turnup.formats.tabular.names import clean, name_key
from turnup.formats.tabular.sheets import Sheet
from turnup.returns.headings import ANSWER, AS_IT_STANDS, OUR_KEYS, ROW_ID, TAKE_BACK, is_beyond
from turnup.returns.marker import Marker, Original, as_read, digest

_ANSWERS: Mapping[str, Answer] = {TAKE_BACK: "withdrawn", AS_IT_STANDS: "confirmed"}


@dataclass(frozen=True)
class Headed:
    """A sheet with a column of row ids, and where each heading stands."""

    sheet: Sheet
    header: int
    places: dict[str, int]


@dataclass(frozen=True)
class Line:
    """One filled row of such a sheet; ``original`` is None when its id names no row of this workbook."""

    headed: Headed
    row: int
    cells: tuple[str | None, ...]
    key: str
    original: int | None
    of_row: int | None
    sent: str
    spelled: Mapping[str, str]

    @property
    def said(self) -> str:
        """The sender's answer in words."""
        return clean(self.at(ANSWER) or "")

    def answer(self, original: Original) -> Answer:
        """What the sender makes of the row."""
        given = _ANSWERS.get(self.said.casefold())
        if given is not None:
            return given
        return "unanswered" if digest(self.at(label) for label in original.columns) == self.sent else "changed"

    def at(self, heading: str) -> str | None:
        """The cell under a heading."""
        place = self.headed.places.get(name_key(heading))
        return None if place is None or place >= len(self.cells) else self.cells[place]

    def own(self, original: Original) -> tuple[str | None, ...]:
        """The cells of the file's own columns."""
        return tuple(self._own(label) for label in original.header)

    def _own(self, label: str) -> str | None:
        """A cell of the file; one that reads as it was written is spelled as in the file."""
        text, first = self.at(label), self.spelled.get(label)
        return first if first is not None and as_read([first])[first] == text else text

    def given(self, original: Original) -> str:
        """The row as returned, under the file's own labels."""
        cells = {label: self._own(label) for label in original.columns}
        return json.dumps(cells, ensure_ascii=False, separators=(",", ":"))


def headed(sheet: Sheet) -> Headed | None:
    """The sheet with its header, or None when it has no column of row ids."""
    wanted = name_key(ROW_ID)
    for record in sheet.head(SEARCHED_ROWS):
        keys = [name_key(cell or "") for cell in record.cells]
        if wanted in keys:
            return Headed(sheet, record.row, {key: keys.index(key) for key in keys if key})
    return None


def lines_of(sheet: Headed, marker: Marker) -> Iterator[Line]:
    """The filled rows below the header; a row that holds nothing but our own columns was emptied, not corrected."""
    place = sheet.places[name_key(ROW_ID)]
    spelled: dict[str, dict[str, str]] = {}
    for (key, label), text in marker.spelled.items():
        spelled.setdefault(key, {})[label] = text
    for number, cells in enumerate(sheet.sheet.frame.rows(), start=1):
        if number <= sheet.header or not any(cell and clean(cell) for cell in cells):
            continue
        key = clean(cells[place] or "")
        found = marker.rows.get(key)
        if found is None:
            yield Line(sheet, number, cells, key, None, None, "", {})
        else:
            yield Line(sheet, number, cells, key, found.original, found.row, found.sent, spelled.get(key, {}))


def fault(line: Line, original: Original | None, later: int | None) -> Rejected | None:
    """Why a row cannot be read as a correction, or None; ``later`` is a further row of the file with the same id."""
    sheet = line.headed.sheet.name
    if original is None:
        known = "has no row id" if not line.key else f"has the row id '{line.key}', which is none of this workbook"
        rule = "added_row" if not line.key else "unknown_row_id"
        message = f"row {line.row} of '{sheet}' {known}: it corrects no row. Send further rows in a file of their own"
        return Rejected(
            line.row, sheet, ROW_ID, line.key or None, rule, "a row id of this workbook", message, _all(line)
        )
    given = line.given(original)
    if later is not None:
        message = f"row {line.row} of '{sheet}' is given again in row {later}, which counts; leave one row per row id"
        return Rejected(line.row, sheet, ROW_ID, line.key, "returned_twice", "one row per row id", message, given)
    if line.answer(original) in ("withdrawn", "unanswered"):
        return None
    missing = [
        label for label in original.columns if name_key(label) not in line.headed.places and not is_beyond(label)
    ]
    if missing:
        message = f"the column '{missing[0]}' was removed from '{sheet}'; put it back, with its values"
        return Rejected(line.row, sheet, missing[0], None, "column_removed", f"the column {missing[0]}", message, given)
    beyond = next((label for label in original.columns if is_beyond(label) and clean(line.at(label) or "")), None)
    if beyond:
        width = sum(not is_beyond(label) for label in original.columns)
        message = f"row {line.row} of '{sheet}' still has a value beyond its {width} columns, under {beyond}: empty it"
        return Rejected(line.row, sheet, beyond, line.at(beyond), "width", f"{width} fields", message, given)
    return None


def _all(line: Line) -> str:
    filled = {key: line.cells[place] for key, place in line.headed.places.items() if key not in OUR_KEYS}
    return json.dumps(filled, ensure_ascii=False, separators=(",", ":"))


def unknown_answers(lines: Sequence[Line]) -> list[Finding]:
    """Answers in other words than ours, which say nothing here."""
    return [
        Finding(
            "answer_unknown", "warning", line.row, ANSWER, line.said,
            f"row {line.row} of '{line.headed.sheet.name}' answers '{line.said}'; write {' or '.join(_ANSWERS)}",
        )
        for line in lines
        if line.said and line.said.casefold() not in _ANSWERS
    ]  # fmt: skip


def attributed(lines: Sequence[Line], marker: Marker) -> dict[tuple[str, str], list[Line]]:
    """The lines of each (source, content); a line without a known id goes with the others of its sheet."""
    found: dict[tuple[str, str], list[Line]] = {pair: [] for pair in marker.corrected}
    near: dict[str, int] = {}
    for line in lines:
        if line.original is not None:
            near.setdefault(line.headed.sheet.name, line.original)
    for line in lines:
        known = line.original if line.original is not None else near.get(line.headed.sheet.name, 0)
        original = marker.originals[known]
        found[original.source, original.sha256].append(line)
    return found
