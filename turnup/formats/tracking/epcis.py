"""EPCIS 2.0 documents in JSON: each event of the list with its time, its record time and what corrects it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnup.formats.content import Content, cell_text
from turnup.formats.model import Fact, FileRejected, RawTable, Request
from turnup.formats.tracking.events import Event, Found, counted, moment, refusal, table

Record = Mapping[str, Any]
_STATES = {
    "shipping": "shipped",
    "departing": "shipped",
    "loading": "shipped",
    "in_transit": "in_transit",
    "transporting": "in_transit",
    "arriving": "in_transit",
    "unloading": "in_transit",
    "receiving": "delivered",
    "accepting": "delivered",
    "void_shipping": "cancelled",
}


def events_of(document: Any) -> list[Any] | None:
    """The event list of an EPCIS document, or None when it is none."""
    if not isinstance(document, dict):
        return None
    body = document.get("epcisBody") or document.get("EPCISBody")
    held = body.get("eventList", body.get("EventList")) if isinstance(body, dict) else None
    return held if isinstance(held, list) else None


def is_epcis(content: Content) -> bool:
    """Whether a file is an EPCIS document."""
    return content.looks_like_object and "epcis" in content.head_text.lower() and events_of(content.json) is not None


def parse_epcis(request: Request) -> RawTable:
    """Read the events; an error declaration takes its event back, and its corrective events stand for themselves.

    Raises:
        FileRejected: ``tracking`` when the document has no event list.
    """
    records = events_of(request.content.document.value)
    if records is None:
        raise FileRejected("tracking", "no eventList in this document", expected="an EPCIS document")
    found = Found()
    for number, record in enumerate(records, start=1):
        event = _event(number, record if isinstance(record, dict) else {})
        if moment(event.event_at) is None:
            told = f"eventTime '{event.event_at or ''}' is no instant with date, time and offset"
            expected = "an instant such as 2026-08-22T14:05:00+01:00"
            found.rejected.append(refusal(event, "instant", "eventTime", event.event_at, expected, told))
        else:
            found.events.append(event)
    corrected = sum(1 for event in found.events if event.retracted)
    found.facts.append(Fact("event_types", counted(cell_text(r.get("type")) for r in records if isinstance(r, dict))))
    found.facts.append(Fact("error_declarations", corrected, "events"))
    return table(request, "epcis", found)


def _event(number: int, record: Record) -> Event:
    declared = record.get("errorDeclaration")
    step = (cell_text(record.get("bizStep")) or "").rsplit(":", 1)[-1].rsplit("/", 1)[-1].removeprefix("BizStep-")
    place = record.get("readPoint") or record.get("bizLocation")
    created = cell_text(record.get("recordTime"))
    if isinstance(declared, dict):
        created = cell_text(declared.get("declarationTime")) or created
    return Event(
        number,
        record,
        shipment=_shipment(record),
        type=step or cell_text(record.get("type")),
        classifier="actual",
        event_at=cell_text(record.get("eventTime")),
        created_at=created,
        event_id=cell_text(record.get("eventID")),
        place=cell_text(place.get("id")) if isinstance(place, dict) else cell_text(place),
        state=_STATES.get(step),
        retracted=isinstance(declared, dict),
    )


def _shipment(record: Record) -> str | None:
    """The first despatch advice or order that the event names, else the first thing it is about."""
    named = record.get("bizTransactionList")
    for each in named if isinstance(named, list) else []:
        if isinstance(each, dict) and each.get("bizTransaction"):
            return cell_text(each["bizTransaction"])
    held = record.get("parentID") or record.get("epcList") or record.get("childEPCs") or record.get("outputEPCList")
    return cell_text(held[0]) if isinstance(held, list) and held else cell_text(held or None)
