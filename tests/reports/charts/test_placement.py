from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reports.charts.placement import Box, first_free, spread


def test_spread_by_hand() -> None:
    assert spread([10, 40], 13, 0, 100) == [10, 40]
    assert spread([20, 20], 10, 0, 100) == [15, 25]
    assert spread([20, 22, 60], 10, 0, 100) == [16, 26, 60]
    assert spread([0, 0], 10, 0, 100) == [0, 10]
    assert spread([100, 100], 10, 0, 100) == [90, 100]


@given(st.lists(st.floats(0, 200), min_size=1, max_size=12))
def test_spread_keeps_distance_and_order(wanted: list[float]) -> None:
    placed = spread(wanted, 13, 0, 400)
    ranked = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    for a, b in pairwise(ranked):
        assert placed[b] - placed[a] >= 12.8
    assert all(-0.1 <= p <= 400.1 for p in placed)


def test_first_free_box() -> None:
    taken = [Box(0, 0, 10, 10)]
    assert first_free([Box(5, 5, 4, 4), Box(12, 0, 4, 4)], taken) == Box(12, 0, 4, 4)
    assert first_free([Box(5, 5, 4, 4)], taken) is None
    assert not Box(0, 0, 10, 10).meets(Box(10, 0, 5, 5))
