"""Chains of replacements from old to new serial number, and capacity that moved between systems."""

from datetime import date

import pytest

from tests.readiness.cluster import PART, cluster
from tests.readiness.tiny import modelled, rows


def day(number, month=10):
    return date(2026, month, number)


def swap(old, new, opened, closed=None):
    return {"failure_id": f"RMA-{old}-{new}", "serial": old, "replaced_serial": new, "kind": "ECC", "opened": opened,
            "closed": closed}  # fmt: skip


def asset(serial, **changes):
    return {"asset_id": f"A-{serial}", "serial": serial, "name": f"n-{serial}", "part_number": PART,
            "system_id": "TRAIN-1", "site_id": "DFW1", "status": "active", "racked": day(1)} | changes  # fmt: skip


@pytest.fixture(scope="module")
def chains():
    data = cluster(1)
    data["installs"] = [asset("A3"), asset("A1", name="old"), asset("B2")]
    data["failures"] = [
        swap("A2", "A3", day(12), day(14)),  # told first, happened second
        swap("A1", "a2", day(2), day(4)),
        swap("A1", "A2", day(3), day(5)),  # the same swap in another ticket
        swap("B1", "B2", day(5)),
        swap("C1", "C2", day(6)),
        swap("C1", "C3", day(7)),  # one old, two new
        swap("D1", "D9", day(6)),
        swap("D2", "D9", day(7)),  # one new, two old
        swap("D9", "D10", day(9)),  # which of the two goes on nobody knows
        swap("E1", "E2", day(6)),
        swap("E2", "E1", day(8)),  # round in a circle
        swap("F1", "F1", day(6)),  # no swap
        swap("K1", "K2", day(6)),
        swap("K2", "K3", day(7)),
        swap("K3", "K1", day(8)),  # a circle of three
        {"failure_id": "open", "serial": "G1", "kind": "ECC", "opened": day(6)},
        swap("H1", "H2", day(2, 11)),  # after the data date
    ]
    return modelled(data, "mart.rma_chains", "core.found_installs")


def test_a_chain_leads_from_the_first_serial_to_the_one_in_use(chains):
    query = """SELECT path, swaps, opened, swapped_on, is_loop, is_recorded, name FROM mart.rma_chains
        WHERE root_key IN ('a1', 'b1')"""
    assert sorted(tuple(row.values()) for row in rows(chains, query)) == [
        ("A1 -> A2 -> A3", 2, day(12), day(14), False, True, "n-A3"),
        ("B1 -> B2", 1, day(5), day(5), False, True, "n-B2"),
    ]


def test_a_chain_ends_where_several_are_said_to_meet(chains):
    query = "SELECT path, swaps FROM mart.rma_chains WHERE root_key IN ('d1', 'd2', 'd9')"
    assert sorted(tuple(row.values()) for row in rows(chains, query)) == [
        ("D1 -> D9", 1),
        ("D2 -> D9", 1),
        ("D9 -> D10", 1),
    ]


def test_replacements_that_all_meet_and_part_again_are_each_told_once():
    """Eight layers of four, each replaced by all of the next: 4^8 ways through, and 112 replacements."""
    data = cluster(1)
    data["failures"] = [
        swap(f"L{layer}-{old}", f"L{layer + 1}-{new}", day(1))
        for layer in range(7) for old in range(4) for new in range(4)
    ]  # fmt: skip
    con = modelled(data, "mart.rma_chains")
    assert rows(con, "SELECT count(*) AS n, max(step_no) AS longest FROM core.rma_swaps") == [{"n": 112, "longest": 1}]
    assert rows(con, "SELECT count(*) AS n FROM mart.rma_chains") == [{"n": 112}]


