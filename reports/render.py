"""Files of one week: both reports in every format that is wanted, and the one-page sheets beside the pages.

Pages carry no script and load nothing; equal models give equal bytes.
"""

import os
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


def render(
    con: duckdb.DuckDBPyConnection, out_dir: Path, formats: Iterable[str] = PAGES, standing: Standing = ALONE
) -> list[Path]:
    """Write both reports of the published week in some formats, by default the pages and models; return their paths.

    Each file appears whole or not at all: written beside its place, then renamed. With the pages come the sheets of
    systems and sites.
    """
    wanted = tuple(formats)
    issue = build_issue(con, standing)
    governance, executive = issue.governance, issue.executive
    known = targets(governance)
    pages = {
        "governance.html": governance_html(governance, known, issue.sheets),
        "executive.html": executive_html(executive, known),
    }
    files = write_formats(Issue(governance, executive, pages), out_dir, wanted)
    return files + (write_sheets(issue.sheets, governance.header, known, out_dir) if "html" in wanted else [])


def write_whole(path: Path, text: str) -> Path:
    """Write a file atomically, with the same bytes on every system."""
    beside = path.with_name(f".{path.name}.part")
    with beside.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
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
