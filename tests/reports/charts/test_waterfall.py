from dataclasses import replace
from decimal import Decimal

import pytest

from reports.charts.waterfall import WaterfallDoesNotClose, check_closes, draw_waterfall
from reports.models.charts import Step, Waterfall

CHART = Waterfall(
    id="w", title="t", unit="accelerators", contracted=Decimal(100),
    steps=(Step("ordered", "Not ordered", Decimal(10)), Step("accepted", "Not accepted", Decimal(30))),
    schedulable=Decimal(60), waived=Decimal(15), description="d",
)  # fmt: skip


def test_bars_are_to_scale_and_hang_together() -> None:
    drawing = draw_waterfall(CHART, 600)
    start, ordered, accepted, end = drawing.bars
    pixel = start.width / 100
    assert ordered.width == pytest.approx(10 * pixel, abs=0.2)
    assert accepted.width == pytest.approx(30 * pixel, abs=0.2)
    assert end.width == pytest.approx(60 * pixel, abs=0.2)
    assert ordered.x + ordered.width == pytest.approx(start.x + start.width, abs=0.2)
    assert accepted.x + accepted.width == pytest.approx(ordered.x, abs=0.2)
    assert end.x + end.width == pytest.approx(accepted.x, abs=0.2)
    assert end.waived_width == pytest.approx(15 * pixel, abs=0.2)
    assert [b.value for b in drawing.bars] == ["100", "−10 (10 %)", "−30 (30 %)", "60 (60 %)"]


@pytest.mark.parametrize("width", [600.0, 340.0])
def test_no_label_leaves_the_drawing(width: float) -> None:
    drawing = draw_waterfall(CHART, width)
    assert all(bar.value_x + len(bar.value) * 11 * 0.58 <= width for bar in drawing.bars)
    assert all(bar.label_x - len(bar.label) * 11 * 0.58 >= 0 for bar in drawing.bars)


def test_a_sum_that_does_not_close_is_refused_with_its_figures() -> None:
    with pytest.raises(WaterfallDoesNotClose, match="leaves 60, but schedulable is 59"):
        check_closes(replace(CHART, schedulable=Decimal(59)))


def test_a_negative_bar_is_refused() -> None:
    steps = (Step("a", "A", Decimal(-10)), Step("b", "B", Decimal(50)))
    with pytest.raises(WaterfallDoesNotClose, match="negative"):
        draw_waterfall(replace(CHART, steps=steps), 600)


def test_nothing_contracted_draws_without_dividing_by_zero() -> None:
    empty = replace(CHART, contracted=Decimal(0), steps=(), schedulable=Decimal(0), waived=Decimal(0))
    assert [bar.width for bar in draw_waterfall(empty, 600).bars] == [0, 0]