def test_every_swap_is_in_one_chain(chains):
    query = "SELECT path, is_loop FROM core.rma_swaps ORDER BY serial_key, replaced_serial_key"
    assert [(row["path"], row["is_loop"]) for row in rows(chains, query)] == [
        ("A1 -> A2", False),
        ("A1 -> A2 -> A3", False),
        ("B1 -> B2", False),
        ("C1 -> C2", False),
        ("C1 -> C3", False),
        ("D1 -> D9", False),
        ("D2 -> D9", False),
        ("D9 -> D10", False),
        ("E1 -> E2", True),
        ("E2 -> E1", True),
        ("K1 -> K2", True),
        ("K2 -> K3", True),
        ("K3 -> K1", True),
    ]


def test_replacements_that_cannot_be_are_findings(chains):
    found = rows(chains, "SELECT code, subject, message FROM core.found_installs ORDER BY code, subject")
    assert [(row["code"], row["subject"]) for row in found] == [
        ("replacement_conflict", "C1"),
        ("replacement_conflict", "D9"),
        ("replacement_loop", "E1"),
        ("replacement_loop", "K1"),
        ("replacement_loop", "K2"),
        ("replacement_loop", "K3"),
    ]
    assert found[0]["message"] == "C1 is said to be replaced by several: C2, C3"
    assert found[1]["message"] == "D9 is said to replace several: D1, D2"
    assert found[2]["message"] == "E1 and E2 are each said to replace the other (RMA-E1-E2, RMA-E2-E1)"
    assert found[3]["message"] == "RMA-K1-K2 replaced K1 by K2, in a circle of replacements"


def test_two_that_each_replace_the_other_are_a_loop_whatever_else_is_told_of_them():
    data = cluster(1) | {"installs": [], "failures": [
        swap("L1", "L2", day(6)), swap("L2", "L1", day(8)), swap("L9", "L1", day(2)), swap("L2", "L3", day(9)),
    ]}  # fmt: skip
    con = modelled(data, "core.found_installs")
    found = rows(con, "SELECT subject, message FROM core.found_installs WHERE code = 'replacement_loop'")
    assert [tuple(row.values()) for row in found] == [
        ("L1", "L1 and L2 are each said to replace the other (RMA-L1-L2, RMA-L2-L1)")
    ]


def two_systems():
    """Two clusters whose servers bear 8 each, and a storage system that knows nothing of them."""
    data, other = cluster(1), cluster(1, "TRAIN-2")
    data["systems"] += other["systems"]
    data["systems"].append({"system_id": "STORE", "name": "s", "kind": "storage", "site_id": "DFW1",
                            "supply_model": "owned", "owner": "Ana"})  # fmt: skip
    data["bom"] += other["bom"]
    data["bom"].append({"system_id": "STORE", "line": "1", "part_number": PART, "quantity": 1, "capacity_per_unit": 2})
    return data | {"installs": [], "purchase_orders": [], "po_allocations": [], "receipts": [], "shipments": []}


def decision(number, **changes):
    return {"id": f"D-{number}", "type": "decision", "title": "Move", "owner": "Ana", "opened": day(1),
            "closed": day(20), "outcome": "A: move"} | changes  # fmt: skip


def moved(now, earlier, **data):
    """Return the moves, when these assets stand now and stood so in earlier deliveries, a week apart."""
    told = {"installs": [(day(2 + 7 * place), given) for place, given in enumerate(earlier)]}
    tables = ("mart.capacity_moves", "mart.capacity_transfers", "core.found_installs")
    return modelled(two_systems() | {"installs": now} | data, *tables, earlier=told)


def ask(con, columns, order="subject"):
    return [tuple(row.values()) for row in rows(con, f"SELECT {columns} FROM mart.capacity_moves ORDER BY {order}")]


HERE, THERE = asset("X"), asset("X", system_id="TRAIN-2")


