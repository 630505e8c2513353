import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.text import anchor, clean, shorten


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        (None, ""),
        (12, "12"),
        ("a\x00b", "ab"),
        ("\x1b[31mred", "[31mred"),
        ("a\x9bb", "ab"),
        ("user\u202egnp.exe", "user⟦U+202E⟧gnp.exe"),
        ("zero\u200bwidth", "zero⟦U+200B⟧width"),
        ("soft\u00adhyphen", "soft⟦U+00AD⟧hyphen"),
        ("tab\tand\nline", "tab and line"),
        ("  two  blanks  ", "two blanks"),
        ("検収待ち", "検収待ち"),
        ("بانتظار", "بانتظار"),
        ("ok 👍", "ok 👍"),
        ("<script>", "<script>"),
        ("a\ufffeb", "a\ufffdb"),
    ],
)
def test_clean(given_text: object, expected: str) -> None:
    assert clean(given_text) == expected


@given(st.text())
def test_clean_is_idempotent_and_leaves_no_control_character(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in once)


def test_shorten_cuts_at_a_blank_and_says_so() -> None:
    assert shorten("one two three", 20) == "one two three"
    assert shorten("one two three four", 15) == "one two three…"
    assert shorten("x" * 30, 10) == "xxxxxxxxx…"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [(("GPU-DFW2-A",), "SYS-GPU-DFW2-A"), (("../../x",), "SYS-..~2f~..~2f~x"), (("a b", "c"), "SYS-a~20~b-c")],
)
def test_anchor(parts: tuple[str, ...], expected: str) -> None:
    assert anchor("SYS", *parts) == expected


@given(st.text(min_size=1), st.text(min_size=1))
def test_anchors_differ_when_texts_differ(first: str, second: str) -> None:
    assert (anchor("S", first) == anchor("S", second)) == (first == second)


def test_long_anchor_stays_short_and_distinct() -> None:
    first, second = anchor("S", "x" * 10_000), anchor("S", "x" * 9_999 + "y")
    assert len(first) < 100
    assert first != second
