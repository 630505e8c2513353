"""Sections 3 and 4 on claims against evidence, what was lost at gates, changed definitions and who signed."""

# ruff: noqa: E501 - names of columns and expected sentences stand whole

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from reports.build.reports import build_reports
from reports.models.common import Paragraph, Table
from tests.reports.sample_warehouse import Rows, build_sample, rows

EVENT = (
    "system_id block gate_no gate title week event occurred_on state_before state cause evidence waiver_id decision_id"
)
CLAIM = "rank system_id kind source subject claimed computed reason severity capacity unit weight owner weeks file row"
CHANGE = "playbook version_before version gate criterion change rule_before rule is_silent systems"
DECISION = "system_id block gate decided outcome approver approver_role dissent decision_id document actions actions_due entitled"
DAY = date(2026, 10, 28)


def tables(week: str) -> dict[str, Rows]:
    gate = ("GPU-IAD3-A", "SU1", 6, "l1", "Links (L1)")
    return {
        "mart.gate_events": rows(
            EVENT,
            (*gate, week, "regressed", DAY, "waived", "regressed", "Links up: 87.5 %", "links_up", "W-9", None),
            (*gate, week, "expired", DAY, "waived", "regressed", "waiver W-9 ended", "links_up", "W-9", None),
            (*gate, week, "entered", DAY, "not started", "in progress", "open", None, None, None),
            (*gate, "2026-W01", "regressed", DAY, "passed", "regressed", "long ago", None, None, None),
        ),
        "mart.watermelons": rows(
            CLAIM,
            (2, "STO-DFW2-A", "storage", "stage", "STO-DFW2-A", "installed", "0 of 10 PB", "nothing", "high", 10.0, "PB", 30.0, None, 1, "systems.csv", 4),
            (1, "GPU-IAD3-A", "gpu_cluster", "percent", "n7", "100 %", "not racked", "no date", "medium", 8.0, "accelerators", 16.0, "Ana Ruiz", 3, "tracker.xlsx", 9),
        ),
        "mart.playbook_changes": rows(
            CHANGE,
            ("gpu_cluster", "1", "2", "l1", "links_up", "changed", "0.9", "1", False, 4),
            ("storage", "1", "1", "l1", "links_up", "changed", "0.9", "1", True, 2),
        ),
        "core.signed_decisions": rows(
            DECISION,
            ("GPU-IAD3-A", "SU1", "handoff", DAY, "approve_with_actions", "Bo Lind", "service owner", "Ana Ruiz: rail 6 is not proven", "GD-7", "HO-7.pdf", "retest rail 6", date(2026, 11, 6), True),
            ("GPU-IAD3-A", "SU2", "handoff", DAY, "approve", "Ed Low", "installer", None, "GD-8", None, None, None, False),
        ),
    }  # fmt: skip


def built(change: bool) -> dict[str, Any]:
    def add(held: dict[str, Rows]) -> None:
        if change:
            held.update(tables(held["meta.week"][0]["week"]))

    governance, _ = build_reports(build_sample(add))
    blocks = [block for section in governance.sections if section.number in ("3", "4") for block in section.blocks]
    return {
        "tables": {block.id: block for block in blocks if isinstance(block, Table)},
        "said": [block.text for block in blocks if isinstance(block, Paragraph)],
    }


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    return built(True)


def cells(page: dict[str, Any], identity: str) -> list[list[tuple[str, str]]]:
    return [[(cell.text, cell.note) for cell in row.cells] for row in page["tables"][identity].rows]


def test_claimed_and_computed_stand_side_by_side_in_their_rank(page: dict[str, Any]) -> None:
    node, storage = cells(page, "S3-claims")
    assert [text for text, _ in node] == [
        "1", "GPU-IAD3-A", "100 %", "not racked", "no date", "medium", "8 GPUs", "3", "Ana Ruiz",
        "tracker.xlsx, row 9",
    ]  # fmt: skip
    assert node[1] == ("GPU-IAD3-A", "n7")
    assert [storage[2][0], storage[3][0], storage[8][0]] == ["installed", "0 of 10 PB", "no owner"]


def test_what_was_lost_this_week_comes_with_its_cause_and_waiver(page: dict[str, Any]) -> None:
    found = [[text for text, _ in row] for row in cells(page, "S4-events")]
    assert [(row[0], row[6], row[7]) for row in found] == [
        ("expired", "waiver W-9 ended", "W-9"),
        ("regressed", "Links up: 87.5 %", "W-9"),
    ]
    assert page["tables"]["S4-events"].note == "1 gate entered this week."


def test_a_changed_definition_is_told_with_its_version(page: dict[str, Any]) -> None:
    shown = page["tables"]["S4-playbooks"]
    assert shown.title == "Definition of gates changed: gpu_cluster 1 to 2 and storage without a new version"
    assert [row.cells[0].note for row in shown.rows] == ["", "no new version"]


def test_decisions_show_dissent_actions_and_who_may_not_sign(page: dict[str, Any]) -> None:
    signed, refused = cells(page, "S4-decided")
    assert signed[4] == ("approve with actions", "retest rail 6, by 2026-11-06")
    assert signed[5] == ("Bo Lind", "service owner")
    assert signed[6] == ("Ana Ruiz: rail 6 is not proven", "")
    assert signed[7] == ("HO-7.pdf", "GD-7")
    assert refused[5] == ("Ed Low", "may not sign it: does not count")


def test_a_week_judged_before_there_was_a_history_shows_none(page: dict[str, Any]) -> None:
    assert not {"S3-claims", "S4-events", "S4-playbooks"} & set(built(False)["tables"])
