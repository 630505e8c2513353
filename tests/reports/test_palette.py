from collections.abc import Mapping

import pytest

from reports.palette import DARK, LIGHT, STATUS, contrast, mark, worst

_ON_PAGE = ("ink", "muted", "link", "red", "amber", "green", "grey", "forecast")
_ON_OWN = ("red", "amber", "green", "grey")


def test_contrast_formula_on_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == pytest.approx(1)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", _ON_PAGE)
def test_text_on_page_and_panel(palette: Mapping[str, str], name: str) -> None:
    assert contrast(palette[name], palette["page"]) >= 4.5
    assert contrast(palette[name], palette["panel"]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", _ON_OWN)
def test_status_text_on_its_own_background(palette: Mapping[str, str], name: str) -> None:
    assert contrast(palette[name], palette[f"{name}-bg"]) >= 4.5
    assert contrast(palette["link"], palette[f"{name}-bg"]) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_passed_cells_and_drawn_marks(palette: Mapping[str, str]) -> None:
    assert contrast(palette["ink"], palette["passed-bg"]) >= 4.5
    assert all(contrast(palette[name], palette["page"]) >= 3 for name in ("bar", "drop", "forecast", "waived"))


def test_both_palettes_name_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)


def test_every_status_has_glyph_and_word() -> None:
    assert all(m.glyph and m.word and f"{m.hue}-bg" in LIGHT for m in STATUS.values())
    assert {STATUS[s].glyph for s in ("red", "amber", "green", "grey")} == {"■", "▲", "●", "◇"}


def test_an_unknown_status_is_grey_never_green() -> None:
    assert mark("splendid").hue == "grey"
    assert mark("").word == "no status"
    assert worst(["green", "amber"]) == "amber"
    assert worst([]) == "grey"
