"""DCSA events of every release: classifier, instant with its zone, and reports that cannot be (M35, M60)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FLAT = {
    "eventID": "e-1",
    "eventCreatedDateTime": "2026-08-20T15:00:00Z",
    "eventType": "TRANSPORT",
    "eventClassifierCode": "ACT",
    "eventDateTime": "2026-08-20T14:05:00+01:00",
    "transportEventTypeCode": "DEPA",
    "transportCall": {"UNLocationCode": "NLRTM", "vessel": {"vesselOperatorCarrierCode": "MAEU"}},
    "documentReferences": [
        {"documentReferenceType": "BKG", "documentReferenceValue": "B-1"},
        {"documentReferenceType": "TRD", "documentReferenceValue": "T-1"},
    ],
}
NESTED = {
    "metadata": {"eventID": "e-2", "eventCreatedDateTime": "2026-08-21T08:00:00Z", "eventType": "EQUIPMENT"},
    "payload": {
        "eventClassifierCode": "EST",
        "eventDateTime": "2026-08-25T07:00:00+08:30",
        "equipmentEventTypeCode": "DISC",
        "equipmentReference": "APZU4812090",
        "eventLocation": {"UNLocationCode": "USNYC"},
    },
}
DETAILED = {
    "eventID": "e-3",
    "eventUpdatedDateTime": "2026-08-22T08:00:00Z",
    "eventTypeCode": "SHIPMENT",
    "eventDateTime": {"value": "2026-08-22T07:00:00Z", "classifier": "PLN"},
    "shipmentDetails": {"shipmentEventTypeCode": "CONF", "documentReference": {"typeCode": "CBR", "reference": "B-9"}},
}


def test_the_three_shapes(take):
    frame = take([FLAT, NESTED, DETAILED]).frame
    columns = ("event_id", "shipment", "type", "place", "classifier", "event_at", "created_at", "state", "carrier")
    assert frame.select(columns).rows() == [
        ("e-1", "T-1", "departed", "NLRTM", "actual", "2026-08-20T14:05:00+01:00", "2026-08-20T15:00:00Z",
         "in_transit", "MAEU"),
        ("e-2", "APZU4812090", "discharged", "USNYC", "estimated", "2026-08-25T07:00:00+08:30",
         "2026-08-21T08:00:00Z", None, None),
        ("e-3", "B-9", "booking confirmed", None, "planned", "2026-08-22T07:00:00Z", "2026-08-22T08:00:00Z", None,
         None),
    ]  # fmt: skip


def test_one_event_and_a_wrapped_list(take):
    assert take(FLAT).ledger.data == 1
    assert take({"events": [FLAT, NESTED]}).ledger.data == 2


WRONG = [
    ({"eventCreatedDateTime": None}, "required", "eventCreatedDateTime"),
    ({"eventDateTime": None}, "required", "eventDateTime"),
    ({"eventDateTime": "2026-08-20"}, "instant", "eventDateTime"),
    ({"eventDateTime": "2026-08-20T14:05:00"}, "instant", "eventDateTime"),
    ({"eventDateTime": "2026-02-30T14:05:00Z"}, "instant", "eventDateTime"),
    ({"eventCreatedDateTime": "20 August"}, "instant", "eventCreatedDateTime"),
    ({"eventCreatedDateTime": "2026-08-20T13:04:59Z"}, "reported_before", "eventCreatedDateTime"),
    ({"eventCreatedDateTime": "2099-01-01T00:00:00Z"}, "reported_too_late", "eventCreatedDateTime"),
    ({"eventClassifierCode": "REQ"}, "enum", "eventClassifierCode"),
]


@pytest.mark.parametrize(("changes", "rule", "column"), WRONG)
def test_m60_an_event_that_cannot_be(take, changes, rule, column):
    table = take([FLAT, FLAT | {"eventID": "e-9"} | changes])
    (row,) = table.rejected
    assert (table.ledger.data, row.row, row.rule, row.column) == (1, 2, rule, column)
    assert row.message.startswith("event 2: ")
    assert '"e-9"' in row.given


def test_an_estimate_may_be_told_before_it_comes(take):
    changes = {"eventClassifierCode": "EST", "eventCreatedDateTime": "2026-08-01T00:00:00Z"}
    assert take([FLAT | changes]).ledger.rejected == 0


def test_m60_the_newest_report_of_an_event_stands(take):
    newer = FLAT | {"eventCreatedDateTime": "2026-08-21T15:00:00Z", "eventDateTime": "2026-08-20T16:00:00+01:00"}
    table = take([newer, FLAT])
    assert table.frame["event_at"].to_list() == ["2026-08-20T16:00:00+01:00"]
    assert (table.ledger.other, [found.code for found in table.findings]) == (1, ["superseded_event"])


def test_m60_events_taken_back(take):
    retraction = {"metadata": {"eventID": "e-7", "eventCreatedDateTime": "2026-08-23T08:00:00Z",
                               "eventType": "TRANSPORT", "retractedEventID": "e-1"}, "payload": {}}  # fmt: skip
    rows = take([FLAT, retraction, DETAILED | {"isRetracted": True}]).frame
    assert rows.select("event_id", "replaces", "retracted").rows() == [
        ("e-1", None, None), ("e-7", "e-1", "true"), ("e-3", None, "true")
    ]  # fmt: skip


def test_an_empty_container_is_no_goods(take):
    empty = {"equipmentEventTypeCode": "LOAD", "emptyIndicatorCode": "EMPTY", "equipmentReference": "APZU4812090"}
    base = {name: value for name, value in FLAT.items() if name != "transportEventTypeCode"}
    assert take([base | empty, base | empty | {"eventID": "e-8", "emptyIndicatorCode": "LADEN"}]).frame[
        "state"
    ].to_list() == [None, "in_transit"]


def test_the_same_event_without_an_identifier_is_the_same_event(take):
    bare = {name: value for name, value in FLAT.items() if name != "eventID"}
    first, again = take([bare]).frame["event_id"].item(), take([bare]).frame["event_id"].item()
    assert first == again == "T-1/departed/actual/2026-08-20T14:05:00+01:00/NLRTM"


INSTANTS = st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1))
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=INSTANTS, offset=OFFSETS, delay=st.integers(-1000, 1000))
def test_m35_any_instant_keeps_its_zone(take, at, offset, delay):
    happened = at.replace(microsecond=0, tzinfo=offset)
    told = (happened + timedelta(minutes=delay)).astimezone(UTC)
    table = take([FLAT | {"eventDateTime": happened.isoformat(), "eventCreatedDateTime": told.isoformat()}])
    assert table.frame["event_at"].to_list() == ([happened.isoformat()] if delay >= 0 else [])
    assert table.ledger.rejected == (delay < 0)
