"""Orders, split shipments, receipts and events as they really are (M27, M28, M48-M51, M59-M61, M64), in one build."""

from datetime import date, datetime

import pytest

from tests.readiness.cluster import cluster
from tests.readiness.tiny import built, rows


def order(number, quantity, **changes):
    return {"po": f"PO-{number}", "line": "1", "part_number": f"P-{number}", "quantity": quantity, "vendor": "Ostler",
            "status": "open", "ordered": date(2026, 6, 1)} | changes  # fmt: skip


def share(number, quantity):
    return {"po": f"PO-{number}", "line": "1", "system_id": "TRAIN-1", "quantity": quantity}


def receipt(number, name, good, **changes):
    return {"receipt": name, "line": "1", "po": f"PO-{number}", "po_line": "1", "part_number": f"P-{number}",
            "site_id": "DFW1", "place": "site", "qty_good": good, "received": date(2026, 9, 1)} | changes  # fmt: skip


def shipment(name, number, quantity, **changes):
    return {"shipment": name, "line": "1", "po": f"PO-{number}", "po_line": "1", "part_number": f"P-{number}",
            "quantity": quantity, "vendor": "Ostler", "status": "delivered", "shipped": date(2026, 8, 1),
            "scheduled": date(2026, 8, 20), "delivered": date(2026, 8, 20)} | changes  # fmt: skip


def event(number, name, state, at, **changes):
    return {"event_id": f"ev-{number}", "shipment": name, "type": state, "classifier": "actual", "event_at": at,
            "state": state} | changes  # fmt: skip


def reasons(**codes):
    """Return the reasons of columns as the typing of values leaves them."""
    return {"key": list(codes), "value": list(codes.values())}


@pytest.fixture(scope="module")
def con():
    data = cluster(1)
    data["bom"] += [
        {"system_id": "TRAIN-1", "line": n, "part_number": f"P-{n}", "quantity": 10} for n in ("cut", "off", "over")
    ]
    data["purchase_orders"] += [
        order("split", 60),
        order("over", 10),
        order("fate", 20),
        order("off", 10, status="cancelled"),
        order("cut", 10, status="closed"),
        order("minus", -5),
        order("late", 1),
        order("way", 4),
    ]
    data["po_allocations"] += [share("off", 10), share("cut", 10), share("over", 10)]
    data["po_schedule"] = [
        {"po": "PO-cut", "line": "1", "schedule": "1", "quantity": 10, "promised": date(2026, 12, 1)},
        {"po": "PO-off", "line": "1", "schedule": "1", "quantity": 10, "promised": date(2026, 12, 1)},
    ]
    data["shipments"] += [
        *(shipment(f"S-split-{n}", "split", 3) for n in range(20)),
        shipment("S-order", "late", 1, ordered=date(2026, 8, 25)),
        shipment("S-record", "late", 1, ordered=date(2026, 7, 1), recorded=date(2026, 8, 19)),
        shipment("S-clean", "late", 1, ordered=date(2026, 8, 10), shipped=date(2026, 8, 12), incoterm="ddu"),
        *(shipment(f"S-{term}", "late", 1, incoterm=term) for term in ("DAT", "DAF", "DES", "DEQ", "DAP")),
        shipment("S-claim", "way", 1),
        shipment("S-moving", "way", 1, status="in_transit", delivered=None, tracking="1Z 999"),
        shipment("S-booked", "way", 1, status="booked", delivered=None, shipped=None),
        shipment("S-future", "way", 1, status="in_transit", delivered=None),
    ]
    data["shipments"] += [
        shipment("F", "way", 1, line="901", vendor="Other", freight_cost=100, weight_kg=5),
        shipment(
            "F",
            "way",
            1,
            line="902",
            vendor="Other",
            _absent=reasons(freight_cost="reference:901", weight_kg="separate"),
        ),
        shipment("F", "way", 1, line="903", vendor="Other", _absent=reasons(freight_cost="reference:902")),
        shipment("F", "way", 1, line="904", vendor="Other", _absent=reasons(freight_cost="included")),
        shipment("F", "way", 1, line="905", vendor="Other", _absent=reasons(freight_cost="reference:904")),
        shipment("F", "way", 1, line="906", vendor="Other", _absent=reasons(freight_cost="reference:99")),
        shipment("F", "way", 1, line="907", vendor="Other", _absent=reasons(freight_cost="reference:908")),
        shipment("F", "way", 1, line="908", vendor="Other", _absent=reasons(freight_cost="reference:907")),
    ]
    data["receipts"] += [
        *(receipt("split", f"R-{n}", 3) for n in range(18)),
        receipt("over", "R-over", 12),
        receipt("fate", "R-fate-1", 12, qty_rejected=3, qty_returned=2),
        receipt("fate", "R-fate-2", 4, qty_rejected=1),
        receipt("cut", "R-cut", 6),
    ]
    data["logistics_events"] = [
        event(1, "S-claim", "shipped", datetime(2026, 8, 1, 8)),
        event(2, "S-claim", "in_transit", datetime(2026, 8, 5, 8)),
        event(3, "1z 999", "in_transit", datetime(2026, 8, 5, 8)),
        event(4, "S-booked", "delivered", datetime(2026, 8, 5, 8)),
        event(5, "S-future", "delivered", datetime(2026, 11, 5, 8)),
        event(6, "S-future", "in_transit", datetime(2026, 8, 6, 8)),
        event(7, "S-future", "delivered", datetime(2026, 8, 9, 8), created_at=datetime(2026, 8, 8)),
        event(8, "S-future", "delivered", datetime(2026, 8, 7, 8)),
        event(9, "S-future", "customs", datetime(2026, 8, 7, 9), replaces="EV-8"),
        event(10, "S-future", "delivered", datetime(2026, 8, 10), retracted=True),
        event(11, "S-future", "delivered", datetime(2026, 11, 20), classifier="estimated"),
    ]
    return built(data)


