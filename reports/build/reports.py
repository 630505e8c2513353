"""Both report models of one week from its published warehouse."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import duckdb

from reports.build.annex import system_sheets
from reports.build.as_issued import Said, doubts, said_blocks, said_last, this_week_said
from reports.build.caps import whole_tables
from reports.build.decisions import build_decisions
from reports.build.definitions import definitions
from reports.build.evidence import evidence_pages
from reports.build.figures import unclosed
from reports.build.header import build_header
from reports.build.how_much import build_how_much
from reports.build.links import live_links, unique_rows
from reports.build.made_later import Sheets
from reports.build.narrative import build_narrative, narrative_block, supported
from reports.build.pages import contracts_page, forecast_page, risk_page
from reports.build.redaction import hidden
from reports.build.sections.ahead import ahead_section
from reports.build.sections.changes import changes_section
from reports.build.sections.commitments import commitments_section
from reports.build.sections.delivery import acceptance_section, supply_section
from reports.build.sections.gates import gate_board_section, gate_decisions_section
from reports.build.sections.issue import issue_section
from reports.build.sections.metrics import metrics_section
from reports.build.sections.quality import quality_section
from reports.build.sections.raid import actions_section, raid_section
from reports.build.sections.schedule import schedule_section
from reports.build.sheets import build_system_sheets
from reports.build.site_sheets import build_site_sheets
from reports.build.standing import ALONE, Standing
from reports.build.trust import trust_page
from reports.build.warehouse import Warehouse
from reports.build.week import Week, week_of
from reports.build.what_changed import build_what_changed
from reports.build.when_sure import build_when_sure
from reports.models.common import Block, Definition, Header, Section
from reports.models.executive import ExecutiveReport, WhatChanged
from reports.models.governance import Evidence, GovernanceReport, SystemSheet
from reports.models.narrative import NO_NARRATIVE, Narrative

STATUS_NOTE = (
    "Status is computed from dates, quantities and evidence, never typed. Red: P50 after the contract date, or overdue "
    "beyond 14 d; amber: P80 after it, overdue within 14 d, or a waiver expiring within 30 d; "
    "not rated: evidence missing or too old."
)
_TRUST_DEFINITIONS = ("contracted", "due", "schedulable", "p50", "p80", "confidence", "waived", "idle", "status")


def build_reports(
    connection: duckdb.DuckDBPyConnection, standing: Standing = ALONE
) -> tuple[GovernanceReport, ExecutiveReport]:
    """Build both models; the executive report's links point into the governance report."""
    issue = build_issue(connection, standing, sheets=False)
    return issue.governance, issue.executive


@dataclass(frozen=True)
class Issue:
    """What one week's files are made from: both reports, and the one-page sheets that go with them.

    `whole` makes the governance report with every row of every table and the tables of every system, for the workbook.
    """

    governance: GovernanceReport
    executive: ExecutiveReport
    sheets: Sheets
    whole: Callable[[], GovernanceReport]


def build_issue(connection: duckdb.DuckDBPyConnection, standing: Standing = ALONE, *, sheets: bool = True) -> Issue:
    """Build every model of one week, each as its audience may see it; the sheets only where they are wanted."""
    working, leadership = (
        week_of(Warehouse(connection, hidden(connection, kinds)))
        for kinds in (standing.audiences.working, standing.audiences.leadership)
    )
    if standing.audiences.working == standing.audiences.leadership:
        leadership = working
    said = said_last(working, standing.last)
    parts = _parts(working, said, standing)
    governance = _settled(_governance(working, *parts, _said(working, standing, said)))
    known = targets(governance)
    told = supported(build_narrative(working), known)
    if leadership is working:
        parts_seen, told_seen = parts, told
    else:
        parts_seen = _parts(leadership, said, standing)
        told_seen = supported(build_narrative(leadership), known)
    executive = _linked(_executive(leadership, *parts_seen), known)

    def whole() -> GovernanceReport:
        with whole_tables():
            return _with_narrative(_settled(_governance(working, *parts, _said(working, standing, said))), told)

    return Issue(
        _with_narrative(governance, told),
        replace(executive, narrative=told_seen),
        Sheets((*build_system_sheets(working), *build_site_sheets(working)) if sheets else ()),
        whole,
    )


