"""Netting worked out by hand: two levels, an alternate, and a pool that three systems share.

Every system builds racks of 4 NODE (8 accelerators each) and 10 OPT, for which OPT-X is an approved alternate; nobody
sells a RACK, so its components are what is needed. Data date 30 October 2026.

| system | priority | needed on | racks | NODE | OPT |
| --- | --- | --- | --- | --- | --- |
| A | 1 | 20 November | 2 | 8 | 20 |
| B | 2 | 10 November | 1 | 4 | 10 |
| C | 2 | 15 November | 1 | 4 | 10 |

There: 12 OPT and 6 OPT-X counted free at the site, 10 NODE received. To come: 15 OPT for the pool, 9 on 12 November and
6 on 30 November; 4 NODE of C's own share on 18 November.

OPT in turn: A before B and C by priority, B before C by need date.
A: 12 of stock; of the 9 on 12 November, which is before its need date, the 8 that are left: 12 + 8 = 20, covered on 12
   November. So the 6 OPT-X stay, though A may use them.
B: nothing of OPT by 10 November; 6 OPT-X of stock; then 1 on 12 November and 3 of the 6 on 30 November: covered then.
C: the 3 left on 30 November; 7 have no source.
NODE: A 8 of the 10, B the other 2 and 2 without a source, C its 4 on 18 November.

Buildable, in whole NODE of the scarcest line: A 8 x 12 / 20 = 4.8, so 4 (32 accelerators), all 8 (64) from the week of
12 November. B 4 x 2 / 4 = 2 (16). C none; from the week of 30 November 4 x 3 / 10 = 1.2, so 1 (8).
"""

from datetime import date

import pytest

from tests.readiness.tiny import built, rows
from tests.supply.parts import NOV, block, count, line, order, programme, promise, receipt, share, system


@pytest.fixture(scope="module")
def con():
    racks = {"A": 2, "B": 1, "C": 1}
    bills = [
        row
        for name, number in racks.items()
        for row in (
            line(name, "10", "RACK", number),
            line(name, "20", "NODE", 4, parent_line="10", quantity_basis="per_parent", capacity_per_unit=8),
            line(name, "30", "OPT", 10, parent_line="10", quantity_basis="per_parent", alternates="OPT-X"),
        )
    ]
    return built(programme(
        system("A", 1), system("B", 2), system("C", 2), system("POOL"),
        blocks=[block("A", 64, NOV[20]), block("B", 32, NOV[10]), block("C", 32, NOV[15])],
        bom=bills,
        inventory=[count("OPT", 12), count("OPT-X", 6)],
        receipts=[receipt("R1", "NODE", 10)],
        purchase_orders=[order("P-OPT", "OPT", 15, unit_cost=100, currency="USD"), order("P-NODE", "NODE", 4)],
        po_allocations=[share("P-OPT", "POOL", 15), share("P-NODE", "C", 4)],
        po_schedule=[promise("P-OPT", 9, NOV[12], "1"), promise("P-OPT", 6, NOV[30], "2"),
                     promise("P-NODE", 4, NOV[18])],
    ))  # fmt: skip


def test_demand_multiplies_down_the_racks(con):
    needs = rows(con, "SELECT system_key, part_key, needed FROM core.supply_demand WHERE NOT made ORDER BY ALL")
    assert [tuple(row.values()) for row in needs] == [
        ("a", "node", 8), ("a", "opt", 20), ("b", "node", 4), ("b", "opt", 10), ("c", "node", 4), ("c", "opt", 10),
    ]  # fmt: skip


def test_every_allocation_names_what_serves_whom(con):
    found = rows(con, """SELECT system_key, kind, supply, quantity, told, as_alternate FROM core.supply_allocations
        WHERE part_key = 'opt' ORDER BY allocation_no""")  # fmt: skip
    first, second = "PO P-OPT line 1 schedule 1", "PO P-OPT line 1 schedule 2"
    counted = "count of lot L1 on 2026-10-20"
    assert [tuple(row.values()) for row in found] == [
        ("a", "count", counted, 12, OCT_20, False),
        ("a", "schedule", first, 8, NOV[12], False),
        ("b", "count", counted, 6, OCT_20, True),
        ("b", "schedule", first, 1, NOV[12], False),
        ("b", "schedule", second, 3, NOV[30], False),
        ("c", "schedule", second, 3, NOV[30], False),
    ]


