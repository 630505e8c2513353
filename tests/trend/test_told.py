"""From totals at cut-offs to weekly figures and a verdict."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.trend.series import Series, load_series
from turnup.trend.told import Total, Trend, observations, trend

END = date(2026, 10, 30)
GROWS = Series("accepted", "Accepted", "capacity", "kind", "total", "sum", "")
SHARE = Series("yield", "Yield", "share", "kind", "total", "ratio", "")
LEVEL = Series("waived", "On waiver", "capacity", "kind", "level", "last", "")


def _totals(increments: list[int], weights: list[int] | None = None) -> dict[date, Total]:
    """Totals that grow by these increments, the last at END; one more total stands before them."""
    sums, heavy = [0, *accumulate(increments)], [0, *accumulate(weights or [0] * len(increments))]
    days = [END - timedelta(weeks=back) for back in reversed(range(len(sums)))]
    return {d: Total(Decimal(s), Decimal(w), watched=True) for d, s, w in zip(days, sums, heavy, strict=True)}


def _trend(increments: list[int], series: Series = GROWS, weights: list[int] | None = None) -> Trend:
    return trend(series, _totals(increments, weights), END, least_cases=5)


def test_a_week_is_what_the_total_grew_by() -> None:
    found = _trend([4, 9, -2, 0, 7, 3, 5])
    assert [figure.value for figure in found.weeks] == [9, -2, 0, 7, 3, 5]
    assert found.weeks[-1].period.label == "2026-W44"


@pytest.mark.parametrize("how", ["gone", "stale"])
def test_a_week_that_was_not_watched_takes_the_next_one_with_it(how: str) -> None:
    totals = _totals([10] * 8)
    lost = END - timedelta(weeks=2)
    if how == "gone":
        del totals[lost]
    else:
        totals[lost] = Total(totals[lost].total, Decimal(0), watched=False)
    found = trend(GROWS, totals, END, 5)
    assert [figure.value for figure in found.weeks] == [10, 10, 10, None, None, 10]
    assert found.months[-1].period.label == "2026-10", "no further week ends in October"
    assert found.months[-1].value is None


def test_what_came_later_changes_nothing() -> None:
    totals = _totals([5, 6, 7, 8, 9, 5, 6])
    later = totals | {END + timedelta(weeks=1): Total(Decimal(999), Decimal(0), watched=True)}
    assert trend(GROWS, later, END, 5) == trend(GROWS, totals, END, 5)


def test_verdicts() -> None:
    steady = [38, 44, 41, 47, 39, 43, 45, 40]
    assert _trend([*steady, 46]).verdict == "no signal"
    assert _trend([*steady, 90]).verdict == "signal"
    assert _trend([*steady, 90, 46]).verdict == "no signal", "last week's signal is last week's"
    assert _trend(steady[:5]).verdict == "too few"
    assert _trend([0, 0, 512, 0, 0, 0, 512, 0, 512]).verdict == "mostly zero"
    assert _trend(steady, LEVEL).verdict == "not judged"
    assert trend(GROWS, {}, END, 5).verdict == "not available"


def test_a_share_of_few_cases_is_told_and_not_judged() -> None:
    found = _trend([9, 8, 9, 7, 9, 8, 2], SHARE, [10, 10, 10, 10, 10, 10, 4])
    assert found.weeks[-1].value == Decimal("0.5")
    assert found.weeks[-1].weight == 4
    assert found.judged[-1] == (END, None)
    assert found.verdict == "not available"


@given(st.lists(st.integers(-100, 100), min_size=1, max_size=30))
def test_weeks_add_up_to_the_growth_of_the_total(increments: list[int]) -> None:
    totals = _totals(increments)
    seen = observations(GROWS, totals)
    assert sum(seen.values.values()) == totals[END].total - totals[min(totals)].total
    assert sorted(seen.values) == sorted(totals)[1:]


def test_every_series_is_whole() -> None:
    found = load_series()
    for series in found.values():
        assert series.twin in found or not series.twin
        assert not (series.twin and found[series.twin].twin), "the quality of a quantity, not of another quality"
        assert series.how == {"level": "last"}.get(series.taken, series.how)
    names = list(found)
    assert names.index("received") < names.index("accepted") < names.index("schedulable"), "inputs first"
