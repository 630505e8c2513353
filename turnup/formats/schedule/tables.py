"""Schedules that are tables: exports of Microsoft Project, Smartsheet and Primavera P6, and plain lists of tasks.

Belongs here: the rows of a table put together as a project. Does not: its cells, activities and links.

Ids in a column of predecessors are those of the ID column: row numbers in Microsoft Project, activity codes in
Primavera. A Smartsheet has no ID column; its predecessors are counted from the first row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING

from turnup.formats.model import FileRejected, Finding, RawTable, Rejected
from turnup.formats.schedule.frames import activity_frame, link_frame
from turnup.formats.schedule.notes import Notes
from turnup.formats.schedule.outline import parents_by_level, parents_by_number
from turnup.formats.schedule.table_activities import Item, TableActivities, says_yes
from turnup.formats.schedule.table_calendars import OFFICE, Calendars
from turnup.formats.schedule.table_cells import Line, TableCells, is_schedule_table, read_cells
from turnup.formats.schedule.table_columns import DURATIONS, LOGIC
from turnup.formats.schedule.table_links import read_links
from turnup.schedule.columns import MAIN
from turnup.schedule.model import MS_PROJECT, Options, Project

if TYPE_CHECKING:
    from turnup.formats.content import Content
    from turnup.programme import Source

_PRIMAVERA = frozenset({"activity_id", "activity_name", "original_duration", "task_code", "activity id"})
_MICROSOFT = ("task_mode", "outline_level", "unique_id", "unique_predecessors")

_NEEDED = {
    "that names its tasks (Task Name, Activity ID)": frozenset({"name", "task"}),
    "that says when they are or what they follow (Duration, Start, Finish, Predecessors)": frozenset(
        {*DURATIONS, *LOGIC, "start", "finish", "early_start", "early_finish", "actual_start", "actual_finish",
         "baseline_start", "baseline_finish"}
    ),
}  # fmt: skip

__all__ = ["TableRead", "is_schedule_table", "read_table"]


@dataclass(frozen=True)
class TableRead:
    """What became of a table.

    Attributes:
        project: its activities and links.
        table: its rows as text, with their ledger.
        rejected: cells of activities that cannot be used; the activities are in the project without them.
        bad_links: links that cannot be read.
        three_points: by row the shortest, likely and longest duration in working days.
        predecessors: by row the cell of predecessors as delivered.
        left_out: rows that are no activities: switched off, or a second one of an id.
    """

    project: Project
    table: RawTable
    rejected: tuple[Rejected, ...]
    bad_links: tuple[Rejected, ...]
    three_points: dict[int, dict[str, float]]
    predecessors: dict[int, str]
    left_out: int


def read_table(content: Content, source: Source) -> TableRead:
    """Read a table as a project.

    Raises:
        FileRejected: no table whose columns are known, or one without tasks.
    """
    cells = read_cells(content, source)
    missing = [words for words, columns in _NEEDED.items() if not columns & set(cells.labels)]
    if missing:
        known = ", ".join(f"'{label}'" for label in cells.labels.values())
        message = f"this is no schedule: no column {', and none '.join(missing)}; known of its columns: {known}"
        raise FileRejected("schedule", message, expected="a table of tasks, such as Task Name, Duration, Predecessors")
    notes = Notes()
    items, switched_off = _items(cells, notes)
    if not items:
        raise FileRejected("no_project", f"{content.name} holds no task", expected="a row for each task")
    calendars = Calendars(notes)
    primavera = any(label.strip().casefold().replace(" ", "_") in _PRIMAVERA for label in cells.labels.values())
    computed = not primavera and bool({"total_float", "critical", *_MICROSOFT} & set(cells.labels))
    make = TableActivities(cells, calendars, unit="d", dated=computed)
    works = {item.id: calendars.of(calendars.key(item.line)) for item in items}
    found = read_links(cells, items, switched_off, works, calendars.of(OFFICE), "d", notes)
    follows = {link["succ"] for link in found.links}
    activities = activity_frame([make.of(item, follows=item.id in follows) for item in items])
    project = Project(
        id=MAIN,
        name=PurePath(content.name).stem,
        tool="table",
        data_date=None,
        planned_start=_start(activities["planned_start"].to_list()),
        must_finish=None,
        stored_finish=max(activities["early_finish"].drop_nulls().to_list(), default=None),
        options=Options() if primavera else replace(MS_PROJECT, float_kind="smallest"),
        calendars=dict(sorted(calendars.used.items())),
        default_calendar=OFFICE,
        activities=activities,
        links=link_frame(found.links),
    )
    told = tuple(Finding(row.rule, "error", row.row, row.column, row.value, row.message)
                 for row in (*cells.table.rejected, *cells.rejected, *found.rejected))  # fmt: skip
    project = replace(project, findings=(*cells.table.findings, *notes.findings, *told))
    return TableRead(
        project, cells.table, tuple(cells.rejected), tuple(found.rejected),
        {item.line.row: points for item in items if (points := make.three_points(item))},
        {item.line.row: text for item in items if (text := item.line.texts.get("predecessors")) is not None},
        len(cells.lines) - len(items),
    )  # fmt: skip


def _start(dates: list[datetime | None]) -> datetime | None:
    return min((date for date in dates if date is not None), default=None)


def _items(cells: TableCells, notes: Notes) -> tuple[list[Item], dict[str, str]]:
    """The rows that are activities, and the codes of those that are switched off."""
    codes = _codes(cells)
    kept: list[tuple[Line, str, str]] = []
    switched_off: dict[str, str] = {}
    seen: set[str] = set()
    for line, code in zip(cells.lines, codes, strict=True):
        id_ = line.texts.get("unique_id", code)
        name = line.texts.get("name", code)
        if line.texts.get("active") is not None and not says_yes(line.texts["active"]):
            switched_off[code] = id_
            notes.add("inactive_task", f"'{name}' is inactive; it and its links take no part", severity="info",
                      row=line.row, column="active")  # fmt: skip
        elif id_ in seen:
            message = f"'{name}' has the id {id_} of a row before it; it is left out, and links go to the first"
            notes.add("repeated_id", message, severity="error", row=line.row, column="task", value=id_)
        else:
            seen.add(id_)
            kept.append((line, id_, code))
    parents = _parents(kept)
    above = {parent for parent in parents.values() if parent is not None}
    grouped = {id_ for line, id_, _ in kept if _is_group(line, cells)}
    items = [
        Item(line, id_, code, parents.get(id_),
             id_ in above or id_ in grouped or says_yes(line.texts.get("summary")) or _is_whole(line, code, cells))
        for line, id_, code in kept
    ]  # fmt: skip
    return items, switched_off


def _codes(cells: TableCells) -> list[str]:
    """What the rows are called in columns of predecessors: their ids, else their place in the table."""
    if any("task" in line.texts for line in cells.lines):
        return [line.texts.get("task") or f"row {line.row}" for line in cells.lines]
    first = min((line.row for line in cells.lines), default=1)
    # A blank row counts in a sheet; in delimited text a row of several lines would count as several.
    by_row = cells.table.format in ("xlsx", "xls", "ods")
    return [str(line.row - first + 1 if by_row else place) for place, line in enumerate(cells.lines, start=1)]


def _parents(kept: list[tuple[Line, str, str]]) -> dict[str, str | None]:
    """The row above each: by level, by the row that it names, or by its number in the outline."""
    levels = [(id_, line.texts.get("outline_level", "")) for line, id_, _ in kept]
    if kept and all(level.isdecimal() for _, level in levels):
        return parents_by_level((id_, int(level)) for id_, level in levels)
    named = {code: id_ for _, id_, code in kept} | {line.texts.get("unique_id", code): id_ for line, id_, code in kept}
    if any("parent_task" in line.texts for line, _, _ in kept):
        return {id_: named.get(line.texts.get("parent_task", "")) for line, id_, _ in kept}
    numbers = {id_: line.texts["wbs_path"] for line, id_, _ in kept if "wbs_path" in line.texts}
    return parents_by_number(numbers) if len(numbers) == len(kept) else {}


def _is_group(line: Line, cells: TableCells) -> bool:
    """Whether a row is a band of Primavera: a title in the place of the id, and no name."""
    code = line.texts.get("task", "")
    return "name" in cells.labels and "name" not in line.texts and " " in code.strip()


def _is_whole(line: Line, code: str, cells: TableCells) -> bool:
    """Whether a row is Microsoft Project's summary of the whole project: row 0."""
    return code == "0" and "outline_level" in cells.labels
