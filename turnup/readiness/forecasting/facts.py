"""What the warehouse knows that the forecast needs, read once and in order.

Belongs here: the rows as typed records. Does not: what they mean for a date (``network``, ``goods``, ``samples``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from turnup.readiness.forecasting.samples import Lateness

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from decimal import Decimal

    import duckdb

Record = TypeVar("Record")
BY_UNIT = frozenset({"installed", "powered", "l1_valid", "accepted"})
"""Stages that a block reaches unit by unit."""


@dataclass(frozen=True)
class System:
    """A system that has a playbook; ``order`` is its rank when goods or crews are short, lowest first."""

    key: str
    id: str
    kind: str
    site: str
    site_id: str
    order: int
    owner: str | None
    contracted: Decimal
    reached: Decimal
    is_circuit: bool
    has_bill: bool


@dataclass(frozen=True)
class Block:
    """A block of a system: its planned capacity, what of it is schedulable, and what is planned before it."""

    system: str
    key: str
    name: str
    number: int
    planned: Decimal
    before: Decimal
    reached: Decimal


@dataclass(frozen=True)
class Gate:
    """A gate of a block (``core.open_gates``); ``lead`` holds working days, least, likely and most.

    Attributes:
        of: the system and, where it has several, the block, as people spell them.
    """

    system: str
    block: str
    of: str
    number: int
    gate: str
    title: str
    owner_role: str
    stage: str | None
    pool: str
    lead: tuple[float, float, float] | None
    per_unit: bool
    passed: bool
    passed_on: date | None
    entered_on: date | None
    satisfied: bool
    begun: bool
    is_current: bool
    of_system: bool
    of_site: bool
    open_share: float
    missing_share: float
    units: int | None

    @property
    def is_there(self) -> bool:
        """Nothing of it is left to do. Of what advances unit by unit, units that are not there yet are still to do."""
        return self.open_share <= 0 if self.stage in BY_UNIT else self.satisfied


@dataclass(frozen=True)
class Missing:
    """A part that a system still waits for."""

    system: str
    part: str
    part_number: str
    category: str | None
    site: str
    needed: Decimal
    received: Decimal


@dataclass(frozen=True)
class Coming:
    """A quantity of a part on its way or promised (``core.coming_goods``)."""

    key: str
    source: str
    name: str
    shipment: str | None
    po: str | None
    line: str | None
    part: str | None
    site: str | None
    vendor: str
    mode: str | None
    quantity: Decimal
    expected: date | None
    promised: date | None
    arrived: bool


@dataclass(frozen=True)
class Share:
    """The share of an order line that is for a system, in the order in which shares are served."""

    po: str
    line: str
    system: str
    quantity: Decimal


@dataclass(frozen=True)
class Late:
    """A promise that came due, and how many days after it the thing happened."""

    source: str
    vendor: str
    category: str | None
    mode: str | None
    days: int
    happened: date


@dataclass(frozen=True)
class Move:
    """A lot that went through a pool of a site, or waits to."""

    pool: str
    site: str
    pieces: Decimal
    entered: date
    left: date | None


@dataclass(frozen=True)
class SiteDate:
    """A block for which its hall is not ready, and the planned day on which it is."""

    system: str
    block: str
    ready_on: date | None


@dataclass(frozen=True)
class Circuit:
    """A circuit that the provider has not delivered yet, with the day it firmly promised."""

    system: str
    circuit: str
    provider: str
    type: str | None
    firm: date | None


@dataclass(frozen=True)
class Risk:
    """An open risk: with this probability it costs so many calendar days.

    Attributes:
        block: the one it concerns; None: see ``units``.
        units: capacity that it holds back; None: all that is open.
    """

    id: str
    title: str
    system: str | None
    gate: str | None
    probability: float
    days: float
    owner: str
    block: str | None = None
    units: Decimal | None = None


@dataclass(frozen=True)
class Need:
    """A gate of a system waits for a gate of another.

    Attributes:
        asked: the gate that waits; None: the handover.
    """

    system: str
    needed: str
    gate: str
    asked: str | None = None


@dataclass(frozen=True)
class Stage:
    """How much of a system has reached a stage, of what is contracted."""

    system: str
    stage: str
    reached: Decimal
    contracted: Decimal


@dataclass(frozen=True)
class Facts:
    """Everything the network is made of, as of the data date."""

    as_of: date
    systems: tuple[System, ...]
    blocks: tuple[Block, ...]
    gates: tuple[Gate, ...]
    missing: tuple[Missing, ...]
    coming: tuple[Coming, ...]
    shares: tuple[Share, ...]
    lateness: tuple[Late, ...]
    moves: tuple[Move, ...]
    sites: tuple[SiteDate, ...]
    circuits: tuple[Circuit, ...]
    risks: tuple[Risk, ...]
    needs: tuple[Need, ...]
    stages: tuple[Stage, ...]

    @cached_property
    def late(self) -> Lateness:
        """The cases of ``lateness`` by class."""
        return Lateness(self.lateness)


_SYSTEMS = """
SELECT s.system_key, s.system_id, s.kind, s.site_key, coalesce(s.site_id, s.site_key), s.netting_order, s.owner,
       c.contracted, f.reached,
       s.unit_source = 'circuit',
       EXISTS (SELECT 1 FROM core.part_needs n WHERE n.system_key = s.system_key AND n.in_bom AND n.fitted)
