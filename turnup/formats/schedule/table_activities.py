"""Rows of a schedule that is a table as activities.

Belongs here: what the cells of a row say of its activity. Does not: links (``table_links``), or which rows there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from turnup.formats.schedule.durations import Length, Malformed, Unit, parse_duration, parse_length
from turnup.formats.schedule.progress import counts_in_fractions, share_of
from turnup.formats.schedule.table_columns import DATES
from turnup.schedule.model import ELAPSED, HOUR, WorkCalendar
from turnup.schedule.shifts import begin_of, end_of, worked_between
from turnup.schedule.words import constraint_of, kind_of, state_of

if TYPE_CHECKING:
    from turnup.formats.schedule.table_calendars import Calendars
    from turnup.formats.schedule.table_cells import Line, TableCells

Made = TypeVar("Made")
_PERCENT = ("percent", "percent_duration", "percent_physical")
_YES = ("yes", "y", "true", "1", "ja", "x", "oui", "sí", "si")
THREE_POINTS = ("optimistic_d", "likely_d", "pessimistic_d")
_STORED = ("early_start", "early_finish", "late_start", "late_finish")


def says_yes(text: str | None) -> bool:
    """Whether a cell of a flag says yes."""
    return text is not None and text.strip().casefold() in _YES


@dataclass(frozen=True)
class Item:
    """A row with its id, what people call it, the row above it and whether it holds others."""

    line: Line
    id: str
    code: str
    parent: str | None
    summary: bool


class TableActivities:
    """Makes activities of the rows of one table.

    ``unit`` is what a bare duration counts, ``dated`` says that the dates are those that the table's tool computed.
    """

    def __init__(self, cells: TableCells, calendars: Calendars, *, unit: Unit, dated: bool) -> None:
        self._cells = cells
        self._calendars = calendars
        self._unit = unit
        self._dated = dated
        self._fractions = {
            name: counts_in_fractions(line.texts[name] for line in cells.lines if name in line.texts)
            for name in _PERCENT
        }

    def of(self, item: Item, *, follows: bool) -> dict[str, Any]:
        """The columns of one activity; ``follows`` says that it has predecessors."""
        line = item.line
        calendar = self._calendars.key(line)
        works = self._calendars.of(calendar)
        dates = {name: self._moment(line, name, works) for name in DATES}
        length = self._length(line, "duration_d")
        duration = self._duration(length, dates, works)
        elapsed = length is not None and length.elapsed and not item.summary
        return {
            "id": item.id,
            "code": item.code,
            "name": line.texts.get("name"),
            "wbs": line.texts.get("wbs_path"),
            "parent": item.parent,
            "kind": self._kind(item, duration, follows=follows),
            "calendar": ELAPSED if elapsed else calendar,
            "manual": "manu" in line.texts.get("task_mode", "").casefold(),
            "duration_s": duration,
            "planned_start": dates["start"],
            "planned_finish": dates["finish"],
            "baseline_duration_s": self._seconds(line, "baseline_duration_d", works),
            "total_float_s": self._float(line, "total_float", works, elapsed=elapsed),
            "free_float_s": self._float(line, "free_float", works, elapsed=elapsed),
            "critical": _flag(line, "critical"),
            "longest_path": _flag(line, "longest_path"),
            "system": line.texts.get("system_id"),
            "row": line.row,
            **{name: line.texts.get(name) for name in ("owner", "block", "gate")},
            **{name: dates[name] for name in ("deadline", "expected_finish", "baseline_start", "baseline_finish")},
            **self._constraints(line, dates),
            **self._progress(line, dates, duration, works),
            **self._computed(line, dates),
        }

    def three_points(self, item: Item) -> dict[str, float]:
        """Shortest, likely and longest duration in working days, as far as the row gives them."""
        works = self._calendars.of(self._calendars.key(item.line))
        seconds = {name: self._seconds(item.line, name, works) for name in THREE_POINTS}
        return {name: each / (works.hours_per_day * HOUR) for name, each in seconds.items() if each is not None}

    def _kind(self, item: Item, duration: int | None, *, follows: bool) -> str:
        if item.summary:
            return "summary"
        told = kind_of(item.line.texts.get("activity_kind"))
        if told not in (None, "task", "summary"):
            return str(told)
        if duration == 0 or (duration is None and says_yes(item.line.texts.get("milestone"))):
            return "finish_milestone" if follows else "start_milestone"
        return "task"

    def _moment(self, line: Line, name: str, works: WorkCalendar) -> datetime | None:
        """A date with its time of day; where the cell has none, the working day begins or ends."""
        moment = line.times.get(name)
        if moment is None or name in line.clocked:
            return moment
        at_end = "finish" in name or name == "deadline"
        if name.startswith("constraint"):
            kind = line.texts.get("constraint_2" if "_2" in name else "constraint_type", "").casefold()
            at_end = "finish" in kind or "end" in kind
        return (end_of if at_end else begin_of)(works, moment.date())

    def _length(self, line: Line, name: str) -> Length | None:
        unit = "d" if name in THREE_POINTS else self._unit
        return self._read(line, name, lambda text: parse_duration(text, self._cells.decimal, unit))

    def _seconds(self, line: Line, name: str, works: WorkCalendar) -> int | None:
        length = self._length(line, name)
        return None if length is None else length.seconds(works)

    def _duration(self, length: Length | None, dates: Mapping[str, datetime | None], works: WorkCalendar) -> int | None:
        """The duration that is written, else the working time from start to finish."""
        if length is not None:
            return length.seconds(works)
        start, finish = dates["start"], dates["finish"]
        return None if start is None or finish is None else worked_between(works, start, finish)

    def _float(self, line: Line, name: str, works: WorkCalendar, *, elapsed: bool) -> int | None:
        length = self._read(line, name, lambda text: parse_length(text, self._cells.decimal, self._unit))
        if length is None or length.unit == "%":
            return None
        return (Length(length.amount, length.unit, elapsed=True) if elapsed else length).seconds(works)

    def _constraints(self, line: Line, dates: Mapping[str, datetime | None]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for ours, theirs in (("constraint", "constraint_type"), ("constraint_2", "constraint_2")):
            date = f"{ours}_date"
            kind = self._read(line, theirs, constraint_of)
            if kind is not None and dates[date] is None and kind != "as_late_as_possible":
                self._cells.refuse(line, theirs, "constraint_date", f"the constraint {kind} has no date", "a date")
            elif kind is not None:
                found |= {ours: kind, date: dates[date]}
        return found

    def _progress(
        self, line: Line, dates: Mapping[str, datetime | None], duration: int | None, works: WorkCalendar
    ) -> dict[str, Any]:
        """How far the activity is: by its status, its actual dates (Primavera marks them with A) and its percentage."""
        share = self._share(line)
        start, finish = dates["actual_start"], dates["actual_finish"]
        start = start or (dates["start"] if "start" in line.marked else None)
        finish = finish or (dates["finish"] if "finish" in line.marked else None)
        told = state_of(line.texts.get("status"))
        done, begun = finish is not None or share == 1, start is not None or bool(share)
        state = told or ("completed" if done else "in_progress" if begun else "not_started")
        left = self._seconds(line, "remaining_d", works)
        if left is None and duration is not None:
            left = duration if state == "not_started" else round(duration * (1 - (share or Decimal(0))))
        return {
            "status": state,
            "percent": None if share is None else float(share * 100),
            # A table with one start and one finish gives the actual ones of what has begun and ended.
            "actual_start": None if state == "not_started" else start or dates["start"],
            "actual_finish": (finish or dates["finish"]) if state == "completed" else None,
            "remaining_s": 0 if state == "completed" else left,
        }

    def _share(self, line: Line) -> Decimal | None:
        shares = (self._read(line, name, self._share_reader(name)) for name in _PERCENT)
        return next((share for share in shares if share is not None), None)

    def _share_reader(self, name: str) -> Callable[[str], Decimal | None]:
        return lambda text: share_of(text, self._cells.decimal, fractions=self._fractions[name])

    def _computed(self, line: Line, dates: Mapping[str, datetime | None]) -> dict[str, datetime | None]:
        """Early and late dates; in a table of Microsoft Project start and finish are the early ones."""
        found = {name: dates[name] for name in _STORED}
        late = "late" in line.texts.get("constraint_type", "").casefold()
        if self._dated and not late and found["early_start"] is None and found["early_finish"] is None:
            found |= {"early_start": dates["start"], "early_finish": dates["finish"]}
        return found

    def _read(self, line: Line, name: str, read: Callable[[str], Made | None]) -> Made | None:
        text = line.texts.get(name)
        if text is None or text.strip().casefold() in ("na", "n/a", "-"):
            return None
        try:
            return read(text)
        except Malformed as error:
            self._cells.refuse(line, name, name.removesuffix("_d"), str(error))
        except ValueError as error:
            self._cells.refuse(line, name, "constraint", str(error))
        return None


def _flag(line: Line, name: str) -> bool | None:
    text = line.texts.get(name)
    return None if text is None else says_yes(text)
