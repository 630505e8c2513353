"""Columns on paper: together never wider than the room, each wide enough for its words where there is room."""

from hypothesis import given
from hypothesis import strategies as st

from reports.build.cells import table, words
from reports.formats.widths import column_widths


@given(st.lists(st.lists(st.text(max_size=60), min_size=3, max_size=3), min_size=1, max_size=6), st.integers(100, 900))
def test_the_room_is_never_exceeded(rows: list[list[str]], room: int) -> None:
    made = table("T", "t", ("first", ">second", "a much longer heading"), [tuple(map(words, row)) for row in rows])
    widths = column_widths(made, room, 8.0)
    assert len(widths) == 3
    assert sum(widths) <= room + 0.5
    assert min(widths) > 0


def test_short_dates_and_numbers_get_their_line() -> None:
    long = "a sentence that takes the rest of the line and then some more words " * 3
    made = table("T", "t", ("When", "What"), [(words("20 Dec 26"), words(long))])
    when, what = column_widths(made, 400, 8.0)
    assert when > 9 * 8 * 0.5
    assert what > 250
