"""Status messages: planned, estimated and actual events, instants with the zone that was written (M35)."""

import pytest

from tests.formats.edi.written import STATUS, edifact, x12
from turnup.formats.edi.values import dated, day, instant


def test_m35_events_of_a_214_keep_their_zone(take):
    frame = take(x12("214", STATUS), "logistics_events").frame
    assert frame.select("type", "classifier", "event_at", "place", "state").rows() == [
        ("departed pick-up", "actual", "2026-08-20T14:05:00-05:00", "Chicago, IL, US", "shipped"),
        ("estimated delivery", "estimated", "2026-08-30T12:00:00-04:00", None, None),
        ("delivery appointment", "planned", "2026-08-30T09:00:00Z", "Dallas, TX, US", None),
        ("delivered", "actual", "2026-08-31T10:15:00", None, "delivered"),  # local time: no zone is invented
    ]
    assert set(frame["shipment"]) == {"ASN-10457"}
    assert frame["event_id"].n_unique() == 4


def test_events_of_an_iftsta(take):
    body = (
        "BGM+77+S-1+9", "DTM+137:202608201500:203", "CNI+1+AWB-1", "RFF+CN:ASN-10457", "STS+1+21",
        "DTM+334:202608311015?+02:303", "LOC+5+DEHAM:139:6:Hamburg", "STS+1+24", "DTM+132:20260901:102",
    )  # fmt: skip
    frame = take(edifact("IFTSTA", body), "logistics_events").frame
    assert frame.select("shipment", "type", "classifier", "event_at", "place").rows() == [
        ("ASN-10457", "delivered", "actual", "2026-08-31T10:15:00+02:00", "DEHAM"),
        ("ASN-10457", "departed", "estimated", "2026-09-01", None),
    ]


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("CT", "-06:00"), ("CD", "-05:00"), ("05", "+05:00"), ("24", "-01:00"), ("13", "-12:00"), ("LT", ""), (None, "")],
)
def test_zone_codes_in_winter(zone, expected):
    assert instant("20260115", "0800", zone) == f"2026-01-15T08:00:00{expected}"


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("20260918", "102", "2026-09-18"),
        ("260918", "101", "2026-09-18"),
        ("180926", "2", "2026-09-18"),
        ("202638", "616", "2026-W38"),
        ("202609", "610", "2026-09"),
        ("202608201405", "203", "2026-08-20T14:05:00"),
        ("20260820140559", "204", "2026-08-20T14:05:59"),
        ("202608201405UTC", "303", "2026-08-20T14:05:00Z"),
        ("soon", "102", "soon"),
    ],
)
def test_dates_of_a_dtm(value, form, expected):
    assert dated(value, form) == expected


def test_years_of_two_digits():
    assert [day("680101"), day("690101"), day("2026")] == ["2068-01-01", "1969-01-01", "2026"]
