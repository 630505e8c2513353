"""The PDFs: tagged, archival, one page for the four answers, each page says what it is, nothing runs off the paper."""

from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from reports.build.cells import table, words
from reports.formats.pdf import MOST_ROWS, executive_pdf, governance_pdf
from reports.models.common import Section
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport
from tests.reports.reading import alternatives, pdf_text, roles

REPORTS = pytest.mark.parametrize("name", ["executive.pdf", "governance.pdf"])


@REPORTS
def test_tagged_with_the_identifiers_of_both_standards(week: Path, name: str) -> None:
    reader = pypdf.PdfReader(week / name)
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert {"/Table", "/TH", "/TD", "/H1", "/H2", "/Figure", "/P"} <= roles(reader)
    xmp = root["/Metadata"].get_data().decode()
    assert "<pdfaid:part>2</pdfaid:part>" in xmp
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in xmp
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp


@REPORTS
def test_every_figure_is_described(week: Path, name: str) -> None:
    told = alternatives(pypdf.PdfReader(week / name))
    assert len(told) > 8
    assert all(len(text) > 20 for text in told)


@REPORTS
def test_dated_by_the_data_and_not_by_the_clock(week: Path, name: str) -> None:
    read = pypdf.PdfReader(week / name).metadata
    assert read is not None
    assert read["/CreationDate"].startswith("D:20261030")
    assert read.title is not None
    assert "2026-W44 · Northstar build-out" in read.title


Laid = dict[str, list[tuple[str, list[tuple[float, float]]]]]


@pytest.fixture(scope="module")
def laid(week: Path) -> Laid:
    """Of each PDF the text of each page and where its pieces start, in points from the lower left corner."""
    found: Laid = {}
    for name in ("executive.pdf", "governance.pdf"):
        found[name] = []
        for page in pypdf.PdfReader(week / name).pages:
            places: list[tuple[float, float]] = []
            text = page.extract_text(visitor_text=partial(_note_place, places))
            found[name].append((" ".join(text.split()), places))
    return found


def _note_place(places: list[tuple[float, float]], text: str, cm: list[float], tm: list[float], *_: object) -> None:
    if text.strip():
        places.append((tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]))


@REPORTS
def test_every_page_says_draft_data_date_freshness_fingerprint_and_number(laid: Laid, name: str) -> None:
    pages = laid[name]
    for number, (text, _) in enumerate(pages, start=1):
        for said in ("DRAFT", "data date Fri 2026-10-30 18:00 CDT", "15 of 16 sources fresh", "inputs 7f3a1c9e52d0"):
            assert said in text, number
        assert f"page {number} / {len(pages)}" in text


@REPORTS
def test_all_fonts_are_embedded(week: Path, name: str) -> None:
    for page in pypdf.PdfReader(week / name).pages:
        for font in page["/Resources"].get("/Font", {}).values():
            below = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(below)


@REPORTS
def test_no_text_starts_outside_the_paper(laid: Laid, name: str) -> None:
    for _, places in laid[name]:
        assert places
        assert all(20 <= x <= 822 and 8 <= y <= 575 for x, y in places)


@REPORTS
def test_nothing_is_active_and_every_page_is_a4_landscape(week: Path, name: str) -> None:
    reader = pypdf.PdfReader(week / name)
    assert not {"/OpenAction", "/AA", "/AcroForm"} & set(reader.trailer["/Root"])
    assert {(round(p.mediabox.width), round(p.mediabox.height)) for p in reader.pages} == {(842, 595)}
    assert not [p for p in reader.pages for a in p.get("/Annots", []) if "/A" in a.get_object()]


def test_the_four_answers_stand_on_page_1_and_what_follows_on_its_own(laid: Laid) -> None:
    executive_pages = [text for text, _ in laid["executive.pdf"]]
    questions = ("1 · How much can we schedule", "2 · When will the rest", "3 · What changed", "4 · Which decisions")
    assert all(question in executive_pages[0] for question in questions)
    assert "Status is computed from dates" in executive_pages[0]
    assert not any(question in page for page in executive_pages[1:] for question in questions)
    assert "Contracts and sites" in executive_pages[1]


def test_page_1_stays_one_page_with_texts_as_long_as_they_come(executive: ExecutiveReport) -> None:
    long = "supplier promised again and again " * 40
    lines = tuple(replace(line, cause=long, what=long) for line in executive.what_changed.lines)
    asked = tuple(replace(line, question=long, consequence=long) for line in executive.decisions.lines)
    report = replace(
        executive, pages=(), what_changed=replace(executive.what_changed, lines=lines),
        decisions=replace(executive.decisions, lines=asked),
    )  # fmt: skip
    reader = pypdf.PdfReader(BytesIO(executive_pdf(report)))
    assert len(reader.pages) == 1
    assert "4·Whichdecisions" in pdf_text(reader)


def test_a_long_table_is_cut_and_says_so(governance: GovernanceReport) -> None:
    rows = [(words(f"row-{number:04d}"), words("x")) for number in range(MOST_ROWS + 57)]
    section = Section("1", "S1", "Many", "457 rows", (table("T", "Many rows", ("Id", "What"), rows),))
    reader = pypdf.PdfReader(
        BytesIO(governance_pdf(replace(governance, sections=(section,), sheets=(), definitions=(), evidence=())))
    )
    text = pdf_text(reader)
    assert text.count("row-0") == MOST_ROWS
    assert "57morerows:allareingovernance.xlsxandtheHTML." in text


@pytest.mark.parametrize("name", ["検\u0301収 Ltd", "한국 شركة 👷 Ltd", "a\u0301\u0302\u0303 ｱｲｳ \U0001d4d0"])
def test_a_glyph_that_no_font_has_is_shown_by_its_code_and_stops_nothing(executive: ExecutiveReport, name: str) -> None:
    report = replace(executive, header=replace(executive.header, programme=name), pages=())
    text = pdf_text(pypdf.PdfReader(BytesIO(executive_pdf(report))))
    assert "Ltd" in text or "⟦U+1D4D0⟧" in text
    assert ("👷" in name) == ("⟦U+1F477⟧" in text)
