"""What the shipped fonts can print."""

import pytest

from reports.formats.glyphs import every_character, printable


@pytest.mark.parametrize("text", ["検収待ち", "한국", "بانتظار القبول", "Größe ≥ 5 µm", "■▲●◇✓△◐○", "ΔЖא", "−→…“”"])
def test_scripts_and_signs_of_reports_are_there(text: str) -> None:
    assert printable(text) == text


def test_what_is_not_there_becomes_its_code() -> None:
    assert printable("a👷b") == "a⟦U+1F477⟧b"
    assert ord("👷") not in every_character()


def test_the_text_font_alone_is_the_last_resort() -> None:
    assert printable("検x", text_font_only=True) == "⟦U+691C⟧x"
    assert printable("e\u0301", text_font_only=True) == "é"
    assert printable("検\u0301", text_font_only=True) == "⟦U+691C⟧⟦U+0301⟧"
