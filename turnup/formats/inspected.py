"""What is found out about an unknown file. Belongs here: the data classes; does not: anything that finds it out.

A command that has a child read the file needs these words and none of the readers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from turnup.formats.model import Fact, Finding, Ledger, RawTable

Reason = Literal["name", "synonym", "content", "fuzzy", "none", "adapter"]


@dataclass(frozen=True)
class ColumnProposal:
    """One column of an unknown file: what it maps to, or what is proposed for it (``confidence`` 0 to 1)."""

    name: str
    maps_to: str | None
    how: Reason
    reason: str
    confidence: float
    proposed: str | None = None


@dataclass(frozen=True)
class Results:
    """The figures of a file as documents, and what stands between them and a verdict.

    ``incomplete`` says why a run did not come to its end, or is None; ``reasons`` holds everything else.
    """

    figures: tuple[dict[str, Any], ...]
    verdict_ready: bool
    incomplete: str | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """The verdict on one file; ``dataset`` is None when no contract fits, ``source`` a beginning for programme.yaml.

    ``table`` has the rows for whoever goes on with them. ``accepted`` and ``quarantined`` count the rows as a refresh
    would; they are None where that cannot be said.
    """

    format: str
    dataset: str | None
    columns: tuple[ColumnProposal, ...]
    ledger: Ledger
    findings: tuple[Finding, ...]
    source: dict[str, Any]
    facts: tuple[Fact, ...] = ()
    results: Results | None = None
    table: RawTable | None = None
    accepted: int | None = None
    quarantined: int | None = None
