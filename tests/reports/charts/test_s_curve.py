from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from reports.charts.placement import Box
from reports.charts.s_curve import draw_s_curve
from reports.charts.scale import text_width
from reports.models.charts import Point, SCurve

FIRST = date(2026, 1, 2)


def points(*values: int, start: int = 0) -> tuple[Point, ...]:
    return tuple(Point(FIRST + timedelta(weeks=start + i), Decimal(v)) for i, v in enumerate(values))


CHART = SCurve(
    id="s", title="t", unit="accelerators", data_date=FIRST + timedelta(weeks=2), plan=points(0, 25, 50, 75, 100),
    actual=points(0, 20, 40), p10=points(80, 100, start=3), p50=points(60, 90, start=3), p80=points(50, 70, start=3),
    p90=points(45, 60, start=3), contract=points(50, 50, 50, 100, 100), description="d",
)  # fmt: skip


def numbers(path: str) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split())) for pair in path.strip("MZ ").replace(" Z", "").split(" L")]  # type: ignore[misc]


def test_coordinates_by_hand() -> None:
    d = draw_s_curve(CHART, 600, 236)
    xs = [x for x, _ in numbers(d.actual)]
    step = (d.right - d.left) / 4
    assert xs == pytest.approx([d.left + step * i for i in range(3)], abs=0.1)
    assert numbers(d.actual)[0][1] == d.bottom
    assert numbers(d.actual)[-1] == pytest.approx((d.data_x, d.bottom - 0.4 * (d.bottom - d.top)), abs=0.1)
    assert numbers(d.p50)[-1] == pytest.approx((d.right, d.bottom - 0.9 * (d.bottom - d.top)), abs=0.1)


def test_forecast_and_band_start_at_the_last_actual_point() -> None:
    d = draw_s_curve(CHART, 600, 236)
    assert numbers(d.p50)[0] == d.actual_end
    band = numbers(d.band)
    assert band[0] == d.actual_end
    assert band[-1] == d.actual_end


def test_contract_and_plan_are_steps_to_the_right_edge() -> None:
    d = draw_s_curve(CHART, 600, 236)
    for path in (d.contract, d.plan):
        assert " L" not in path
        assert path.count("V") == 4
        assert path.endswith(f"H{d.right:g}")


def test_a_contract_that_begins_later_steps_up_from_zero() -> None:
    d = draw_s_curve(replace(CHART, contract=points(50, 100, start=2)), 600, 236)
    assert d.contract.startswith(f"M{d.left:g} {d.bottom:g} H{d.data_x:g} V")


def test_without_forecast_only_the_facts_are_drawn() -> None:
    bare = SCurve("s", "t", "u", CHART.data_date, (), CHART.actual, (), (), (), (), (), "d")
    d = draw_s_curve(bare, 600, 236)
    assert (d.p50, d.band, d.plan, d.contract) == ("", "", "", "")
    assert d.actual


@pytest.mark.parametrize(("width", "height"), [(600, 236), (340, 220)])
def test_labels_do_not_collide_and_stay_inside(width: float, height: float) -> None:
    d = draw_s_curve(CHART, width, height)
    boxes = []
    for label in d.labels:
        size = text_width(label.text, d.font)
        x = label.x - (size if label.anchor == "end" else 0)
        boxes.append(Box(x, label.y - 10, size, 12))
        assert 0 <= x <= width
        assert x + size <= width + 1
    assert not any(a.meets(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])
