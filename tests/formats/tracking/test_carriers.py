"""Carriers: numbers are text (M36), events by time (M60), a status against its events (M59), zones as given (M35)."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnup.formats import FileRejected


def easypost(*details, status="in_transit", updated="2026-08-24T00:00:00Z"):
    return {
        "tracking_code": "9400",
        "carrier": "USPS",
        "status": status,
        "updated_at": updated,
        "tracking_details": [
            {"message": message, "status": state, "datetime": at, "tracking_location": {"city": "Reno", "state": "NV"}}
            for message, state, at in details
        ],
    }


SCANS = (
    ("Label", "pre_transit", "2026-08-20T08:00:00Z"),
    ("Left", "in_transit", "2026-08-21T08:00:00Z"),
    ("Done", "delivered", "2026-08-22T08:00:00Z"),
)


def codes(table):
    return [found.code for found in table.findings]


def test_m60_order_by_time_and_not_of_the_list(take):
    table = take(easypost(SCANS[2], SCANS[0], SCANS[1], status="delivered"))
    assert codes(table) == ["events_out_of_order"]
    facts = {fact.name: fact.value for fact in table.facts}
    assert facts["order_by_time"] == ("Label", "Left", "Done")
    for listed in (SCANS, SCANS[::-1]):
        assert codes(take(easypost(*listed, status="delivered"))) == []


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(listed=st.permutations(SCANS), status=st.sampled_from(["delivered", "in_transit", "pre_transit"]))
def test_m60_the_order_of_the_list_changes_nothing(take, listed, status):
    def told(scans):
        table = take(easypost(*scans, status=status))
        order = next(fact.value for fact in table.facts if fact.name == "order_by_time")
        return order, [found.value for found in table.findings if found.code == "status_contradiction"]

    assert told(listed) == told(SCANS)


def test_m60_an_event_after_its_own_report(take):
    table = take(easypost(*SCANS, status="delivered", updated="2026-08-21T12:00:00Z"))
    assert codes(table) == ["event_after_report"]
    assert "event 3 of 9400 (Done) is dated 2026-08-22T08:00:00Z" in table.findings[0].message
    assert set(table.frame["created_at"]) == {"2026-08-21T12:00:00Z"}  # so that the warehouse sees it too


@pytest.mark.parametrize(
    ("status", "scans", "lower"),
    [
        ("delivered", SCANS[:2], "in_transit"),
        ("in_transit", SCANS, "in_transit"),
        ("pre_transit", SCANS, "booked"),
        ("delivered", SCANS, None),
        ("unknown", SCANS, None),
    ],
)
def test_m59_the_lower_state_stands(take, status, scans, lower):
    found = [each for each in take(easypost(*scans, status=status)).findings if each.code == "status_contradiction"]
    assert [each.value for each in found] == ([lower] if lower else [])


def test_a_webhook_and_a_list_of_trackers(take):
    table = take({"description": "tracker.updated", "result": easypost(*SCANS, status="delivered")})
    assert (table.format, table.ledger.data) == ("easypost", 3)
    assert table.frame.select("shipment", "carrier", "place").row(0) == ("9400", "USPS", "Reno, NV")
    two = {"trackers": [easypost(*SCANS), easypost(*SCANS) | {"tracking_code": "9401"}]}
    table = take(two)
    assert table.frame["_sheet"].to_list() == ["9400"] * 3 + ["9401"] * 3
    assert table.frame["event_id"].n_unique() == 6


def test_an_entry_that_is_no_event_is_counted_and_told(take):
    document = easypost(*SCANS, status="delivered")
    document["tracking_details"] += [None, "lost"]
    table = take(document)
    assert (table.ledger.lines, table.ledger.data, table.ledger.other) == (5, 3, 2)
    assert [(found.code, found.value) for found in table.findings] == [("records_unused", "2")]


def test_an_estimate_is_an_event_of_its_own(take):
    frame = take(easypost(*SCANS) | {"est_delivery_date": "2026-08-23T00:00:00Z"}).frame
    assert frame.select("type", "classifier").row(3) == ("estimated delivery", "estimated")


UPS = {
    "trackResponse": {
        "shipment": [
            {
                "inquiryNumber": "1Z1",
                "package": [
                    {
                        "trackingNumber": "1Z1",
                        "currentStatus": {"code": "I", "description": "DELIVERED "},
                        "activity": [
                            {
                                "date": "20260822",
                                "time": "101500",
                                "gmtDate": "20260822",
                                "gmtTime": "15:15:00",
                                "status": {"type": "D", "code": "F4", "description": "DELIVERED "},
                                "location": {"address": {"city": "RENO", "stateProvince": "NV", "countryCode": "US"}},
                            },
                            {
                                "date": "20260820",
                                "time": "090000",
                                "status": {"type": "P", "description": "Pickup Scan"},
                            },
                        ],
                    }
                ],
            }
        ]
    }
}


def test_m59_m35_ups(take):
    table = take(UPS)
    assert table.frame.select("shipment", "type", "event_at", "place", "state").rows() == [
        ("1Z1", "DELIVERED", "2026-08-22T15:15:00Z", "RENO, NV, US", "delivered"),
        ("1Z1", "Pickup Scan", "2026-08-20T09:00:00", None, "shipped"),  # no zone given, none invented
    ]
    assert codes(table) == ["status_contradiction"]  # code I, text DELIVERED
    assert "I / DELIVERED" in table.findings[0].message


def test_ups_in_its_older_spelling(take):
    activity = {"ActivityLocation": {}, "Status": {"Type": "D", "Description": "Delivered"}, "Date": "20260822"}
    old = {"TrackResponse": {"Shipment": {"Package": {"TrackingNumber": "1Z2", "Activity": activity}}}}
    assert take(old).frame.select("shipment", "event_at").rows() == [("1Z2", "2026-08-22")]


FEDEX = {
    "output": {
        "completeTrackResults": [
            {
                "trackingNumber": "123456789012",
                "trackResults": [
                    {
                        "latestStatusDetail": {"code": "DL", "derivedCode": "IT", "statusByLocale": "In transit"},
                        "dateAndTimes": [{"type": "ESTIMATED_DELIVERY", "dateTime": "2026-08-25T00:00:00"}],
                        "scanEvents": [
                            {
                                "date": "2026-08-22T12:01:00-07:00",
                                "eventType": "IT",
                                "eventDescription": "In transit",
                                "derivedStatusCode": "IT",
                                "scanLocation": {"city": "RENO", "stateOrProvinceCode": "NV", "countryCode": "US"},
                            }
                        ],
                    }
                ],
            }
        ]
    }
}


def test_m59_fedex(take):
    table = take(FEDEX)
    assert table.format == "fedex"
    assert table.frame.select("shipment", "event_at", "classifier", "state").rows() == [
        ("123456789012", "2026-08-22T12:01:00-07:00", "actual", "in_transit"),
        ("123456789012", "2026-08-25T00:00:00", "estimated", None),
    ]
    assert [found.value for found in table.findings] == ["in_transit"]


def test_m36_dhl_numbers_are_text(take):
    status = {"timestamp": "2026-08-22T10:00:00", "statusCode": "delivered", "status": "DELIVERED"}
    events = [status, {"timestamp": "2026-08-21T10:00:00+02:00", "statusCode": "transit", "description": "On the way"}]
    shipment = {"id": 7777777770, "status": status, "events": events}
    table = take({"shipments": [shipment]})
    assert (table.format, set(table.frame["shipment"])) == ("dhl", {"7777777770"})
    assert table.frame["event_at"].to_list() == ["2026-08-22T10:00:00", "2026-08-21T10:00:00+02:00"]


def test_m59_a_code_against_its_own_word(take):
    status = {"timestamp": "2026-08-22T10:00:00Z", "statusCode": "pre-transit", "status": "DELIVERED "}
    table = take({"shipments": [{"id": "1", "status": status, "events": [status]}]})
    assert table.frame["state"].to_list() == ["booked"]
    assert [(found.code, found.row, found.value) for found in table.findings] == [
        ("status_contradiction", 1, "booked"),
        ("status_contradiction", 1, "booked"),
    ]
    assert "the status says pre-transit / DELIVERED" in table.findings[0].message
    assert "event 1 of 1 says pre-transit / DELIVERED" in table.findings[1].message


def test_m59_a_delivery_date_against_the_status(take):
    held = FEDEX["output"]["completeTrackResults"][0]["trackResults"][0]
    latest = {"code": "IT", "derivedCode": "IT", "statusByLocale": "In transit"}
    dates = [{"type": "ACTUAL_DELIVERY", "dateTime": "2026-08-22T12:00:00-07:00"}]
    result = held | {"latestStatusDetail": latest, "dateAndTimes": dates}
    table = take({"output": {"completeTrackResults": [{"trackingNumber": "1", "trackResults": [result]}]}})
    assert codes(table) == ["status_contradiction"]
    assert "ACTUAL_DELIVERY" in table.findings[0].message


def test_another_dataset_is_refused(take):
    from expectations.contract import load_contracts
    from turnup.formats.model import Request
    from turnup.formats.tracking.events import Found, table

    with pytest.raises(FileRejected, match="feed logistics_events, not shipments"):
        table(Request(None, None, load_contracts()["shipments"]), "dhl", Found())