FROM core.systems s
JOIN core.contracted c ON c.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
WHERE s.playbook IS NOT NULL ORDER BY s.netting_order, s.system_key
"""
_BLOCKS = """
SELECT b.system_key, b.block_key, b.block, b.block_no, b.planned, b.planned_before, coalesce(f.reached, 0)
FROM core.block_sizes b
JOIN core.systems s ON s.system_key = b.system_key AND s.playbook IS NOT NULL
LEFT JOIN core.block_funnel f
    ON f.system_key = b.system_key AND f.block_key = b.block_key AND f.stage = 'schedulable'
ORDER BY s.netting_order, b.system_key, b.block_no
"""
_GATES = """
SELECT g.system_key, g.block_key, s.system_id || CASE b.block WHEN 'all' THEN '' ELSE ' ' || b.block END, g.gate_no,
       g.gate, g.title, g.owner_role, g.stage, g.pool,
       CASE WHEN g.likely_d IS NOT NULL THEN [g.optimistic_d, g.likely_d, g.pessimistic_d] END,
       coalesce(g.lead_per = 'unit', false), g.passed, g.passed_on, g.entered_on, g.satisfied, g.begun, g.is_current,
       g.of_system, g.of_site, g.open_share, g.missing_share, g.units
FROM core.open_gates g
JOIN core.systems s ON s.system_key = g.system_key
JOIN core.block_sizes b ON b.system_key = g.system_key AND b.block_key = g.block_key
ORDER BY s.netting_order, g.system_key, b.block_no, g.gate_no
"""
_MISSING = """
SELECT system_key, part_key, part_number, category, site_key, needed, received
FROM core.missing_goods ORDER BY netting_order, system_key, part_key
"""
_COMING = """
SELECT coming_key, source, name, shipment_key, po_key, line_key, part_key, site_key, coalesce(vendor, '(unknown)'),
       mode, quantity, expected, promised, arrived
FROM core.coming_goods ORDER BY expected NULLS LAST, coming_key
"""
_SHARES = """
SELECT po_key, line_key, system_key, quantity FROM core.allocations ORDER BY netting_order, system_key, po_key, line_key
"""
_LATENESS = "SELECT source, vendor, category, mode, days, happened FROM core.lateness ORDER BY source, lateness_key"
_MOVES = "SELECT pool, site_key, pieces, entered, left_on FROM core.pool_moves ORDER BY pool, lot_key"
_SITES = "SELECT system_key, block_key, ready_on FROM core.site_dates ORDER BY ALL"
_CIRCUITS = """
SELECT c.system_id_key, c.circuit, lower(trim(coalesce(c.provider, '(unknown)'))), lower(trim(c.type)), c.firm_date
FROM core.circuit_now c
JOIN core.evidence_installed e ON e.system_key = c.system_id_key AND e.unit_key = c.circuit_key AND NOT e.has
ORDER BY c.system_id_key, c.circuit_key
"""
_RISKS = """
SELECT id, title, system_key, gate, probability, impact_days, owner, block_key, units FROM core.open_risks ORDER BY id
"""
_NEEDS = "SELECT system_key, needed_key, gate, asked_gate FROM core.system_needs ORDER BY ALL"
_STAGES = """
SELECT system_key, stage, coalesce(reached, contracted), contracted FROM core.funnel ORDER BY system_key, stage_no
"""


def read_facts(con: duckdb.DuckDBPyConnection, as_of: date) -> Facts:
    """Read the facts of a database in which the models of ``gates`` and ``network`` have run."""

    def all_of(query: str, make: Callable[..., Record]) -> tuple[Record, ...]:
        return tuple(make(*row) for row in con.sql(query).fetchall())

    return Facts(
        as_of=as_of,
        systems=all_of(_SYSTEMS, System),
        blocks=all_of(_BLOCKS, Block),
        gates=all_of(_GATES, Gate),
        missing=all_of(_MISSING, Missing),
        coming=all_of(_COMING, Coming),
        shares=all_of(_SHARES, Share),
        lateness=all_of(_LATENESS, Late),
        moves=all_of(_MOVES, Move),
        sites=all_of(_SITES, SiteDate),
        circuits=all_of(_CIRCUITS, Circuit),
        risks=all_of(_RISKS, Risk),
        needs=all_of(_NEEDS, Need),
        stages=all_of(_STAGES, Stage),
    )
