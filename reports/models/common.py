"""Parts that both reports share: header, tables, paragraphs, sections, definitions.

Every text here has passed `reports.text.clean`. A cell carries its printed text and, where it is a figure, the exact
value behind it, so that every renderer prints the same and a machine need not parse the print.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from reports.models.charts import Chart

Value = str | int | Decimal | date | None


@dataclass(frozen=True)
class Cell:
    """One cell: printed text, exact value, status (a word of the palette), link target and a second, smaller line."""

    text: str
    value: Value = None
    status: str = ""
    link: str = ""
    note: str = ""
    faded: bool = False


@dataclass(frozen=True)
class Column:
    """A column: heading, alignment, and the id of its definition in the annex (empty when the heading says all)."""

    label: str
    numeric: bool = False
    definition: str = ""


@dataclass(frozen=True)
class Row:
    """A table row; `id` makes it a permalink."""

    cells: tuple[Cell, ...]
    id: str = ""
    total: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its permalink. `of` is the number of rows there are; `rows` may be capped, and then says so.

    A folded table is long and of interest to few: screens show its title, and its rows on demand.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    of: int = 0
    note: str = ""
    folded: bool = False
    type: str = field(default="table", init=False)


@dataclass(frozen=True)
class Paragraph:
    """A sentence by rule; `tone` is `note`, `absent` (a dataset that was not delivered) or `warning`."""

    text: str
    tone: str = "note"
    link: str = ""
    type: str = field(default="paragraph", init=False)


Block = Table | Paragraph | Chart


@dataclass(frozen=True)
class Section:
    """A numbered section: title that names the subject, message that states the finding with its number."""

    number: str
    id: str
    title: str
    message: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class SourceAge:
    """One source in the header: when it was exported, its age against its limit, its rows, its state."""

    source: str
    dataset: str
    owner: str
    required: bool
    file: str
    exported_at: datetime | None
    exported_basis: str
    age_days: Decimal | None
    max_age_days: Decimal | None
    rows_read: int
    accepted: int
    quarantined: int
    state: str


@dataclass(frozen=True)
class GateCheck:
    """One of the four tests of the issue gate: whether it holds, in words with its numbers, and where its rows are."""

    name: str
    passed: bool
    text: str
    link: str = ""


@dataclass(frozen=True)
class Released:
    """A named person let leadership read this result though it is no FINAL; it holds for this fingerprint only."""

    by: str
    at: str
    reason: str
    number: int
    fingerprint: str


@dataclass(frozen=True)
class Header:
    """What every page carries: week, data date, issue state with reasons, freshness, quarantine, fingerprints."""

    programme: str
    week: str
    previous_week: str
    week_state: str
    restatement: int
    cut_off: datetime | None
    cut_off_local: str
    as_of: date | None
    time_zone: str
    fingerprint: str
    config_hash: str
    code_version: str
    issue_state: str
    issue_reasons: tuple[str, ...]
    freshness: str
    stale: tuple[str, ...]
    quarantined: int
    rows_read: int
    accepted: int
    sources: tuple[SourceAge, ...]
    checks: tuple[GateCheck, ...] = ()
    released: Released | None = None
    last_issue: str = ""

    @property
    def leadership_may_read(self) -> bool:
        """Whether it may be sent to leadership: it is FINAL, or a named person released this very result."""
        return self.issue_state == "FINAL" or self.released is not None

    @property
    def stamp(self) -> str:
        """What every page, slide and subject carries in front: empty for a FINAL, else the state and its release."""
        if self.issue_state == "FINAL":
            return ""
        return self.issue_state + (f", released by {self.released.by}" if self.released else "")


@dataclass(frozen=True)
class Definition:
    """One number, one definition: id for links, name, unit, sentence, formula."""

    id: str
    name: str
    unit: str
    meaning: str
    formula: str
