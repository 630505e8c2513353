"""DCSA Track and Trace: flat events (2.2), events of metadata and payload (3.0 beta), events with details (3.0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnup.formats.content import Content, cell_text
from turnup.formats.model import Fact, FileRejected, RawTable, Rejected, Request
from turnup.formats.tracking.events import LONGEST_DELAY, Event, Found, counted, moment, refusal, table

Record = Mapping[str, Any]
_MARKS = ("eventDateTime", "eventCreatedDateTime", "eventClassifierCode", "eventClassification")
_CLASSIFIERS = {"PLN": "planned", "EST": "estimated", "ACT": "actual"}
_KINDS = ("transportEventTypeCode", "equipmentEventTypeCode", "shipmentEventTypeCode", "iotEventTypeCode")
_NAMES: dict[str, tuple[str, str | None]] = {
    "ARRI": ("arrived", "in_transit"),
    "DEPA": ("departed", "in_transit"),
    "LOAD": ("loaded", "in_transit"),
    "DISC": ("discharged", "in_transit"),
    "GTIN": ("gate in", "in_transit"),
    "GTOT": ("gate out", "in_transit"),
    "PICK": ("picked up", "shipped"),
    "DROP": ("dropped off", "in_transit"),
    "AVPU": ("available for pick-up", "in_transit"),
    "AVDO": ("available for drop-off", "in_transit"),
    "STUF": ("stuffed", "booked"),
    "STRP": ("stripped", "in_transit"),
    "CUSS": ("selected by customs", "customs"),
    "CUSI": ("inspected by customs", "customs"),
    "CUSR": ("released by customs", "in_transit"),
    "HOLD": ("on hold", "exception"),
    "CONF": ("booking confirmed", "booked"),
    "DRFT": ("document drafted", None),
    "ISSU": ("document issued", None),
    "RECE": ("document received", None),
    "SURR": ("document surrendered", None),
    "REJE": ("document rejected", None),
    "APPR": ("document approved", None),
    "VOID": ("document void", None),
}
_DOCUMENTS = ("TRD", "CBR", "BKG", "SHI")


def records_of(document: Any) -> list[Any] | None:
    """The events of a document, or None when it is not DCSA's."""
    held = document.get("events") if isinstance(document, dict) and "events" in document else document
    records = held if isinstance(held, list) else [held] if isinstance(held, dict) else []
    likely = [record for record in records if isinstance(record, dict) and _is_event(record)]
    return records if likely and 2 * len(likely) >= len(records) else None


def _is_event(record: Record) -> bool:
    parts = (record, record.get("metadata"), record.get("payload"))
    names = {name for part in parts if isinstance(part, dict) for name in part}
    return len(names & {*_MARKS, *_KINDS, "eventTypeCode", "eventUpdatedDateTime", "retractedEventID"}) >= 2


def is_dcsa(content: Content) -> bool:
    """Whether a file holds events in one of the shapes of DCSA."""
    return content.looks_like_json and "event" in content.head_text and records_of(content.json) is not None


def parse_dcsa(request: Request) -> RawTable:
    """Read the events; one that contradicts its own report, or lacks its instants, is refused.

    Raises:
        FileRejected: ``tracking`` when the document holds no such events, or another dataset is wanted.
    """
    records = records_of(request.content.document.value)
    if records is None:
        raise FileRejected("tracking", "no events of DCSA Track and Trace in this document", expected="DCSA events")
    found = Found()
    for number, record in enumerate(records, start=1):
        _take(number, record, found)
    kinds = [_kind(_flat(record)) for record in records if isinstance(record, dict)]
    found.facts.append(Fact("event_types", counted(kinds)))
    return table(request, "dcsa", found)


def _take(number: int, record: Any, found: Found) -> None:
    if not isinstance(record, dict):
        event = Event(number, record, None, None, None, None)
        found.rejected.append(
            refusal(event, "record", "event", None, "an object", "is not an object with named fields")
        )
        return
    event = _event(number, record)
    refused = _refused(event, record)
    if refused is None:
        found.events.append(event)
    else:
        found.rejected.append(refused)


def _flat(record: Record) -> dict[str, Any]:
    """One level: metadata, payload and details of 3.0 beside the fields of the event itself."""
    flat: dict[str, Any] = {}
    for name in ("metadata", "payload", "shipmentDetails", "transportDetails", "equipmentDetails", "iotDetails"):
        part = record.get(name)
        if isinstance(part, dict):
            flat |= _flat(part) if name == "payload" else part
    flat |= {name: value for name, value in record.items() if name not in ("metadata", "payload")}
    for name in ("eventClassification", "eventDateTime"):
        part = flat.get(name)
        if isinstance(part, dict):
            flat["eventClassifierCode"] = part.get("classifier") or part.get("eventClassifierCode")
            flat["eventDateTime"] = part.get("value") or part.get("eventDateTime") or part.get("dateTime")
        elif name == "eventClassification" and isinstance(part, str):
            flat.setdefault("eventClassifierCode", part)
    return flat


