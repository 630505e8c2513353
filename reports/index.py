"""The index of all weeks, made from the executive JSONs that lie beside the reports; it reads no warehouse."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reports.render import index_html, write_whole
from reports.text import clean
from reports.wording import plural, quantity, signed, unit_name

_NAMES = {"html": "page", "pdf": "PDF", "pptx": "slides", "xlsx": "tables", "eml": "e-mail", "json": "JSON"}
_REPORTS = ("executive", "governance")


@dataclass(frozen=True)
class Link:
    """A file of a week that exists: words and address from the index."""

    text: str
    href: str


@dataclass(frozen=True)
class IndexedWeek:
    """One row of the index."""

    week: str
    issue_state: str
    issue: str
    released: str
    cut_off: str
    classes: tuple[str, ...]
    changes: tuple[str, ...]
    data: str
    reports: tuple[tuple[str, tuple[Link, ...]], ...]
    sheets: tuple[tuple[str, tuple[Link, ...]], ...]


def render_index(out_root: Path) -> Path:
    """Write `index.html` of every week folder under `out_root` that holds an `executive.json`, newest first."""
    found = [(path.parent, json.loads(path.read_text(encoding="utf-8"))) for path in out_root.glob("*/executive.json")]
    found.sort(key=lambda item: item[0].name, reverse=True)
    weeks = tuple(_week(report, folder) for folder, report in found)
    programme = clean(found[0][1]["header"]["programme"]) if found else ""
    return write_whole(out_root / "index.html", index_html(weeks, programme))


def _week(report: Mapping[str, Any], folder: Path) -> IndexedWeek:
    header, released = report["header"], report["header"].get("released")
    number = int(header["restatement"])
    return IndexedWeek(
        week=clean(header["week"]),
        issue_state=clean(header["issue_state"]),
        issue=f"issue {number}" if number > 1 else "",
        released=f"released by {clean(released['by'])}: {clean(released['reason'])}" if released else "",
        cut_off=clean(header["cut_off_local"]),
        classes=tuple(_class_words(line) for line in report["how_much"]["classes"]),
        changes=_changes(report),
        data=clean(f"{header['freshness']}; {quantity(header['quarantined'])} rows quarantined"),
        reports=tuple((name, links) for name in _REPORTS if (links := _formats(folder, name))),
        sheets=tuple((name, links) for name in ("sites", "systems") if (links := _sheets(folder, name))),
    )


def _formats(folder: Path, report: str) -> tuple[Link, ...]:
    """Every format of a report that was written for the week."""
    return tuple(
        Link(f"{report} {name}", quote(f"{folder.name}/{report}.{ending}"))
        for ending, name in _NAMES.items()
        if (folder / f"{report}.{ending}").exists()
    )


def _sheets(folder: Path, name: str) -> tuple[Link, ...]:
    files = sorted((folder / name).glob("*.html"))
    return tuple(Link(file.stem, quote(f"{folder.name}/{name}/{file.name}")) for file in files)


def _class_words(line: Mapping[str, Any]) -> str:
    now, due = Decimal(line["schedulable"]), Decimal(line["due"])
    of_due = f" ({line['of_due']})" if due else ""
    delta = f", {signed(Decimal(line['delta']))}" if line["delta"] not in (None, "0") else ""
    return clean(f"{line['label']}: {quantity(now)} of {quantity(due)} {unit_name(line['unit'])}{of_due}{delta}")


def _changes(report: Mapping[str, Any]) -> tuple[str, ...]:
    """What changed: the report's own narrative, else its lines of change."""
    told = report.get("narrative") or {}
    sentences = [clean(item["text"]) for item in told.get("changed", ())]
    if not sentences:
        lines = [line for line in report["what_changed"]["lines"] if line["quantity"] is not None]
        sentences = [clean(f"{line['what']}: {line['quantity_text']}") for line in lines]
    asked = len(told.get("asked", ()))
    shown = [clean(report["what_changed"]["answer"]), *sentences[:4]]
    shown += [f"{plural(len(sentences) - 4, 'more change')} in the reports."] if len(sentences) > 4 else []
    return (*shown, *([f"{plural(asked, 'decision or action', 'decisions and actions')} asked."] if asked else []))
