"""The week being reported: its warehouse, window and neighbours, and look-ups that several sections share."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from reports.build.selection import Wanted, Within
from reports.build.warehouse import Record, Warehouse

Issued = tuple[str, date, Record]
_ISSUED = ("week", "contract", "line", "phase", "system_id", "p50", "p80", "contract_date", "driver")
NOT_MET = ("not met", "no data", "stale", "waived")
"""Every state of a criterion but `met`."""


@dataclass(frozen=True)
class Week:
    """One week. `start` and `as_of` bound the window as local dates."""

    warehouse: Warehouse
    name: str
    previous: str
    start: date | None
    as_of: date | None
    zone: str

    def rows(self, table: str, **only: Wanted) -> tuple[Record, ...]:
        """Return the rows of a table of this week, or those whose columns hold what `only` says."""
        return self.warehouse.rows(table, **only)

    def ordered(self, table: str, *columns: str) -> list[Record]:
        """Return the rows of a table by the text of some of its columns."""
        return sorted(self.rows(table), key=lambda r: tuple(r.text(column) for column in columns))

    def before(self, table: str) -> tuple[Record, ...]:
        """Return the rows of a mart table as issued last week, none in the first week."""
        if not self.previous:
            return ()
        return self.warehouse.rows(f"hist.{table}", week=self.previous)

    @cached_property
    def window(self) -> Within | None:
        """The days of the week, as a condition; the day of the cut-off before belongs to the week before."""
        return None if self.as_of is None else Within(self.start, self.as_of)

    @cached_property
    def gates_passed(self) -> tuple[Record, ...]:
        """Gates that were passed in the window."""
        return self.rows("mart.gates", passed_on=self.window) if self.window else ()

    @cached_property
    def file_names(self) -> dict[str, str]:
        """File per ingest."""
        return {r.text("_ingest"): r.text("file") for r in self.rows("meta.ingests")}

    @cached_property
    def units(self) -> dict[str, str]:
        """Unit of capacity per system."""
        return {row.text("system_id"): row.text("unit") for row in self.rows("mart.systems")}

    @cached_property
    def issues(self) -> dict[str, list[Issued]]:
        """Per contract line its rows as issued: (week, report date, row), oldest first, this week last."""
        dates = {r.text("week"): r.day("as_of") or r.day("cut_off") for r in self.rows("hist.week")}
        found: dict[str, list[Issued]] = defaultdict(list)
        for row in self.warehouse.narrow("hist.commitments", _ISSUED):
            name = row.text("week")
            at = dates.get(name) or week_end(name)
            if name < self.name and at:
                found[_line_key(row)].append((name, at, row))
        for row in self.rows("mart.commitments"):
            if self.as_of:
                found[_line_key(row)].append((self.name, self.as_of, row))
        return {key: sorted(rows, key=lambda issue: issue[0]) for key, rows in sorted(found.items())}

    @cached_property
    def dated(self) -> dict[str, list[Issued]]:
        """Of each contract line of this week its issues with a P50 and a contract date."""
        return {
            key: [issue for issue in rows if issue[2].day("p50") and issue[2].day("contract_date")]
            for key, rows in self.issues.items()
            if rows[-1][0] == self.name
        }

    @cached_property
    def blockers(self) -> tuple[Record, ...]:
        """Blockers in their order of rank."""
        rows = self.rows("mart.blockers")
        return tuple(sorted(rows, key=lambda r: (r.count("rank"), r.text("blocker_id"))))

    @cached_property
    def escalations(self) -> tuple[Record, ...]:
        """Escalations that are open, the highest level first, then what holds most for longest."""

        def key(row: Record) -> tuple[int, Decimal, str]:
            weight = row.amount("capacity") * max(row.count("days"), 1)
            return -row.count("level_no"), -weight, row.text("escalation_id")

        return tuple(sorted(self.rows("mart.escalations", state="open"), key=key))

    @cached_property
    def lines(self) -> dict[str, Record]:
        """The first row of each contract line by its name."""
        return {row.line(): row for row in reversed(self.rows("mart.commitments"))}

    @cached_property
    def dissents(self) -> tuple[Record, ...]:
        """Signed gate decisions that record a dissent, oldest first."""
        source = "core.signed_decisions" if self.warehouse.has("core.signed_decisions") else "stg.gate_decisions"
        rows = [row for row in self.rows(source) if row.text("dissent")]
        return tuple(sorted(rows, key=lambda r: (str(r.day("decided")), r.text("system_id"), r.text("gate"))))

    def within(self, value: date | None) -> bool:
        """Tell whether a date lies in the window; the day of the cut-off before belongs to the week before."""
        if value is None or self.as_of is None:
            return False
        return value <= self.as_of and (self.start is None or value > self.start)

    def days_to(self, value: date | None) -> int | None:
        """Return days from the data date to a date, negative when past."""
        return None if value is None or self.as_of is None else (value - self.as_of).days


def criterion_key(row: Record) -> tuple[str, ...]:
    """Return what a criterion and a blocker have in common."""
    return tuple(row.text(name) for name in ("system_id", "block", "gate", "criterion"))


def _line_key(row: Record) -> str:
    return f"{row.line()} {row.text('system_id')}"


def week_end(name: str) -> date | None:
    """Return the Friday of an ISO week such as 2026-W44; None when the text is no week."""
    year, _, number = name.partition("-W")
    try:
        return date.fromisocalendar(int(year), int(number), 5)
    except ValueError:
        return None


def week_of(warehouse: Warehouse) -> Week:
    """Return the week a published warehouse holds."""
    row = next(iter(warehouse.rows("meta.week")), Record({}))
    return Week(
        warehouse=warehouse,
        name=row.text("week"),
        previous=row.text("previous_week"),
        start=row.day("window_start"),
        as_of=row.day("as_of") or row.day("cut_off"),
        zone=row.text("time_zone") or "UTC",
    )
