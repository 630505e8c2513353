"""Events of any tracking document as rows of ``logistics_events``, with the checks that all of them share.

Belongs here: instants, order by time, contradictions within a file. Does not: the shape of any document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.content import canonical
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request

_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})")
_COLUMNS = ("event_id", "shipment", "type", "place", "classifier", "event_at", "created_at", "state", "carrier",
            "replaces", "retracted")  # fmt: skip
LONGEST_DELAY = timedelta(days=3652)
"""A report that comes ten years after its event is a typing error, whatever day it is today."""


@dataclass(frozen=True)
class Event:
    """One event; ``number`` is its position in the document, ``given`` the record as delivered.

    ``words`` are the status codes and words that it bears beside its state.
    """

    number: int
    given: Any
    shipment: str | None
    type: str | None
    classifier: str | None
    event_at: str | None
    created_at: str | None = None
    event_id: str | None = None
    place: str | None = None
    state: str | None = None
    carrier: str | None = None
    replaces: str | None = None
    retracted: bool = False
    group: str | None = None
    words: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its own identifier, or what it says, so that the same event sent again is the same event."""
        told = (self.shipment, self.type, self.classifier, self.event_at, self.place)
        return self.event_id or "/".join(text or "-" for text in told)


@dataclass
class Found:
    """What a document holds; ``others`` counts its records that are no events."""

    events: list[Event] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    others: int = 0


def moment(text: str | None) -> datetime | None:
    """The instant that a text names, or None where it has no zone or is none."""
    if text is None or not _INSTANT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def refusal(event: Event, rule: str, column: str, value: str | None, expected: str, message: str) -> Rejected:
    """A refused event, as its sender reads it."""
    where = f"event {event.number}" + (f" of {event.group}" if event.group else "")
    return Rejected(
        event.number, event.group, column, value, rule, expected, f"{where}: {message}", canonical(event.given)
    )


def places_of(*parts: object) -> str | None:
    """City, region and country as one text."""
    return ", ".join(str(part) for part in parts if isinstance(part, str) and part.strip()) or None


def table(request: Request, form: str, found: Found) -> RawTable:
    """The rows of a document; the newest of several reports of one event stands.

    Raises:
        FileRejected: ``tracking`` when the dataset is not ``logistics_events``.
    """
    if request.contract.name != "logistics_events":
        told = f"tracking events feed logistics_events, not {request.contract.name}"
        raise FileRejected("tracking", told, value=request.contract.name, expected="logistics_events")
    kept, older = _newest(found.events)
    found.findings.extend(_superseded(event) for event in older)
    lines = len(kept) + len(older) + len(found.rejected) + found.others
    ledger = Ledger(lines=lines, data=len(kept), rejected=len(found.rejected), other=len(older) + found.others)
    facts = [*_counts(found, kept), *found.facts]
    return adapted(request, form, _frame(kept), ledger, found.findings, rejected=found.rejected, facts=facts)


def _newest(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """Events by their key: the one reported last stands, of two reported at once the later in the list."""
    last: dict[str, Event] = {}
    for event in events:
        held = last.get(event.key)
        if held is None or _reported(event) >= _reported(held):
            last[event.key] = event
    return (
        [event for event in events if last[event.key] is event],
        [event for event in events if last[event.key] is not event],
    )


def _reported(event: Event) -> float:
    at = moment(event.created_at)
    return at.timestamp() if at is not None else 0.0


def _superseded(event: Event) -> Finding:
    told = f"event {event.number} ({event.key}) is told again later in the same file; the newest report stands"
    return Finding("superseded_event", "info", event.number, "event_id", event.key, told)


def _frame(events: Sequence[Event]) -> pl.DataFrame:
    rows = [
        {
            **{name: getattr(event, name) for name in _COLUMNS if name not in ("event_id", "retracted")},
            "event_id": event.key,
            "retracted": "true" if event.retracted else None,
        }
        for event in events
    ]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String))
    return frame.with_columns(
        pl.Series("_row", [event.number for event in events], dtype=pl.Int64),
        pl.Series("_sheet", [event.group for event in events], dtype=pl.String),
        pl.Series("_given", [canonical(event.given) for event in events], dtype=pl.String),
    )


def _counts(found: Found, kept: Sequence[Event]) -> list[Fact]:
    zones = sorted({text[-6:] if text[-1] != "Z" else "Z" for e in kept if moment(e.event_at) and (text := e.event_at)})
    later = [e for e in kept if (at := moment(e.event_at)) and (told := moment(e.created_at)) and told > at]
    return [
        Fact("events", len(kept) + len(found.rejected), "events"),
        Fact("good_events", len(kept), "events"),
        Fact("classifiers", counted(event.classifier for event in kept)),
        Fact("zones", tuple(zones), note="offsets of the event times"),
        Fact("reported_later", len(later), "events", "created after they happened"),
    ]


def counted(values: Iterable[str | None]) -> tuple[str, ...]:
    """Each value with how often it occurs, by name."""
    return tuple(f"{value} {count}" for value, count in sorted(Counter(value or "(none)" for value in values).items()))
