"""Sections 6 and 7 on logistics and installation: figures with their n, absent data said, small tables."""

# ruff: noqa: E501 - names of columns and expected sentences stand whole

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from reports.build.reports import build_reports
from reports.models.common import Paragraph, Table
from tests.reports.sample_warehouse import Rows, build_sample, rows

VENDOR = (
    "vendor lines due_lines otif_lines late_lines short_lines unknown_lines otif_share promises_due promises_kept kept_share"
    " promised_lines pushed_lines pushes mean_push_days most_moved_days lead_lines lead_p50 lead_p90 judged_from"
)
LANE = (
    "origin destination mode shipments quantity with_exceptions customs_hold not_received eta_passed silent heard_of slipped"
    " next_eta"
)


def tables() -> dict[str, Rows]:
    day = date(2026, 10, 20)
    return {
        "mart.vendor_scorecards": rows(
            VENDOR,
            ("Few", 4, 3, 3, 0, 0, 1, None, 0, 0, None, 4, 0, 0, None, None, 2, None, None, 5),
            ("Many", 40, 20, 15, 4, 1, 0, 0.75, 10, 7, 0.7, 20, 3, 5, 11.5, 30, 60, 45, 90, 5),
        ),
        "mart.lanes": rows(LANE, ("TWTPE", "DFW-2", "air", 3, 40.0, 1, 1, 0, 0, 0, 0, 1, day)),
        "mart.transit_exceptions": rows(
            "shipment_key exception shipment vendor carrier origin destination mode quantity since days last_event file row",
            ("s1", "customs_hold", "S-1", "Many", "Kite", "TWTPE", "DFW-2", "air", 8.0, day, 10, "held", "f.csv", 4),
        ),
        "mart.asn_flow": rows("vendor announced", ("Many", 30)),
        "mart.asn_faults": rows(
            "shipment po line part_number vendor fault shipped arrived rejected quantity serials last_received file row",
            ("S-2", "PO-1", "10", "P", "Many", "short", 10.0, 8.0, 0.0, 2.0, "k9", day, "r.csv", 7),
        ),
        "mart.install_backlog": rows(
            "system_id step step_no waiting to_7_days to_14_days to_28_days over_28_days unknown_age median_days oldest_days"
            " oldest",
            ("GPU-DFW2-A", "racked", 2, 5, 1, 1, 0, 1, 2, 10, 29, "n7"),
        ),
        "mart.install_rates": rows(
            "site_id crew step devices days_worked per_day",
            ("DFW-2", "Day", "racked", 7, 2, 3.5),
            ("DFW-2", "Night", "racked", 2, 1, None),
        ),
        "mart.first_pass": rows(
            "system_id gate finished passed yield judged_from", ("GPU-DFW2-A", "acceptance", 20, 18, 0.9, 5)
        ),
        "mart.capacity_moves": rows(
            "from_system to_system dataset decision decision_state pieces quantity_out quantity_in nets moved_on",
            ("GPU-DFW2-A", "GPU-DFW2-B", "installs", None, "none", 1.0, 8.0, 8.0, True, day),
            ("GPU-DFW2-A", "GPU-DFW2-B", "installs", None, "none", 1.0, 8.0, 8.0, True, day),
        ),
    }


def built(change: dict[str, Rows]) -> dict[str, Any]:
    governance, _ = build_reports(build_sample(lambda held: held.update(change)))
    found = {section.number: section for section in governance.sections}
    blocks = {b.id: b for number in ("6", "7") for b in found[number].blocks if isinstance(b, Table)}
    said = [b.text for number in ("6", "7") for b in found[number].blocks if isinstance(b, Paragraph)]
    return {"sections": found, "tables": blocks, "said": said}


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    return built(tables())


def cells(page: dict[str, Any], identity: str) -> list[list[tuple[str, str]]]:
    return [[(cell.text, cell.note) for cell in row.cells] for row in page["tables"][identity].rows]


def test_a_share_has_its_n_and_few_cases_are_not_judged(page: dict[str, Any]) -> None:
    many, few = cells(page, "S6-scorecards")  # the judged first
    assert many[0] == ("Many", "40 order lines")
    assert many[1] == ("75 %", "n 20")
    assert many[5] == ("70 %", "n 10")
    assert many[6] == ("5", "3 of 20 lines")
    assert many[10] == ("90 d", "n 60")
    assert few[1] == ("not judged", "n 3 of 5")
    assert few[5] == ("not judged", "no case")
    assert few[9] == ("not judged", "n 2 of 5")


def test_no_carrier_that_sends_events_is_no_data_on_silence(page: dict[str, Any]) -> None:
    (lane,) = cells(page, "S6-lanes")
    assert lane[9] == ("–", "")
    assert page["tables"]["S6-lanes"].note == "no data on silence: no carrier sends events."


def test_the_messages_tell_what_is_wrong(page: dict[str, Any]) -> None:
    assert page["sections"]["6"].message.endswith(
        "; 1 shipment under way with an exception; 1 receipt not as announced"
    )
    assert page["sections"]["7"].message.startswith("5 devices wait for a step of installation, the oldest 29 d. ")
    assert page["tables"]["S6-asn"].title == "1 receipt of 30 announced lines not as announced"


def test_rates_stand_side_by_side_and_steps_without_days_are_named(page: dict[str, Any]) -> None:
    day, night = cells(page, "S7-rates")
    assert day[2] == ("3.5", "7 devices in 2 days")
    assert night[2] == ("not judged", "2 devices in 1 day")
    assert page["tables"]["S7-rates"].note.endswith("No day is recorded for: staged, cabled, powered, provisioned.")


def test_moves_are_summed_by_decision_and_say_that_none_covers_them(page: dict[str, Any]) -> None:
    title = "Capacity moved between systems: 2 moves, 2 without a decision; every move nets to zero"
    assert page["tables"]["S7-moves"].title == title
    (move,) = page["tables"]["S7-moves"].rows
    assert [move.cells[place].value for place in (3, 4, 5)] == [Decimal(2), Decimal(16), Decimal(16)]
    assert (move.cells[7].status, move.cells[7].note) == ("amber", "no decision")


def test_bring_up_without_faults_told_is_no_data(page: dict[str, Any]) -> None:
    assert page["tables"]["S7-yield"].note.endswith("Bring-up: no data on faults.")


def test_nothing_to_tell_is_said_and_shows_no_table() -> None:
    page = built({})
    assert not {
        name for name in page["tables"] if name in tables() or name in ("S6-lanes", "S6-asn", "S7-moves", "S7-rma")
    }
    assert "No goods are under way." in page["said"]
    assert "No device waits for a step of installation." in page["said"]
    assert "no data: no step of installation is dated in the last four weeks" in page["said"]


def test_without_a_register_of_assets_that_is_all_that_is_said() -> None:
    def taken(held: dict[str, Rows]) -> None:
        held.update(tables())
        for table in ("meta.sources", "meta.ledger"):
            held[table] = [row for row in held[table] if row["dataset"] != "installs"]

    governance, _ = build_reports(build_sample(taken))
    section = next(s for s in governance.sections if s.number == "7")
    assert isinstance(section.blocks[0], Paragraph)
    assert section.blocks[0].text == "no data: installs not delivered"
    assert not [b.id for b in section.blocks if isinstance(b, Table) and b.id in ("S7-backlog", "S7-rates", "S7-moves")]
