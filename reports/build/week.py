"""The week being reported: its warehouse, window and neighbours, and look-ups that several sections share."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from reports.build.warehouse import Record, Warehouse


@dataclass(frozen=True)
class Week:
    """One week. `start` and `as_of` bound the window as local dates."""

    warehouse: Warehouse
    name: str
    previous: str
    start: date | None
    as_of: date | None
    zone: str

    def rows(self, table: str) -> tuple[Record, ...]:
        """Return the rows of a table of this week."""
        return self.warehouse.rows(table)

    def before(self, table: str) -> tuple[Record, ...]:
        """Return the rows of a mart table as issued last week, none in the first week."""
        if not self.previous:
            return ()
        return tuple(row for row in self.warehouse.rows(f"hist.{table}") if row.text("week") == self.previous)

    @cached_property
    def file_names(self) -> dict[str, str]:
        """File per ingest."""
        return {r.text("_ingest"): r.text("file") for r in self.rows("meta.ingests")}

    @cached_property
    def units(self) -> dict[str, str]:
        """Unit of capacity per system."""
        return {row.text("system_id"): row.text("unit") for row in self.rows("mart.systems")}

    @cached_property
    def criteria(self) -> dict[tuple[str, ...], Record]:
        """Criterion per system, block, gate and name."""
        return {criterion_key(row): row for row in self.rows("mart.criteria")}

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
