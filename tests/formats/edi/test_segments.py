"""Segments: the release character, and another reader of EDIFACT as witness."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pydifact.parser import Parser

from turnup.formats.edi.segments import Separators, cut

EDIFACT = Separators("+", ":", "'", "?")
TEXTS = st.text("AZ09 .,?+:'-ä", min_size=1, max_size=8)
COMPOSITES = st.lists(TEXTS, min_size=1, max_size=3)
SEGMENTS = st.lists(
    st.tuples(st.sampled_from(["LIN", "QTY", "FTX"]), st.lists(COMPOSITES, min_size=1, max_size=4)), max_size=5
)


def released(text):
    return "".join(f"?{mark}" if mark in "?+:'" else mark for mark in text)


def written(segments):
    bodies = ("+".join([tag, *(":".join(map(released, parts)) for parts in elements)]) for tag, elements in segments)
    return "".join(f"{body}'" for body in bodies)


def test_a_released_separator_is_text():
    (segment,) = cut("COM+?+49 1?:2??:TE'", EDIFACT).segments
    assert (segment.text(1, 1), segment.text(1, 2)) == ("+49 1:2?", "TE")


@given(SEGMENTS)
def test_what_is_written_is_read(segments):
    found = cut(written(segments), EDIFACT).segments
    assert [(each.tag, [list(parts) for parts in each.elements]) for each in found] == segments


@given(SEGMENTS)
def test_pydifact_reads_the_same(segments):
    theirs = list(Parser().parse("UNA:+.? '" + written(segments)))[1:]
    ours = cut(written(segments), EDIFACT).segments
    assert [(each.tag, [[part] if isinstance(part, str) else part for part in each.elements]) for each in theirs] == [
        (each.tag, [list(parts) for parts in each.elements]) for each in ours
    ]


def test_wrapped_and_indented_text():
    found = cut("LIN+1++A\nB:IN'\n\t QTY+21:5'\r\n", EDIFACT).segments
    assert [each.shown() for each in found] == ["LIN+1++AB:IN", "QTY+21:5"]
    assert [each.number for each in found] == [1, 2]
