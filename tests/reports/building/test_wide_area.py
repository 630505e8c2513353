"""Section 7a shows region pairs worst first, what changes and relieves them, and both sides of interconnects."""

from __future__ import annotations

import pytest

from reports.build.sections.wide_area import wide_area_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.wording import DASH
from tests.readiness.test_network import COMING, DEMAND, NORTH, SITES, SOUTH, port, programme, report, system, wave
from tests.readiness.tiny import built
from tests.reports.sample_warehouse import build_sample


@pytest.fixture(scope="module")
def blocks():
    """The tables of a network with a covered pair, a short one, one without spans, and two interconnects."""
    far = wave("F-1", None, a_site="DUB", z_site="IAD", gbps=100, system_id="WAN-2", latency_ms=80)
    asked = [*DEMAND, {"scope": "eu-west:us-east", "week": "2026-W44", "mid": 60, "high": 200}]
    pairs = [{"scope": "eu-west:us-central", "week": "2026-W44", "mid": 600}]
    circuits = (SOUTH, wave("S-2", "ABL-DFW-IAD", "south"), NORTH, COMING, far)
    clouds = (
        port("E-1", system_id="AZ-1"), report("E-1", provider_state="Provisioning"), port("E-2", system_id="AZ-2"),
    )  # fmt: skip
    data = programme(*circuits, *clouds, demand=[*asked, *pairs])
    data["sites"] = SITES
    data["systems"] = [system("WAN-1"), system("WAN-2"), *(system(n, "cloud_interconnect") for n in ("AZ-1", "AZ-2"))]
    week = week_of(Warehouse(built(data)))
    return {block.id: block for block in wide_area_blocks(week)}


def texts(block):
    return [[cell.text for cell in row.cells] for row in block.rows]


def test_pairs_come_worst_first_with_the_next_relief(blocks):
    block = blocks["S7a-pairs"]
    assert block.title == "3 region pairs, Gbit/s: 2 not covered at N-1"
    assert texts(block) == [
        ["eu-west - us-central", "100", "0", "site IAD", "1", "104 ms", DASH, "600", "short", "none planned"],
        ["eu-west - us-east", "100", "0", "circuit F-1", "1", "80 ms", DASH, "60", "short at N-1", "none planned"],
        ["us-central - us-east", "1,200", "400", "span ABL-DFW", "2", "24 ms", "27.5 ms", "300", "covered to mid",
         "N-2 2026-W47: +400 / +400"],
    ]  # fmt: skip


def test_weeks_in_which_a_pair_changes(blocks):
    changes = texts(blocks["S7a-weeks"])
    assert ["2026-W47", "us-central - us-east", "1,600", "800", "700", "covered to mid"] in changes
    assert ["2026-W45", "eu-west - us-central", "100", "0", DASH, "no demand known"] in changes


def test_what_a_planned_circuit_relieves(blocks):
    assert texts(blocks["S7a-relief"]) == [
        ["N-2", "20 Nov 26", "us-central - us-east", "400", "400", "N-1; S-1; S-2", DASH]
    ]


def test_interconnects_from_both_sides(blocks):
    assert texts(blocks["S7a-interconnects"]) == [
        ["AZ-1", "1", "100", "100", "0", "0", "0", "none", DASH, "E-1: provider Provisioning"],
        ["AZ-2", "1 (no report)", "100", "100", "100", "100", "100", "none", DASH, DASH],
    ]


def test_bounds_stand_where_spans_are_missing():
    con = built(programme(SOUTH, wave("X", None, gbps=100)))
    (row,) = texts({block.id: block for block in wide_area_blocks(week_of(Warehouse(con)))}["S7a-pairs"])
    assert row[1:3] == ["500", "0 to 100"]


def test_nothing_delivered_is_no_table():
    assert wide_area_blocks(week_of(Warehouse(build_sample()))) == []
