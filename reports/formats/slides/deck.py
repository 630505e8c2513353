"""Which slides there are: one a table or chart, with the sentences that belong to it; the first carries the message."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pptx import Presentation
from pptx.util import Pt

from reports.formats.answers import answers
from reports.formats.printed import as_table, imprint
from reports.formats.slides.charts import native
from reports.formats.slides.page import (
    BOTTOM,
    HEIGHT,
    LEFT,
    ROOM,
    TOP,
    WIDTH,
    Frame,
    add_slide,
    add_table,
    add_text,
    describe,
    fitting,
)
from reports.formats.svg import chart_svg
from reports.formats.typeset import pictures
from reports.formats.zipped import normalised
from reports.models.charts import Chart
from reports.models.common import Header, Paragraph, Section, Table
from reports.models.executive import ExecutiveReport
from reports.palette import mark
from reports.text import shorten
from reports.wording import plural

_NOTES = 34.0
_LONGEST_NOTE = 330


@dataclass(frozen=True)
class _Slide:
    """A slide to be made: the subject, its message, what it shows and the sentences under it."""

    subject: str
    message: str
    shows: Table | Chart | None
    notes: tuple[str, ...]


def executive_pptx(report: ExecutiveReport) -> bytes:
    """Return the presentation, with equal bytes for equal reports."""
    sections = [*answers(report), *(Section("", p.id, p.title, p.message, p.blocks) for p in report.pages)]
    slides = [slide for section in sections for slide in _slides(section)]
    drawn = _drawn([slide.shows for slide in slides])
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(WIDTH), Pt(HEIGHT)
    _properties(deck, report.header)
    state = mark(report.header.issue_state)
    frame = Frame(f"{state.glyph} {state.word}", state.hue, imprint(report.header))
    name = f"Executive readiness report · {report.header.week} · {report.header.programme}"
    for slide in slides:
        _make(deck, frame, slide, shorten(f"{name} · {slide.subject}", 112), drawn)
    target = io.BytesIO()
    deck.save(target)
    return normalised(target.getvalue(), _instant(report.header))


def _slides(section: Section) -> Iterator[_Slide]:
    subject = f"{section.number} · {section.title}" if section.number else section.title
    waiting: list[str] = []
    shown: list[tuple[Table | Chart, list[str]]] = []
    for block in section.blocks:
        if isinstance(block, Paragraph):
            (shown[-1][1] if shown else waiting).append(block.text)
        else:
            shown.append((block, waiting))
            waiting = []
    if not shown:
        yield _Slide(subject, section.message, None, tuple(waiting))
    for place, (block, notes) in enumerate(shown):
        answered = section.number and place == 0
        about = subject if section.number else f"{subject}: {section.message}"
        yield _Slide(about, section.message if answered else _message(block), block, tuple(notes))


def _message(block: Table | Chart) -> str:
    """The title of a table or chart; one without any number tells how many rows there are."""
    if any(character.isdigit() for character in block.title) or not isinstance(block, Table):
        return block.title
    return f"{block.title}: {plural(max(block.of, len(block.rows)), 'row')}"


def _drawn(shown: list[Table | Chart | None]) -> dict[str, bytes]:
    """Pictures, by chart, of those charts that have no native form."""
    drawings = {
        chart.id: chart_svg(chart)
        for chart in shown
        if chart is not None and not isinstance(chart, Table) and native(chart) is None
    }
    drawings = {name: svg for name, svg in drawings.items() if svg}
    return dict(zip(drawings, pictures(list(drawings.values())), strict=True))


def _make(deck: Any, frame: Frame, told: _Slide, subject: str, drawn: dict[str, bytes]) -> None:
    slide = add_slide(deck, frame, subject, told.message)
    notes = list(told.notes)
    shows = told.shows
    if shows is None:
        add_text(slide, shorten(" ".join(notes), 1500), LEFT, TOP, ROOM, BOTTOM - TOP, size=14, name="Notes")
        return
    if not isinstance(shows, Table):
        add = native(shows)
        if add or shows.id in drawn:
            made = add(slide) if add else _picture(slide, drawn[shows.id])
            describe(made, shows.title, shows.description)
            made.height = min(made.height, Pt(BOTTOM - TOP - (_NOTES if notes else 0)))
            _notes(slide, notes)
            return
        shows = as_table(shows)
    whole = len(shows.rows)
    laid = fitting(shows, BOTTOM - _NOTES) if shows.columns else None
    if laid and len(laid.table.rows) < whole:
        notes.insert(0, f"{len(laid.table.rows)} of {whole} rows; the others are in executive.html and executive.pdf.")
    if laid:
        add_table(slide, laid)
    _notes(slide, [*notes, shows.note] if shows.note else notes)


def _notes(slide: Any, notes: list[str]) -> None:
    if notes:
        text = shorten(" ".join(notes), _LONGEST_NOTE)
        add_text(slide, text, LEFT, BOTTOM - _NOTES, ROOM, _NOTES, size=10, hue="muted", name="Notes")


def _picture(slide: Any, png: bytes) -> Any:
    made = slide.shapes.add_picture(io.BytesIO(png), Pt(LEFT), Pt(TOP), width=Pt(ROOM * 0.8))
    most = Pt(BOTTOM - TOP - _NOTES)
    if made.height > most:
        made.width, made.height = int(made.width * most / made.height), most
    return made


def _properties(deck: Any, header: Header) -> None:
    at = _instant(header)
    told = deck.core_properties
    told.author = told.last_modified_by = "turnup"
    told.title = f"Executive readiness report · {header.week} · {header.programme}"[:255]
    told.subject = header.issue_state
    told.keywords = f"inputs {header.fingerprint[:12]}"
    told.created = told.modified = at
    told.revision = max(1, header.restatement)


def _instant(header: Header) -> datetime:
    """The data date: nothing in the file tells when it was made."""
    return header.cut_off or datetime(1980, 1, 1, tzinfo=UTC)
