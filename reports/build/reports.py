"""Both report models of one week from its published warehouse."""

from dataclasses import replace

import duckdb

from reports.build.annex import evidence_pages, system_sheets
from reports.build.decisions import build_decisions
from reports.build.definitions import definitions
from reports.build.figures import unclosed
from reports.build.header import build_header
from reports.build.how_much import build_how_much
from reports.build.links import live_links, unique_rows
from reports.build.pages import contracts_page, forecast_page, risk_page
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
from reports.build.trust import trust_page
from reports.build.warehouse import Warehouse
from reports.build.week import Week, week_of
from reports.build.what_changed import build_what_changed
from reports.build.when_sure import build_when_sure
from reports.models.common import Definition, Header, Section
from reports.models.executive import ExecutiveReport, WhatChanged
from reports.models.governance import Evidence, GovernanceReport, SystemSheet

STATUS_NOTE = (
    "Status is computed from dates, quantities and evidence, never typed. Red: P50 after the contract date, or overdue "
    "beyond 14 d; amber: P80 after it, overdue within 14 d, or a waiver expiring within 30 d; "
    "not rated: evidence missing or too old."
)
_TRUST_DEFINITIONS = ("contracted", "due", "schedulable", "p50", "p80", "confidence", "waived", "idle", "status")


def build_reports(connection: duckdb.DuckDBPyConnection) -> tuple[GovernanceReport, ExecutiveReport]:
    """Build both models; the executive report's links point into the governance report."""
    week = week_of(Warehouse(connection))
    changed = build_what_changed(week.warehouse, week.previous)
    doubts = (*unclosed(week.warehouse), *((changed.check,) if not changed.reconciled else ()))
    header = build_header(week.warehouse, reconciled=doubts)
    meanings = definitions(week.warehouse)
    governance = _settled(_governance(week, header, changed, meanings))
    executive = _executive(week, header, changed, meanings)
    return governance, _linked(executive, targets(governance))


def _governance(week: Week, header: Header, changed: WhatChanged, meanings: tuple[Definition, ...]) -> GovernanceReport:
    sections = (
        issue_section(week, header),
        changes_section(week, changed),
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
