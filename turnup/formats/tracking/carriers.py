"""Answers and notices of carriers: EasyPost, UPS, FedEx, DHL, in one shape: a tracker with a status and its events.

A tracker's status is a claim; it is compared with its own events, taken in the order of their times and not of the
list. Tracking numbers are text, also where the document writes them as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from turnup.formats.content import Content, cell_text
from turnup.formats.model import Fact, FileRejected, Finding, RawTable, Request
from turnup.formats.tracking.events import Event, Found, moment, places_of, table

Record = Mapping[str, Any]

STATES: Mapping[str, str] = {
    "pre_transit": "booked", "pre-transit": "booked", "unknown": "", "in_transit": "in_transit",
    "transit": "in_transit",
    "out_for_delivery": "in_transit", "available_for_pickup": "in_transit", "delivered": "delivered",
    "return_to_sender": "exception", "failure": "exception", "error": "exception", "cancelled": "cancelled",
    "m": "booked", "mv": "cancelled", "p": "shipped", "i": "in_transit", "o": "in_transit", "d": "delivered",
    "x": "exception", "rs": "exception", "oc": "booked", "pu": "shipped", "it": "in_transit", "dp": "in_transit",
    "ar": "in_transit", "od": "in_transit", "dl": "delivered", "de": "exception", "se": "exception",
    "ca": "cancelled", "cd": "customs",
    "del": "delivered", "actual_delivery": "delivered", "picked up": "shipped", "in transit": "in_transit",
    "out for delivery": "in_transit", "label created": "booked", "exception": "exception", "on the way": "in_transit",
}  # fmt: skip
"""Status codes and words of the carriers, lower case, to the states of a shipment."""
STEPS: Mapping[str, int] = {
    "cancelled": 0, "planned": 1, "booked": 1, "shipped": 2, "customs": 2, "exception": 2, "in_transit": 2,
    "delivered": 3,
}  # fmt: skip
"""How far a state is: not left, moving, delivered. Of states of different steps the lower stands."""


@dataclass(frozen=True)
class Tracker:
    """One tracked shipment as its carrier tells of it."""

    number: str | None
    carrier: str
    claims: tuple[str, ...]
    updated_at: str | None
    events: tuple[Event, ...]
    others: int = 0


def state_of(*told: str | None) -> str | None:
    """The lowest state that the known codes and words mean; an unknown status means none."""
    known = [state for text in told if (state := STATES.get((text or "").strip().lower()))]
    return min(known, key=lambda state: STEPS[state], default=None)


def _split(words: tuple[str, ...]) -> bool:
    """Whether codes and words mean states of different steps."""
    return len({STEPS[state] for text in words if (state := state_of(text))}) > 1


def _dicts(value: Any) -> list[Record]:
    """A list of objects, or the one object that stands in its place."""
    held = value if isinstance(value, list) else [value]
    return [each for each in held if isinstance(each, dict)]


def _unusable(value: Any) -> int:
    """How many entries of a list of events are no objects."""
    return sum(not isinstance(each, dict) for each in value) if isinstance(value, list) else 0


def _object(value: Any) -> Record:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return (cell_text(value) or "").strip() or None


def _easypost(document: Any) -> Iterator[Tracker]:
    result = _object(_object(document).get("result")) or _object(document)
    for held in _dicts(result.get("trackers")) or [result]:
        number, updated = _text(held.get("tracking_code")), _text(held.get("updated_at"))
        carrier = _text(held.get("carrier")) or "EasyPost"
        events = [_easypost_event(place, each) for place, each in enumerate(_dicts(held.get("tracking_details")), 1)]
        estimate = _text(held.get("est_delivery_date"))
        if estimate:
            given = {"est_delivery_date": estimate}
            events.append(Event(len(events) + 1, given, None, "estimated delivery", "estimated", estimate))
        others = _unusable(held.get("tracking_details"))
        yield Tracker(number, carrier, _claims(held.get("status")), updated, tuple(events), others)


def _easypost_event(number: int, detail: Record) -> Event:
    spot = _object(detail.get("tracking_location"))
    return Event(
        number,
        detail,
        None,
        type=_text(detail.get("message")) or _text(detail.get("status")),
        classifier="actual",
        event_at=_text(detail.get("datetime")),
        place=places_of(spot.get("city"), spot.get("state"), spot.get("country")),
        state=state_of(_text(detail.get("status"))),
        words=_claims(detail.get("status"), detail.get("message")),
    )


def _ups(document: Any) -> Iterator[Tracker]:
    response = _object(document).get("trackResponse") or _object(document).get("TrackResponse")
    for shipment in _dicts(_either(_object(response), "shipment")):
        for package in _dicts(_either(shipment, "package")):
            activities = _dicts(_either(package, "activity"))
            events = tuple(_ups_event(place, each) for place, each in enumerate(activities, 1))
            current = _object(package.get("currentStatus"))
            days = [day for day in _dicts(_either(package, "deliveryDate")) if _text(_either(day, "date"))]
            claims = _claims(
                current.get("code"),
                current.get("description"),
                *(_either(day, "type") for day in days if _text(_either(day, "type")) == "DEL"),
            )
            number = _text(_either(package, "trackingNumber")) or _text(_either(shipment, "inquiryNumber"))
            yield Tracker(number, "UPS", claims, None, events, _unusable(_either(package, "activity")))


def _either(record: Record, name: str) -> Any:
    """A field in the spelling of the newer or the older interface."""
    return record.get(name, record.get(name[:1].upper() + name[1:]))


def _ups_event(number: int, activity: Record) -> Event:
    status = _object(_either(activity, "status"))
    kind = status.get("StatusType")
    nested = _object(kind)
    code = _text(status.get("type")) or _text(nested.get("Code"))
    name = _text(status.get("description")) or _text(nested.get("Description"))
    place = _object(_object(_either(activity, "location")).get("address"))
    place = place or _object(_object(_either(activity, "location")).get("Address")) or {}
    greenwich = _stamp(activity.get("gmtDate"), activity.get("gmtTime"))
    local = _stamp(_either(activity, "date"), _either(activity, "time"))
    return Event(
        number,
        activity,
        None,
        type=name or code,
        classifier="actual",
        event_at=f"{greenwich}Z" if greenwich and "T" in greenwich else local,
        place=places_of(
            _either(place, "city"),
            place.get("stateProvince") or place.get("StateProvinceCode"),
            place.get("countryCode") or place.get("country") or place.get("CountryCode"),
        ),
        state=state_of(code, name),
        words=_claims(code, name),
    )


def _stamp(day: Any, time: Any) -> str | None:
    """``YYYYMMDD`` (or an ISO day) and ``HHMMSS`` (or ``HH:MM:SS``) as local time, or the day alone."""
    digits, clock = re.sub(r"\D", "", _text(day) or ""), re.sub(r"\D", "", _text(time) or "")
    if len(digits) != 8:
        return _text(day)
    on = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return f"{on}T{clock[:2]}:{clock[2:4]}:{clock[4:] or '00'}" if len(clock) in (4, 6) else on


def _fedex(document: Any) -> Iterator[Tracker]:
    for complete in _dicts(_object(_object(document).get("output")).get("completeTrackResults")):
        for result in _dicts(complete.get("trackResults")):
            latest = _object(result.get("latestStatusDetail"))
            scans = _dicts(result.get("scanEvents"))
            events = [_fedex_event(place, scan) for place, scan in enumerate(scans, 1)]
            for moment_of in _dicts(result.get("dateAndTimes")):
                if _text(moment_of.get("type")) == "ESTIMATED_DELIVERY":
                    at = _text(moment_of.get("dateTime"))
                    events.append(Event(len(events) + 1, moment_of, None, "estimated delivery", "estimated", at))
            number = _text(complete.get("trackingNumber"))
            kinds = [_text(each.get("type")) for each in _dicts(result.get("dateAndTimes")) if each.get("dateTime")]
            claims = _claims(
                latest.get("code"),
                latest.get("derivedCode"),
                latest.get("statusByLocale"),
                *(kind for kind in kinds if kind == "ACTUAL_DELIVERY"),
            )
            yield Tracker(number, "FedEx", claims, None, tuple(events), _unusable(result.get("scanEvents")))


def _fedex_event(number: int, scan: Record) -> Event:
    spot = _object(scan.get("scanLocation"))
    return Event(
        number,
        scan,
        None,
        type=_text(scan.get("eventDescription")) or _text(scan.get("eventType")),
        classifier="actual",
        event_at=_text(scan.get("date")),
        place=places_of(spot.get("city"), spot.get("stateOrProvinceCode"), spot.get("countryCode")),
        state=state_of(_text(scan.get("derivedStatusCode")), _text(scan.get("eventType"))),
        words=_claims(scan.get("derivedStatusCode"), scan.get("eventType"), scan.get("derivedStatus")),
    )


def _dhl(document: Any) -> Iterator[Tracker]:
    for shipment in _dicts(_object(document).get("shipments")):
        status = _object(shipment.get("status"))
        held = _dicts(shipment.get("events")) or ([status] if status else [])
        events = [_dhl_event(place, each) for place, each in enumerate(held, 1)]
        estimate = _text(shipment.get("estimatedTimeOfDelivery"))
        if estimate:
            given = {"estimatedTimeOfDelivery": estimate}
            events.append(Event(len(events) + 1, given, None, "estimated delivery", "estimated", estimate))
        claims = _claims(status.get("statusCode"), status.get("status"))
        others = _unusable(shipment.get("events"))
        yield Tracker(_text(shipment.get("id")), "DHL", claims, None, tuple(events), others)


def _dhl_event(number: int, record: Record) -> Event:
    spot = _object(_object(record.get("location")).get("address"))
    return Event(
        number,
        record,
        None,
        type=_text(record.get("description")) or _text(record.get("status")) or _text(record.get("statusCode")),
        classifier="actual",
        event_at=_text(record.get("timestamp")),
        place=places_of(spot.get("addressLocality"), spot.get("countryCode")),
        state=state_of(_text(record.get("statusCode")), _text(record.get("status"))),
        words=_claims(record.get("statusCode"), record.get("status")),
    )


def _claims(*values: Any) -> tuple[str, ...]:
    return tuple(text for value in values if (text := _text(value)))


CARRIERS = ("easypost", "ups", "fedex", "dhl")
_SHAPES: tuple[tuple[str, tuple[str, ...], Callable[[Any], Iterator[Tracker]]], ...] = (
    ("easypost", ("tracking_details",), _easypost),
    ("ups", ("trackResponse", "TrackResponse"), _ups),
    ("fedex", ("completeTrackResults",), _fedex),
    ("dhl", ("shipments",), _dhl),
)


def shape_of(document: Any) -> tuple[str, list[Tracker]] | None:
    """Whose document it is and its trackers, or None when it is no carrier's."""
    if not isinstance(document, dict):
        return None
    inner = [document, _object(document.get("result")), _object(document.get("output"))]
    names = {name for part in inner for name in part}
    names |= {name for part in inner for each in _dicts(part.get("trackers")) for name in each}
    for name, marks, reader in _SHAPES:
        if names & set(marks):
            trackers = list(reader(document))
            if any(tracker.events for tracker in trackers):
                return name, trackers
    return None


