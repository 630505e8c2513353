"""Goods under way: days of arrival told and how they slipped, lanes and exceptions. Data date 30 October 2026."""

from datetime import date, datetime

import pytest

from tests.readiness.tiny import modelled, rows


def day(month, number):
    return date(2026, month, number)


def shipment(name, **changes):
    return {"shipment": name, "line": "1", "part_number": "P", "quantity": 4, "vendor": "Ostler", "carrier": "Kite",
            "mode": "Air", "origin": "twtpe", "ship_to_site": "DFW1", "status": "in_transit",
            "shipped": day(10, 1)} | changes  # fmt: skip


def event(number, name, kind, at, **changes):
    return {"event_id": f"ev-{number}", "shipment": name, "type": kind, "classifier": "actual", "event_at": at,
            "state": kind} | changes  # fmt: skip


def slid(eta):
    return shipment("slid", eta=eta, carrier="Other")


CARRIED = shipment("carried", eta=day(10, 24), mode="road", origin=None)
THERE = shipment("there", eta=day(10, 10))
SAID = shipment("said", status="customs", eta=day(11, 10), carrier="Other")
OLD = shipment("old", status="delivered", delivered=day(10, 12), eta=day(10, 12))
NOW = [
    slid(day(11, 3)),
    CARRIED,
    THERE,
    SAID,
    OLD,
    shipment("held", eta=day(11, 10)),
    shipment("released", eta=day(11, 10)),
    shipment("lost", status="delivered", delivered=day(10, 20), eta=day(10, 20)),
    shipment("before", status="delivered", delivered=day(10, 11), eta=day(10, 11)),  # before the first receipt ever
    shipment("hub", status="delivered", delivered=day(10, 14), ship_to_site=None, destination="A hub"),
    shipment("just", status="delivered", delivered=day(10, 28), eta=day(10, 28)),
    shipment("silent", eta=day(11, 10)),
    shipment("unheard", eta=day(11, 10), carrier="Other", shipped=day(9, 1)),
    shipment("half", eta=day(11, 10)),
]
DATA = {
    "sites": [{"site_id": "DFW1", "name": "Dallas", "facility": "colo"}],
    "shipments": NOW,
    "logistics_events": [
        event(1, "carried", "estimated delivery", datetime(2026, 10, 25, 9), classifier="estimated", state=None,
              created_at=datetime(2026, 10, 20, 8)),
        event(2, "carried", "in_transit", datetime(2026, 10, 25, 8), place="USLAX"),
        event(3, "held", "in_transit", datetime(2026, 10, 18, 8)),
        event(4, "held", "customs", datetime(2026, 10, 20, 8)),
        event(5, "held", "customs", datetime(2026, 10, 29, 8)),
        event(6, "released", "customs", datetime(2026, 10, 10, 8)),
        event(7, "released", "in_transit", datetime(2026, 10, 26, 8)),
        event(8, "silent", "in_transit", datetime(2026, 10, 15, 8), place="DEFRA"),
        event(9, "half", "in_transit", datetime(2026, 10, 28, 8)),
    ],
    "receipts": [
        {"receipt": f"R-{name}", "line": "1", "shipment": name, "part_number": "P", "site_id": "DFW1", "place": "site",
         "qty_good": good, "received": day(10, 12)} for name, good in (("there", 4), ("half", 3), ("old", 4))
    ],
}  # fmt: skip
TOLD = [
    (day(10, 1), [slid(day(10, 10)), THERE, OLD | {"status": "in_transit", "delivered": None, "eta": day(10, 8)}]),
    (day(10, 8), [slid(day(10, 14)), THERE, SAID | {"status": "in_transit"}]),
    (day(10, 15), [slid(day(10, 14)), CARRIED, SAID]),
]


@pytest.fixture(scope="module")
def con():
    tables = ("mart.lanes", "mart.transit_exceptions", "mart.shipment_etas", "core.found_deliveries")
    return modelled(DATA, *tables, earlier={"shipments": TOLD})


