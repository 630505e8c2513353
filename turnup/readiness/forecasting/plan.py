"""A network in the making, and what its makers share.

Belongs here: the draft with its uses of pools, its delays and what was left out. Does not: which nodes there are.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import MILESTONE, WORK, Basis, Node, gate_id, milestone
from turnup.readiness.forecasting.samples import throughput_of, working_days
from turnup.schedule.model import ELAPSED
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import date

    from turnup.readiness.forecasting.facts import Block, Facts, Gate
    from turnup.readiness.forecasting.lead_times import Duration
    from turnup.readiness.forecasting.samples import Sample
    from turnup.readiness.forecasting.settings import ForecastSettings as Settings

Coded = dict[tuple[str, str, str], list[str]]
"""Ids of open activities of schedule files by system, block and gate."""


@dataclass(frozen=True)
class Delay:
    """Something that may hold back a gate for some calendar days: a risk, or a question somebody asks.

    Attributes:
        gate: None means the first open gate of a block.
        blocks: that it may hold back.
    """

    id: str
    name: str
    system: str
    gate: str | None
    days: float
    probability: float
    blocks: frozenset[str]
    owner: str = ""


@dataclass
class Draft:
    """Nodes by id, links from finish to start, and what else a simulation needs of them.

    Attributes:
        uses: pool by id of the node that needs it.
        exits: by gate id, the id at which the gate is reached, after what may delay it.
        delays: ids of the nodes of each risk.
        left_out: sentences on what is known and not in the network.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    uses: dict[str, str] = field(default_factory=dict)
    exits: dict[str, str] = field(default_factory=dict)
    delays: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    left_out: list[str] = field(default_factory=list)

    def add(self, node: Node, *before: str) -> str:
        """Add a node, and the links from those that come before it; returns its id."""
        self.nodes[node.id] = node
        self.links += [(one, node.id) for one in dict.fromkeys(before)]
        return node.id

    def once(self, node: Node) -> str:
        """Add a node that others may have added; returns its id."""
        self.nodes.setdefault(node.id, node)
        return node.id


@dataclass
class Making:
    """The facts, indexed, and the draft that is made of them."""

    facts: Facts
    settings: Settings
    holidays: Collection[date]
    coded: Coded
    draft: Draft = field(default_factory=Draft)

    @property
    def minimum(self) -> int:
        """Cases that a class of history needs."""
        return self.settings.minimum_samples

    @cached_property
    def gates(self) -> Mapping[tuple[str, str], list[Gate]]:
        """Gates of each block in playbook order."""
        found: dict[tuple[str, str], list[Gate]] = defaultdict(list)
        for gate in self.facts.gates:
            found[gate.system, gate.block].append(gate)
        return found

    @cached_property
    def blocks(self) -> Mapping[str, list[Block]]:
        """Blocks of each system in planned order."""
        found: dict[str, list[Block]] = defaultdict(list)
        for block in self.facts.blocks:
            found[block.system].append(block)
        return found

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Ids of systems by key."""
        return {system.key: system.id for system in self.facts.systems}

    @cached_property
    def _rates(self) -> dict[tuple[str, str], Sample | None]:
        days = working_days(self.facts.as_of, self.settings.history_weeks, self.holidays)
        names = {system.site: system.site_id for system in self.facts.systems}
        return {
            (pool, site): throughput_of(self.facts.moves, pool, site, days, self.minimum, name)
            for pool in ("dock", "install", "burn_in")
            for site, name in sorted(names.items())
        }

    def rate(self, pool: str, site: str) -> Sample | None:
        """Pieces that a pool of a site does on a working day; None where too few days were seen."""
        return self._rates.get((pool, site))


def node_of(gate: Gate, found: Duration | str, group: str = "", started: date | None = None) -> Node:
    """The node of a gate with its own work, or with the reason why nothing can be said of it."""
    duration, planned, basis = (Fixed(0), 0.0, MILESTONE) if isinstance(found, str) else found
    return Node(
        gate_id(gate.system, gate.block, gate.gate), name_of(gate), "gate", WORK, duration, planned, basis, gate.system,
        gate.block, gate.gate, gate.owner_role, started=started, group=group,
        unknown=found if isinstance(found, str) else "",
    )  # fmt: skip


def reached_with(gate: Gate) -> Node:
    """The node of a gate without work of its own: it is reached when what is before it is."""
    of = {"system": gate.system, "block": gate.block, "gate": gate.gate, "owner": gate.owner_role}
    return milestone(gate_id(gate.system, gate.block, gate.gate), name_of(gate), "gate", **of)


def passed(gate: Gate) -> Node:
    """The node of a gate that evidence has passed."""
    return Node(
        gate_id(gate.system, gate.block, gate.gate), name_of(gate), "gate", ELAPSED, Fixed(0), 0,
        Basis("evidence", note="passed"), gate.system, gate.block, gate.gate, gate.owner_role, finished=gate.passed_on,
    )  # fmt: skip


def name_of(gate: Gate) -> str:
    """A gate in words."""
    return f"{gate.title}, {gate.of}"


def priorities(making: Making, order: Sequence[str]) -> dict[str, int]:
    """Rank of the nodes that use a pool: systems in this order, then blocks in planned order."""
    place = {system: number for number, system in enumerate(order)}
    number = {(block.system, block.key): block.number for block in making.facts.blocks}
    nodes = [making.draft.nodes[name] for name in making.draft.uses]
    nodes.sort(key=lambda node: (place[node.system], number[node.system, node.block], node.id))
    return {node.id: rank for rank, node in enumerate(nodes)}
