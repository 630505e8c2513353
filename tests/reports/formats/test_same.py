"""Equal bytes in another process, and the same key figures read back from every format."""

import json
import os
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path

import pypdf
import pytest

from reports.models.executive import ExecutiveReport
from reports.wording import day, quantity, signed
from tests.reports.pages import Page
from tests.reports.reading import pdf_text

ROOT = Path(__file__).resolve().parents[3]


def test_equal_bytes_under_another_time_zone_and_hash_seed(week: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from reports.render import render\n"
        "from reports.formats.registry import EVERY_FORMAT; from tests.reports.sample_warehouse import build_sample\n"
        "render(build_sample(), Path(sys.argv[1]), EVERY_FORMAT)"
    )
    env = {**os.environ, "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=env, cwd=ROOT)
    differing = [
        path.name
        for path in sorted(p for p in week.iterdir() if p.is_file())
        if path.read_bytes() != (tmp_path / path.name).read_bytes()
    ]
    assert differing == []


def texts(week: Path, slides: list[list[str]], message: EmailMessage) -> dict[str, str]:
    """The text of each form of the executive report, without spaces."""
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert page is not None
    found = {
        "html": Page((week / "executive.html").read_text(encoding="utf-8")).text,
        "pptx": " ".join(text for slide in slides for text in slide),
        "mail text": plain.get_content(),
        "mail html": Page(page.get_content()).text,
    }
    return {
        "pdf": pdf_text(pypdf.PdfReader(week / "executive.pdf")),
        **{name: "".join(text.split()) for name, text in found.items()},
    }


def test_the_same_key_figures_in_every_form(
    week: Path, slides: list[list[str]], message: EmailMessage, executive: ExecutiveReport
) -> None:
    much, sure, changed, asked = (
        executive.how_much, executive.when_sure, executive.what_changed, executive.decisions,
    )  # fmt: skip
    figures = [
        much.answer, sure.answer, changed.answer, asked.answer, changed.check, much.idle_total,
        *(quantity(value) for line in much.classes for value in (line.contracted, line.due, line.schedulable)),
        *(signed(line.delta) for line in much.classes),
        *(day(value) for line in sure.lines for value in (line.p50, line.p80, line.contract_date)),
        *(line.id for line in asked.lines),
        *(quantity(f.p80) for line in much.quarters for f in line.figures),
    ]  # fmt: skip
    for name, text in texts(week, slides, message).items():
        missing = [figure for figure in figures if "".join(figure.split()) not in text]
        assert missing == [], name


def test_the_three_gpu_figures_as_the_programme_has_them(
    week: Path, slides: list[list[str]], message: EmailMessage
) -> None:
    for name, text in texts(week, slides, message).items():
        for figure in ("5,120", "3,072", "2,752", "+320", "89%", "11Dec26", "6Jan27", "38%"):
            assert figure in text, name


def test_the_workbook_has_the_numbers_of_the_model_as_numbers(week: Path, workbook) -> None:  # type: ignore[no-untyped-def]
    model = json.loads((week / "executive.json").read_text(encoding="utf-8"))
    sheet = next(s for s in workbook if s["A1"].value == "By kind; kinds are never added up")
    rows = {row[0]: row[1:5] for row in sheet.iter_rows(min_row=5, values_only=True)}
    for line in model["how_much"]["classes"]:
        contracted, due, schedulable, _ = rows[f"{line['label']} ({line['unit']})"]
        assert (contracted, due, schedulable) == tuple(float(line[n]) for n in ("contracted", "due", "schedulable"))


@pytest.mark.parametrize(
    "name", ["executive.pdf", "governance.pdf", "executive.pptx", "executive.eml", "governance.xlsx"]
)
def test_no_file_tells_where_or_when_it_was_made(week: Path, name: str) -> None:
    content = (week / name).read_bytes()
    assert str(week).encode() not in content
    assert str(ROOT).encode() not in content