def claims_as(name: str) -> Callable[[Content], bool]:
    """A test whether a file is a tracking document of one carrier's shape."""

    def claims(content: Content) -> bool:
        if not content.looks_like_object:
            return False
        marked = "track" in content.head_text.lower() or '"statusCode"' in content.head_text
        shape = shape_of(content.json) if marked else None
        return shape is not None and shape[0] == name

    return claims


def parse_carrier(request: Request) -> RawTable:
    """Read the events of all trackers of a document.

    Raises:
        FileRejected: ``tracking`` when the document holds none.
    """
    shape = shape_of(request.content.document.value)
    if shape is None:
        raise FileRejected("tracking", "no tracked shipment with events in this document", expected="a tracker")
    name, trackers = shape
    found = Found()
    for tracker in trackers:
        _take(tracker, found, several=len(trackers) > 1)
    return table(request, name, found)


def _take(tracker: Tracker, found: Found, *, several: bool) -> None:
    group = tracker.number if several else None
    events = [
        replace(each, shipment=tracker.number, carrier=tracker.carrier, created_at=tracker.updated_at, group=group)
        for each in tracker.events
    ]
    found.events += events
    found.others += tracker.others
    if tracker.others:
        told = f"{tracker.others} entries in the events of {tracker.number} are no objects; nothing is known of them"
        found.findings.append(Finding("records_unused", "error", None, None, str(tracker.others), told))
    actual = [event for event in events if event.classifier == "actual"]
    by_time = sorted((event for event in actual if moment(event.event_at)), key=_when)
    found.facts.append(Fact("details", len(actual), "events", tracker.number or ""))
    found.facts.append(Fact("claimed_status", tracker.claims, note=tracker.number or ""))
    found.facts.append(Fact("order_by_time", tuple(event.type or "" for event in by_time)))
    found.findings += [*_late(tracker, actual), *_order(tracker, actual), *_contradictions(tracker, by_time)]