def order_line(con, number):
    (found,) = rows(con, f"SELECT * FROM core.order_lines WHERE po = 'PO-{number}'")
    return found


def found(con, code):
    return {row["subject"]: row["message"] for row in rows(con, f"SELECT * FROM mart.findings WHERE code = '{code}'")}


def test_m48_received_is_the_sum_over_all_receipts_of_a_split_line(con):
    line = order_line(con, "split")
    assert (line["shipments"], line["shipped"]) == (20, 60)
    assert (line["receipts"], line["received"], line["open_quantity"], line["expected"]) == (18, 54, 6, 6)


def test_m49_an_over_receipt_is_capped_and_its_surplus_shown(con):
    line = order_line(con, "over")
    assert (line["ordered"], line["received"], line["complete"], line["surplus"]) == (10, 12, 10, 2)
    (supply,) = rows(con, "SELECT received, state FROM mart.supply WHERE part_number = 'P-over'")
    assert supply == {"received": 10, "state": "YES"}
    assert found(con, "over_receipt") == {"PO-over/1": "PO PO-over line 1: received 12 of 10 ordered"}


def test_m50_received_accepted_rejected_and_returned_are_four_numbers(con):
    line = order_line(con, "fate")
    assert (line["received"], line["accepted"], line["rejected"], line["returned"]) == (20, 16, 4, 2)
    assert (line["complete"], line["open_quantity"]) == (14, 6)  # what was returned is open again


def test_m51_cancelled_negative_and_closed_lines_bring_nothing_more(con):
    lines = {number: order_line(con, number) for number in ("off", "minus", "cut")}
    left = {number: (line["left_out"], line["expected"]) for number, line in lines.items()}
    assert left == {"off": ("cancelled", 0), "minus": ("negative", 0), "cut": ("closed", 0)}
    assert {number: line["ordered"] for number, line in lines.items()} == {"off": 10, "minus": -5, "cut": 10}
    supply = rows(con, "SELECT part_number, ordered, received, state FROM mart.supply WHERE part_number LIKE 'P-_u%'")
    assert supply == [{"part_number": "P-cut", "ordered": 6, "received": 6, "state": "UNKNOWN"}]
    (cancelled,) = rows(con, "SELECT ordered, state FROM mart.supply WHERE part_number = 'P-off'")
    assert cancelled == {"ordered": 0, "state": "UNKNOWN"}
    assert "closed with 4 of 10 not received" in found(con, "closed_short")["PO-cut/1"]
    assert "orders -5: a correction" in found(con, "negative_order")["PO-minus/1"]


def states(con):
    query = "SELECT shipment, state, contradicted FROM core.shipment_states"
    return {row["shipment"]: (row["state"], row["contradicted"]) for row in rows(con, query)}


def test_m59_the_lower_of_two_states_stands_and_the_contradiction_is_shown(con):
    held = states(con)
    assert held["S-claim"] == ("in_transit", True)  # said to be delivered, last seen on its way
    assert held["S-booked"] == ("booked", True)  # said to be booked, seen delivered: the lower one too
    assert held["S-moving"] == ("in_transit", False)  # its carrier names it by its tracking number
    assert set(found(con, "contradictory_status")) == {"S-claim", "S-booked"}
    assert "its last event says in_transit; in_transit stands" in found(con, "contradictory_status")["S-claim"]
    delivered = rows(con, "SELECT shipment FROM core.shipment_lines WHERE shipment = 'S-claim'")
    shipped = rows(con, "SELECT goods_id FROM core.goods WHERE goods_id = 'S-booked/1'")
    assert (delivered, shipped) == ([], [])


