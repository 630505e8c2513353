"""Links of a schedule that is a table, from its columns of predecessors or successors.

Belongs here: which rows the ids in these cells name. Does not: how one of them is written (``predecessors``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnup.formats.model import Rejected
from turnup.formats.schedule.durations import Malformed, Mark, Unit
from turnup.formats.schedule.predecessors import Predecessor, parse_predecessor, split_predecessors

if TYPE_CHECKING:
    from turnup.formats.schedule.notes import Notes
    from turnup.formats.schedule.table_activities import Item
    from turnup.formats.schedule.table_cells import TableCells
    from turnup.schedule.model import WorkCalendar

_COLUMNS = (
    ("predecessors", False, False), ("unique_predecessors", False, True),
    ("successors", True, False), ("unique_successors", True, True),
)  # fmt: skip
"""Columns by preference, whether they name what comes after, and whether by unique ids."""


@dataclass(frozen=True)
class TableLinks:
    """The links of one table, and the cells that could not be read."""

    links: list[dict[str, Any]]
    rejected: list[Rejected]


class _Reader:
    def __init__(
        self, cells: TableCells, items: list[Item], switched_off: Mapping[str, str], unit: Unit, notes: Notes
    ) -> None:
        self.cells = cells
        self.decimal: Mark | None = cells.decimal
        self.codes = {item.code: item.id for item in items}
        self.uniques = {item.line.texts.get("unique_id", item.code): item.id for item in items}
        self.switched_off = switched_off
        self.unit = unit
        self.notes = notes
        self.rejected: list[Rejected] = []

    def of(
        self, item: Item, works: WorkCalendar, column: str, *, after: bool, unique: bool
    ) -> Iterator[dict[str, Any]]:
        known = self.uniques if unique else self.codes
        for part in split_predecessors(item.line.texts.get(column, ""), self.decimal):
            try:
                found = parse_predecessor(part, {**known, **self.switched_off}, self.decimal, self.unit)
            except Malformed as error:
                self._refuse(item, column, part, str(error))
                continue
            if found.ref not in self.switched_off or found.project is not None:
                yield self._link(found, item, works, known, after=after)

    def _link(
        self, found: Predecessor, item: Item, works: WorkCalendar, known: Mapping[str, str], *, after: bool
    ) -> dict[str, Any]:
        lag = found.lag
        percent = lag is not None and lag.unit == "%"
        other = known.get(found.ref) if found.project is None else None
        name = f"{found.project}\\{found.ref}" if found.project is not None else found.ref
        if other is None:
            message = (
                f"row {item.line.row} is linked with {name}, which is not in this table; the link holds nothing back"
            )
            code = "external_link" if found.project is not None else "missing_predecessor"
            self.notes.add(code, message, row=item.line.row, column="predecessors", value=name)
        ends = (item.id, other or name) if after else (other or name, item.id)
        return {
            "pred": ends[0],
            "succ": ends[1],
            "type": found.type,
            "lag_s": 0 if lag is None or percent else lag.seconds(works),
            "elapsed": lag is not None and lag.elapsed,
            "lag_percent": float(lag.amount) if lag is not None and percent else None,
            "external": other is None,
            "row": item.line.row,
        }

    def _refuse(self, item: Item, column: str, part: str, message: str) -> None:
        line, label = item.line, self.cells.labels.get(column, column)
        told = f"row {line.row}, {label}: {message}"
        expected = "an id, a type FS, SS, FF or SF, and a lag, such as 12FS+3d"
        self.rejected.append(Rejected(line.row, None, label, part, "predecessor", expected, told, line.given))


def read_links(
    cells: TableCells,
    items: list[Item],
    switched_off: Mapping[str, str],
    calendars: Mapping[str, WorkCalendar],
    default: WorkCalendar,
    unit: Unit,
    notes: Notes,
) -> TableLinks:
    """The links of the rows: of the first of the columns that the table has and that is not empty.

    Args:
        cells: the table.
        items: its rows that are activities.
        switched_off: codes of rows that take no part; links to them are dropped.
        calendars: by id the calendar of an activity; a lag in days counts its hours.
        default: the calendar of all others.
        unit: what a bare lag counts.
        notes: gets what leads out of the table.
    """
    reader = _Reader(cells, items, switched_off, unit, notes)
    for column, after, unique in _COLUMNS:
        if any(column in item.line.texts for item in items):
            links = [
                link
                for item in items
                for link in reader.of(item, calendars.get(item.id, default), column, after=after, unique=unique)
            ]
            # What comes after a row and is not in the table cannot be an activity of it.
            return TableLinks([link for link in links if not (after and link["external"])], reader.rejected)
    return TableLinks([], [])