def test_a_move_nets_to_zero_and_needs_a_decision():
    con = moved([THERE], [[HERE], [HERE]])
    columns = "subject, from_system, to_system, quantity_out::INT, quantity_in::INT, nets, decision_state, moved_on"
    assert ask(con, columns) == [("n-X", "TRAIN-1", "TRAIN-2", 8, 8, True, "none", day(30))]
    query = "SELECT system_id, quantity_in::INT, quantity_out::INT, net::INT FROM mart.capacity_transfers ORDER BY 1"
    transfers = [tuple(row.values()) for row in rows(con, query)]
    assert transfers == [("TRAIN-1", 0, 8, -8), ("TRAIN-2", 8, 0, 8)]
    assert sum(row[3] for row in transfers) == 0
    (found,) = rows(con, "SELECT code, subject, message FROM core.found_installs")
    assert (found["code"], found["subject"]) == ("move_without_decision", "n-X")
    assert found["message"] == (
        "n-X (8 accelerators) moved from TRAIN-1 to TRAIN-2 by 2026-10-30; no decision covers it"
    )


@pytest.mark.parametrize(
    ("entry", "state"),
    [
        (decision(1, system_id="TRAIN-2", scope="train-1"), "decided"),  # concerns one, names the other
        (decision(1, system_id="TRAIN-1", scope="TRAIN-2; TRAIN-9"), "decided"),
        (decision(1, scope="TRAIN-1 -> TRAIN-2"), "decided"),
        (decision(1, system_id="TRAIN-2", scope="n-x"), "decided"),  # names the unit
        (decision(1, system_id="TRAIN-2", scope="X", type="change"), "decided"),  # its serial number
        (decision(1, system_id="TRAIN-2", scope="A-X"), "decided"),  # its asset
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", closed=None), "open"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", closed=day(2, 11)), "open"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", outcome="Not approved"), "refused"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", outcome="No: leave it"), "refused"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", outcome="North hall takes it"), "decided"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-2"), "none"),  # names only the system it concerns
        (decision(1, scope="TRAIN-2"), "none"),  # names one of the two
        (decision(1, scope="n-X"), "decided"),
        (decision(1, system_id="STORE", scope="TRAIN-1; TRAIN-2"), "none"),
        (decision(1, system_id="TRAIN-2", scope="n-y"), "none"),
        (decision(1, system_id="TRAIN-2", scope=None), "none"),
        (decision(1, system_id="TRAIN-2", scope="TRAIN-1", type="risk"), "none"),
    ],
)
def test_which_decision_covers_a_move(entry, state):
    con = moved([THERE], [[HERE]], raid=[entry])
    assert ask(con, "decision_state") == [(state,)]
    assert len(rows(con, "SELECT * FROM core.found_installs")) == (state != "decided")


@pytest.mark.parametrize(
    ("now", "earlier"),
    [
        ([HERE], [[THERE], [HERE], [THERE], [HERE]]),  # 0: started in TRAIN-2
        ([THERE], [[HERE], [THERE], [HERE]]),
    ],
)
def test_many_moves_of_a_piece_are_from_its_first_home_to_the_present_one(now, earlier):
    assert len(ask(moved(now, earlier), "subject")) == 1


@pytest.mark.parametrize(
    ("now", "earlier"),
    [
        ([HERE], [[THERE | {"status": "planned"}]]),  # a plan was changed, nothing moved
        ([HERE], [[HERE], [THERE]]),  # went and came back
        ([asset("X", purpose="spare", system_id="TRAIN-2")], [[HERE]]),  # left production
        ([THERE | {"status": "decommissioning"}], [[HERE]]),
        ([], [[HERE], [THERE]]),  # gone
        ([asset("X", part_number="CABLE", system_id="TRAIN-2")], [[asset("X", part_number="CABLE")]]),  # no capacity
        ([HERE, THERE | {"asset_id": "B-X"}], [[HERE]]),  # in both: a conflict of serial numbers
        ([asset("Y", system_id="TRAIN-2")], [[HERE]]),  # another piece
        ([HERE | {"asset_id": "B-1", "name": "new"}], [[HERE]]),  # another tag in the same system
    ],
)
def test_what_is_no_move(now, earlier):
    assert ask(moved(now, earlier), "subject") == []


