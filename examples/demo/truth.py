"""What was planted, so that a test can hold the pipeline to it.

Belongs here: the records of the truth file. Does not: the planting (``defects``).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Defect:
    """One thing wrong with the delivered data, and what the pipeline must say about it.

    Attributes:
        defect: short id, such as D07.
        where: ``quarantine`` (a row refused), ``file`` (a whole file), ``finding`` (a contradiction between rows),
            ``expectation`` (a failed expectation of a contract, severity error) or ``escalation``.
        code: the rule or finding code expected.
        dataset: dataset concerned.
        file: path below the inbox; empty for a finding that has no single file.
        row: row number as a reader counts; None when the whole file or no single row is meant.
        column: the sender's fault column, in our name.
        value: the offending value as given.
        subject: what a finding is about: a serial, a node, a part, a system, a source.
        system_id: system concerned, where one is.
        appears: first reporting week that shows it.
        resolved: first reporting week that shows it no longer; None when it is still open at the end.
        note: the story, for people.
    """

    defect: str
    where: str
    code: str
    dataset: str
    appears: str
    note: str
    file: str = ""
    row: int | None = None
    column: str = ""
    value: str = ""
    subject: str = ""
    system_id: str = ""
    resolved: str | None = None


@dataclass(frozen=True)
class Arrival:
    """One unusual arrival: ``late`` (after the cut-off), ``resend`` (unchanged) or ``return`` (snapshot A after B)."""

    kind: str
    file: str
    received: str
    week: str
    note: str


@dataclass(frozen=True)
class Shortage:
    """Pieces of a part that a system needs and does not have at its site at the end of a week."""

    week: str
    system_id: str
    part_number: str
    pieces: int


@dataclass
class Truth:
    """Everything planted, and the counts a test can check by hand."""

    seed: int
    weeks: tuple[str, ...]
    files: int = 0
    defects: list[Defect] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    shortages: list[Shortage] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write the truth file as sorted JSON."""
        path.write_text(json.dumps(asdict(self), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
