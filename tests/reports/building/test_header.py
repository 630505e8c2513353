"""Issue gate: FINAL, DRAFT, NOT RATED by rule."""

from collections.abc import Callable

import pytest

from reports.build.freshness import source_state
from reports.build.header import build_header
from reports.build.warehouse import Warehouse
from reports.palette import mark
from tests.reports.sample_warehouse import Rows, build_sample, write_tables

Tables = dict[str, Rows]


def header(change: Callable[[Tables], None] | None = None, reconciled: tuple[str, ...] = ()):  # type: ignore[no-untyped-def]
    return build_header(Warehouse(build_sample(change)), reconciled=reconciled)


def healthy(tables: Tables) -> None:
    for row in tables["meta.sources"]:
        row["state"] = "fresh"
    for row in tables["meta.expectations"]:
        row["success"] = True


def test_everything_in_order_is_final() -> None:
    found = header(healthy)
    assert (found.issue_state, found.issue_reasons) == ("FINAL", ())
    assert found.freshness == "16 of 16 sources fresh"


def test_a_stale_required_source_makes_a_draft_and_says_since_when() -> None:
    found = header()
    assert found.issue_state == "DRAFT"
    assert found.stale == ("shipments 6 d old (limit 2 d): figures held at 2026-10-24",)
    assert "1 expectation failed in receipts" in found.issue_reasons
    assert (found.quarantined, found.rows_read) == (9, sum(40 + 37 * n for n in range(16)))


def _stale_optional(tables: Tables) -> None:
    healthy(tables)
    next(r for r in tables["meta.sources"] if r["source"] == "sessions")["state"] = "missing"


def _not_computed(tables: Tables) -> None:
    healthy(tables)
    tables["meta.expectations"][1]["computed"] = False


def _unbalanced(tables: Tables) -> None:
    healthy(tables)
    tables["meta.ledger"][0]["balanced"] = False


def _open(tables: Tables) -> None:
    healthy(tables)
    tables["meta.week"][0]["state"] = "open"


def _missing(tables: Tables) -> None:
    healthy(tables)
    tables["meta.sources"][2]["state"] = "missing"


def _rejected(tables: Tables) -> None:
    healthy(tables)
    tables["meta.sources"][2]["state"] = "rejected"


@pytest.mark.parametrize(
    ("change", "state", "reason"),
    [
        (_stale_optional, "FINAL", None),
        (_not_computed, "DRAFT", "1 expectation could not be computed"),
        (_unbalanced, "DRAFT", "1 file where rows read differ from rows accepted and quarantined"),
        (_open, "DRAFT", "the week is still open: figures stand at the last refresh, not at the cut-off"),
        (_missing, "DRAFT", "commitments not delivered"),
        (_rejected, "DRAFT", "commitments: newest file rejected"),
    ],
)
def test_rules(change: Callable[[Tables], None], state: str, reason: str | None) -> None:
    found = header(change)
    assert found.issue_state == state
    assert reason is None or reason in found.issue_reasons


def test_a_figure_that_does_not_add_up_makes_a_draft() -> None:
    assert header(healthy, ("rows do not add up",)).issue_reasons == ("rows do not add up",)


def test_without_commitments_nothing_is_rated() -> None:
    found = header(lambda tables: tables["mart.classes"].clear())
    assert found.issue_state == "NOT RATED"


def test_an_empty_warehouse_is_not_rated_and_does_not_crash() -> None:
    found = build_header(Warehouse(write_tables({})), reconciled=())
    assert (found.issue_state, found.issue_reasons) == ("NOT RATED", ("the warehouse holds no week",))


def test_a_fresh_file_without_an_accepted_row_is_not_green() -> None:
    def change(tables: dict[str, Rows]) -> None:
        tables["meta.sources"][0].update(state="fresh", rows_read=2, accepted=0, quarantined=2)

    name = build_sample().sql("SELECT source FROM meta.sources").fetchall()[0][0]
    source = next(s for s in header(change).sources if s.source == name)
    assert source_state(source) == "all refused"
    assert mark(source_state(source)).hue == "red"
