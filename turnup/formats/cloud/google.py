"""Google Cloud Interconnect: ``gcloud compute interconnects list`` and ``... attachments list``, as JSON.

A dedicated interconnect is a circuit of so many links of one rate. A partner attachment is a circuit of its own; a
dedicated attachment rides on an interconnect and adds no capacity. Google's side is ``operationalStatus`` (of an
attachment its ``state``); the customer's is ``adminEnabled`` and at least one attachment. Interconnects in one edge
availability domain of a metropolitan area (``iad-zone1``) may be under maintenance together.
"""

from __future__ import annotations

import re
from typing import Any

from turnup.formats.cloud.listing import (
    Listing,
    Record,
    Row,
    circuits,
    gbps,
    last_part,
    listing,
    pages,
    row_of,
    text,
)
from turnup.formats.content import Content
from turnup.formats.model import Fact, FileRejected, Finding, RawTable, Request
from turnup.formats.tabular.json_records import dicts

_KINDS = ("compute#interconnect", "compute#interconnectAttachment")
_PROOFS = ({"linkType", "requestedLinkCount"}, {"edgeAvailabilityDomain", "router"}, {"vlanTag8021q", "router"})
_LINK = re.compile(r"LINK_TYPE_ETHERNET_(\d+)G", re.IGNORECASE)
_BANDWIDTH = re.compile(r"BPS_(\d+)([MG])", re.IGNORECASE)
_ZONE = re.compile(r"^(.+-zone\d+)-.+$", re.IGNORECASE)
_ANYWHERE = (None, "AVAILABILITY_DOMAIN_ANY")
_PROVIDER_DONE = ("active", "pending_customer")


def _records(document: Any) -> list[Any] | None:
    """The records of a list, a REST page or a single resource."""
    if isinstance(document, dict):
        held = document.get("items")
        return held if isinstance(held, list) else [document]
    return document if isinstance(document, list) else None


def _is_record(record: Any) -> bool:
    return isinstance(record, dict) and (
        record.get("kind") in _KINDS or any(proof <= record.keys() for proof in _PROOFS)
    )


def is_interconnects(content: Content) -> bool:
    """Whether a document lists interconnects or attachments."""
    return any(_is_record(record) for record in _records(content.json) or [])


def parse_interconnects(request: Request) -> RawTable:
    """Read interconnects and partner attachments; dedicated attachments are counted in the ledger.

    Raises:
        FileRejected: ``google_interconnect`` when the document is no list, or another dataset is asked for.
    """
    document = request.content.document.value
    held = _records(document)
    if held is None:
        message = "expected the list that gcloud compute interconnects list --format=json prints"
        raise FileRejected("google_interconnect", message, expected="a list of interconnects")
    found = listing(request, "google_interconnect", "circuits", held, "name")
    found.findings += pages(document, "items", len(held))
    riding = [record for _, record in found.records if _rides(record)]
    rows = [_row(found, number, record) for number, record in found.records if not _rides(record)]
    return circuits(request, found, rows, [Fact("dedicated_attachments", len(riding), note="no capacity of their own")])


def _is_attachment(record: Record) -> bool:
    return record.get("kind") == _KINDS[1] or any(proof <= record.keys() for proof in _PROOFS[1:])


def _rides(record: Record) -> bool:
    return _is_attachment(record) and (text(record.get("type")) or "").upper() != "PARTNER"


def _row(found: Listing, number: int, record: Record) -> Row:
    if _is_attachment(record):
        return row_of(number, record) | _attachment(record)
    return row_of(number, record) | _interconnect(found, number, record)


def _interconnect(found: Listing, number: int, record: Record) -> Row:
    location = last_part(record.get("location"))
    zone = _ZONE.match(location or "")
    return {
        "circuit": text(record.get("name")),
        "provider": "Google",
        "type": "interconnect_" + (text(record.get("interconnectType")) or "dedicated").lower(),
        "gbps": _links_rate(found, number, record),
        "customer_state": _customer_state(found, number, record),
        "provider_state": text(record.get("operationalStatus")) or text(record.get("state")),
        "provider_location": location,
        "provider_device": zone.group(1) if zone else location,
    }


def _links_rate(found: Listing, number: int, record: Record) -> str | None:
    """Rate of a link times their number: those that are there, else those that were asked for."""
    asked, there = text(record.get("requestedLinkCount")), text(record.get("provisionedLinkCount"))
    rate = _LINK.match(text(record.get("linkType")) or "")
    if there not in (None, "0") and asked is not None and there != asked:
        message = f"record {number}: {text(record.get('name'))} has {there} of {asked} links"
        found.findings.append(Finding("links_missing", "warning", number, "gbps", there, message))
    count = there if there not in (None, "0") else asked
    if rate is None or count is None or not count.isdigit():
        return text(record.get("linkType"))
    return gbps(count, rate.group(1))


def _customer_state(found: Listing, number: int, record: Record) -> str | None:
    enabled = text(record.get("adminEnabled"))
    if enabled is None:
        return None
    if enabled.lower() != "true":
        return "disabled"
    if "interconnectAttachments" not in record and text(record.get("operationalStatus")) != "OS_ACTIVE":
        return "enabled"
    if record.get("interconnectAttachments"):
        return "enabled"
    message = f"record {number}: {text(record.get('name'))} is enabled, but no attachment uses it: it passes no traffic"
    found.findings.append(Finding("no_attachment", "warning", number, "customer_state", enabled, message))
    return "enabled without attachment"


def _attachment(record: Record) -> Row:
    state, enabled = text(record.get("state")), (text(record.get("adminEnabled")) or "true").lower()
    rate = _BANDWIDTH.fullmatch(text(record.get("bandwidth")) or "")
    partner = next(iter(dicts([record.get("partnerMetadata")])), {})
    domain, region = text(record.get("edgeAvailabilityDomain")), last_part(record.get("region"))
    given = (state or "").lower()
    return {
        "circuit": text(record.get("name")),
        "provider": text(partner.get("partnerName")) or "Google",
        "type": "partner_attachment",
        "gbps": gbps(rate.group(1), "1" if rate.group(2).upper() == "G" else "0.001") if rate else text(
            record.get("bandwidth")),
        "customer_state": state if given != "active" else "active" if enabled == "true" else "disabled",
        "provider_state": "active" if given in _PROVIDER_DONE else state,
        "provider_location": text(partner.get("interconnectName")),
        "provider_device": "/".join(filter(None, (region, domain))) if domain not in _ANYWHERE else None,
    }  # fmt: skip