def _when(event: Event) -> tuple[float, int]:
    at = moment(event.event_at)
    return (at.timestamp() if at else 0.0, event.number)


def _late(tracker: Tracker, events: list[Event]) -> Iterator[Finding]:
    """Actual events that their own report could not have known of."""
    updated = moment(tracker.updated_at)
    for event in events:
        at = moment(event.event_at)
        if updated is not None and at is not None and at > updated:
            told = (
                f"event {event.number} of {tracker.number} ({event.type}) is dated {event.event_at}, after the report "
                f"that tells it ({tracker.updated_at})"
            )
            yield Finding("event_after_report", "error", event.number, "event_at", event.event_at, told)


def _order(tracker: Tracker, events: list[Event]) -> Iterator[Finding]:
    """Lists run forwards or backwards in time; one that does neither is told."""
    times = [at.timestamp() for event in events if (at := moment(event.event_at))]
    if times != sorted(times) and times != sorted(times, reverse=True):
        told = f"the events of {tracker.number} are not listed in the order of their times; they are taken by time"
        yield Finding("events_out_of_order", "warning", None, "event_at", None, told)


def _contradictions(tracker: Tracker, by_time: list[Event]) -> Iterator[Finding]:
    """The status codes, words and dates of a tracker against each other and against its last event by time."""
    last = next((event for event in reversed(by_time) if event.state), None)
    claimed = [state for text in tracker.claims if (state := state_of(text))]
    seen = {*claimed, last.state} if last and last.state else {*claimed}
    if len({STEPS[state] for state in seen}) > 1:
        lower = min(sorted(seen), key=lambda state: STEPS[state])
        ending = f", its last event by time ({last.type}, {last.event_at}) says {last.state}" if last else ""
        told = (
            f"{tracker.number}: the status says {' / '.join(tracker.claims) or 'nothing'}{ending}; the lower state, "
            f"{lower}, stands"
        )
        yield Finding("status_contradiction", "error", last.number if last else None, "state", lower, told)
    for event in tracker.events:
        if _split(event.words):
            told = (
                f"event {event.number} of {tracker.number} says {' / '.join(event.words)}; the lower state, "
                f"{event.state}, stands"
            )
            yield Finding("status_contradiction", "error", event.number, "state", event.state, told)
