"""What shipments announced against what was received and installed: quantities, parts and serial numbers."""

from datetime import date

import pytest

from tests.readiness.tiny import modelled, rows


def day(number, month=10):
    return date(2026, month, number)


def order(number, quantity, **changes):
    return {"po": f"PO-{number}", "line": "1", "part_number": "P", "quantity": quantity, "vendor": "Ostler",
            "status": "open"} | changes  # fmt: skip


def sent(number, quantity, name="S", **changes):
    return {"shipment": f"{name}-{number}", "line": "1", "po": f"PO-{number}", "po_line": "1", "part_number": "P",
            "quantity": quantity, "vendor": "Ostler", "ship_to_site": "DFW1", "status": "delivered",
            "shipped": day(1), "delivered": day(10)} | changes  # fmt: skip


def got(number, good, name="R", **changes):
    return {"receipt": f"{name}-{number}", "line": "1", "shipment": f"S-{number}", "po": f"PO-{number}",
            "po_line": "1", "part_number": "P", "site_id": "DFW1", "place": "site", "qty_good": good,
            "received": day(12)} | changes  # fmt: skip


def asset(serial, **changes):
    return {"asset_id": f"A-{serial}", "serial": serial, "part_number": "P", "status": "active", "site_id": "DFW1",
            "racked": day(14)} | changes  # fmt: skip


DATA = {
    "bom": [{"system_id": "X", "line": "1", "part_number": "P", "quantity": 1, "alternates": "P-ALT; P-NEW"}],
    "purchase_orders": [
        *(order(name, 20) for name in ("same", "short", "damaged", "extra", "swap", "alt", "pool", "lines", "stand")),
        *(order(name, 10) for name in ("over", "healed", "moving")),
        order("beyond", 20),
    ],
    "shipments": [
        sent("same", 10),
        sent("short", 10, serials="K1 K2 K3 K4 K5 K6 K7 K8 K9 K10"),
        sent("damaged", 10),
        sent("over", 10),
        sent("beyond", 10),
        sent("healed", 10),
        sent("moving", 10, status="in_transit", delivered=None, eta=day(9, 11)),
        sent("extra", 2, serials="E1;E2"),
        sent("swap", 10, part_number="P-OTHER"),
        sent("alt", 10, part_number="P-ALT"),
        sent("pool", 6, "T1", shipped=day(1)),
        sent("pool", 6, "T2", shipped=day(3)),
        sent("lines", 4),
        sent("lines", 5, line="2"),
        sent("stand", 2, serials="W1 W2"),
        sent("off", 9, status="cancelled", delivered=None),
    ],
    "receipts": [
        got("same", 6),
        got("same", 4, "R2"),
        got("short", 8, serials="k1, k2, k3, k4, k5, k6, k7, k8"),
        got("damaged", 7, qty_rejected=3),
        got("over", 12),
        got("beyond", 12),
        got("healed", 6),
        got("healed", 4, "R2", shipment=None, received=day(20)),
        got("moving", 4),
        got("extra", 2, serials="E1 E3"),
        got("swap", 10, part_number="P-OTHER"),
        got("alt", 10, part_number="P-ALT"),
        got("pool", 9, shipment=None),
        got("lines", 9),
        got("stand", 1, serials="W1"),
        got("same", 1, "R3", po_line="7", part_number="Q"),
    ],
    "installs": [asset("W2")],
}


@pytest.fixture(scope="module")
def con():
    return modelled(DATA, "core.found_deliveries", "mart.asn_flow", "mart.serial_flow", "mart.asn_faults")


def line(con, shipment):
    query = (
        f"SELECT shipped, arrived, rejected, basis FROM core.asn_lines WHERE shipment = '{shipment}' AND is_announced"
    )
    (found,) = rows(con, query)
    return tuple(found.values())


def test_receipts_of_a_shipment_are_summed_against_what_it_announced(con):
    assert line(con, "S-same") == (10, 10, 0, "shipment")
    assert line(con, "S-lines") == (9, 9, 0, "shipment")  # two lines of the shipment, one line of the order
    assert line(con, "S-damaged") == (10, 10, 3, "shipment")  # rejected pieces have arrived


def test_receipts_without_a_shipment_fill_what_left_first(con):
    assert line(con, "T1-pool") == (6, 6, 0, "order line")
    assert line(con, "T2-pool") == (6, 3, 0, "order line")


def faults(con):
    query = "SELECT fault, shipment, quantity::INT, serials FROM mart.asn_faults ORDER BY fault, shipment"
    return [tuple(row.values()) for row in rows(con, query)]


def test_short_over_damaged_and_other_serials(con):
    assert faults(con) == [
        ("damaged", "S-damaged", 3, None),
        ("over", "S-beyond", 2, None),
        ("over", "S-same", 1, None),  # a line that the shipment did not announce
        ("serials", "S-extra", 1, "e3"),
        ("short", "S-short", 2, "k10, k9"),
        ("short", "T2-pool", 3, None),
    ]
    # Not told here: S-over (its order has 12 of 10, told as over-receipt), S-healed (the order has its ten pieces),
    # S-moving (the rest is on its way), S-stand (W2 stands installed, told as that).


