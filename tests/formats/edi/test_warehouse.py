"""Messages from the inbox to the staged tables: rows by segment, units, and what was set aside."""

from tests.formats.edi.written import NOTICE, ORDER, STATUS, x12
from tests.turnup.staging import staged

SOURCES = """  orders: {dataset: purchase_orders, files: "*.850", owner: Buyer, mode: events}
  promises: {dataset: po_schedule, files: "*.850", owner: Buyer, mode: events}
  notices: {dataset: shipments, files: "*.856", owner: Vendor, mode: events}
  status: {dataset: logistics_events, files: "*.214", owner: Carrier, mode: events, time_zone: America/Chicago}
"""
LEDGER = "SELECT dataset, rows_read, accepted, quarantined, balanced FROM meta.ledger ORDER BY dataset"


def test_messages_become_rows_of_four_datasets(tmp_path):
    files = {"2026-09-28/po.850": x12("850", ORDER), "2026-09-28/asn.856": x12("856", NOTICE),
             "2026-09-28/st.214": x12("214", STATUS)}  # fmt: skip
    orders, events, ledger = staged(
        tmp_path,
        SOURCES,
        files,
        "SELECT po, line, quantity::INT, ordered::VARCHAR, status, _row FROM stg.purchase_orders ORDER BY line",
        "SELECT type, strftime(event_at, '%m-%d %H:%M') FROM stg.logistics_events ORDER BY event_at",
        LEDGER,
    )
    assert orders == [
        ("4500123456", "10", 64, "2026-05-04", "open", 8),
        ("4500123456", "20", 4, "2026-05-04", "open", 13),
    ]
    assert events == [
        ("departed pick-up", "08-20 19:05"),
        ("delivery appointment", "08-30 09:00"),
        ("estimated delivery", "08-30 16:00"),
        ("delivered", "08-31 15:15"),  # local time, in the zone that the source declares
    ]
    assert ledger == [
        ("logistics_events", 4, 4, 0, True),
        ("po_schedule", 3, 3, 0, True),
        ("purchase_orders", 2, 2, 0, True),
        ("shipments", 2, 2, 0, True),
    ]


def test_m62_a_message_set_aside_is_in_the_quarantine_and_the_others_are_staged(tmp_path):
    wrong = x12("856", NOTICE).replace("SE*25*", "SE*23*")
    files = {"2026-09-28/a.856": x12("856", NOTICE).replace("ASN-10457", "ASN-1"), "2026-09-28/b.856": wrong}
    shipments, refused = staged(
        tmp_path,
        SOURCES,
        files,
        "SELECT DISTINCT shipment FROM stg.shipments",
        "SELECT row, sheet, column_name, value, expected, rule FROM meta.quarantine ORDER BY row",
    )
    assert shipments == [("ASN-1",)]
    assert refused == [
        (17, "856 0001", "SE01", "23", "25", "control_count"),
        (23, "856 0001", "SE01", "23", "25", "control_count"),
    ]


def test_a_quantity_that_counts_no_pieces_waits_for_its_factor(tmp_path):
    text = x12("850", [line.replace("*64*EA", "*64*CT") for line in ORDER])
    query = "SELECT line, quantity::INT FROM stg.purchase_orders ORDER BY line"
    faults = "SELECT row, value, rule FROM meta.quarantine WHERE sheet = '850 0001' AND column_name = 'quantity'"
    orders, refused = staged(tmp_path / "a", SOURCES, {"2026-09-28/po.850": text}, query, faults)
    assert (orders, refused) == ([("20", 4)], [(8, "64 CT", "unknown_unit")])
    declared = SOURCES.replace('"*.850", owner: Buyer', '"*.850", owner: Buyer, units: {quantity: {CT: 10}}')
    assert staged(tmp_path / "b", declared, {"2026-09-28/po.850": text}, query) == [[("10", 640), ("20", 4)]]
