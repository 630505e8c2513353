"""Purchase orders in X12 and EDIFACT: what a line says, in which words."""

import pytest

from tests.formats.edi.written import ANSWER, ORDER, RESPONSE, edifact, x12
from turnup.formats import FileRejected

FIRST = {
    "po": "4500123456",
    "line": "10",
    "part_number": "920-9K36F-00MV",
    "quantity": "64",
    "unit_cost": "31250.00",
    "currency": "USD",
    "vendor": "Vantor Systems",
    "ordered": "2026-05-04",
    "requested": "2026-08-01",
    "status": "open",
}


def test_order_lines(take):
    table = take(x12("850", ORDER), "purchase_orders")
    first, second = table.frame.rows(named=True)
    assert {name: first[name] for name in FIRST} == FIRST
    assert (second["line"], second["part_number"], second["requested"]) == ("20", "VT-12", "2026-09-30")
    assert table.frame["_row"].to_list() == [8, 13]  # the segments in the file
    assert table.frame["_sheet"].to_list() == ["850 0001"] * 2
    assert (table.ledger.lines, table.ledger.header, table.ledger.footer) == (18, 3, 3)
    assert table.findings == ()


def test_only_a_scheduled_day_is_a_promise(take):
    frame = take(x12("850", ORDER), "po_schedule").frame
    assert frame.select("po", "line", "schedule", "quantity", "promised").rows() == [
        ("4500123456", "10", "1", "32", "2026-09-18"),
        ("4500123456", "10", "2", "32", "2026-09-25"),
        ("4500123456", "20", "1", "4", "2026-09-30"),
    ]


def test_a_cancelled_order(take):
    body = ("BEG*01*SA*4500123456**20260504", *ORDER[1:])
    assert set(take(x12("850", body), "purchase_orders").frame["status"]) == {"cancelled"}


def test_the_sellers_answer(take):
    first, second = take(x12("855", ANSWER), "purchase_orders").frame.rows(named=True)
    wanted = FIRST | {"acknowledged": "2026-05-06", "status": "acknowledged"}
    del wanted["requested"], wanted["currency"]
    assert {name: first[name] for name in wanted} == wanted
    assert (second["line"], second["status"]) == ("20", "cancelled")  # its only answer is a refusal
    promised = take(x12("855", ANSWER), "po_schedule").frame
    assert promised.select("line", "schedule", "quantity", "promised").rows() == [
        ("10", "1", "32", "2026-09-18"),
        ("10", "2", "32", "2026-09-25"),
    ]


def test_order_response(take):
    table = take(edifact("ORDRSP", RESPONSE), "purchase_orders")
    first, second = table.frame.rows(named=True)
    wanted = FIRST | {"vendor": "Vantor + Sons", "acknowledged": "2026-05-06", "status": "acknowledged"}
    del wanted["ordered"], wanted["requested"]
    assert {name: first[name] for name in wanted} == wanted
    assert (second["part_number"], second["quantity"], second["status"]) == ("VT-12", "4", "cancelled")
    promised = take(edifact("ORDRSP", RESPONSE), "po_schedule").frame
    assert promised.select("line", "schedule", "quantity", "promised").rows() == [
        ("10", "1", "32", "2026-09-18"),
        ("10", "2", "32", "2026-09-25"),
    ]


def test_an_edifact_order(take):
    body = (
        "BGM+220+4500123456+9", "DTM+137:20260504:102", "NAD+SU+V-100::92++Vantor", "LIN+10++A-1:IN", "QTY+21:5:PCE",
        "DTM+2:20260801:102", "UNS+S", "CNT+2:1",
    )  # fmt: skip
    (row,) = take(edifact("ORDERS", body), "purchase_orders").frame.rows(named=True)
    assert (row["po"], row["ordered"], row["requested"], row["status"]) == (
        "4500123456", "2026-05-04", "2026-08-01", "open"
    )  # fmt: skip


def test_a_file_of_other_messages_says_what_it_holds(take):
    with pytest.raises(FileRejected, match="the file holds 850; shipments takes 856, DESADV, IFCSUM") as refusal:
        take(x12("850", ORDER), "shipments")
    assert refusal.value.code == "edi_message"
    with pytest.raises(FileRejected, match=r"the file holds INVOIC.*UNT01 .segment 4. says 9 segments, there are 3"):
        take(edifact("INVOIC", ("BGM+380+1",)).replace("UNT+3", "UNT+9"), "shipments")


def test_a_message_that_feeds_nothing_is_named(take):
    text = x12("850", ORDER).replace("GE*1", "ST*810*0002~BIG*20260801*1~SE*3*0002~GE*2")
    table = take(text, "purchase_orders")
    assert table.ledger.data == 2
    assert [(found.code, found.value) for found in table.findings] == [("message_not_read", "810")]