def test_over_within_the_order_is_over_the_shipment(con):
    order_over = "SELECT surplus FROM core.order_lines WHERE po = 'PO-{}'"
    assert rows(con, order_over.format("over")) == [{"surplus": 2}]
    assert rows(con, order_over.format("beyond")) == [{"surplus": 0}]


def test_another_part_is_a_fault_unless_it_is_an_approved_alternate(con):
    found = rows(con, "SELECT subject, message FROM core.found_deliveries WHERE code = 'substituted_part' ORDER BY 1")
    assert [row["subject"] for row in found] == ["PO-swap/1"]
    assert found[0]["message"] == (
        "PO PO-swap line 1: P-OTHER came for P (10 shipped, 10 received); no bill lists it as an alternate"
    )
    assert rows(con, "SELECT part_number, is_approved FROM core.part_swaps ORDER BY 1") == [
        {"part_number": "P-ALT", "is_approved": True},
        {"part_number": "P-OTHER", "is_approved": False},
    ]


def test_what_shipments_announced_adds_up(con):
    (flow,) = rows(con, "SELECT * FROM mart.asn_flow WHERE vendor = 'Ostler'")
    names = ("announced", "as_announced", "short", "over", "not_there", "damaged")
    assert [flow[name] for name in names] == [14, 8, 4, 2, 0, 1]
    assert flow["announced"] == flow["as_announced"] + flow["short"] + flow["over"] + flow["not_there"]


def test_serial_numbers_are_each_in_one_state(con):
    held = rows(con, "SELECT state, sum(serials)::INT AS n FROM mart.serial_flow GROUP BY 1 ORDER BY 1")
    assert {row["state"]: row["n"] for row in held} == {
        "received, not recorded": 8 + 2 + 1,  # k1 to k8, e1 and e3, w1
        "announced, not received": 2 + 1,  # k9, k10, e2
        "recorded, announced, never received": 1,  # w2
    }


def test_the_same_serial_number_twice():
    data = {
        "sites": [{"site_id": "DFW1", "name": "D", "facility": "colo"}, {"site_id": "ORD1", "name": "O",
                                                                           "facility": "colo"}],
        "shipments": [sent("a", 2, serials="X1 X2"), sent("b", 1, serials="x1 N/A")],
        "receipts": [
            got("a", 1, serials="Y1"),
            got("b", 1, serials="y1;Z1 "),
            got("c", 1, serials="Z1", place="warehouse"),  # on its way: a warehouse first, then the site
            got("d", 1, serials="V1", qty_returned=1),  # went back
            got("e", 1, serials="V1"),  # and came again
            got("f", 1, serials="U1"),
            got("g", 1, serials="U1", site_id="ORD1"),  # at two sites: told as serial_conflict
            got("h", 1, serials="To be filled by O.E.M."),
            got("i", 1, serials="To be filled by O.E.M."),
        ],
    }  # fmt: skip
    con = modelled(data, "core.found_deliveries", "core.found_assets")
    query = "SELECT subject, message FROM core.found_{} WHERE code = '{}' ORDER BY 1, 2"
    assert [tuple(row.values()) for row in rows(con, query.format("deliveries", "serial_repeated"))] == [
        ("x1", "serial x1 was announced 2 times: S-a/1, S-b/1"),
        ("y1", "serial y1 was received 2 times: R-a/1, R-b/1"),
    ]
    assert [row["subject"] for row in rows(con, query.format("assets", "serial_conflict"))] == ["u1"]


def test_many_faults_of_a_vendor_are_one_finding():
    names = [str(number) for number in range(4)]
    data = {
        "purchase_orders": [order(name, 20) for name in names],
        "shipments": [sent(name, 10) for name in names],
        "receipts": [got(name, 8 - place) for place, name in enumerate(names)],
    }
    query = "SELECT code, subject, message FROM core.found_deliveries ORDER BY 2"
    assert len(rows(modelled(data, "core.found_deliveries"), query)) == 4
    (one,) = rows(modelled(data, "core.found_deliveries", thresholds={"late_shipments_listed": 3}), query)
    assert (one["code"], one["subject"]) == ("asn_short", "Ostler")
    assert one["message"].startswith("Ostler: 4 cases of asn short, for example S-3, PO PO-3 line 1: 10 announced, 5")


def test_nothing_is_short_before_the_dock_had_its_days():
    data = {"purchase_orders": [order("a", 20)], "shipments": [sent("a", 10)], "receipts": [got("a", 8)]}
    late = [(row["fault"]) for row in rows(modelled(data, "core.asn_faults", as_of=day(15)), "FROM core.asn_faults")]
    early = rows(modelled(data, "core.asn_faults", as_of=day(14)), "FROM core.asn_faults")
    assert (late, early) == (["short"], [])
