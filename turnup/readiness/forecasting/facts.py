"""What the warehouse knows that the forecast needs, as typed records.

Belongs here: the records. Does not: reading them (``reading``), nor what they mean for a date (``network``, ``goods``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.samples import Lateness

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

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