OCT_20 = date(2026, 10, 20)


@pytest.mark.parametrize(
    ("name", "part", "state", "there", "short", "covered_on"),
    [
        ("A", "OPT", "NO", 12, 8, NOV[12]),
        ("A", "NODE", "YES", 8, 0, None),
        ("B", "OPT", "NO", 6, 4, NOV[30]),
        ("B", "NODE", "UNKNOWN", 2, 2, None),
        ("C", "OPT", "UNKNOWN", 0, 10, None),
        ("C", "NODE", "NO", 0, 4, NOV[18]),
    ],
)
def test_states_of_the_lines(con, name, part, state, there, short, covered_on):
    (found,) = rows(con, f"""SELECT state, stock, short, cover_date FROM mart.supply
        WHERE system_id = '{name}' AND part_number = '{part}'""")  # fmt: skip
    assert tuple(found.values()) == (state, there, short, covered_on)


def test_a_rack_is_as_good_as_the_worst_of_its_components(con):
    racks = rows(con, "SELECT system_key, state, short FROM core.supply_lines WHERE made ORDER BY 1")
    assert [tuple(row.values()) for row in racks] == [("a", "NO", 0), ("b", "UNKNOWN", 0), ("c", "UNKNOWN", 0)]


def test_what_can_be_built_now_and_by_week(con):
    found = rows(con, "SELECT system_id, from_week, buildable FROM mart.buildable_weeks ORDER BY system_id, day")
    assert [tuple(row.values()) for row in found] == [
        ("A", "2026-W44", 32), ("A", "2026-W46", 64),
        ("B", "2026-W44", 16),
        ("C", "2026-W44", 0), ("C", "2026-W49", 8),
    ]  # fmt: skip


def test_the_block_says_what_paces_it(con):
    found = rows(con, """SELECT system_id, state, buildable, buildable_by_need, pacing_part, pacing_note, kit_complete,
        short_value FROM mart.clear_to_build WHERE system_id <> 'POOL' ORDER BY 1""")  # fmt: skip
    assert [tuple(row.values()) for row in found] == [
        # By its need date, a Friday, A has what came by the end of the week before.
        ("A", "NO", 32, 64, "OPT", "12 of 20 there, the last on 2026-11-12", NOV[12], 800),
        ("B", "UNKNOWN", 16, 16, "NODE", "2 of 4 there, 2 without a source", None, None),
        ("C", "UNKNOWN", 0, 0, "OPT", "0 of 10 there, 7 without a source", None, None),
    ]


def test_the_shortage_list(con):
    found = rows(con, """SELECT system_id, part_number, short, value, next_arrival, covered_on, days_after_need,
        unsourced, vendors FROM mart.shortages ORDER BY system_id, part_number""")  # fmt: skip
    assert [tuple(row.values()) for row in found] == [
        ("A", "OPT", 8, 800, NOV[12], NOV[12], 0, 0, "Vantor"),
        ("B", "NODE", 2, None, None, None, None, 2, None),
        ("B", "OPT", 4, 400, NOV[12], NOV[30], 20, 0, "Vantor"),
        ("C", "NODE", 4, None, NOV[18], NOV[18], 3, 0, "Vantor"),
        ("C", "OPT", 10, 1000, NOV[30], None, None, 7, "Vantor"),
    ]


def test_parts_short_is_the_gates_figure(con):
    found = rows(con, "SELECT system_id, value FROM mart.metrics WHERE metric = 'parts_short' ORDER BY 1")
    assert [tuple(row.values()) for row in found] == [("A", 8), ("B", 6), ("C", 14), ("POOL", None)]
