"""A map of a network in GML, such as the Internet Topology Zoo, as circuits.

Belongs here: what an edge of a map means. Does not: reading GML (``turnup.formats.topology.gml``). An edge is a
circuit on a span of its own, because a map does not say which edges share a cable.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from turnup.formats.model import FileRejected
from turnup.network.circuits import Circuit
from turnup.network.spans import Span

if TYPE_CHECKING:
    from turnup.formats.topology.gml import Group

_MEGA = 1_000_000


def circuits_of(graph: Group, otherwise_mbps: int) -> list[Circuit]:
    """The edges of a map; sites are the ids of its nodes.

    Args:
        graph: a graph as ``read_graph`` returns it.
        otherwise_mbps: capacity of an edge whose speed (``LinkSpeedRaw``, bit/s) the map does not give; maps of
            the Topology Zoo seldom do, and a flow then counts edges times this.

    Raises:
        FileRejected: ``gml`` when an edge ends at a node that the map does not have.
    """
    known = {node.text("id") for node in graph.groups("node")}
    circuits = []
    for number, edge in enumerate(graph.groups("edge")):
        ends = edge.text("source"), edge.text("target")
        for end in ends:
            if end is None or end not in known:
                message = f"line {edge.row}: an edge ends at node '{end}', which the graph does not have"
                raise FileRejected("gml", message, row=edge.row, value=end, expected="the id of a node")
        key, name = f"edge {number:06d}", edge.text("LinkLabel") or edge.text("id") or f"line {edge.row}"
        source, target = (end or "" for end in ends)
        mbps = _mbps(edge.text("LinkSpeedRaw"), otherwise_mbps)
        circuits.append(Circuit(key, source, target, mbps, None, (Span(key, name),), None, name))
    return circuits


def _mbps(speed: str | None, otherwise: int) -> int:
    try:
        value = Decimal(speed) if speed else None
    except InvalidOperation:
        value = None
    return int(value // _MEGA) if value is not None and value.is_finite() and value >= 0 else otherwise
