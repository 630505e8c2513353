"""Section 7 shows what each scheduler offers, the week's hours, who came and went, and what is withheld and why."""

from __future__ import annotations

import pytest

from reports.build.sections.scheduler import scheduler_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.wording import DASH
from tests.readiness.test_scheduler import SYSTEM, seen
from tests.readiness.tiny import modelled
from tests.reports.sample_warehouse import build_sample


@pytest.fixture(scope="module")
def blocks():
    held = [
        seen("n1", 180), seen("n1", 20), seen("n1", 10), seen("n2", 20, offered=False),
        *(row | {"cluster": "c-2"} for row in (seen("m1", 60),)),
    ]  # fmt: skip
    tables = ("mart.scheduler_capacity", "mart.scheduler_churn", "mart.scheduler_availability")
    con = modelled({"systems": [SYSTEM], "scheduler_nodes": held}, *tables)
    con.execute(
        "CREATE TABLE mart.not_offered AS SELECT 'S-1' AS system_id, 'n9' AS unit_id, 8 AS withheld,"
        " 'accelerators' AS unit, 'withdrawn' AS standing, 'idle' AS state, 'DRAIN' AS flags, 'cable' AS reason,"
        " 'mfeld' AS reason_by,"
        " TIMESTAMP '2026-10-29 12:00' AS since, 'slurm.json' AS file, 7 AS row"
    )
    return {block.id: block for block in scheduler_blocks(week_of(Warehouse(con)))}


def texts(block):
    return [[cell.text for cell in row.cells] for row in block.rows]


def test_a_cluster_by_its_newest_snapshot_and_a_silent_one_as_no_data(blocks):
    assert texts(blocks["S7-scheduler"]) == [
        ["c-1", "S-1", "30 Oct 13:00", "1", "1", "8", "8", "8", "0", "0", "0", "0", "0", "0", "1 / 1"],
        ["c-2", DASH, "no data: last 28 Oct 11:00", *[DASH] * 12],
    ]


def test_hours_of_the_week(blocks):
    first = texts(blocks["S7-availability"])[0]
    # n1: 12 h of the snapshot before the week, 10 + 10 h; n2: 10 h drained; of 2 x 168 h.
    assert first == ["c-1", "2", "76 %", "12 %", "0", "0", "10", "0", "0", "n2 0 %"]


def test_who_came_and_went(blocks):
    assert texts(blocks["S7-churn"]) == [
        ["c-1", "30 Oct 03:00", "entered", "1", "n2"], ["c-1", "30 Oct 13:00", "left", "1", "n2"]
    ]  # fmt: skip


def test_what_is_withheld_and_why(blocks):
    assert texts(blocks["S7-not-offered"]) == [
        ["S-1", "n9", "8", "accelerators", "withdrawn", "idle", "cable", "mfeld", "29 Oct 26", "slurm.json row 7"]
    ]


def test_nothing_is_shown_where_no_scheduler_told_anything():
    assert scheduler_blocks(week_of(Warehouse(build_sample()))) == []
