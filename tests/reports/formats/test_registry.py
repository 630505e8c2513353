"""Which files there are, and that they are written whole or not at all."""

from pathlib import Path

import pytest

from reports.formats.registry import EVERY_FORMAT, RENDERERS, Issue, UnknownFormat, file_names, write_formats
from reports.models.executive import ExecutiveReport
from reports.models.governance import GovernanceReport

FILES = {
    "executive.html", "executive.json", "executive.pdf", "executive.pptx", "executive.eml",
    "governance.eml", "governance.html", "governance.json", "governance.pdf", "governance.xlsx",
}  # fmt: skip


def test_a_week_has_these_files_and_no_other(week: Path) -> None:
    assert {path.name for path in week.iterdir() if path.is_file()} == FILES
    assert set(file_names(EVERY_FORMAT)) == FILES
    assert all(path.stat().st_size > 1000 for path in week.iterdir() if path.is_file())


def test_formats_are_told_apart_by_report() -> None:
    assert file_names(["pdf"]) == ["governance.pdf", "executive.pdf"]
    assert file_names(["eml", "xlsx"]) == ["governance.xlsx", "executive.eml", "governance.eml"]


@pytest.mark.parametrize("formats", [["docx"], ["html", "PDF"], []])
def test_an_unknown_format_is_refused_with_those_there_are(formats: list[str]) -> None:
    with pytest.raises(UnknownFormat, match="html, json, pdf, xlsx, pptx, eml"):
        file_names(formats)


def test_a_file_is_made_once_and_whoever_waits_hears_of_a_fault(
    governance: GovernanceReport, executive: ExecutiveReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def faulty(_: Issue) -> bytes:
        made.append("pdf")
        raise ValueError("no paper")

    monkeypatch.setitem(RENDERERS, ("executive", "pdf"), faulty)  # type: ignore[arg-type]
    monkeypatch.setitem(RENDERERS, ("governance", "pdf"), lambda _: b"paper")  # type: ignore[arg-type]
    issue = Issue(governance, executive, {"executive.html": "page", "governance.html": "page"})
    with pytest.raises(ValueError, match="no paper"):
        write_formats(issue, tmp_path, ["html", "pdf"])
    assert made == ["pdf"]
    assert (tmp_path / "executive.html").read_text() == "page"
    assert not (tmp_path / "executive.pdf").exists()
