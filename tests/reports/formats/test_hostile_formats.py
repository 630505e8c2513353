"""Hostile text through every renderer: nothing executes, nothing disappears, no file fails to come out."""

import email
import email.policy
import io
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pptx
import pypdf
import pytest

from reports.formats.registry import EVERY_FORMAT
from reports.render import render
from tests.reports.pages import Page
from tests.reports.reading import pdf_text, slide_texts, workbook_texts
from tests.reports.sample_warehouse import build_sample
from tests.reports.test_hostile import STRINGS, infest

HIDDEN = {"\x00", "\x1b", "\u202e", "\u200b"}
MARKED = (
    "<script>alert(1)</script>",
    '#read("/etc/passwd")',
    '=HYPERLINK("http://x","y")',
    "検収待ち",
    "{{7*7}}",
    "../../x",
)


def all_texts(folder: Path) -> dict[str, str]:
    """The text of each file, without spaces."""
    message = email.message_from_bytes((folder / "executive.eml").read_bytes(), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    page = message.get_body(("html",))
    assert page is not None
    inspect_mail(page.get_content())
    deck = pptx.Presentation(io.BytesIO((folder / "executive.pptx").read_bytes()))
    book = openpyxl.load_workbook(folder / "governance.xlsx")
    inspect_workbook(book)
    return {
        "mail": "".join(Page(page.get_content()).text.split()),
        "slides": "".join("".join("".join(slide) for slide in slide_texts(deck)).split()),
        "workbook": "".join("".join(workbook_texts(book)).split()),
        **{name: pdf_text(pypdf.PdfReader(folder / f"{name}.pdf")) for name in ("executive", "governance")},
    }


def inspect_mail(html: str) -> None:
    parsed = Page(html)
    assert not parsed.names() & {"script", "iframe", "svg", "style", "link"}
    assert not [name for _, attrs in parsed.elements for name in attrs if name.startswith("on")]
    assert {attrs["src"] for name, attrs in parsed.elements if name == "img"} <= {"cid:s-curve"}
    assert parsed.links == []
    assert len(html.encode()) < 100_000


def inspect_workbook(book: openpyxl.Workbook) -> None:
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f"
                assert cell.hyperlink is None or cell.hyperlink.target is None


def infested(strings: tuple[str, ...], folder: Path) -> dict[str, str]:
    render(build_sample(infest(strings)), folder, EVERY_FORMAT)
    found = all_texts(folder)
    for name, text in found.items():
        assert not HIDDEN & set(text), name
        assert "root:x:0" not in text, name
    return found


def test_hostile_text_reaches_every_format_as_text(tmp_path: Path) -> None:
    for name, text in infested(MARKED, tmp_path).items():
        assert [marked for marked in MARKED if marked not in text] == [], name


@pytest.mark.slow
@pytest.mark.parametrize("shift", range(0, len(STRINGS), 5))
def test_every_hostile_string_in_turn(shift: int, tmp_path: Path) -> None:
    infested(STRINGS[shift:] + STRINGS[:shift], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["x" * 10_000, "検" * 3000, "👷" * 500, "بانتظار " * 500, "a\u0301\u0302検\u0301"])
def test_one_kind_of_text_everywhere(text: str, tmp_path: Path) -> None:
    infested((text,), tmp_path)


@pytest.mark.slow
def test_long_words_stay_on_the_paper(tmp_path: Path) -> None:
    render(build_sample(infest(("x" * 10_000,))), tmp_path, ["pdf"])
    for page in pypdf.PdfReader(tmp_path / "executive.pdf").pages:
        assert "DRAFT" in page.extract_text()
