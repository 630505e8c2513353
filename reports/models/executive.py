"""Executive readiness report, version 1: page 1 with its four answers, then contracts, forecast, risk, trust."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from reports.models.charts import SCurve
from reports.models.common import Block, Header
from reports.models.narrative import NO_NARRATIVE, Narrative


@dataclass(frozen=True)
class ClassLine:
    """One kind of system in its own unit. `delta` is against the figure as issued last week."""

    kind: str
    label: str
    unit: str
    contracted: Decimal
    due: Decimal
    schedulable: Decimal
    of_due: str
    delta: Decimal | None
    status: str
    reason: str
    held_at: str
    stale: str
    link: str


@dataclass(frozen=True)
class QuarterFigure:
    """Due and forecast quantity at one quarter end; None where no forecast can be made."""

    quarter_end: date
    due: Decimal | None
    p50: Decimal | None
    p80: Decimal | None


@dataclass(frozen=True)
class QuarterLine:
    """The next three quarter ends of one kind."""

    kind: str
    label: str
    unit: str
    figures: tuple[QuarterFigure, ...]


@dataclass(frozen=True)
class IdleLine:
    """Capacity paid for but not schedulable: quantity, days and cost since billing start of the contract line."""

    contract: str
    system_id: str
    unit: str
    quantity: Decimal
    days: int
    cost: Decimal | None
    currency: str
    link: str


@dataclass(frozen=True)
class HowMuch:
    """Answer 1."""

    question: str
    answer: str
    classes: tuple[ClassLine, ...]
    quarter_ends: tuple[date, ...]
    quarters: tuple[QuarterLine, ...]
    quarters_note: str
    idle: tuple[IdleLine, ...]
    idle_total: str
    footnotes: tuple[str, ...]


@dataclass(frozen=True)
class ForecastLine:
    """The remaining commitment of one kind: P50, P80, contract date, chance of meeting it now and last week."""

    kind: str
    label: str
    remaining: Decimal
    contract_date: date | None
    p50: date | None
    p80: date | None
    confidence: Decimal | None
    confidence_prev: Decimal | None
    status: str
    note: str
    link: str


@dataclass(frozen=True)
class WhenSure:
    """Answer 2."""

    question: str
    answer: str
    curve: SCurve | None
    curve_absent: str
    lines: tuple[ForecastLine, ...]
    record: str


@dataclass(frozen=True)
class ChangeLine:
    """One change: what, its quantity in the kind's unit, its days on P80, the cause and where its evidence stands."""

    what: str
    kind: str
    unit: str
    quantity: Decimal | None
    quantity_text: str
    p80_days: int | None
    cause: str
    evidence: str
    link: str


@dataclass(frozen=True)
class WhatChanged:
    """Answer 3. Quantities add to the deltas of answer 1, days to the P80 change; `check` says so with the sums."""

    question: str
    answer: str
    lines: tuple[ChangeLine, ...]
    check: str
    reconciled: bool


@dataclass(frozen=True)
class DecisionLine:
    """One decision asked of leadership."""

    id: str
    question: str
    options: str
    decider: str
    needed_by: date | None
    urgency: str
    consequence: str
    impact_days: Decimal | None
    impact_units: Decimal | None
    delay_days: int | None
    age_days: int | None
    link: str


@dataclass(frozen=True)
class Decisions:
    """Answer 4."""

    question: str
    answer: str
    lines: tuple[DecisionLine, ...]
    more: int
    decided: str


@dataclass(frozen=True)
class Page:
    """A further page: title, message, blocks."""

    id: str
    title: str
    message: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class ExecutiveReport:
    """The whole executive report of one week."""

    header: Header
    how_much: HowMuch
    when_sure: WhenSure
    what_changed: WhatChanged
    decisions: Decisions
    status_note: str
    pages: tuple[Page, ...]
    narrative: Narrative = NO_NARRATIVE
    report: str = field(default="executive", init=False)
    version: str = field(default="1", init=False)
