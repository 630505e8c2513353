"""Azure ExpressRoute circuits: ``az network express-route list -o json``, ``show``, or the REST answer.

Microsoft's side is ``circuitProvisioningState``, the provider's ``serviceProviderProvisioningState``; a circuit can be
used when the one is Enabled and the other Provisioned. It passes traffic only with a peering that is enabled, so an
enabled circuit without one is not ready on the customer's side. A circuit has two ports on Microsoft's edge.
"""

from __future__ import annotations

from collections.abc import Mapping
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

_PROOFS = ("circuitProvisioningState", "serviceProviderProvisioningState")
WITHOUT_PEERING = "enabled without peering"


def _records(document: Any) -> list[Any] | None:
    """The records of a list, a REST page or a single circuit; None when it is none of these."""
    if isinstance(document, list):
        return document
    if isinstance(document, dict):
        held = document.get("value")
        return held if isinstance(held, list) else [document]
    return None


def _fields(record: Any) -> Record:
    """A record with its properties beside its name, as the command line prints it and REST does not."""
    if not isinstance(record, dict):
        return {}
    properties = record.get("properties")
    return {**record, **properties} if isinstance(properties, Mapping) else record


def is_expressroute(content: Content) -> bool:
    """Whether a document lists ExpressRoute circuits."""
    return any(any(name in _fields(record) for name in _PROOFS) for record in _records(content.json) or [])


def parse_expressroute(request: Request) -> RawTable:
    """Read circuits.

    Raises:
        FileRejected: ``azure_expressroute`` when the document is no list, or another dataset is asked for.
    """
    document = request.content.document.value
    held = _records(document)
    if held is None:
        message = "expected the list that az network express-route list -o json prints"
        raise FileRejected("azure_expressroute", message, expected="a list of circuits")
    found = listing(request, "azure_expressroute", "circuits", held, "name")
    found.findings += pages(document, "value", len(held))
    rows = [_row(found, number, record) for number, record in found.records]
    return circuits(
        request, found, rows, [Fact("peerings", sum(len(_peerings(record)) for _, record in found.records))]
    )


def _peerings(record: Record) -> list[Record]:
    return [_fields(peering) for peering in dicts(_fields(record).get("peerings"))]


def _row(found: Listing, number: int, record: Record) -> Row:
    fields, peerings = _fields(record), _peerings(record)
    provider = fields.get("serviceProviderProperties")
    provider = provider if isinstance(provider, Mapping) else {}
    port = fields.get("expressRoutePort")
    direct = text(port.get("id")) if isinstance(port, Mapping) else None
    ports = sorted({name for peering in peerings for name in _ports(peering)})
    return row_of(number, record) | {
        "circuit": text(fields.get("name")),
        "provider": text(provider.get("serviceProviderName")) or "Microsoft",
        "type": "expressroute_direct" if direct else "expressroute",
        "gbps": gbps(text(provider.get("bandwidthInMbps")), "0.001") or gbps(text(fields.get("bandwidthInGbps"))),
        "customer_state": _customer_state(found, number, fields, peerings),
        "provider_state": text(fields.get("serviceProviderProvisioningState")),
        "provider_location": text(provider.get("peeringLocation")) or last_part(direct),
        "provider_device": "; ".join(ports) or None,
    }


def _ports(peering: Record) -> list[str]:
    held = (text(peering.get(name)) for name in ("primaryAzurePort", "secondaryAzurePort"))
    return [name for name in held if name]


def _customer_state(found: Listing, number: int, fields: Record, peerings: list[Record]) -> str | None:
    state = text(fields.get("circuitProvisioningState"))
    enabled = [peering for peering in peerings if (text(peering.get("state")) or "").lower() == "enabled"]
    if (state or "").lower() != "enabled" or enabled:
        return state
    name = text(fields.get("name"))
    message = f"record {number}: {name} is enabled, but none of its {len(peerings)} peerings is: it passes no traffic"
    found.findings.append(Finding("no_peering", "warning", number, "customer_state", state, message))
    return WITHOUT_PEERING