def test_every_day_of_arrival_that_was_told_is_kept(con):
    query = "SELECT told_on, eta, slip_days, dataset FROM core.eta_told WHERE shipment_key = '{}' ORDER BY told_no"
    assert [tuple(row.values()) for row in rows(con, query.format("slid"))] == [
        (day(10, 1), day(10, 10), None, "shipments"),
        (day(10, 8), day(10, 14), 4, "shipments"),
        (day(10, 30), day(11, 3), 20, "shipments"),
    ]
    # The carrier's own estimate counts when it is newer than what the file says, and the file says nothing new later.
    assert [tuple(row.values()) for row in rows(con, query.format("carried"))] == [
        (day(10, 15), day(10, 24), None, "shipments"),
        (day(10, 20), day(10, 25), 1, "logistics_events"),
    ]


def eta(con, name):
    (found,) = rows(con, f"SELECT * FROM core.shipment_etas WHERE shipment = '{name}'")
    return found


def test_slip_is_against_the_first_day_told_and_against_last_week(con):
    held = eta(con, "slid")
    assert (held["first_eta"], held["eta_before"], held["eta"]) == (day(10, 10), day(10, 14), day(11, 3))
    assert (held["slip_days"], held["slip_week_days"], held["changes"], held["slips"]) == (24, 20, 2, 2)


def test_a_delivered_shipment_slipped_by_its_delivery(con):
    held = eta(con, "old")
    assert (held["first_eta"], held["delivered"], held["slip_days"]) == (day(10, 8), day(10, 12), 4)
    assert held["slip_week_days"] is None  # it had come by the last cut-off


def exceptions(con):
    query = "SELECT shipment, exception, rank, since, days FROM core.transit_exceptions ORDER BY shipment, rank"
    return [tuple(row.values()) for row in rows(con, query)]


def test_what_is_wrong_under_way(con):
    assert exceptions(con) == [
        ("carried", "eta_passed", 1, day(10, 25), 5),
        ("held", "customs_hold", 1, day(10, 20), 10),  # since the first of the events that left it there
        ("lost", "not_received", 1, day(10, 20), 10),  # 'just' was delivered two days ago
        ("said", "customs_hold", 1, day(10, 15), 15),  # since the delivery that first said so
        ("silent", "silent", 1, day(10, 15), 15),  # of the carrier of 'unheard' nothing is ever heard
    ]


def test_each_shipment_is_one_finding(con):
    found = rows(con, "SELECT code, subject, message FROM core.found_deliveries ORDER BY code, subject")
    assert [(row["code"], row["subject"]) for row in found] == [
        ("customs_hold", "held"),
        ("customs_hold", "said"),
        ("eta_passed", "carried"),
        ("not_received", "lost"),
        ("shipment_silent", "silent"),
    ]
    assert found[4]["message"] == ("silent (Ostler, TWTPE to DFW1, air): no event since 2026-10-15, 15 days; 4 pieces")


def test_limits_are_the_programmes():
    limits = {"customs_hold_days": 10, "shipment_silence_days": 15, "receipt_days": 10}
    con = modelled(DATA, "core.transit_exceptions", earlier={"shipments": TOLD}, thresholds=limits)
    assert [(name, what) for name, what, *_ in exceptions(con)] == [("carried", "eta_passed"), ("said", "customs_hold")]


def test_lanes_hold_every_shipment_once(con):
    query = """SELECT origin, destination, mode, shipments, quantity::INT AS pieces, with_exceptions, customs_hold,
        not_received, eta_passed, silent, heard_of, slipped FROM mart.lanes ORDER BY origin, mode"""
    assert [tuple(row.values()) for row in rows(con, query)] == [
        # held, released, lost, just, silent, unheard, half (1 of 4 left), said and slid; not there, which has a receipt
        ("TWTPE", "DFW1", "air", 9, 33, 4, 2, 1, 0, 1, 6, 1),
        ("USLAX", "DFW1", "road", 1, 4, 1, 0, 0, 1, 0, 1, 1),  # from the place of its first event
    ]


def test_a_shipment_told_by_its_status_only_is_judged_without_events():
    data = {"shipments": [shipment("a", eta=day(10, 29))]}
    con = modelled(data, "core.transit_exceptions", "mart.lanes")
    assert exceptions(con) == [("a", "eta_passed", 1, day(10, 29), 1)]
    assert rows(con, "SELECT heard_of, silent FROM mart.lanes") == [{"heard_of": 0, "silent": 0}]


def test_without_receipts_a_delivered_shipment_has_arrived():
    con = modelled({"shipments": [OLD]}, "core.goods_under_way")
    assert rows(con, "SELECT count(*) AS n FROM core.goods_under_way") == [{"n": 0}]
