"""Dispatch notices in X12 and EDIFACT: items under their order and shipment, serial numbers as text."""

import pytest

from tests.formats.edi.written import DESPATCH, NOTICE, edifact, x12
from turnup.formats.edi.notices import serial_range


def test_items_know_their_order_and_shipment(take):
    first, second = take(x12("856", NOTICE), "shipments").frame.rows(named=True)
    wanted = {
        "shipment": "ASN-10457", "line": "10", "po": "4500123456", "po_line": "10", "part_number": "920-9K36F-00MV",
        "description": "8-GPU server", "quantity": "2", "serials": "S45X001;S45X002", "ship_to_site": "DFW1",
        "destination": "Dallas hall, Dallas, TX, 75201, US", "vendor": "Vantor Systems", "carrier": "DHL",
        "mode": "Air", "tracking": "1Z999", "shipped": "2026-08-20", "eta": "2026-08-30", "status": "shipped",
    }  # fmt: skip
    assert {name: first[name] for name in wanted} == wanted
    assert (second["part_number"], second["serials"], second["po_line"]) == ("VT-12", "0099", "20")


def test_lines_of_one_name_take_the_number_of_their_level(take):
    body = [line.replace("LIN*20", "LIN*10") for line in NOTICE]
    assert take(x12("856", body), "shipments").frame["line"].to_list() == ["4", "5"]


def test_a_notice_without_a_ship_date_is_no_shipment_yet(take):
    body = [line for line in NOTICE if not line.startswith("DTM*011")]
    assert set(take(x12("856", body), "shipments").frame["status"]) == {"planned"}


def test_a_broken_hierarchy_sets_the_message_aside(take):
    body = [line.replace("HL*5*3*I", "HL*5*9*I") for line in NOTICE]
    table = take(x12("856", body), "shipments")
    assert (table.ledger.data, table.ledger.rejected) == (0, 2)
    assert {(row.rule, row.column, row.value) for row in table.rejected} == {("hierarchy", "HL02", "9")}


def test_despatch_advice(take):
    first, second = take(edifact("DESADV", DESPATCH), "shipments").frame.rows(named=True)
    wanted = {
        "shipment": "DES-7", "line": "1", "po": "4500123456", "po_line": "10", "part_number": "920-9K36F-00MV",
        "quantity": "3", "serials": "S45X008;S45X009;S45X010", "ship_to_site": "DFW1", "vendor": "Vantor",
        "destination": "Dallas hall, 1 Main St, Dallas, 75201, US", "carrier": "DHL Express", "mode": "Air",
        "shipped": "2026-08-20", "eta": "2026-08-30", "status": "shipped",
    }  # fmt: skip
    assert {name: first[name] for name in wanted} == wanted
    assert (second["po"], second["po_line"], second["description"]) == ("4500123456", "2", "Rail kit")


def test_consignments(take):
    body = (
        "BGM+785+LIST-1+9", "DTM+137:20260801:102", "CNI+1+AWB-1", "NAD+CZ+++Vantor", "GID+1+5:CT", "FTX+AAA+++Racks",
        "GID+2+2:PX", "CNI+2+AWB-2", "GID+1+1:PX",
    )  # fmt: skip
    frame = take(edifact("IFCSUM", body), "shipments").frame
    assert frame.select("shipment", "line", "quantity").rows() == [
        ("AWB-1", "1", "5 CT"), ("AWB-1", "2", "2 PX"), ("AWB-2", "1", "1 PX")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "last", "numbers"),
    [
        ("S0098", "S0101", ["S0098", "S0099", "S0100", "S0101"]),
        ("0099", "0100", ["0099", "0100"]),
        ("A1", "B1", ["A1", "B1"]),  # no range: two numbers
        ("A9", "A10", ["A9", "A10"]),
        ("A5", "A2", ["A5", "A2"]),
        ("A00001", "A99999", ["A00001", "A99999"]),
        ("A1", "A1", ["A1"]),
        ("A1", None, ["A1"]),
    ],
)
def test_ranges_of_serial_numbers(first, last, numbers):
    assert serial_range(first, last) == numbers
