"""Which servers and switches wait when optics are short, and how many accelerators with them, until when.

Four servers of 8 accelerators have a cable each to two leaves, and each leaf one to a spine: 8 cages in servers, 8 in
leaves towards them, 4 in the fabric. The fabric goes first, then one server after another with both ends of its cables
(2 + 2 cages).

ONE uses one optic everywhere: 13 of 20 are there. 4 for the fabric, 8 for two servers, 1 begins the third: servers 3
and 4 wait, 16 accelerators. Missing: 4 in the servers; of the four cages in leaves the first has the 13th, so 3.
TWO uses another optic in its switches, of which 11 of 12 are there: only the last cage, at leaf 2 for server 4, is
empty.
"""

import pytest

from tests.readiness.tiny import built, rows
from tests.supply.parts import NOV, asset, block, count, line, order, programme, promise, receipt, share, system


def cable(name, a, port, b, other, **roles):
    return {"system_id": name, "view": "planned", "state": "planned", "a_device": f"{name}-{a}", "a_port": port,
            "b_device": f"{name}-{b}", "b_port": other} | roles  # fmt: skip


def cables(name):
    down = [
        cable(name, f"n{server}", f"p{leaf}", f"l{leaf}", f"d{server}", a_role="server", b_role="leaf")
        for server in range(1, 5) for leaf in (1, 2)
    ]  # fmt: skip
    return down + [cable(name, f"l{leaf}", "up", "s1", f"d{leaf}", a_role="leaf", b_role="spine") for leaf in (1, 2)]


def optic(name, number, part, quantity):
    side = "server" if number == "2" else "switch"
    return line(name, number, part, quantity, category="optic", bill_section=f"{side}_transceiver")


@pytest.fixture(scope="module")
def con():
    names = ("ONE", "TWO", "PLAN")
    return built(programme(
        *(system(name) for name in names), blocks=[block(name, 32, NOV[6]) for name in names],
        bom=[row for name in names for row in (
            line(name, "1", "NODE", 4, capacity_per_unit=8), optic(name, "2", f"{name}-A", 8),
            optic(name, "3", "TWO-B" if name == "TWO" else f"{name}-A", 12 if name != "PLAN" else 11))],
        links=[row for name in names for row in cables(name)],
        installs=[asset(f"{name}-n{number}", "NODE", name, None, name=f"{name}-n{number}")
                  for name in names for number in range(1, 5)],
        receipts=[receipt("R1", "NODE", 12)],
        inventory=[count("ONE-A", 13), count("TWO-A", 8), count("TWO-B", 11), count("PLAN-A", 10)],
        purchase_orders=[order("O1", "ONE-A", 7)], po_allocations=[share("O1", "ONE", 7)],
        po_schedule=[promise("O1", 7, NOV[20])],
    ))  # fmt: skip


def held(con, name):
    query = f"SELECT device, missing, capacity, held_until FROM mart.held_devices WHERE system_id = '{name}' ORDER BY 1"
    return [tuple(row.values()) for row in rows(con, query)]


def test_one_optic_for_all_is_one_pool(con):
    assert held(con, "ONE") == [
        ("ONE-l1", 1, 0, NOV[20]), ("ONE-l2", 2, 0, NOV[20]), ("ONE-n3", 2, 8, NOV[20]), ("ONE-n4", 2, 8, NOV[20]),
    ]  # fmt: skip
    (found,) = rows(con, """SELECT buildable, held_by_optics, held_until, held_devices FROM mart.clear_to_build
        WHERE system_id = 'ONE'""")  # fmt: skip
    assert tuple(found.values()) == (
        16, 16, NOV[20], "servers ONE-n3, ONE-n4; switches ONE-l1 (1 optics), ONE-l2 (2 optics)",
    )  # fmt: skip


def test_what_can_be_built_follows_the_servers_that_are_whole(con):
    found = rows(con, "SELECT from_week, buildable FROM mart.buildable_weeks WHERE system_id = 'ONE' ORDER BY day")
    assert [tuple(row.values()) for row in found] == [("2026-W44", 16), ("2026-W47", 32)]


def test_a_server_waits_for_the_far_end_of_its_cable(con):
    assert held(con, "TWO") == [("TWO-l2", 1, 0, None), ("TWO-n4", 0, 8, None)]
    (found,) = rows(con, "SELECT state, buildable, held_until FROM mart.clear_to_build WHERE system_id = 'TWO'")
    assert tuple(found.values()) == ("UNKNOWN", 24, None)


def test_where_plan_and_bill_disagree_the_lines_alone_count(con):
    assert held(con, "PLAN") == []
    (found,) = rows(con, "SELECT buildable, held_devices FROM mart.clear_to_build WHERE system_id = 'PLAN'")
    # 8 in servers first, then 2 of 11 in switches: 4 x 2 / 11 is no whole server.
    assert tuple(found.values()) == (0, None)
