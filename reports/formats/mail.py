"""Both reports as e-mails that are whole by themselves: what they say, the S-curve as a picture, attachments.

Written as a file; delivery puts in who gets it and sends it. Equal reports give equal bytes: boundaries, Message-ID and
Date come from the data date and the fingerprint of the inputs.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256

from reports.formats.answers import answers
from reports.formats.printed import first_rows, imprint, issued, reasons, shown
from reports.formats.svg import chart_svg
from reports.formats.typeset import pictures
from reports.models.common import Block, Cell, Header, Paragraph, Section, Table
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from reports.page import environment
from reports.palette import mark
from reports.text import shorten

LONGEST_HTML = 100_000
"""Bytes of HTML from which on some readers cut a message."""

_DOMAIN = "turnup.invalid"
_SENDER = f"turnup <turnup@{_DOMAIN}>"
_MOST_ROWS = 12
_CUTS = (300, 120, 50, 20)
_CLOSING = "The whole report is attached {}. Status is computed from dates, quantities and evidence, never typed."
_UNSAFE_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class _Letter:
    """What a message says before its attachments: title, the sentence of its subject, sections."""

    title: str
    header: Header
    subject: str
    sections: tuple[Section, ...]
    closing: str


Attachment = tuple[bytes, str, str]
"""Content, MIME type, and what its file name ends in."""


def executive_eml(report: ExecutiveReport, pdf: bytes, html: bytes) -> bytes:
    """Return the message with text, HTML, the picture of the S-curve, and the report attached as PDF and HTML."""
    sections = tuple(replace(section, blocks=tuple(map(_short, section.blocks))) for section in answers(report))
    curve = report.when_sure.curve
    png = pictures([chart_svg(curve)]) if curve else []
    letter = _Letter(
        "Executive readiness report",
        report.header,
        report.how_much.answer,
        sections,
        _CLOSING.format("as PDF and as HTML"),
    )
    attached = [(pdf, "application/pdf", "pdf"), (html, "text/html", "html")]
    return _message(letter, "executive", png[0] if png else b"", attached)


def governance_eml(report: GovernanceReport, pdf: bytes, xlsx: bytes) -> bytes:
    """Return the message with what each section says, and the report attached as PDF and as a workbook."""
    sections = tuple(replace(section, blocks=()) for section in report.sections)
    closing = _CLOSING.format("as PDF and as a workbook with every row")
    letter = _Letter("Governance report", report.header, _governance_subject(report), sections, closing)
    attached = [
        (pdf, "application/pdf", "pdf"),
        (xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ]
    return _message(letter, "governance", b"", attached)


def _governance_subject(report: GovernanceReport) -> str:
    """What changed since the last issue; in a first week, where nothing can have, what stands at the gates."""
    said = {section.id: section.message for section in report.sections}
    if report.header.previous_week:
        return said.get("S1", "")
    return ": ".join(("first issue", *([said["S3"]] if said.get("S3") else [])))


def _message(letter: _Letter, name: str, png: bytes, attached: list[Attachment]) -> bytes:
    message = EmailMessage(policy=SMTP)
    _headers(message, letter)
    message.set_content(plain_text(letter), cte="base64")
    message.add_alternative(_html(letter, "s-curve" if png else ""), subtype="html", cte="base64")
    if png:
        _with_picture(message, png)
    stem = f"{name}-{_UNSAFE_IN_NAMES.sub('-', letter.header.week)}"
    for content, kind, ending in attached:
        maintype, _, subtype = kind.partition("/")
        message.add_attachment(content, maintype=maintype, subtype=subtype, filename=f"{stem}.{ending}")
    _fix_boundaries(message, letter.header)
    return message.as_bytes()


def _short(block: Block) -> Block:
    return first_rows(block, _MOST_ROWS, "they are in the attached report") if isinstance(block, Table) else block


def _headers(message: EmailMessage, letter: _Letter) -> None:
    header = letter.header
    stamp = f"[{shorten(header.stamp, 60)}] " if header.stamp else ""
    at = header.cut_off or datetime(1980, 1, 1)  # noqa: DTZ001 - the model's instants are UTC without saying so
    message["From"] = _SENDER
    message["Subject"] = shorten(f"{stamp}{header.programme} {header.week}: {letter.subject}", 180)
    message["Date"] = format_datetime(at.replace(tzinfo=UTC))
    message["Message-ID"] = f"<{_token(header)}@{_DOMAIN}>"
    message["X-Turnup-Issue"] = shorten(header.issue_state, 40)


def _token(header: Header) -> str:
    told = "\0".join((header.programme, header.week, str(header.restatement), header.issue_state, header.fingerprint))
    return f"{_UNSAFE_IN_NAMES.sub('-', header.week)}.{header.restatement}.{sha256(told.encode()).hexdigest()[:24]}"


def _with_picture(message: EmailMessage, png: bytes) -> None:
    parts = message.get_payload()
    page = parts[1] if isinstance(parts, list) else None
    if isinstance(page, MIMEPart):
        page.add_related(png, maintype="image", subtype="png", cid="<s-curve>", filename="s-curve.png")


def _fix_boundaries(message: EmailMessage, header: Header) -> None:
    groups = [part for part in message.walk() if part.is_multipart()]
    for number, part in enumerate(groups):
        part.set_boundary(f"=_{number}_{sha256(_token(header).encode()).hexdigest()[:32]}")


def _html(letter: _Letter, picture: str) -> str:
    """The page, its longest texts cut so far that no reader cuts the message."""
    import css_inline

    header = letter.header
    page = ""
    for longest in _CUTS:
        page = environment().get_template("mail.html.j2").render(
            title=shorten(f"{letter.title} · {header.week} · {header.programme}", longest),
            issue=mark(header.issue_state), issued=shorten(issued(header), 2 * longest),
            reasons=shorten(reasons(header), 2 * longest), sections=letter.sections, picture=picture, shown=shown,
            cut=lambda text, most=longest: shorten(text, most), closing=letter.closing, imprint=imprint(header),
        )  # fmt: skip
        page = css_inline.inline(page, load_remote_stylesheets=False)
        if len(page.encode()) < LONGEST_HTML:
            break
    return page


def plain_text(letter: _Letter) -> str:
    """Return the same figures as text, for readers who show no HTML."""
    header = letter.header
    lines = [f"{letter.title} · {header.week} · {header.programme}", header.issue_state, issued(header)]
    lines += [reasons(header)] if reasons(header) else []
    for section in letter.sections:
        lines += ["", f"{section.number} {section.title}", section.message]
        for block in section.blocks:
            if isinstance(block, Paragraph):
                lines.append(block.text)
            elif isinstance(block, Table):
                lines += [_line(block, [_told(cell) for cell in row.cells]) for row in block.rows]
                lines += [block.note] if block.note else []
    lines += ["", letter.closing, imprint(header), ""]
    return "\n".join(shorten(line, 700) for line in lines)


def _told(cell: Cell) -> str:
    return f"{shown(cell)} ({cell.note})" if cell.note else shown(cell)


def _line(table: Table, texts: list[str]) -> str:
    told = [f"{column.label} {text}" for column, text in zip(table.columns[1:], texts[1:], strict=False) if text]
    return f"- {texts[0]}: {', '.join(told)}"
