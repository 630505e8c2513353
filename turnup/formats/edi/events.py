"""Status messages: X12 214 and EDIFACT IFTSTA, to events of tracking and tracing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnup.formats.edi.envelope import Message
from turnup.formats.edi.orders import Row
from turnup.formats.edi.parts import edifact_references, groups
from turnup.formats.edi.segments import Segment
from turnup.formats.edi.values import dated, instant

_X12_STATUS: dict[str, tuple[str, str]] = {
    "AF": ("departed pick-up", "shipped"),
    "CP": ("loaded", "shipped"),
    "X3": ("arrived at pick-up", "booked"),
    "XB": ("shipment acknowledged", "booked"),
    "P1": ("departed terminal", "in_transit"),
    "X4": ("arrived at terminal", "in_transit"),
    "X6": ("on the way", "in_transit"),
    "X1": ("arrived at delivery", "in_transit"),
    "X2": ("estimated delivery", "in_transit"),
    "AG": ("estimated delivery", "in_transit"),
    "OA": ("out for delivery", "in_transit"),
    "CD": ("departed delivery", "delivered"),
    "D1": ("delivered", "delivered"),
    "SD": ("shipment delayed", "exception"),
    "A7": ("refused by consignee", "exception"),
    "A9": ("shipment damaged", "exception"),
    "AP": ("delivery not completed", "exception"),
    "CA": ("cancelled", "cancelled"),
}
_X12_APPOINTMENTS = {"AA": "pick-up appointment", "AB": "delivery appointment", "X9": "delivery appointment"}
_X12_ESTIMATES = {"AG", "X2"}


def status_events(message: Message) -> Iterator[Row]:
    """The events of a 214: one row per AT7, with the place that follows it."""
    begin = message.first("B10")
    shipment = (begin.text(2) or begin.text(1)) if begin else None
    for segment, *following in groups(message.segments, "AT7", until=("SE",))[1]:
        code, planned = segment.text(1), segment.text(3)
        name, state = _X12_STATUS.get(code or "", (code, None))
        estimate = code in _X12_ESTIMATES
        if code is None and planned is not None:
            name = _X12_APPOINTMENTS.get(planned, planned)
        at = instant(segment.text(5), segment.text(6), segment.text(7))
        place = _place(following)
        yield {
            "event_id": "/".join(text or "-" for text in (shipment, code or planned, at, place)),
            "shipment": shipment,
            "type": name,
            "state": None if estimate or code is None else state,
            "place": place,
            "carrier": begin.text(3) if begin else None,
            "classifier": "planned" if code is None else "estimated" if estimate else "actual",
            "event_at": at,
            "_row": segment.number,
        }


def _place(following: Sequence[Segment]) -> str | None:
    """City, state and country of the MS1 segment before the next status."""
    for segment in following:
        if segment.tag == "LX":
            return None
        if segment.tag == "MS1":
            return ", ".join(text for text in map(segment.text, (1, 2, 3)) if text) or None
    return None


_EDIFACT_STATUS: dict[str, tuple[str, str]] = {
    "1": ("arrived", "in_transit"),
    "13": ("collected", "shipped"),
    "21": ("delivered", "delivered"),
    "24": ("departed", "shipped"),
    "31": ("in transit", "in_transit"),
    "48": ("loaded", "shipped"),
    "82": ("unloaded", "in_transit"),
    "23": ("delivery not completed", "exception"),
}
_EDIFACT_TIMES = (("334", "actual"), ("7", "actual"), ("178", "actual"), ("136", "actual"), ("35", "actual"),
                  ("132", "estimated"), ("133", "estimated"), ("17", "estimated"), ("2", "planned"))  # fmt: skip


def transport_events(message: Message) -> Iterator[Row]:
    """The events of an IFTSTA: one row per STS, in the consignment (CNI) that it stands in."""
    _, consignments = groups(message.segments, "CNI", until=("UNT",))
    for consignment in consignments or [list(message.segments)]:
        head, events = groups(consignment, "STS", until=("CNT", "UNT"))
        named = edifact_references(head)
        first = next((named[code].text(1, 2) for code in ("CN", "BM", "AAM", "AAS") if code in named), None)
        shipment = first or (consignment[0].text(2) if consignment[0].tag == "CNI" else None)
        for event in events:
            yield _transport_event(shipment, event)


def _transport_event(shipment: str | None, event: Sequence[Segment]) -> Row:
    code = event[0].text(2)
    name, state = _EDIFACT_STATUS.get(code or "", (code, None))
    moments = {s.text(1, 1) or "": dated(s.text(1, 2), s.text(1, 3)) for s in event if s.tag == "DTM"}
    at, classifier = next(((moments[key], kind) for key, kind in _EDIFACT_TIMES if key in moments), (None, "actual"))
    location = next((s for s in event if s.tag == "LOC"), None)
    place = (location.text(2, 1) or location.text(2, 4)) if location else None
    return {
        "event_id": "/".join(text or "-" for text in (shipment, code, at, place)),
        "shipment": shipment,
        "type": name,
        "state": state if classifier == "actual" else None,
        "place": place,
        "classifier": classifier,
        "event_at": at,
        "_row": event[0].number,
    }