def test_m60_events_count_by_their_time_and_only_when_they_can_have_happened(con):
    events = rows(
        con, "SELECT event_id, left_out FROM core.tracking_events WHERE shipment = 'S-future' ORDER BY event_no"
    )
    assert [(row["event_id"], row["left_out"]) for row in events] == [
        ("ev-6", None),
        ("ev-8", "replaced"),
        ("ev-9", None),
        ("ev-7", "after its report"),
        ("ev-10", "taken back"),
        ("ev-5", "in the future"),
        ("ev-11", None),  # an estimate may lie in the future
    ]
    (state,) = rows(con, "SELECT by_events, state FROM core.shipment_states WHERE shipment = 'S-future'")
    assert state == {"by_events": "customs", "state": "in_transit"}
    query = "SELECT message FROM mart.findings WHERE code = 'event_left_out' ORDER BY 1"
    assert [row["message"] for row in rows(con, query)] == [
        "S-future: 1 actual events lie after its report, the first on 2026-08-09; they do not count",
        "S-future: 1 actual events lie in the future, the first on 2026-11-05; they do not count",
    ]


def test_m61_steps_out_of_order_are_shown_and_left_out_of_lead_times(con):
    query = "SELECT shipment, lead_days, step_fault FROM core.shipment_lines WHERE part_number = 'P-late'"
    held = {row["shipment"]: (row["lead_days"], row["step_fault"]) for row in rows(con, query)}
    assert held["S-order"] == (None, "delivered before it was ordered")
    assert held["S-record"] == (None, "recorded before it was delivered")
    assert held["S-clean"] == (10, None)
    assert set(found(con, "step_order")) == {"S-order", "S-record"}
    (vendor,) = rows(con, "SELECT lead_lines, lead_excluded, mean_lead_days FROM mart.vendors WHERE vendor = 'Ostler'")
    # 20 split lines and 5 terms from 1 June to 20 August are 80 days each, the clean one is 10.
    assert (vendor["lead_lines"], vendor["lead_excluded"]) == (26, 2)
    assert float(vendor["mean_lead_days"]) == round((25 * 80 + 10) / 26, 1)


def test_m64_terms_that_were_dropped_are_read_as_those_in_force(con):
    query = "SELECT incoterm, incoterm_now FROM core.shipment_lines WHERE incoterm IS NOT NULL"
    assert {row["incoterm"]: row["incoterm_now"] for row in rows(con, query)} == {
        "ddu": "DAP", "DAT": "DPU", "DAF": "DAP", "DES": "DAP", "DEQ": "DPU", "DAP": "DAP"
    }  # fmt: skip
    assert set(found(con, "obsolete_incoterm")) == {"DDU", "DAT", "DAF", "DES", "DEQ"}
    assert found(con, "obsolete_incoterm")["DDU"] == "DDU on 1 lines is no term of Incoterms 2020; read as DAP"


def test_m27_m28_a_charge_is_a_number_a_reason_or_another_lines_and_counts_once(con):
    query = """SELECT line, amount, reason, held_by_line, resolved, resolved_amount FROM core.shipment_charges
        WHERE shipment = 'F' AND charge = 'freight_cost' ORDER BY line"""
    held = [(*row.values(),) for row in rows(con, query)]
    assert held == [
        ("901", 100, None, None, "number", 100),
        ("902", None, "reference", "901", "number", 100),
        ("903", None, "reference", "902", "number", 100),  # by way of line 902
        ("904", None, "included", None, "included", None),
        ("905", None, "reference", "904", "included", None),
        ("906", None, "reference", "99", "unresolved", None),
        ("907", None, "reference", "908", "unresolved", None),  # they name each other
        ("908", None, "reference", "907", "unresolved", None),
    ]
    (total,) = rows(con, "SELECT * FROM core.charge_totals WHERE charge = 'freight_cost'")
    assert (total["numbers"], total["total"]) == (1, 100)
    assert (total["references"], total["references_to_numbers"], total["unresolved"]) == (6, 2, 3)
    assert total["note"].startswith("sum of 1 numbers; without ")


def test_m51_a_closed_line_stays_where_no_receipts_are_delivered():
    data = cluster(1)
    data["purchase_orders"][0].update(status="closed")
    data["receipts"] = []
    assert rows(built(data), "SELECT quantity FROM core.purchase_lines") == [{"quantity": 1}]
