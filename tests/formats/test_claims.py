"""Every format answers at once whether a text is its own, whatever the text repeats."""

from __future__ import annotations

import pytest

from turnup.formats.content import Content
from turnup.formats.registry import FORMATS

PIECES = (
    "[", "{", "<", "\"", "'", " ", "\t", ",", "a,", "a ", "-", "=", "#", ".", "0", "- \n", "a\n", "| ", "||", "(B) ",
    "a: ", "a/b:", "1 2 3 ", "ISA*", "UNB+", "GPU ", "<a>", "] ", "# size count busbw ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_a_text_of_one_repeated_piece_is_claimed_or_not(tmp_path, piece):
    path = tmp_path / "content"
    path.write_text(piece * (200_000 // len(piece)), encoding="utf-8")
    content = Content(path, "noise.txt")
    assert {type(bool(form.claims(content))) for form in FORMATS} == {bool}
