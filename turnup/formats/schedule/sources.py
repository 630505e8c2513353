"""Schedule files as sources of datasets: one file feeds activities, links, calendars and projects.

Belongs here: rows, ledger, findings and figures of one dataset. Does not: reading a format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.formats.adapted import adapted
from turnup.formats.model import Fact, FileRejected, Finding, Ledger, RawTable, Rejected, Request
from turnup.formats.schedule.rows import rows_of
from turnup.formats.schedule.table_activities import THREE_POINTS
from turnup.formats.schedule.tables import TableRead, read_table
from turnup.schedule.columns import DATASETS
from turnup.schedule.model import LINK_TYPES

if TYPE_CHECKING:
    from turnup.schedule.model import Project

Reader = Callable[[Request], "tuple[Project, ...]"]
_OF_LINKS = ("link", "external_link", "missing_predecessor", "predecessor")
_OF_CALENDARS = ("calendar", "resource_calendar")


def from_file(form: str, read: Reader) -> Callable[[Request], RawTable]:
    """The parser of a format that holds whole projects."""

    def parse(request: Request) -> RawTable:
        dataset = _dataset(request)
        projects = request.content.once(f"projects {form} {request.source.encoding}", lambda: read(request))
        rows = rows_of(dataset, projects)
        ledger = _ledger(rows, ())
        findings, facts = _findings(dataset, projects), _facts(projects)
        return _exact(request, adapted(request, form, rows, ledger, findings, facts=facts))

    return parse


def from_table(request: Request) -> RawTable:
    """Read a table of tasks for one of the datasets that it feeds."""
    dataset = _dataset(request)
    key = f"schedule table {request.source.fingerprint}"
    read = request.content.once(key, lambda: read_table(request.content, request.source))
    rows = rows_of(dataset, [read.project])
    rejected = read.bad_links if dataset == "activity_links" else ()
    ledger = _ledger(rows, rejected)
    if dataset == "activities":
        rows, rejected, ledger = _activities(rows, read)
    told = {(row.rule, row.row, row.message) for row in (*read.table.rejected, *read.rejected, *read.bad_links)}
    findings = [
        found for found in _findings(dataset, [read.project]) if (found.code, found.row, found.message) not in told
    ]
    table = adapted(request, "schedule_table", rows, ledger, findings, rejected=rejected, facts=_facts([read.project]))
    return _exact(request, table)


def _ledger(rows: pl.DataFrame, rejected: Sequence[Rejected]) -> Ledger:
    """Lines are counted, as a refresh counts them: one line of a file can hold several links."""
    data = rows.select("_sheet", "_row").n_unique()
    refused = len({(row.sheet, row.row) for row in rejected})
    return Ledger(lines=data + refused, data=data, rejected=refused)


def _activities(rows: pl.DataFrame, read: TableRead) -> tuple[pl.DataFrame, tuple[Rejected, ...], Ledger]:
    """The rows as delivered, with their three points; those with a cell that cannot be used are refused."""
    given = dict(read.table.frame.select("_row", "_given").rows())
    points = [read.three_points.get(row, {}) for row in rows["_row"]]
    links = [read.predecessors.get(row) for row in rows["_row"]]
    columns = [pl.Series(name, [_text(each.get(name)) for each in points], pl.String) for name in THREE_POINTS]
    rows = rows.with_columns(
        pl.Series("_given", [given[row] for row in rows["_row"]], pl.String), pl.lit(None, pl.String).alias("_sheet"),
        pl.Series("predecessors", links, pl.String),
        *columns,
    )  # fmt: skip
    first = {row.row: row for row in reversed(read.rejected)}
    kept = rows.filter(~pl.col("_row").is_in(sorted(first)))
    held = read.table.ledger
    ledger = replace(held, data=kept.height, rejected=held.rejected + len(first), other=held.other + read.left_out)
    return kept, (*read.table.rejected, *(first[row] for row in sorted(first))), ledger


def _text(days: float | None) -> str | None:
    return None if days is None else str(round(days, 3))


def _dataset(request: Request) -> str:
    dataset = request.contract.name
    if dataset not in DATASETS:
        feeds = ", ".join(DATASETS)
        raise FileRejected("schedule", f"a schedule feeds {feeds}, not {dataset}", value=dataset, expected=feeds)
    return dataset


def _exact(request: Request, table: RawTable) -> RawTable:
    """The table with its cells typed as they were written here, whatever its source says of how it writes its own."""
    plain: dict[str, Any] = {"decimal": ".", "dates": None, "unit": None, "units": {}, "reasons": {}, "references": {}}
    return replace(table, source=request.source.model_copy(update=plain))


def _findings(dataset: str, projects: Iterable[Project]) -> list[Finding]:
    """What was seen of the rows of one dataset; each once, though projects of a file share some."""
    found = dict.fromkeys(finding for project in projects for finding in project.findings)
    return [finding for finding in found if _about(finding.code) == dataset]


def _about(code: str) -> str:
    if code.startswith(_OF_LINKS):
        return "activity_links"
    return "work_calendars" if code.startswith(_OF_CALENDARS) else "activities"


def _facts(projects: Sequence[Project]) -> list[Fact]:
    """Figures that the owner of a schedule can check at a glance."""
    kinds = Counter(kind for project in projects for kind in project.activities["kind"])
    types = Counter(kind for project in projects for kind in project.links["type"])
    finishes = [project.stored_finish for project in projects if project.stored_finish is not None]
    return [
        Fact("projects", tuple(project.id for project in projects)),
        Fact("activities", sum(count for kind, count in kinds.items() if kind != "summary")),
        Fact("milestones", kinds["start_milestone"] + kinds["finish_milestone"]),
        Fact("summaries", kinds["summary"]),
        Fact("links", sum(types.values())),
        Fact("links_by_type", tuple(f"{types[place]} {name}" for place, name in enumerate(LINK_TYPES) if types[place])),
        Fact("calendars", len({(project.id, key) for project in projects for key in project.calendars})),
        Fact("stored_finish", max(finishes).isoformat() if finishes else ""),
    ]
