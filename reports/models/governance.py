"""Weekly governance report, version 1: sections 0 to 13, one sheet per system, definitions and evidence."""

from dataclasses import dataclass, field

from reports.models.common import Block, Definition, Header, Section


@dataclass(frozen=True)
class SystemSheet:
    """One system: facts, funnel, gates, open criteria, commitments, claims against evidence."""

    id: str
    system_id: str
    name: str
    status: str
    summary: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Evidence:
    """Rows behind one blocker or finding: file, sheet and row of each; capped, with the full count."""

    id: str
    title: str
    message: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class GovernanceReport:
    """The whole governance report of one week."""

    header: Header
    sections: tuple[Section, ...]
    sheets: tuple[SystemSheet, ...]
    definitions: tuple[Definition, ...]
    evidence: tuple[Evidence, ...]
    report: str = field(default="governance", init=False)
    version: str = field(default="1", init=False)
