"""Cycle times with open items: hand-worked estimates and what open items may do to them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from turnup.trend.cycle_times import quantile

HALF, MOST = Fraction(1, 2), Fraction(85, 100)
_DAYS = st.lists(st.integers(0, 200), max_size=30)


def test_without_open_items_it_is_the_plain_quantile() -> None:
    days = [3, 5, 7, 9, 11, 13, 15, 17, 19, 21]
    assert quantile(days, [], HALF) == 11
    assert quantile(days, [], MOST) == 19
    assert quantile([], [], HALF) is None


def test_worked_example_with_open_items() -> None:
    # 6 at risk: pass at 6 (5/6 left), pass at 8 (4/6), open leaves at 9, of 3 left pass at 10 (4/9), pass at 20 (2/9)
    assert quantile([6, 8, 10, 20], [9, 30], HALF) == 10
    assert quantile([6, 8, 10, 20], [9, 30], Fraction(3, 4)) == 20
    assert quantile([6, 8, 10, 20], [9, 30], MOST) is None, "the last is open: nobody knows yet"


def test_a_pass_comes_before_an_open_item_of_the_same_age_leaves() -> None:
    assert quantile([5], [5], HALF) == 5


@given(_DAYS, _DAYS)
def test_open_items_never_make_a_gate_look_faster(passed: list[int], still_open: list[int]) -> None:
    plain, with_open = quantile(passed, [], HALF), quantile(passed, still_open, HALF)
    if with_open is not None:
        assert plain is not None
        assert with_open >= plain
        assert with_open in passed


@given(_DAYS, _DAYS)
def test_a_larger_share_takes_as_long_or_longer(passed: list[int], still_open: list[int]) -> None:
    half, most = quantile(passed, still_open, HALF), quantile(passed, still_open, MOST)
    assert most is None or (half is not None and half <= most)
