"""Cells are trimmed of every kind of blank, whichever column has one."""

import polars as pl
import pytest

from turnup.formats.adapted import apply_source
from turnup.formats.tabular.tabulate import SPACE
from turnup.programme import Source

SOURCE = Source(dataset="bom", files="*.csv")


@pytest.mark.parametrize("mark", SPACE, ids=lambda mark: f"{ord(mark):04x}")
def test_any_blank_at_an_edge_is_trimmed(mark):
    frame = pl.DataFrame({"part_number": [f"{mark}P 1", f"P 2{mark}", mark, "P", ""], "block": ["a"] * 5})
    found = apply_source(frame, SOURCE)
    assert found["part_number"].to_list() == ["P 1", "P 2", None, "P", None]
    assert found["block"].to_list() == ["a"] * 5


def test_a_column_without_any_value_stays_empty():
    frame = pl.DataFrame(
        {"part_number": [None, None], "block": ["a", None]}, schema=dict.fromkeys(("part_number", "block"), pl.String)
    )
    assert apply_source(frame, SOURCE).rows() == [(None, "a"), (None, None)]
    assert apply_source(frame.clear(), SOURCE).height == 0