def test_a_move_that_bears_another_capacity_does_not_net():
    con = moved([asset("X", system_id="STORE")], [[HERE]], raid=[decision(1, system_id="STORE", scope="TRAIN-1")])
    assert ask(con, "quantity_out::INT, quantity_in::INT, from_unit, to_unit, nets") == [
        (8, 2, "accelerators", "PB", False)
    ]
    (found,) = rows(con, "SELECT code, message FROM core.found_installs")
    assert found["code"] == "move_does_not_net"
    assert found["message"] == "n-X left TRAIN-1 with 8 accelerators and arrived in STORE with 2 PB"


def share(system, quantity, line="1"):
    return {"po": "PO", "line": line, "system_id": system, "quantity": quantity}


@pytest.mark.parametrize(
    ("now", "earlier", "expected"),
    [
        ([share("TRAIN-1", 6), share("TRAIN-2", 4)], [[share("TRAIN-1", 10)]], [("TRAIN-1", "TRAIN-2", 4, 32, 32)]),
        ([share("TRAIN-2", 10)], [[share("TRAIN-1", 10)], [share("TRAIN-1", 5), share("TRAIN-2", 5)]],
         [("TRAIN-1", "TRAIN-2", 10, 80, 80)]),  # in two steps
        ([share("TRAIN-1", 10), share("TRAIN-2", 10)], [[share("TRAIN-1", 10)]], []),  # the order grew
        ([share("TRAIN-1", 6)], [[share("TRAIN-1", 10)]], []),  # a share was freed
        ([share("TRAIN-1", 10)], [[share("TRAIN-1", 10)], [share("TRAIN-2", 10)]], []),  # and back
        ([share("TRAIN-2", 3), share("STORE", 2)], [[share("TRAIN-1", 5)]],
         [("TRAIN-1", "STORE", 2, 16, 4), ("TRAIN-1", "TRAIN-2", 3, 24, 24)]),
    ],
)  # fmt: skip
def test_shares_of_orders_that_moved(now, earlier, expected):
    order = {"po": "PO", "line": "1", "part_number": PART, "quantity": 20, "vendor": "V", "status": "open"}
    told = {"po_allocations": [(day(2 + 7 * place), given) for place, given in enumerate(earlier)]}
    data = two_systems() | {"purchase_orders": [order], "po_allocations": now}
    con = modelled(data, "mart.capacity_moves", earlier=told)
    columns = "from_system, to_system, pieces::INT, quantity_out::INT, quantity_in::INT"
    assert ask(con, columns, "to_system") == expected


def test_a_decision_may_name_the_order_line():
    order = {"po": "PO", "line": "1", "part_number": PART, "quantity": 20, "vendor": "V", "status": "open"}
    told = {"po_allocations": [(day(2), [share("TRAIN-1", 10)])]}
    entry = decision(1, system_id="TRAIN-2", scope="PO/1; PO/2")
    data = two_systems() | {"purchase_orders": [order], "po_allocations": [share("TRAIN-2", 10)], "raid": [entry]}
    assert ask(modelled(data, "mart.capacity_moves", earlier=told), "decision, decision_state") == [("D-1", "decided")]


def test_many_moves_between_two_systems_are_one_finding():
    names = [f"S{number}" for number in range(4)]
    now, before = [asset(name, system_id="TRAIN-2") for name in names], [asset(name) for name in names]
    told = {"installs": [(day(2), before)]}
    con = modelled(
        two_systems() | {"installs": now}, "core.found_installs", earlier=told, thresholds={"late_shipments_listed": 3}
    )
    (one,) = rows(con, "SELECT subject, message FROM core.found_installs")
    assert one["subject"] == "TRAIN-1 to TRAIN-2"
    assert one["message"].startswith("TRAIN-1 to TRAIN-2: 4 cases of move without decision, for example")
