"""AWS Direct Connect: ``aws directconnect describe-connections`` and ``describe-virtual-interfaces``.

A connection's state is AWS's side of it; nothing in that list says what the customer's router does. The BGP sessions
of its virtual interfaces do, so these feed ``sessions``, whose device is the connection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from turnup.formats.cloud.listing import Listing, Record, Row, circuits, gbps, listing, pages, row_of, table, text
from turnup.formats.content import Content, canonical
from turnup.formats.dcim.naming import time_in, time_unknown
from turnup.formats.model import Fact, FileRejected, Finding, RawTable, Request
from turnup.formats.tabular.json_records import dicts

_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([MGT])bps", re.IGNORECASE)
_SECONDS, _ISO = re.compile(r"\d{9,10}(?:\.\d+)?"), re.compile(r"\d{4}-\d\d-\d\dT")
_FACTORS = {"m": "0.001", "g": "1", "t": "1000"}
_GONE = ("deleted", "deleting", "rejected")
_LISTS = {"connections": "connectionId", "virtualInterfaces": "virtualInterfaceId"}
_PAGING = {"nextToken", "NextToken", "ResponseMetadata"}
_INTERFACE_STATES = {"available": "up", "down": "down", "confirming": "idle", "verifying": "idle", "pending": "idle",
                     "testing": "idle"}  # fmt: skip
"""An interface is available when it can forward traffic, and down when its BGP is; otherwise it waits."""


def _held(document: Any, name: str) -> list[Any] | None:
    held = document.get(name) if isinstance(document, dict) else None
    return held if isinstance(held, list) else None


def _is(content: Content, name: str) -> bool:
    held = _held(content.json, name)
    if held is None:
        return False
    return any(_LISTS[name] in record for record in dicts(held)) or (
        not held and not {*content.json} - _PAGING - {name}
    )


def is_connections(content: Content) -> bool:
    """Whether a document lists Direct Connect connections."""
    return _is(content, "connections")


def is_interfaces(content: Content) -> bool:
    """Whether a document lists virtual interfaces."""
    return _is(content, "virtualInterfaces")


def _listed(request: Request, form: str, dataset: str, name: str) -> Listing:
    document = request.content.document.value
    held = _held(document, name)
    if held is None:
        raise FileRejected(form, f"the document has no list '{name}'", expected=f"an object with {name}")
    found = listing(request, form, dataset, held, _LISTS[name])
    found.findings += pages(document, name, len(held))
    return found


def parse_connections(request: Request) -> RawTable:
    """Read connections; those that were deleted or rejected are no circuits.

    Raises:
        FileRejected: ``aws_direct_connect`` when the document has no connections, or another dataset is asked for.
    """
    found = _listed(request, "aws_direct_connect", "circuits", "connections")
    rows = [_circuit(number, record) for number, record in found.records if _state(record) not in _GONE]
    return circuits(request, found, rows, [Fact("connections_gone", len(found.records) - len(rows))])


def _state(record: Record) -> str:
    return (text(record.get("connectionState")) or "").lower()


def _circuit(number: int, record: Record) -> Row:
    partner = text(record.get("partnerName"))
    bandwidth = text(record.get("bandwidth"))
    rate = _RATE.fullmatch(bandwidth or "")
    return row_of(number, record) | {
        "circuit": text(record.get("connectionId")),
        "provider": partner or text(record.get("providerName")) or "AWS",
        "type": "direct_connect_hosted" if partner else "direct_connect",
        "gbps": gbps(rate.group(1), _FACTORS[rate.group(2).lower()]) if rate else bandwidth,
        "loa_cfa_issued": _day(text(record.get("loaIssueTime"))),
        "provider_state": text(record.get("connectionState")),
        "provider_location": text(record.get("location")),
        "provider_device": text(record.get("awsDeviceV2")) or text(record.get("awsDevice")),
    }


def _day(moment: str | None) -> str | None:
    """The day of an instant as given; older releases print seconds since 1970."""
    if moment is not None and _SECONDS.fullmatch(moment):
        return datetime.fromtimestamp(int(moment.partition(".")[0]), UTC).date().isoformat()
    return moment[:10] if moment is not None and _ISO.match(moment) else moment


def parse_interfaces(request: Request) -> RawTable:
    """Read the BGP sessions of virtual interfaces, one row a peer.

    The list does not say when it was made: the file's name does, or the source's ``defaults``.

    Raises:
        FileRejected: ``aws_virtual_interfaces`` when the document has none, or another dataset is asked for.
    """
    found = _listed(request, "aws_virtual_interfaces", "sessions", "virtualInterfaces")
    moment = request.source.defaults.get("observed_at") or time_in(request.content.name)
    rows = [row for number, record in found.records for row in _sessions(found, number, record)]
    for row in rows:
        row["observed_at"] = moment
    found.findings += [] if moment else [time_unknown("observed_at")]
    return table(request, found, rows, [Fact("interfaces", len(found.records)), Fact("sessions", len(rows))])


def _sessions(found: Listing, number: int, record: Record) -> Iterator[Row]:
    interface, state = text(record.get("virtualInterfaceId")), text(record.get("virtualInterfaceState"))
    peers = [peer for peer in dicts(record.get("bgpPeers")) if text(peer.get("bgpPeerState")) not in _GONE]
    if (state or "").lower() in _GONE:
        return
    given = [(_peer(interface or "", peer), text(peer.get("bgpStatus"))) for peer in peers]
    known = {"up": "up", "down": "down"}
    if not given:
        given, known = [(interface or "", state)], _INTERFACE_STATES
    for place, (name, status) in enumerate(given):
        judged = known.get((status or "").lower())
        if judged is None:
            message = f"record {number}: the state of {name} is '{status or 'not given'}', which says nothing about BGP"
            found.findings.append(Finding("session_unknown", "warning", number, "state", status, message))
            continue
        yield row_of(number, record) | {
            "device": text(record.get("connectionId")),
            "peer": name,
            "state": judged,
            "_sheet": canonical(place) if place else None,
        }


def _peer(interface: str, peer: Record) -> str:
    """The interface and the address at AWS's end, which together are one session."""
    address = (text(peer.get("amazonAddress")) or "").partition("/")[0] or text(peer.get("bgpPeerId"))
    return " ".join(filter(None, (interface, address or text(peer.get("addressFamily")))))
