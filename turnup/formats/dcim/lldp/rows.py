"""Neighbours of one host as observed links.

Several neighbours on one port mean a shared segment (a hub, a virtual bridge), not a point-to-point cable; each is a
row, so that a comparison with the plan sees the right one wherever it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.cabling.examine import SHARED_SEGMENT
from turnup.formats.content import canonical
from turnup.formats.dcim.lldp.documents import is_cumulus, is_lldpcli, read_cumulus, read_lldpcli, read_napalm
from turnup.formats.dcim.lldp.keyvalue import read_keyvalue
from turnup.formats.dcim.lldp.neighbours import Neighbour, gbps_of
from turnup.formats.dcim.naming import Origin, origin
from turnup.formats.decoding import decode
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Request

_COLUMNS = (
    "view", "a_device", "a_port", "b_device", "b_port", "media", "speed_gbps", "state", "observed_at", "_sheet",
    "_given",
)  # fmt: skip


def parse_lldp(request: Request) -> RawTable:
    """Read what a host's neighbours announced.

    Raises:
        FileRejected: ``lldp`` when another dataset is asked for.
    """
    if request.contract.name != "links":
        message = f"LLDP neighbours feed links, not {request.contract.name}"
        raise FileRejected("lldp", message, value=request.contract.name, expected="links")
    neighbours, noticed, lines, extra = _read(request)
    place = origin(request, "a_device")
    ports = Counter(item.interface for item in neighbours)
    rows = [_row(item, place, ports[item.interface] > 1, number) for number, item in enumerate(neighbours, start=1)]
    schema: dict[str, pl.DataType] = {name: pl.String() for name in _COLUMNS} | {"_row": pl.Int64()}
    frame = pl.DataFrame(rows, schema=schema)
    ledger = Ledger(lines=max(lines, len(rows)), data=len(rows), other=max(0, lines - len(rows)))
    found = [*noticed, *place.findings, *_findings(neighbours)]
    return adapted(request, "lldp", frame, ledger, found, facts=[*_facts(neighbours), *extra])


def _read(request: Request) -> tuple[list[Neighbour], list[Finding], int, list[Fact]]:
    content = request.content
    if is_lldpcli(content):
        neighbours, repeated = read_lldpcli(content)
        told = sorted(set(repeated))
        message = f"keys given several times in one object, all kept: {', '.join(told)}"
        found = [Finding("repeated_key", "info", None, told[0], None, message)] if told else []
        return neighbours, found, len(neighbours), []
    if content.looks_like_json:
        neighbours, silent = read_cumulus(content) if is_cumulus(content) else read_napalm(content)
        return neighbours, [], len(neighbours) + silent, [Fact("interfaces_without_neighbour", silent)]
    decoded = decode(content.data, request.source.encoding)
    neighbours, noticed, lines = read_keyvalue(decoded.text)
    return neighbours, [*decoded.findings, *noticed], lines, []


def _row(item: Neighbour, place: Origin, shared: bool, number: int) -> dict[str, str | int | None]:
    return {
        "view": "observed",
        "a_device": place.host,
        "a_port": item.interface,
        "b_device": item.device,
        "b_port": item.port_name,
        "media": SHARED_SEGMENT if shared else None,
        "speed_gbps": gbps_of(item.speed),
        "state": "up" if item.linked else "down",
        "observed_at": place.observed_at,
        "_row": item.row,
        "_sheet": f"{item.interface} {number}",
        "_given": canonical(item.given),
    }


def _facts(neighbours: list[Neighbour]) -> list[Fact]:
    ports = Counter(item.interface for item in neighbours)
    return [
        Fact("neighbours", len(neighbours)),
        Fact("interfaces_with_neighbours", len(ports)),
        Fact("neighbours_by_interface", tuple(f"{port}: {number}" for port, number in sorted(ports.items()))),
        Fact("shared_segments", sum(number > 1 for number in ports.values())),
        Fact("neighbours_without_name", sum(item.name is None for item in neighbours)),
        Fact("management_addresses", tuple(dict.fromkeys(text for item in neighbours for text in item.management))),
    ]


def _findings(neighbours: list[Neighbour]) -> Iterator[Finding]:
    ports = Counter(item.interface for item in neighbours)
    for port, number in sorted(ports.items()):
        if number > 1:
            row = next(item.row for item in neighbours if item.interface == port)
            message = f"{port} hears {number} neighbours: a shared segment, not a point-to-point cable"
            yield Finding("shared_segment", "warning", row, "a_port", port, message)
    for item in neighbours:
        if item.name is None:
            message = f"the neighbour on {item.interface} announces no name; its chassis {item.chassis} stands for it"
            yield Finding("neighbour_without_name", "warning", item.row, "b_device", item.chassis, message)
