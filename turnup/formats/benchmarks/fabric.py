"""What fabrics say about themselves: ibnetdiscover to observed links, a dump of sysfs to the rate of every port.

A link stands in ibnetdiscover once for each end that was listed; it becomes one row. A port that is up may still run
below its rate or width, so both are figures: ``100 Gb/sec (4X EDR)`` is 4 lanes and 100 Gbit/s.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.benchmarks.documents import documents, mentions, need_documents
from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import Figure, Run, given_of, is_number, require_dataset, to_table
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

LANE_GBPS = {
    "SDR": "2.5", "DDR": "5", "QDR": "10", "FDR10": "10", "FDR": "14", "EDR": "25", "HDR": "50", "NDR": "100",
    "XDR": "200",
}  # fmt: skip
"""Nominal rate of one lane in Gbit/s (InfiniBand Trade Association roadmap)."""

_DEVICE = re.compile(r'^(Switch|Ca|Rt)\s+(\d+)\s+"([^"]+)"\s*#\s*"([^"]*)"')
_PORT = re.compile(
    r'^\[(\d+)\](?:\(\w+\))?\s*"([^"]+)"\[(\d+)\](?:\(\w+\))?\s*#\s*'
    r'(?:lid \d+ lmc \d+ )?"([^"]*)"\s*lid \d+\s+(\d+)x(\w+)'
)
_ANY_PORT = re.compile(r'^\[\d+\].*"')
_SYSFS = re.compile(r"/infiniband/([^/]+)/ports/(\d+)/(rate|state|phys_state|link_layer)$")
_NODE = re.compile(r"/infiniband/([^/]+)/node_desc$")
_RATE = re.compile(r"^([\d.]+) Gb/sec(?: \((\d+)X\s*(\w*)\))?")


@dataclass(frozen=True)
class _End:
    """A device of the fabric and one of its ports."""

    guid: str
    name: str
    port: int

    @property
    def device(self) -> str:
        """``MF0;sw1:MCS8500/L01/U1`` is chip L01/U1 of sw1; ``gpu001 mlx5_0`` is gpu001."""
        found = re.match(r"^[^;]*;([^:]+):[^/]*(?:/(.*))?$", self.name)
        if found is not None:
            chip = found.group(2) or ""
            return found.group(1) + (f"/{chip}" if chip not in ("", "U1") else "")
        return self.name.split(" ")[0] if self.name.strip() else self.guid

    @property
    def label(self) -> str:
        """The port as people call it: an adapter by its name, a switch port by its number."""
        adapter = "" if ";" in self.name else self.name.partition(" ")[2].strip()
        if not adapter or adapter.startswith("Technologies"):
            return str(self.port)
        return adapter if self.port == 1 else f"{adapter}/{self.port}"


def is_ibnetdiscover(content: Content) -> bool:
    """Whether a text is the output of ibnetdiscover."""
    return mentions(content, r'(?m)^(?:Switch|Ca)\s+\d+\s+"[SHR]-\w+"', r'(?m)^\[\d+\](?:\(\w+\))?\s*"[SHR]-')


def parse_ibnetdiscover(request: Request) -> RawTable:
    """Read a map of a fabric.

    Raises:
        FileRejected: when the source's dataset is not links, or no link is listed.
    """
    require_dataset(request, "ibnetdiscover", "links")
    log = read_log(request, tagged=False)
    here: tuple[str, str] = ("", "")
    links: dict[frozenset[tuple[str, int]], tuple[int, _End, _End, str, str, str]] = {}
    seen: Counter[frozenset[tuple[str, int]]] = Counter()
    devices: dict[str, str] = {}
    broken: list[int] = []
    for number, line in log.lines:
        if (device := _DEVICE.match(line)) is not None:
            here = device.group(3), device.group(4)
            devices[device.group(3)] = device.group(1)
        elif (port := _PORT.match(line)) is not None and here[0]:
            one = _End(here[0], here[1], int(port.group(1)))
            other = _End(port.group(2), port.group(4), int(port.group(3)))
            key = frozenset({(one.guid, one.port), (other.guid, other.port)})
            seen[key] += 1
            links.setdefault(key, (number, one, other, port.group(5), port.group(6), line))
        elif _ANY_PORT.match(line):
            broken.append(number)
    if not links:
        raise FileRejected("no_result", "no link in this map of a fabric", expected="ibnetdiscover output")
    return _links(request, log.count, links, seen, devices, broken, [*log.findings])


def _links(
    request: Request,
    lines: int,
    links: dict[frozenset[tuple[str, int]], tuple[int, _End, _End, str, str, str]],
    seen: Counter[frozenset[tuple[str, int]]],
    devices: dict[str, str],
    broken: list[int],
    findings: list[Finding],
) -> RawTable:
    rows = [_link(*link) for link in links.values()]
    one_sided = sum(count == 1 for count in seen.values())
    rates = Counter(f"{width}x{name}" for _, _, _, width, name, _ in links.values())
    usual = max(rates, key=lambda rate: (rates[rate], rate))
    for number, one, other, width, name, _ in links.values():
        if f"{width}x{name}" != usual:
            message = f"{one.device} {one.label} - {other.device} {other.label} runs at {width}x{name}, most at {usual}"
            findings.append(Finding("link_rate", "warning", number, "speed_gbps", f"{width}x{name}", message))
    for number in broken:
        message = f"line {number} begins as a port and cannot be read"
        findings.append(Finding("unread_port", "warning", number, None, None, message))
    if one_sided:
        message = f"{one_sided} links stand in the file from one end only: the map is partial or cut"
        findings.append(Finding("one_sided_links", "warning", None, None, str(one_sided), message))
    facts = [
        Fact("links", len(links)), Fact("one_sided_links", one_sided),
        Fact("switches", sum(kind == "Switch" for kind in devices.values())),
        Fact("adapters", sum(kind == "Ca" for kind in devices.values())),
        Fact("rates", tuple(f"{rate}: {count}" for rate, count in sorted(rates.items()))),
    ]  # fmt: skip
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    ledger = Ledger(lines=lines, data=len(rows), other=lines - len(rows))
    return adapted(request, "ibnetdiscover", frame, ledger, findings, facts=facts)


_COLUMNS = ("view", "a_device", "a_port", "b_device", "b_port", "media", "speed_gbps", "lanes", "state",
            "both_ends_report", "_sheet", "_given")  # fmt: skip
_SCHEMA: dict[str, pl.DataType] = {name: pl.String() for name in _COLUMNS} | {"_row": pl.Int64()}


def _link(number: int, one: _End, other: _End, width: str, name: str, line: str) -> dict[str, Any]:
    lane = LANE_GBPS.get(name)
    return {
        "view": "observed",
        "a_device": one.device,
        "a_port": one.label,
        "b_device": other.device,
        "b_port": other.label,
        "media": f"InfiniBand {width}x{name}",
        "speed_gbps": f"{int(width) * float(lane):g}" if lane else None,
        "lanes": width,
        "state": "up",
        "both_ends_report": "true",
        "_sheet": None,
        "_given": given_of(line=line.strip(), a_guid=one.guid, b_guid=other.guid),
        "_row": number,
    }


def is_sysfs_dump(content: Content) -> bool:
    """Whether a text is a dump of sysfs as one flat JSON object."""
    return mentions(content, r'"/sys/[^"]*/infiniband/[^"]+"\s*:\s*"')


def parse_sysfs_dump(request: Request) -> RawTable:
    """Read the rate and width of every InfiniBand port of a node.

    Raises:
        FileRejected: when there is none.
    """
    held = documents(request)
    need_documents(held, "sysfs-ib")
    flat = next((each.value for each in held.found if isinstance(each.value, dict)), {})
    run = Run("sysfs", "ib_port", "rate", "Gbit/s", complete=held.broken is None and bool(flat), why=held.reason)
    ports: dict[tuple[str, str], dict[str, str]] = {}
    for path, value in flat.items():
        if (found := _SYSFS.search(path)) is not None:
            ports.setdefault((found.group(1), found.group(2)), {})[found.group(3)] = str(value).strip()
        elif _NODE.search(path):
            host = str(value).strip().split(" ")[0]
            run.hosts += [host] if host and host not in run.hosts else []
    for (adapter, port), said in sorted(ports.items()):
        run.figures += _port(run, adapter, port, said)
    for path, value in sorted(flat.items()):
        if path.endswith("/operstate") and "/net/" in path and str(value).strip() not in ("up", "unknown"):
            name = path.split("/")[-2]
            run.note("port_not_active", f"network interface {name} is {str(value).strip()}", None, name)
    rates = Counter(said.get("rate", "unknown") for said in ports.values())
    states = Counter(f"{said.get('state', '?')}, {said.get('phys_state', '?')}" for said in ports.values())
    facts = [
        Fact("ports", len(ports)),
        Fact("rates", tuple(f"{rate}: {count}" for rate, count in sorted(rates.items()))),
        Fact("states", tuple(f"{state}: {count}" for state, count in sorted(states.items()))),
    ]
    return to_table(request, "sysfs-ib", [run], held.lines, findings=held.findings, facts=facts)


def _port(run: Run, adapter: str, port: str, said: dict[str, str]) -> list[Figure]:
    """Rate and width; the state is what the port says of itself."""
    member = adapter if port == "1" else f"{adapter}/{port}"
    rate = _RATE.match(said.get("rate", ""))
    state = said.get("state", "").partition(": ")[2].lower() or None
    given = given_of(**{f"ports/{port}/{name}": text for name, text in sorted(said.items())})
    if rate is None or not is_number(rate.group(1)):
        run.note("rate_unknown", f"{member} gives its rate as '{said.get('rate', '')}'", None, said.get("rate"))
        return [Figure(1, "rate", None, "Gbit/s", member=member, outcome=state, status="not_measured", given=given)]
    width = rate.group(2)
    lane = LANE_GBPS.get(rate.group(3) or "")
    conflict = bool(lane and width and abs(float(lane) * int(width) - float(rate.group(1))) > 3)
    if conflict:
        run.note("rate_width", f"{member}: {rate.group()} does not multiply out", None, rate.group(1))
    made = [
        Figure(1, "rate", rate.group(1), "Gbit/s", member=member, outcome=state, given=given,
               status="conflict" if conflict else None)
    ]  # fmt: skip
    physical = said.get("phys_state", "").partition(": ")[2].lower()
    if (state or "active") != "active" or (physical or "linkup") != "linkup":
        run.note("port_not_active", f"{member} is {state or 'unknown'}, {physical or 'unknown'}", None, state)
    if width:
        made.append(Figure(1, "width", width, "count", member=member, outcome=state, given=given))
    return made
