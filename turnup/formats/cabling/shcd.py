"""The machine model that a cabling workbook means: nodes by their common name, and the ports their cables take.

One record is one end of one cable. A port that a cable has taken is not given to another: the later cable is a
contradiction and is left out of the model, never out of the rows. Cables to the site's own network end outside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from turnup.formats.model import Fact, Finding

OUTSIDE = frozenset({"site"})
_PER_RACK = re.compile(r"^(?:(x\d+)[-_ ]?)?(pdu|cec|cmm)[-_ ]?(\d+)$")
_NUMBERED = re.compile(r"^(.*?[a-z])[-_ ]?(\d+)$")


def common_name(name: str, rack: str | None) -> str:
    """The one name of a node however a tab writes it: ``sw-edge01`` is sw-edge-001, ``uan01`` is uan001.

    Power units and enclosures are numbered per rack: ``pdu0`` in x3000 is pdu-x3000-000, as is ``x3000pdu0``.
    """
    key = name.strip().lower()
    per_rack = _PER_RACK.match(key)
    if per_rack:
        return f"{per_rack[2]}-{per_rack[1] or (rack or '').strip().lower()}-{int(per_rack[3]):03d}"
    numbered = _NUMBERED.match(key)
    if not numbered:
        return key
    dash = "-" if numbered[1].startswith("sw-") else ""
    return f"{numbered[1]}{dash}{int(numbered[2]):03d}"


@dataclass(frozen=True)
class Model:
    """A model as its cables give it.

    Attributes:
        nodes: common name to the names that were given for it.
        ports: taken port (node, port) to where its cable stands.
        refused: cables whose port was taken: row, where they stand, the port.
    """

    nodes: dict[str, tuple[str, ...]]
    ports: dict[tuple[str, str], str]
    refused: tuple[tuple[int, str, tuple[str, str]], ...]


def model(frame: pl.DataFrame) -> Model:
    """The model of the cables in file order."""
    nodes: dict[str, dict[str, None]] = {}
    ports: dict[tuple[str, str], str] = {}
    refused = []
    columns = ("_row", "_sheet", "a_device", "a_rack", "a_port", "b_device", "b_rack", "b_port")
    for row, sheet, a_device, a_rack, a_port, b_device, b_rack, b_port in frame.select(columns).rows():
        given = ((a_device, a_rack, a_port), (b_device, b_rack, b_port))
        if any(not device or not port or device.strip().lower() in OUTSIDE for device, _, port in given):
            continue
        ends = [(common_name(device, rack), str(port).lower()) for device, rack, port in given]
        for (device, _, _), (node, _) in zip(given, ends, strict=True):
            nodes.setdefault(node, {})[device] = None
        where = f"row {row}" + (f" of {sheet}" if sheet else "")
        taken = next((end for end in ends if end in ports), None)
        if taken is not None:
            refused.append((row, where, taken))
            continue
        ports |= dict.fromkeys(ends, where)
    return Model({node: tuple(names) for node, names in nodes.items()}, ports, tuple(refused))


def model_figures(frame: pl.DataFrame) -> tuple[tuple[Fact, ...], tuple[Finding, ...]]:
    """Nodes and port records as facts; names that mean one node, and cables to a taken port, as findings."""
    found = model(frame)
    facts = (
        Fact("nodes", len(found.nodes), note="by common name; the site's own network is none"),
        Fact("port_records", len(found.ports), note="one for each end of a cable"),
    )
    findings = []
    for node, names in found.nodes.items():
        keys = {name.casefold() for name in names}
        if len(keys) > 1:
            message = f"{' and '.join(names)} are both the common name {node}: one device, or a name given twice"
            findings.append(Finding("one_name_two_spellings", "warning", None, "a_device", node, message))
    for row, where, (node, port) in found.refused:
        message = (
            f"{where}: port {port} of {node} has its cable in {found.ports[node, port]} already; this one is kept as a "
            "cable, the machine model has no port for it"
        )
        findings.append(Finding("port_taken", "warning", row, "a_port", f"{node} {port}", message))
    return facts, tuple(findings)
