from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest

from reports.charts.bullets import draw_bullets
from reports.charts.fan import draw_fan
from reports.charts.funnel import draw_funnel
from reports.charts.milestones import draw_milestones
from reports.models.charts import (
    BulletRow,
    Bullets,
    DriftPoint,
    Fan,
    Funnel,
    FunnelRow,
    MilestoneLine,
    Milestones,
)

FAN = Fan(
    "f",
    "t",
    date(2026, 5, 29),
    tuple(DriftPoint(f"2026-W{40 + i}", 3 * i, 20 + 4 * i) for i in range(4)),
    ("2026-W42",),
    "d",
)


def test_fan_zero_is_the_contract_date_and_late_is_above() -> None:
    d = draw_fan(FAN, 600, 220)
    first, *_, last = [tuple(map(float, p.split())) for p in d.p50[1:].split(" L")]
    assert first == (d.left, d.zero)
    assert last[1] < d.zero
    assert [t.label for t in d.y_ticks] == ["0", "+10 d", "+20 d", "+30 d", "+40 d"]
    assert len(d.breaks) == 1


def test_fan_without_p80_has_no_band() -> None:
    points = (DriftPoint("2026-W40", -3, None), DriftPoint("2026-W41", 2, 5))
    d = draw_fan(Fan("f", "t", date(2026, 1, 1), points, (), "d"), 340, 210)
    assert d.band == ""
    assert d.p80


def test_milestones_are_steps_and_labels_keep_their_distance() -> None:
    dates = [date(2026, 10, 2), date(2026, 10, 9), date(2026, 10, 16)]
    lines = tuple(
        MilestoneLine(
            f"C-{n}",
            tuple(zip(dates, [date(2026, 12, 1), date(2026, 12, 1), date(2026, 12, 3)], strict=True)),
            "red",
            2,
        )
        for n in range(5)
    )
    d = draw_milestones(Milestones("m", "t", lines, "d"), 600, 260)
    assert all(" L" not in line.path and line.path.count("V") == 2 for line in d.lines)
    heights = sorted(line.label.y for line in d.lines)
    assert all(b - a >= 12.8 for a, b in pairwise(heights))
    assert d.diagonal is None
    assert d.lines[0].label.text == "C-0 +2 d"


def test_funnel_bars_share_one_scale() -> None:
    rows = (FunnelRow("contracted", "Contracted", Decimal(200)), FunnelRow("schedulable", "Schedulable", Decimal(50)))
    first, last = draw_funnel(Funnel("f", "t", "cores", rows, "d"), 600).bars
    assert last.width == pytest.approx(first.width / 4, abs=0.2)
    assert last.value == "50 (25 %)"


def test_bullets_have_their_own_scale_each() -> None:
    rows = (
        BulletRow("GPU", "accelerators", Decimal(30), Decimal(60), Decimal(120), "50 %", "red"),
        BulletRow("Storage", "PB", Decimal(9), Decimal(0), Decimal(6), "none due", "green"),
    )
    gpu, storage = draw_bullets(Bullets("b", "t", rows, "d"), 600).rows
    assert gpu.bar_width == pytest.approx(gpu.band_width / 4, abs=0.2)
    assert gpu.due_x - gpu.x == pytest.approx(gpu.band_width / 2, abs=0.2)
    assert storage.bar_width > storage.band_width
    assert storage.value == "9 PB, none due"
