from datetime import date

import pytest

from reports.charts.scale import Scale, compact, date_scale, month_ticks, round_step, value_ticks


def test_scale_maps_linearly_also_downwards() -> None:
    assert Scale(0, 200, 50, 450).at(50) == 150
    assert Scale(0, 100, 200, 20).at(100) == 20
    assert Scale(5, 5, 10, 90).at(5) == 10


@pytest.mark.parametrize(
    ("span", "wanted", "step"), [(24576, 5, 5000), (100, 5, 20), (7, 4, 2), (0.9, 4, 0.25), (1200, 5, 250)]
)
def test_round_steps(span: float, wanted: int, step: float) -> None:
    assert round_step(span, wanted) == pytest.approx(step)


def test_value_ticks_reach_the_top_and_never_pass_it_by_a_step() -> None:
    assert value_ticks(24576) == [0, 5000, 10000, 15000, 20000, 25000]
    assert value_ticks(100) == [0, 20, 40, 60, 80, 100]
    assert value_ticks(0) == [0, 1]


@pytest.mark.parametrize(
    ("value", "text"), [(25000, "25k"), (12500, "12.5k"), (6000, "6,000"), (2.5, "2.5"), (0, "0"), (100, "100")]
)
def test_compact(value: float, text: str) -> None:
    assert compact(value) == text


def test_month_ticks_name_the_year_where_it_changes() -> None:
    ticks = month_ticks(date(2025, 6, 20), date(2026, 3, 2), 12)
    assert [text for _, text in ticks] == ["Jul 25", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan 26", "Feb", "Mar"]
    assert [text for _, text in month_ticks(date(2025, 6, 20), date(2026, 3, 2), 5)] == [
        "Jul 25",
        "Sep",
        "Nov",
        "Jan 26",
        "Mar",
    ]


def test_date_scale_of_a_single_day_does_not_divide_by_zero() -> None:
    assert date_scale(date(2026, 1, 1), date(2026, 1, 1), 10, 20).at(date(2026, 1, 1).toordinal()) == 10
