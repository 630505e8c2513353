"""One-page sheets, version 1: one per system and one per site, the same boxes in the same order on each."""

from dataclasses import dataclass, field

from reports.models.common import Block

BOXES = (
    ("commitments", "Commitments: baseline against current"),
    ("funnel", "Funnel: contracted to schedulable"),
    ("gates", "Gates"),
    ("blockers", "Blockers, with their evidence"),
    ("forecast", "Forecast"),
    ("raid", "Risks, issues, actions, decisions, waivers"),
    ("comment", "Comment of site and vendor, apart from our finding"),
)
"""Id and title of every box; a box without content says so."""


@dataclass(frozen=True)
class Box:
    """One box of a sheet."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Sheet:
    """One system or site.

    Attributes:
        kind: `system` or `site`.
        id: the permalink of its subject in the governance report where it has one, such as `SYS-ord1-gpu-a`.
        subject: system id or site id.
        file: name of its file without ending, safe on every file system.
    """

    kind: str
    id: str
    subject: str
    file: str
    name: str
    status: str
    summary: str
    facts: tuple[tuple[str, str], ...]
    boxes: tuple[Box, ...]
    report: str = field(default="sheet", init=False)
    version: str = field(default="1", init=False)
