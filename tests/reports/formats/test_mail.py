"""The e-mail: whole by itself, nothing loaded, nothing too long, the report attached."""

import json
import re
import struct
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from reports.formats.mail import LONGEST_HTML, executive_eml, governance_eml
from reports.models.common import Section
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from tests.reports.pages import Page


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def read(content: bytes) -> EmailMessage:
    found = message_from_bytes(content, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_parts_in_the_order_that_readers_prefer(message: EmailMessage) -> None:
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
        "application/pdf", "text/html",
    ]  # fmt: skip
    assert [part.get_filename() for part in message.iter_attachments()] == [
        "executive-2026-W44.pdf", "executive-2026-W44.html",
    ]  # fmt: skip


def test_attachments_are_the_files_beside_it(message: EmailMessage, week: Path) -> None:
    pdf, html = message.iter_attachments()
    assert pdf.get_content() == (week / "executive.pdf").read_bytes()
    assert html.get_payload(decode=True) == (week / "executive.html").read_bytes()


def test_headers_come_from_the_data(message: EmailMessage, executive: ExecutiveReport) -> None:
    assert message["Date"] == "Fri, 30 Oct 2026 23:00:00 +0000"
    assert re.fullmatch(r"<2026-W44\.1\.[0-9a-f]{24}@turnup\.invalid>", message["Message-ID"])
    assert message["Subject"] == f"[DRAFT] Northstar build-out 2026-W44: {executive.how_much.answer}"
    assert message["To"] is None  # delivery knows who gets it


def test_another_issue_is_another_message(executive: ExecutiveReport) -> None:
    again = replace(executive, header=replace(executive.header, restatement=2))
    ids = {read(executive_eml(report, b"%PDF", b"<p>"))["Message-ID"] for report in (executive, again)}
    assert len(ids) == 2


def test_styles_stand_in_elements_and_nothing_is_loaded_or_run(message: EmailMessage) -> None:
    html = html_of(message)
    parsed = Page(html)
    assert parsed.unbalanced == []
    assert not parsed.names() & {"svg", "script", "link", "style", "iframe", "form", "video"}
    assert "data:" not in re.sub(r"open week, data to|data date", "", html)
    assert parsed.links == []
    images = [attrs for name, attrs in parsed.elements if name == "img"]
    assert [image["src"] for image in images] == ["cid:s-curve"]
    assert images[0]["alt"]
    assert len(html.encode()) < LONGEST_HTML


def test_the_picture_is_the_s_curve_at_twice_its_size(message: EmailMessage) -> None:
    picture = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == "<s-curve>"
    content = picture.get_content()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (1200, 472)


def test_a_message_stays_below_what_readers_cut(executive: ExecutiveReport) -> None:
    long = "promised again and again " * 400
    lines = tuple(replace(line, cause=long, what=long, evidence=long) for line in executive.what_changed.lines)
    report = replace(executive, what_changed=replace(executive.what_changed, lines=lines * 10))
    assert len(html_of(read(executive_eml(report, b"%PDF", b"<p>"))).encode()) < LONGEST_HTML


@pytest.mark.parametrize("state", ["FINAL", "NOT RATED"])
def test_the_state_stands_in_subject_and_text(executive: ExecutiveReport, state: str) -> None:
    report = replace(executive, header=replace(executive.header, issue_state=state, issue_reasons=()))
    found = read(executive_eml(report, b"%PDF", b"<p>"))
    assert found["Subject"].startswith("[NOT RATED] " if state == "NOT RATED" else "Northstar")
    plain = found.get_body(("plain",))
    assert plain is not None
    assert plain.get_content().splitlines()[1] == state


def test_without_a_curve_there_is_no_picture(executive: ExecutiveReport) -> None:
    report = replace(executive, when_sure=replace(executive.when_sure, curve=None, curve_absent="no data: no forecast"))
    found = read(executive_eml(report, b"%PDF", b"<p>"))
    assert "image/png" not in [part.get_content_type() for part in found.walk()]
    assert "no data: no forecast" in html_of(found)


def test_the_governance_message_says_what_each_section_says_and_carries_the_report(week: Path) -> None:
    message = read((week / "governance.eml").read_bytes())
    pdf, xlsx = message.iter_attachments()
    assert (pdf.get_filename(), xlsx.get_filename()) == ("governance-2026-W44.pdf", "governance-2026-W44.xlsx")
    assert pdf.get_content() == (week / "governance.pdf").read_bytes()
    assert xlsx.get_content() == (week / "governance.xlsx").read_bytes()
    model = json.loads((week / "governance.json").read_bytes())
    text = message.get_body(("plain",)).get_content()
    html = html_of(message)
    assert len(html.encode()) < LONGEST_HTML
    for section in model["sections"]:
        assert section["message"][:200] in text
        assert section["title"] in text
    assert message["Subject"].startswith("[DRAFT] Northstar build-out 2026-W44: ")


@pytest.mark.parametrize(
    ("previous", "said"), [("2026-W43", "Capacity grew by 4."), ("", "first issue: 2 blockers; red: Procure")]
)
def test_the_subject_says_what_changed_and_in_a_first_week_what_stands_at_the_gates(
    executive: ExecutiveReport, previous: str, said: str
) -> None:
    sections = (
        Section("1", "S1", "Since last week", "Capacity grew by 4." if previous else "There is no earlier issue.", ()),
        Section("3", "S3", "Gate board", "2 blockers; red: Procure", ()),
    )
    header = replace(executive.header, previous_week=previous, issue_state="FINAL", issue_reasons=())
    report = GovernanceReport(header, sections, (), (), ())
    assert read(governance_eml(report, b"%PDF", b"PK"))["Subject"] == f"Northstar build-out 2026-W44: {said}"
