"""Files of one week: both reports in every format that is wanted, and the one-page sheets beside the pages.

Pages carry no script and load nothing; equal models give equal bytes.
"""

from collections.abc import Iterable, Set
from pathlib import Path
from typing import Any

import duckdb

from reports.build.reports import build_issue, targets
from reports.build.standing import ALONE, Standing
from reports.formats.registry import PAGES, Issue, write_formats
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from reports.models.sheets import Sheet
from reports.page import page
from reports.sheets import sheet_paths, write_sheets
from turnup.durable import replace_bytes


def render(
    con: duckdb.DuckDBPyConnection,
    out_dir: Path,
    formats: Iterable[str] = PAGES,
    standing: Standing = ALONE,
    *,
    sheets: bool = True,
) -> list[Path]:
    """Write both reports of the published week in some formats, by default the pages and models; return their paths.

    With the pages come the sheets of systems and sites, to which they lead, unless only the reports are wanted. Each
    file appears whole or not at all: written beside its place, then renamed.
    """
    wanted = tuple(formats)
    sheets = sheets and "html" in wanted
    issue = build_issue(con, standing, sheets=sheets)
    governance, executive = issue.governance, issue.executive
    known = targets(governance)
    pages = {
        "governance.html": governance_html(governance, known, issue.sheets.heads),
        "executive.html": executive_html(executive, known),
    }
    files = write_formats(Issue(governance, executive, pages, issue.whole), out_dir, wanted)
    return files + (write_sheets(issue.sheets, governance.header, known, out_dir) if sheets else [])


def write_whole(path: Path, text: str) -> Path:
    """Write a page whole or not at all, with the same bytes on every system."""
    replace_bytes(path, text.encode("utf-8"))
    return path


def governance_html(report: GovernanceReport, known: Set[str], sheets: tuple[Sheet, ...] = ()) -> str:
    """Return the governance page; links lead within it, and to those sheets that lie beside it."""
    beside = {"pages": sheet_paths(sheets), "sites": [sheet for sheet in sheets if sheet.kind == "site"]}
    return page("governance.html.j2", lambda link: f"#{link}" if link in known else "", r=report, **beside)


def executive_html(report: ExecutiveReport, known: Set[str]) -> str:
    """Return the executive page; links lead to definitions and evidence in the governance page beside it."""
    return page("executive.html.j2", lambda link: f"governance.html#{link}" if link in known else "", r=report)


def index_html(weeks: tuple[Any, ...], programme: str) -> str:
    """Return the page that lists all weeks."""
    return page("index.html.j2", lambda link: "", weeks=weeks, programme=programme)
