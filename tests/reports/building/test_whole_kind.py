"""The forecast of a whole kind is that of the runs in which the last of its systems is ready."""

from datetime import date
from decimal import Decimal

from reports.build.warehouse import Record
from reports.build.whole_kind import NOTHING, whole_forecast


def forecast(scope: str, p50: date | None, note: str = "") -> Record:
    kind = "kind" if scope in {"gpu_cluster", "storage"} else "commitment"
    return Record({"scope_type": kind, "scope": scope, "p50": p50, "p80": p50, "confidence": Decimal("0.25"),
                   "slip_week_days": 7, "note": note})  # fmt: skip


def test_it_is_that_of_the_kind_and_of_no_line() -> None:
    rows = [
        forecast("C/1/P1", date(2028, 1, 1)),
        forecast("storage", None),
        forecast("gpu_cluster", date(2026, 12, 18)),
    ]
    whole = whole_forecast("gpu_cluster", rows)
    assert (whole.p50, whole.p80, whole.confidence, whole.slip) == (
        date(2026, 12, 18), date(2026, 12, 18), Decimal("0.25"), 7,
    )  # fmt: skip


def test_without_a_date_the_reason_is_kept_short() -> None:
    note = "no forecast: ORD1-GPU: gate 'install' has no lead_time in its playbook, and nobody knows how long it takes"
    whole = whole_forecast("gpu_cluster", [forecast("gpu_cluster", None, note)])
    assert whole.p50 is None
    assert whole.note.startswith("no forecast: ORD1-GPU: gate 'install' has no lead_time")
    assert len(whole.note) <= 70


def test_a_kind_that_is_not_forecast_has_nothing() -> None:
    assert whole_forecast("pop", [forecast("gpu_cluster", date(2026, 12, 18))]) is NOTHING