_Parts = tuple[Header, WhatChanged, tuple[Definition, ...]]


def _parts(week: Week, said: tuple[Said, ...], standing: Standing) -> _Parts:
    changed = build_what_changed(week.warehouse, week.previous)
    doubted = (*unclosed(week.warehouse), *((changed.check,) if not changed.reconciled else ()), *doubts(said))
    header = build_header(week.warehouse, reconciled=doubted, standing=standing)
    return header, changed, definitions(week.warehouse)


def _said(week: Week, standing: Standing, said: tuple[Said, ...]) -> list[Block]:
    return [*said_blocks(week, standing.last, said), *this_week_said(week, standing.earlier)]


def _with_narrative(report: GovernanceReport, narrative: Narrative) -> GovernanceReport:
    """Put the narrative first in section 1; its evidence is known only when every id has its place."""
    told = narrative_block(narrative)
    sections = tuple(replace(s, blocks=(told, *s.blocks)) if s.id == "S1" else s for s in report.sections)
    return replace(report, sections=sections)


def _governance(
    week: Week,
    header: Header,
    changed: WhatChanged,
    meanings: tuple[Definition, ...],
    said: list[Block],
) -> GovernanceReport:
    sections = (
        issue_section(week, header),
        changes_section(week, changed, said),
        commitments_section(week),
        gate_board_section(week),
        gate_decisions_section(week),
        schedule_section(week),
        supply_section(week),
        acceptance_section(week),
        metrics_section(week),
        raid_section(week),
        actions_section(week),
        quality_section(week),
        ahead_section(week),
    )
    return GovernanceReport(header, sections, system_sheets(week), meanings, evidence_pages(week))


def _executive(week: Week, header: Header, changed: WhatChanged, meanings: tuple[Definition, ...]) -> ExecutiveReport:
    sure = build_when_sure(week.warehouse, week.as_of)
    told = tuple((d.name, d.meaning) for d in meanings if d.id in {f"DEF-{name}" for name in _TRUST_DEFINITIONS})
    return ExecutiveReport(
        header=header,
        how_much=build_how_much(week.warehouse),
        when_sure=sure,
        what_changed=changed,
        decisions=build_decisions(week),
        status_note=STATUS_NOTE,
        narrative=NO_NARRATIVE,
        pages=(contracts_page(week), forecast_page(week, sure), risk_page(week), trust_page(week, header, sure, told)),
    )


def _settled(report: GovernanceReport) -> GovernanceReport:
    """Give every id one place, sections before sheets before evidence, then drop links that lead nowhere."""
    seen = {s.id for s in report.sections} | {s.id for s in report.sheets}
    seen |= {e.id for e in report.evidence} | {d.id for d in report.definitions}
    sections = tuple(replace(s, blocks=unique_rows(s.blocks, seen)) for s in report.sections)
    sheets = tuple(replace(s, blocks=unique_rows(s.blocks, seen)) for s in report.sheets)
    evidence = tuple(replace(e, blocks=unique_rows(e.blocks, seen)) for e in report.evidence)
    return replace(
        report,
        sections=tuple(replace(s, blocks=live_links(s.blocks, seen)) for s in sections),
        sheets=tuple(replace(s, blocks=live_links(s.blocks, seen)) for s in sheets),
        evidence=tuple(replace(e, blocks=live_links(e.blocks, seen)) for e in evidence),
    )


def targets(report: GovernanceReport) -> set[str]:
    """Return every id that a link may lead to in the governance report."""
    parts: list[Section | SystemSheet | Evidence] = [*report.sections, *report.sheets, *report.evidence]
    found = {part.id for part in parts} | {d.id for d in report.definitions}
    for part in parts:
        for block in part.blocks:
            found |= {getattr(block, "id", "")} | {
                row.id for row in getattr(block, "rows", ()) if getattr(row, "id", "")
            }
    return found - {""}


def _linked(report: ExecutiveReport, known: set[str]) -> ExecutiveReport:
    seen: set[str] = set()
    pages = [replace(page, blocks=unique_rows(page.blocks, seen)) for page in report.pages]
    return replace(report, pages=tuple(replace(page, blocks=live_links(page.blocks, known)) for page in pages))