def _kind(flat: Record) -> str:
    named = flat.get("eventType") or flat.get("eventTypeCode")
    code = next((name for name in _KINDS if flat.get(name)), "")
    return cell_text(named) or code.removesuffix("EventTypeCode").upper() or "(none)"


def _event(number: int, record: Record) -> Event:
    flat = _flat(record)
    code = cell_text(next((flat[name] for name in _KINDS if flat.get(name)), None))
    name, state = _NAMES.get(code or "", (code, None))
    classifier = cell_text(flat.get("eventClassifierCode"))
    created = cell_text(flat.get("eventUpdatedDateTime") or flat.get("eventCreatedDateTime"))
    at = cell_text(flat.get("eventDateTime"))
    taken_back = cell_text(flat.get("retractedEventID"))
    retraction = taken_back is not None and at is None
    actual = classifier == "ACT" and flat.get("emptyIndicatorCode") != "EMPTY"
    return Event(
        number,
        record,
        shipment=_shipment(flat),
        type="retracted" if retraction else name or _kind(flat).lower(),
        classifier="actual" if retraction else _CLASSIFIERS.get(classifier or "", classifier),
        event_at=created if retraction else at,
        created_at=created,
        event_id=cell_text(flat.get("eventID")),
        place=_place(flat),
        state=state if actual else None,
        carrier=_carrier(flat),
        replaces=taken_back,
        retracted=retraction or cell_text(flat.get("isRetracted")) == "true",
    )


def _shipment(flat: Record) -> str | None:
    """The transport document, else the booking, the shipping instruction, any other document, or the container."""
    found: dict[str, str] = {}
    held = flat.get("documentReferences") or flat.get("documentReference") or []
    for each in held if isinstance(held, list) else [held]:
        if isinstance(each, dict):
            kind = cell_text(each.get("documentReferenceType") or each.get("typeCode") or each.get("type")) or ""
            value = cell_text(each.get("documentReferenceValue") or each.get("reference") or each.get("value"))
            if value:
                found.setdefault(kind, value)
    own = cell_text(flat.get("documentID"))
    if own:
        found.setdefault(cell_text(flat.get("documentTypeCode")) or "", own)
    chosen = next((found[kind] for kind in _DOCUMENTS if kind in found), None)
    return chosen or next(iter(found.values()), None) or cell_text(flat.get("equipmentReference"))


def _place(flat: Record) -> str | None:
    call = flat.get("transportCall")
    spots = [flat.get("eventLocation"), flat.get("location"), call]
    spots += [call.get("location")] if isinstance(call, dict) else []
    held = [spot for spot in spots if isinstance(spot, dict)]
    named = [spot.get(name) for name in ("UNLocationCode", "locationName", "otherFacility") for spot in held]
    return next((text for value in named if (text := cell_text(value))), None)


def _carrier(flat: Record) -> str | None:
    call = flat.get("transportCall")
    vessel = call.get("vessel") if isinstance(call, dict) else None
    return cell_text(vessel.get("vesselOperatorCarrierCode")) if isinstance(vessel, dict) else None


def _refused(event: Event, record: Record) -> Rejected | None:
    """Why an event cannot be used: DCSA demands both instants, with date, time and offset (RFC 3339)."""
    flat = _flat(record)
    created_name = "eventUpdatedDateTime" if flat.get("eventUpdatedDateTime") else "eventCreatedDateTime"
    instants = ((created_name, event.created_at), ("eventDateTime", event.event_at))
    for name, text in instants:
        if text is None:
            return refusal(event, "required", name, None, "an instant", f"{name} is missing")
        if moment(text) is None:
            told = f"{name} '{text}' is no instant with date, time and offset"
            return refusal(event, "instant", name, text, "an instant such as 2026-08-22T14:05:00+01:00", told)
    if event.classifier not in _CLASSIFIERS.values():
        told = f"the classifier '{event.classifier or ''}' is none of PLN, EST, ACT"
        return refusal(event, "enum", "eventClassifierCode", event.classifier, "PLN, EST or ACT", told)
    return _contradiction(event, created_name)


def _contradiction(event: Event, created_name: str) -> Rejected | None:
    at, created = moment(event.event_at), moment(event.created_at)
    if at is None or created is None or event.classifier != "actual":
        return None
    if created < at:
        told = f"an actual event of {event.event_at} was reported at {event.created_at}, before it happened"
        return refusal(event, "reported_before", created_name, event.created_at, f"{event.event_at} or later", told)
    if created - at > LONGEST_DELAY:
        told = f"an event of {event.event_at} is said to be reported at {event.created_at}, more than ten years later"
        expected = "a report within ten years of the event"
        return refusal(event, "reported_too_late", created_name, event.created_at, expected, told)
    return None
