"""Section 7a shows what each order waits for, tests that fall short, promises with n, and what nodes need."""

from __future__ import annotations

from datetime import date

import pytest

from reports.build.sections.circuits import circuit_blocks
from reports.build.warehouse import Warehouse
from reports.build.week import week_of
from reports.wording import DASH
from tests.readiness.test_circuit_orders import (
    DONE,
    FIRM,
    INSTALLED,
    LETTER,
    LIT,
    ORDERED,
    SITES,
    circuit,
    cross,
    link,
    promise,
    result,
)
from tests.readiness.tiny import built
from tests.reports.sample_warehouse import build_sample

MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def blocks():
    """The tables of three circuits: in service, overdue at an old letter, and short in its test."""
    circuits = [
        circuit("live", ORDERED, FIRM, DONE, delivered=date(2026, 10, 1), system_id="W"),
        circuit(
            "late", ORDERED, LETTER, firm_date=date(2026, 10, 20), first_firm_date=date(2026, 9, 20), system_id="W"
        ),
        circuit("short", ORDERED, FIRM, tested=date(2026, 10, 12), system_id="W"),
    ]
    crosses = [
        cross("XC-1", "late", "z", loa_cfa_expiry=date(2026, 10, 17), panel="MMR 1", firm_date=date(2026, 10, 23)),
        cross("XC-2", "late", "a", **INSTALLED),
        cross("XC-3", "live", "z", **LIT),
    ]
    data = {
        "sites": SITES,
        "systems": [link("W"), link("P") | {"kind": "pop", "supply_model": "owned"}],
        "commitments": [promise("W"), promise("P") | {"unit": "ports"}],
        "circuits": circuits,
        "cross_connects": crosses,
        "circuit_tests": [result("short", "loop", 60_000)],
    }
    return {block.id: block for block in circuit_blocks(week_of(Warehouse(built(data))))}


def texts(block):
    return [[cell.text for cell in row.cells] for row in block.rows]


def test_orders_say_what_they_wait_for(blocks):
    block = blocks["S7a-orders"]
    assert block.title == "Orders of circuits: 1 of 3 in service, 2 under way"
    assert texts(block) == [
        ["late", "W", "Fibre Ltd", "100", "firm date", "LOA-CFA of XC-1 (expired 2026-10-17)", "expired", "17 Oct 26",
         "1 of 2", "20 Sep 26", "20 Oct 26", "10 d"],
        ["short", "W", "Fibre Ltd", "100", "light",
         "a test that reaches the rate: rfc2544 loop 1518 B: 60 of 100 Gbit/s", "not needed", DASH, DASH,
         "20 Nov 26", "20 Nov 26", DASH],
    ]  # fmt: skip


def test_cross_connects_come_by_their_letter(blocks):
    block = blocks["S7a-cross-connects"]
    assert block.title == "2 cross-connects of 3 without light"
    assert texts(block) == [
        ["XC-1", "late end Z", "W", "IAD", "Colo Inc", "MMR 1", "expired", "17 Oct 26", "23 Oct 26", DASH, "7 d"],
        ["XC-2", "late end A", "W", "ABL", "Colo Inc", DASH, "not needed", DASH, DASH, "20 Sep 26", DASH],
    ]


def test_tests_are_shown_against_the_rate_ordered(blocks):
    block = blocks["S7a-tests"]
    assert block.title == "Turn-up tests against the rate ordered, Gbit/s: 1 of 1 newest results short"
    assert texts(block) == [["short", "W", "rfc2544", "loop", "1,518 B", "60", "100", "60 %", "0 %", "fail"]]


def test_providers_are_shown_with_how_many_deliveries_stand_behind(blocks):
    # Of Fibre Ltd two have come: one 50 days before its firm date, one (by its test) 39 days before it.
    assert texts(blocks["S7a-providers"]) == [
        ["Colo Inc", "cross-connects", "3", "0", DASH, DASH, DASH, "0", "1", "0", "18 d (n = 2)"],
        [
            "Fibre Ltd",
            "circuits",
            "3",
            "2",
            "100 % (n = 2)",
            f"{MINUS}50 d",
            f"{MINUS}39 d",
            "1",
            "1",
            "0",
            "122 d (n = 2)",
        ],
    ]


def test_a_node_says_what_it_lacks(blocks):
    assert texts(blocks["S7a-nodes"]) == [["P", *["no data"] * 7]]


def test_nothing_delivered_is_no_table():
    found = [block.id for block in circuit_blocks(week_of(Warehouse(build_sample())))]
    assert [name for name in found if name != "S7a-nodes"] == []
