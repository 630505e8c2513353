"""Files of one week: HTML and canonical JSON of both reports, and the one-page sheets.

One file each, no script, nothing loaded, equal bytes for equal models.
"""

import os
from collections.abc import Set
from pathlib import Path
from typing import Any

import duckdb

from reports.build.reports import build_issue, targets
from reports.build.standing import ALONE, Standing
from reports.models.canonical import to_json
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from reports.models.sheets import Sheet
from reports.page import environment, page
from reports.sheets import sheet_paths, write_sheets

__all__ = ["environment", "executive_html", "governance_html", "index_html", "render", "write_whole"]


def render(con: duckdb.DuckDBPyConnection, out_dir: Path, standing: Standing = ALONE) -> list[Path]:
    """Write `governance.html`, `.json`, `executive.html`, `.json` and the sheets of a week; return their paths.

    Each file appears whole or not at all: written beside its place, then renamed.
    """
    issue = build_issue(con, standing)
    governance, executive = issue.governance, issue.executive
    known = targets(governance)
    texts = {
        "governance.html": governance_html(governance, known, issue.sheets),
        "governance.json": to_json(governance),
        "executive.html": executive_html(executive, known),
        "executive.json": to_json(executive),
    }
    out_dir.mkdir(parents=True, exist_ok=True)
    files = [write_whole(out_dir / name, text) for name, text in texts.items()]
    return files + write_sheets(issue.sheets, governance.header, known, out_dir)


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
