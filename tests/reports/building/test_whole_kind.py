# ruff: noqa: E501 - rows of tables stand whole

from datetime import date
from decimal import Decimal

from reports.build.warehouse import Record
from reports.build.whole_kind import whole_forecast

KINDS = {"C/1/P1": "gpu_cluster", "C/1/P2": "gpu_cluster", "C/2": "storage"}


def forecast(
    scope: str,
    p50: date | None,
    chance: str | None = None,
    due: date | None = None,
    remaining: int = 10,
    note: str = "",
) -> Record:
    kind = scope in {"gpu_cluster", "storage"}
    return Record({"scope_type": "kind" if kind else "commitment", "scope": scope, "p50": p50, "p80": p50, "remaining": remaining,
                   "confidence": Decimal(chance) if chance else None, "contract_date": due, "note": note})  # fmt: skip


def test_a_kind_is_not_ready_before_its_slowest_open_line() -> None:
    rows = [
        forecast("gpu_cluster", date(2026, 12, 18)),
        forecast("C/1/P1", date(2027, 3, 5), "0", date(2026, 10, 30)),
        forecast("C/1/P2", date(2027, 8, 13), "0.0016", date(2026, 12, 18)),
        forecast("C/2", date(2028, 1, 1)),
    ]
    whole = whole_forecast("gpu_cluster", rows, KINDS)
    assert (whole.p50, whole.p80) == (date(2027, 8, 13), date(2027, 8, 13))
    assert (whole.confidence, whole.bound) == (Decimal("0.0016"), True)


def test_reached_lines_do_not_hold_a_kind_back() -> None:
    rows = [forecast("gpu_cluster", date(2026, 12, 18)), forecast("C/1/P1", date(2028, 1, 1), remaining=0)]
    assert whole_forecast("gpu_cluster", rows, KINDS).p50 == date(2026, 12, 18)


def test_an_open_line_without_a_date_leaves_the_kind_without_one() -> None:
    rows = [
        forecast("gpu_cluster", date(2026, 12, 18)),
        forecast("C/1/P1", None, note="no forecast: no throughput in the last 11 weeks"),
    ]
    whole = whole_forecast("gpu_cluster", rows, KINDS)
    assert whole.p50 is None
    assert whole.note == "no forecast: C/1/P1: no throughput in the last 11 weeks"


def test_the_chance_of_the_pooled_forecast_wins_where_it_is_given() -> None:
    rows = [forecast("gpu_cluster", date(2026, 12, 18), "0.5"), forecast("C/1/P1", date(2026, 12, 1), "0.7")]
    whole = whole_forecast("gpu_cluster", rows, KINDS)
    assert (whole.p50, whole.confidence, whole.bound) == (date(2026, 12, 18), Decimal("0.5"), False)


def test_a_kind_is_no_surer_than_its_line_due_last() -> None:
    due = date(2026, 11, 13)
    rows = [forecast("gpu_cluster", due, "0.48", due), forecast("C/1/P1", due, "0.47", due)]
    assert whole_forecast("gpu_cluster", rows, KINDS).confidence == Decimal("0.47")


def test_one_reason_for_all_lines_is_given_once() -> None:
    reason = "no forecast: 0 weeks of history, 4 needed"
    rows = [forecast("gpu_cluster", None, note=reason), forecast("C/1/P1", None, note=reason)]
    assert whole_forecast("gpu_cluster", rows, KINDS).note == reason
