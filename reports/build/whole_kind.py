"""When a whole kind is done: the runs in which the last of its systems is, as the forecast has drawn them together."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reports.build.warehouse import Record
from reports.text import shorten

_NOTE_LIMIT = 70


@dataclass(frozen=True)
class Whole:
    """Forecast of all that is contracted of one kind."""

    p50: date | None = None
    p80: date | None = None
    confidence: Decimal | None = None
    contract_date: date | None = None
    note: str = ""
    slip: int | None = None
    driver: str = ""


NOTHING = Whole()


def whole_forecast(kind: str, rows: Iterable[Record]) -> Whole:
    """Return the forecast of a kind; NOTHING where none was made."""
    row = next((r for r in rows if r.text("scope_type") == "kind" and r.text("scope") == kind), None)
    if row is None:
        return NOTHING
    return Whole(
        p50=row.day("p50"),
        p80=row.day("p80"),
        confidence=row.number("confidence"),
        contract_date=row.day("contract_date"),
        note=shorten(row.text("note"), _NOTE_LIMIT),
        slip=row.whole("slip_week_days"),
        driver=row.text("driver"),
    )
