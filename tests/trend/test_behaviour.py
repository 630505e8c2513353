"""Process behaviour: the worked example of the form, the three rules, and what may never move the limits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.trend.behaviour import BASELINE, LEAST, Limits, Signal, limits, signals

EXAMPLE = [Decimal(n) for n in (38, 44, 41, 47, 39, 43, 45, 40, 46, 42)]
_VALUES = st.lists(st.integers(-1000, 1000).map(Decimal), min_size=LEAST, max_size=40)


def _limits(mean: int, reach: int) -> Limits:
    at, far = Fraction(mean), Fraction(reach)
    return Limits(at, far, at - far, at + far, far, 0, 7, 8, locked=True)


def test_worked_example() -> None:
    found = limits(EXAMPLE, baseline=10)
    assert found is not None
    assert float(found.mean) == 42.5
    assert round(float(found.moving_range), 3) == 4.889
    assert (round(float(found.upper), 2), round(float(found.lower), 2)) == (55.50, 29.50)
    assert signals(EXAMPLE, found) == ()


def test_a_value_beyond_a_limit_is_rule_one() -> None:
    of = _limits(40, 10)
    assert signals([Decimal(40), Decimal("50"), Decimal("50.01"), Decimal(29)], of) == (
        Signal(2, 1, above=True), Signal(3, 1, above=False),
    )  # fmt: skip


@pytest.mark.parametrize(("count", "found"), [(7, ()), (8, (7,)), (9, (7, 8))])
def test_eight_in_a_row_on_one_side_is_rule_two(count: int, found: tuple[int, ...]) -> None:
    assert [s.place for s in signals([Decimal(41)] * count, _limits(40, 10)) if s.rule == 2] == list(found)


def test_a_value_on_the_mean_or_a_gap_ends_a_run() -> None:
    for between in (Decimal(40), None):
        values = [*[Decimal(41)] * 5, between, *[Decimal(41)] * 5]
        assert signals(values, _limits(40, 10)) == ()


def test_three_of_four_near_one_limit_is_rule_three() -> None:
    near, far, low = Decimal(46), Decimal(41), Decimal(34)
    of = _limits(40, 10)
    assert signals([near, far, near, near], of) == (Signal(3, 3, above=True),)
    assert signals([near, far, near, low], of) == ()
    assert signals([near, near, near, far], of) == ()


def test_too_few_points_give_no_limits() -> None:
    assert limits(EXAMPLE[: LEAST - 1]) is None
    assert limits([Decimal(1), None] * 8) is None, "no two neighbours, so no range"


@given(_VALUES, st.lists(st.integers(-(10**6), 10**6).map(Decimal), max_size=10))
def test_later_points_never_move_locked_limits(values: list[Decimal], later: list[Decimal]) -> None:
    first = limits(values)
    assert first is not None
    if first.locked:
        assert limits([*values, *later]) == first
    assert first.points == min(len(values), BASELINE)


@given(_VALUES, st.integers(-50, 50), st.integers(1, 9))
def test_limits_follow_shift_and_scale(values: list[Decimal], shift: int, factor: int) -> None:
    base, moved = limits(values), limits([value * factor + shift for value in values])
    assert base is not None
    assert moved is not None
    assert (moved.mean, moved.upper) == (base.mean * factor + shift, base.upper * factor + shift)
    assert signals(values, base) == signals([value * factor + shift for value in values], moved)


@given(_VALUES)
def test_mirrored_values_give_mirrored_signals(values: list[Decimal]) -> None:
    of, mirrored = limits(values), limits([-value for value in values])
    assert of is not None
    assert mirrored is not None
    assert [(s.place, s.rule, not s.above) for s in signals(values, of)] == [
        (s.place, s.rule, s.above) for s in signals([-value for value in values], mirrored)
    ]
