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
from reports.wording import quantity, signed, unit_name


@dataclass(frozen=True)
class IndexedWeek:
    """One row of the index."""

    week: str
    folder: str
    issue_state: str
    restatement: int
    cut_off: str
    classes: tuple[str, ...]
    changes: tuple[str, ...]
    data: str


def render_index(out_root: Path) -> Path:
    """Write `index.html` of every week folder under `out_root` that holds an `executive.json`, newest first."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(out_root.glob("*/executive.json"))]
    folders = [path.parent.name for path in sorted(out_root.glob("*/executive.json"))]
    weeks = sorted((_week(r, f) for r, f in zip(reports, folders, strict=True)), key=lambda w: w.folder, reverse=True)
    programme = clean(reports[-1]["header"]["programme"]) if reports else ""
    return write_whole(out_root / "index.html", index_html(tuple(weeks), programme))


def _week(report: Mapping[str, Any], folder: str) -> IndexedWeek:
    header = report["header"]
    return IndexedWeek(
        week=clean(header["week"]),
        folder=quote(folder),
        issue_state=clean(header["issue_state"]),
        restatement=int(header["restatement"]),
        cut_off=clean(header["cut_off_local"]),
        classes=tuple(_class_words(line) for line in report["how_much"]["classes"]),
        changes=(clean(report["what_changed"]["answer"]), *_flip_words(report)),
        data=clean(f"{header['freshness']}; {quantity(header['quarantined'])} rows quarantined"),
    )


def _class_words(line: Mapping[str, Any]) -> str:
    now, due = Decimal(line["schedulable"]), Decimal(line["due"])
    of_due = f" ({line['of_due']})" if due else ""
    delta = f", {signed(Decimal(line['delta']))}" if line["delta"] not in (None, "0") else ""
    return clean(f"{line['label']}: {quantity(now)} of {quantity(due)} {unit_name(line['unit'])}{of_due}{delta}")


def _flip_words(report: Mapping[str, Any]) -> tuple[str, ...]:
    lines = [line for line in report["what_changed"]["lines"] if line["quantity"] is not None]
    return tuple(clean(f"{line['what']}: {line['quantity_text']}") for line in lines[:4])
