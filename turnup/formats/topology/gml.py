"""Graphs in GML, such as the Internet Topology Zoo: what a provider's network looks like on a map.

Such a map has no order number and no state, and seldom a capacity, so it feeds no dataset; it is described and checked,
and ``turnup.network.maps`` makes a network of it. The reader keeps what general graph readers drop or refuse: equal
labels, parallel edges, the line of each fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, Look, RawTable, Request
from turnup.formats.topology.geography import judge

_TOKEN = re.compile(r'"(?P<text>[^"]*)"|(?P<bracket>[\[\]])|(?P<word>[^\s\[\]"]+)|(?P<stray>")')
_GRAPH = re.compile(
    r"^(?:\s*#[^\n]*\n|\s*(?!graph\b)[A-Za-z]\w*\s+(?:\"[^\"]*\"|\S+)\s*\n)*\s*graph\s*\[", re.IGNORECASE
)
_DEEPEST = 20
_NO_NAME = ("", "none", "null")


@dataclass
class Group:
    """A bracketed group: its first line and its fields in order; a field may repeat and may be a group."""

    row: int
    fields: list[tuple[str, str | Group]] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """The first plain value of a field, whatever its case, trimmed."""
        found = (held for key, held in self.fields if key.lower() == name.lower() and isinstance(held, str))
        return next((text.strip() for text in found), None)

    def groups(self, name: str) -> list[Group]:
        """The groups under a name."""
        return [held for key, held in self.fields if key.lower() == name and isinstance(held, Group)]


def is_gml(content: Content) -> bool:
    """Whether a text is a graph in GML."""
    return _GRAPH.match(content.head_text[:4096]) is not None


def read_graph(text: str) -> Group:
    """The first graph of a text.

    Raises:
        FileRejected: ``gml`` with the line where the text stops being one, or when it holds no graph.
    """
    graph = next(iter(_parsed(text.removesuffix("\n").split("\n")).groups("graph")), None)
    if graph is None:
        raise FileRejected("gml", "the text holds no graph", expected="graph [ ... ]")
    return graph


def look_at_gml(content: Content) -> Look:
    """Describe a graph.

    Raises:
        FileRejected: ``gml`` with the line where it stops being one.
    """
    decoded = decode(content.data, None)
    graph = read_graph(decoded.text)
    lines = decoded.text.removesuffix("\n").split("\n")
    blank = sum(not line.strip() for line in lines)
    ledger = Ledger(lines=len(lines), other=len(lines) - blank, blank=blank)
    return Look(ledger, tuple(_facts(graph)), (*decoded.findings, *_findings(graph)))


def parse_gml(request: Request) -> RawTable:
    """A map of a network feeds no dataset.

    Raises:
        FileRejected: ``gml`` always.
    """
    message = "a graph in GML has no capacity, order or state: it feeds no dataset; turnup inspect describes it"
    raise FileRejected("gml", message, expected="a table of circuits or links")


def _parsed(lines: list[str]) -> Group:
    root = Group(1)
    open_groups = [root]
    key: str | None = None
    for row, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            continue
        for token in _TOKEN.finditer(line):
            if token["stray"]:
                raise FileRejected("gml", f"line {row}: a quote is not closed", row=row, expected='"text"')
            key = _take(open_groups, key, token, row)
    if len(open_groups) > 1 or key is not None:
        row = open_groups[-1].row
        message = f"the group that begins in line {row} is not closed: the file was cut"
        raise FileRejected("gml", message, row=row, expected="]")
    return root


def _take(open_groups: list[Group], key: str | None, token: re.Match[str], row: int) -> str | None:
    """Put one token where it belongs; returns the key that still waits for its value."""
    present = open_groups[-1]
    mark = token["bracket"]
    if mark == "]":
        if len(open_groups) == 1 or key is not None:
            raise FileRejected("gml", f"line {row}: ']' closes nothing", row=row, expected="a key and a value")
        open_groups.pop()
        return None
    if key is None:
        if token["word"] is None:
            raise FileRejected("gml", f"line {row}: a value without a key", row=row, expected="a key")
        return token["word"]
    if mark == "[":
        if len(open_groups) > _DEEPEST:
            raise FileRejected("gml", f"line {row}: nested too deeply", row=row, expected=f"{_DEEPEST} levels")
        group = Group(row)
        present.fields.append((key, group))
        open_groups.append(group)
        return None
    present.fields.append((key, token["word"] if token["word"] is not None else token["text"]))
    return None


def _ends(edge: Group) -> tuple[str, str]:
    low, high = sorted((edge.text("source") or "", edge.text("target") or ""))
    return low, high


def _placed(node: Group) -> bool:
    return bool(node.text("latitude")) and bool(node.text("longitude"))


def _named(node: Group) -> bool:
    return (node.text("label") or "").casefold() not in _NO_NAME


def _facts(graph: Group) -> Iterator[Fact]:
    nodes, edges = graph.groups("node"), graph.groups("edge")
    pairs = Counter(_ends(edge) for edge in edges)
    yield Fact("nodes", len(nodes))
    yield Fact("edges", len(edges))
    yield Fact("nodes_without_latitude", sum(not node.text("latitude") for node in nodes))
    yield Fact("nodes_without_name", sum(not _named(node) for node in nodes), note="label None or empty")
    yield Fact("parallel_pairs", sum(number > 1 for number in pairs.values()), note="joined by more than one edge")
    yield Fact("loops", sum(low == high for low, high in pairs))
    countries = Counter(country for node in nodes if (country := node.text("country")))
    yield Fact("countries", len(countries))
    for name, key in (("network", "Network"), ("network_date", "NetworkDate"), ("date_obtained", "DateObtained")):
        text = graph.text(key)
        if text:
            yield Fact(name, text.replace("_", "-") if name == "network_date" else text)


def _findings(graph: Group) -> Iterator[Finding]:
    nodes, edges = graph.groups("node"), graph.groups("edge")
    ids = Counter(node.text("id") or "" for node in nodes)
    for node in nodes:
        name = node.text("id") or ""
        if ids[name] > 1:
            yield Finding("duplicate_node", "error", node.row, "id", name, f"line {node.row}: node {name} stands twice")
        verdict = judge(node.text("country"), None, node.text("latitude"), node.text("longitude"))
        if verdict.right is False:
            message = f"line {node.row}: {node.text('label')} ({node.text('country')}): {verdict.why}"
            yield Finding("wrong_place", "error", node.row, "latitude", node.text("latitude"), message)
    lost = [node for node in nodes if not _placed(node)]
    if lost:
        message = f"{len(lost)} nodes have no coordinates (first in line {lost[0].row}): they lie nowhere on a map"
        yield Finding("node_without_place", "warning", lost[0].row, "latitude", None, message)
    unnamed = [node for node in nodes if not _named(node)]
    if unnamed:
        message = f"{len(unnamed)} nodes have no name of their own (first in line {unnamed[0].row}): only their id"
        yield Finding("node_without_name", "warning", unnamed[0].row, "label", unnamed[0].text("label"), message)
    yield from _edge_findings(edges, ids)


def _edge_findings(edges: list[Group], ids: Counter[str]) -> Iterator[Finding]:
    pairs = Counter(_ends(edge) for edge in edges)
    for edge in edges:
        for end in ("source", "target"):
            name = edge.text(end) or ""
            if name not in ids:
                message = f"line {edge.row}: the edge's {end} is node '{name}', which the graph does not have"
                yield Finding("unknown_node", "error", edge.row, end, name, message)
    for (low, high), number in sorted(pairs.items()):
        if number > 1:
            row = next(edge.row for edge in edges if _ends(edge) == (low, high))
            message = f"{number} edges join nodes {low} and {high}: parallel links, or the same one written twice"
            yield Finding("parallel_edges", "info", row, "source", f"{low}-{high}", message)
