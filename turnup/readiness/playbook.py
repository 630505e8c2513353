"""Playbooks: the gates of a kind of system in order, with their criteria, as people write them in YAML.

Belongs here: reading and checking playbooks. Does not: judging them (SQL models and ``criteria``).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, field_validator, model_validator

from turnup.readiness.kinds import STAGES, UNITS
from turnup.readiness.registry import load_metrics
from turnup.strict import Strict
from turnup.yaml_source import ConfigurationError, load_model

if TYPE_CHECKING:
    from pathlib import Path

Comparison = Literal[">=", "<=", ">", "<", "==", "!="]
Severity = Literal["low", "medium", "high", "critical"]
SupplyModel = Literal["owned", "leased", "cloud"]
Pool = Literal["dock", "install", "burn_in", "none"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class WaiverRule(Strict):
    """Who may waive a criterion, and for how long at most; written ``none`` where nobody may.

    Attributes:
        by: roles; ``roles`` of programme.yaml says who holds them.
        longest_days: from the day it was opened; a later expiry does not count.
    """

    by: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    longest_days: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="before")
    @classmethod
    def _none_is_nobody(cls, value: object) -> object:
        return {} if value == "none" else value or {"by": (), "longest_days": 1}

    @model_validator(mode="after")
    def _names_both(self) -> WaiverRule:
        if bool(self.by) != (self.longest_days > 0):
            raise ValueError("name who may waive (by) and for how many days at most (longest_days), or write none")
        return self


class Criterion(Strict):
    """One thing that must be true at a gate.

    Attributes:
        threshold: a number, or ``planned``: the capacity of the block (scope system: the contracted quantity).
        scope: what is judged: each unit of the block, the block as a whole, or the system.
        min_share: scope unit only: the share of the block's units that must satisfy the comparison.
        evidence_age_days: evidence older than this at the data date is stale; absent = no limit.
        standing: also judged after the gate has passed, age included; a one-off criterion keeps its evidence's age.
        needs: the kind of system whose dependencies are asked at this gate, each judged as a criterion of its own.
        waiver: overrides the playbook's rule for its severity.
    """

    id: Identifier
    title: str
    metric: str
    comparison: Comparison
    threshold: Decimal | Literal["planned"]
    scope: Literal["unit", "block", "system"] = "block"
    min_share: Annotated[Decimal, Field(gt=0, le=1)] = Decimal(1)
    evidence_age_days: Annotated[int, Field(ge=1)] | None = None
    severity: Severity = "high"
    standing: bool = False
    owner_role: str
    needs: str | None = None
    waiver: WaiverRule | None = None
    supply_models: tuple[SupplyModel, ...] = ("owned", "leased", "cloud")

    @field_validator("metric")
    @classmethod
    def _metric_is_registered(cls, value: str) -> str:
        known = sorted(load_metrics())
        if value not in known:
            raise ValueError(f"no metric has this name; allowed: {', '.join(known)}")
        return value

    @field_validator("needs")
    @classmethod
    def _needed_kind_exists(cls, value: str | None) -> str | None:
        return value if value is None else _known_kind(value)

    @model_validator(mode="after")
    def _share_threshold_is_possible(self) -> Criterion:
        metric = load_metrics()[self.metric]
        if metric.unit == "share" and (self.threshold == "planned" or not 0 <= self.threshold <= 1):
            raise ValueError(f"threshold {self.threshold} is impossible: {self.metric} is a share from 0 to 1")
        if self.min_share != 1 and self.scope != "unit":
            raise ValueError(f"min_share is for scope 'unit'; found scope '{self.scope}'")
        return self


class LeadTime(Strict):
    """How long the work of a gate takes, in working days.

    Attributes:
        per: for a whole block, or for each unit of it. Where a gate advances unit by unit, a block that is partly
            there takes the open share of its lead time.
    """

    optimistic: Annotated[Decimal, Field(ge=0, le=2000)]
    likely: Annotated[Decimal, Field(ge=0, le=2000)]
    pessimistic: Annotated[Decimal, Field(ge=0, le=2000)]
    per: Literal["block", "unit"] = "block"

    @model_validator(mode="after")
    def _in_order(self) -> LeadTime:
        if not self.optimistic <= self.likely <= self.pessimistic:
            raise ValueError("expected optimistic <= likely <= pessimistic")
        return self


class Gate(Strict):
    """A gate: the stage of the funnel it closes (``site_ready`` closes none) and its criteria.

    Attributes:
        lead_time: from the gate before it to this one; the forecast needs it where no schedule says more.
        pool: what the systems of a site share in this gate, by priority: its dock, its install crews, its burn-in.
        entry: what must be true before the work of the gate makes sense; it cannot pass without them either. That every
            gate before it has passed is always asked.
        criteria: what must be true at its end (success criteria).
        signed_by: roles that may sign a decision on it; ``roles`` of programme.yaml says who holds them.
    """

    id: Identifier
    title: str
    stage: str | None = None
    owner_role: str
    supply_models: tuple[SupplyModel, ...] = ("owned", "leased", "cloud")
    lead_time: LeadTime | None = None
    pool: Pool = "none"
    signed_by: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    entry: tuple[Criterion, ...] = ()
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]

    @field_validator("stage")
    @classmethod
    def _stage_exists(cls, value: str | None) -> str | None:
        if value is not None and value not in STAGES[1:]:
            raise ValueError(f"not a stage; allowed: {', '.join(STAGES[1:])}")
        return value

    @property
    def asked(self) -> tuple[Criterion, ...]:
        """Entry criteria, then success criteria."""
        return (*self.entry, *self.criteria)


class Playbook(Strict):
    """The gates of one kind of system. A change of ``version`` is shown as a change of definition.

    Attributes:
        waivers: rule by the severity of a criterion; without one, whoever is named as approver may waive it.
    """

    playbook: Identifier
    version: str
    kind: str
    title: str
    waivers: dict[Severity, WaiverRule] = {}
    gates: Annotated[tuple[Gate, ...], Field(min_length=1)]

    @field_validator("kind")
    @classmethod
    def _kind_exists(cls, value: str) -> str:
        return _known_kind(value)

    @model_validator(mode="after")
    def _names_are_single_and_stages_in_order(self) -> Playbook:
        _single("gate", [gate.id for gate in self.gates])
        _single("criterion", [f"{gate.id}.{criterion.id}" for gate in self.gates for criterion in gate.asked])
        closing = [STAGES.index(gate.stage) for gate in self.gates if gate.stage]
        if closing != sorted(set(closing)):
            raise ValueError(f"gates close stages out of order; the order is {', '.join(STAGES[1:])}")
        if self.gates[-1].stage != "schedulable":
            raise ValueError("the last gate must close the stage 'schedulable'")
        return self

    def waiver_rule(self, criterion: Criterion) -> WaiverRule | None:
        """The rule for waivers of a criterion, or None where the playbook has none."""
        return criterion.waiver or self.waivers.get(criterion.severity)


def _known_kind(value: str) -> str:
    if value not in UNITS:
        raise ValueError(f"not a kind; allowed: {', '.join(UNITS)}")
    return value


def _single(what: str, names: list[str]) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"{what} named twice: {', '.join(repeated)}")


def load_playbook(file: Path) -> Playbook:
    """Read one playbook.

    Raises:
        ConfigurationError: with file, line, key, what was found and what is allowed.
    """
    return load_model(file, Playbook, "'playbook' and 'gates'")


def load_playbooks(folder: Path) -> list[Playbook]:
    """Read every ``*.yaml`` of a folder, in order of name.

    Raises:
        ConfigurationError: a file is faulty, or two files carry the same playbook name.
    """
    found: dict[str, Path] = {}
    playbooks = []
    for file in sorted(folder.glob("*.yaml")):
        playbook = load_playbook(file)
        if playbook.playbook in found:
            raise ConfigurationError(f"{file}: playbook '{playbook.playbook}' is already in {found[playbook.playbook]}")
        found[playbook.playbook] = file
        playbooks.append(playbook)
    return playbooks
