"""The pages of both reports, one file each, no script, nothing loaded; and all files of a week from its models."""

import os
from collections.abc import Callable, Iterable, Set
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports import wording
from reports.build.decisions import impact
from reports.build.reports import build_reports, targets
from reports.charts.behind import behind
from reports.charts.draw import draw
from reports.formats.registry import PAGES, Issue, write_formats
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from reports.palette import LIGHT, mark
from reports.stylesheet import content_security_policy, stylesheet

Href = Callable[[str], str]


def render(con: duckdb.DuckDBPyConnection, out_dir: Path, formats: Iterable[str] = PAGES) -> list[Path]:
    """Write both reports of the published week in some formats, by default the pages and models; return their paths.

    Each file appears whole or not at all: written beside its place, then renamed.
    """
    governance, executive = build_reports(con)
    known = targets(governance)
    pages = {
        "governance.html": governance_html(governance, known),
        "executive.html": executive_html(executive, known),
    }
    return write_formats(Issue(governance, executive, pages), out_dir, formats)


def write_whole(path: Path, text: str) -> Path:
    """Write a file atomically, with the same bytes on every system."""
    beside = path.with_name(f".{path.name}.part")
    with beside.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(path)
    return path


def governance_html(report: GovernanceReport, known: Set[str]) -> str:
    """Return the governance page; links lead within it."""
    return _page("governance.html.j2", lambda link: f"#{link}" if link in known else "", r=report)


def executive_html(report: ExecutiveReport, known: Set[str]) -> str:
    """Return the executive page; links lead to definitions and evidence in the governance page beside it."""
    return _page("executive.html.j2", lambda link: f"governance.html#{link}" if link in known else "", r=report)


def index_html(weeks: tuple[Any, ...], programme: str) -> str:
    """Return the page that lists all weeks."""
    return _page("index.html.j2", lambda link: "", weeks=weeks, programme=programme)


@cache
def environment() -> Environment:
    """Return the template environment: escaping always on, an unknown name is an error, package templates only."""
    made = Environment(
        loader=PackageLoader("reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals.update(
        css=Markup(stylesheet()),  # noqa: S704 - the stylesheet is a constant of the code, no data enters it
        policy=content_security_policy(),
        light=LIGHT,
        mark=mark,
        draw=draw,
        behind=behind,
        px=px,
        qty=wording.quantity,
        count=lambda n: wording.quantity(Decimal(n)),
        signed=wording.signed,
        share=wording.share,
        money=wording.money,
        day=wording.day,
        unit_name=wording.unit_name,
        impact=impact,
    )
    return made


def px(value: float) -> str:
    """Return a coordinate with at most one decimal: numbers enter SVG only in this fixed format."""
    return f"{float(value):.1f}".removesuffix(".0")


def _page(template: str, href: Href, **context: Any) -> str:
    return environment().get_template(template).render(href=href, **context)
