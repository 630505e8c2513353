"""HTML that a strict parser takes without a complaint: both reports, index, sheets, vendor report, hostile ones too."""

from pathlib import Path

import html5lib
import pytest

from reports.build.vendor import build_vendor_report
from reports.index import render_index
from reports.render import render
from reports.sheets import write_vendor_report
from tests.reports.pages import Page
from tests.reports.sample_warehouse import build_sample
from tests.reports.test_hostile import STRINGS, infest

# Boxes of a real page stand for all of their kind: parsing is slow, so of the sheets two of each are parsed.
_SHEETS = 2


def chosen(out: Path) -> list[Path]:
    """Every page but the sheets, and some of those."""
    files = sorted(out.rglob("*.html"))
    sheets = {kind: [file for file in files if file.parent.name == kind] for kind in ("systems", "sites")}
    left_out = {file for own in sheets.values() for file in own[_SHEETS:]}
    return [file for file in files if file not in left_out]


@pytest.mark.parametrize("strings", [(), STRINGS], ids=["plain", "hostile"])
def test_every_page_is_valid(strings: tuple[str, ...], tmp_path: Path) -> None:
    con = build_sample(infest(strings) if strings else None)
    render(con, tmp_path / "2026-W44")
    if not strings:
        write_vendor_report(build_vendor_report(con, "Lumenar Optics"), tmp_path / "2026-W44")
    render_index(tmp_path)
    files = chosen(tmp_path)
    assert len(files) == 3 + 2 * _SHEETS + (not strings)
    for file in files:
        text = file.read_text(encoding="utf-8")
        html5lib.HTMLParser(strict=True).parse(text)
        page = Page(text)
        assert len(page.ids) == len(set(page.ids)), file.name
        assert page.unbalanced == []


def test_the_parser_complains_about_what_is_not_valid() -> None:
    with pytest.raises(html5lib.html5parser.ParseError):
        html5lib.HTMLParser(strict=True).parse("<!DOCTYPE html><title>x</title><p><table></p>")
