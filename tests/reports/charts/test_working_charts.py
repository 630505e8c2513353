"""Working charts: positions that follow from their figures, and labels that never cover one another."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reports.charts.ageing import draw_ageing
from reports.charts.behaviour import draw_behaviour
from reports.charts.behind import behind
from reports.charts.calibration import draw_calibration
from reports.charts.draw import NARROW, WIDE, draw
from reports.charts.frame import Label
from reports.charts.gantt import draw_gantt
from reports.charts.milestones import draw_milestones
from reports.charts.placement import Box
from reports.charts.scale import text_width
from reports.charts.six_twelve import draw_six_twelve
from reports.models.charts import MilestoneLine, Milestones
from reports.models.working_charts import (
    Ageing,
    AgeingDot,
    AgeingGate,
    Behaviour,
    BehaviourPoint,
    Calibration,
    CalibrationRow,
    Gantt,
    GanttRow,
    PeriodFigure,
    SixTwelve,
)

START = date(2026, 6, 1)
FEW = settings(max_examples=40, deadline=None)
_NUMBERS = st.one_of(st.none(), st.integers(-9999, 99999).map(Decimal))
_DAYS = st.integers(0, 400).map(lambda n: START + timedelta(days=n))
_WIDTHS = st.sampled_from([WIDE, NARROW])


def _boxes(labels: tuple[Label, ...], font: float = 11.0) -> list[Box]:
    """Boxes of labels as drawn, a little smaller than their estimate so that touching is no overlap."""
    made = []
    for label in labels:
        wide = text_width(label.text, font)
        left = label.x - {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
        made.append(Box(left + 0.2, label.y - 8.5, wide - 0.4, 8.5))
    return made


def _apart(labels: tuple[Label, ...], width: float) -> None:
    boxes = _boxes(labels)
    for a, b in combinations(range(len(boxes)), 2):
        assert not boxes[a].meets(boxes[b]), (labels[a], labels[b])
    for box, label in zip(boxes, labels, strict=True):
        assert box.x > -1, label
        assert box.x + box.width < width + 1, label


def _six_twelve(weeks: list[Decimal | None], months: list[Decimal | None], plan: Decimal | None) -> SixTwelve:
    told = tuple(PeriodFigure(f"2026-W{39 + i}", value, plan) for i, value in enumerate(weeks))
    by_month = tuple(PeriodFigure(f"2026-{1 + i:02d}", value) for i, value in enumerate(months))
    return SixTwelve("F", "Title 1", "accelerators", told, by_month, "")


@FEW
@given(st.lists(_NUMBERS, min_size=6, max_size=6), st.lists(_NUMBERS, min_size=12, max_size=12), _NUMBERS, _WIDTHS)
def test_six_twelve_labels_keep_apart(
    weeks: list[Decimal | None], months: list[Decimal | None], plan: Decimal | None, width: float
) -> None:
    drawing = draw_six_twelve(_six_twelve(weeks, months, plan), width, 220)
    _apart(tuple(label for panel in drawing.panels for label in panel.labels), width)
    names = [Label(t.at, 0, t.label, "ink", "middle") for panel in drawing.panels for t in panel.x_ticks]
    _apart(tuple(names), width)
    for panel in drawing.panels:
        assert panel.bars[0].x >= panel.left - 1
        assert panel.bars[-1].x + panel.bars[-1].width <= width
    assert drawing.panels[0].right < drawing.gap < drawing.panels[1].left


def test_six_twelve_draws_nothing_for_what_is_not_available() -> None:
    drawing = draw_six_twelve(
        _six_twelve([Decimal(5), None, Decimal(0), *[Decimal(1)] * 3], [None] * 12, None), WIDE, 220
    )
    first, second, third = drawing.panels[0].bars[:3]
    assert (first.available, second.available, third.available) == (True, False, True)
    assert third.height == 0
    assert "n/a" in [label.text for label in drawing.panels[1].labels]
    assert behind(_six_twelve([None] * 6, [None] * 12, None))[1][0][1] == "not available"


@FEW
@given(st.lists(_NUMBERS, min_size=6, max_size=40), _WIDTHS)
def test_behaviour_keeps_every_value_in_view_and_breaks_at_gaps(values: list[Decimal | None], width: float) -> None:
    points = tuple(BehaviourPoint(f"2026-W{i + 1:02d}", v) for i, v in enumerate(values))
    chart = Behaviour("F", "Title 1", "GPUs", points, Decimal(10), Decimal(-40), Decimal("60.5"), "")
    drawing = draw_behaviour(chart, width, 220)
    _apart(drawing.labels, width)
    _apart(tuple(Label(t.at, 0, t.label, "ink", "middle") for t in drawing.x_ticks), width)
    assert len(drawing.dots) == sum(v is not None for v in values)
    assert len(drawing.gaps) == sum(v is None for v in values)
    assert all(drawing.top - 0.2 <= dot.y <= drawing.bottom + 0.2 for dot in drawing.dots)
    assert drawing.upper <= drawing.mean <= drawing.lower
    runs = "".join("." if v is None else "x" for v in values).split(".")
    assert len(drawing.paths) == sum(len(run) > 1 for run in runs)


_ROWS = st.builds(
    lambda label, start, days, percent, base, late, driving: GanttRow(
        label, "−12 d to 18 Dec · SYSTEM-1", start, start + timedelta(days=days), Decimal(percent), base,
        base + timedelta(days=9) if base else None, start + timedelta(days=days + late) if late else None, driving,
        milestone=not days,
    ),
    st.text("abcdefgh ", min_size=1, max_size=60), _DAYS, st.integers(0, 90), st.integers(0, 100),
    st.one_of(st.none(), _DAYS), st.one_of(st.none(), st.integers(1, 200)), st.booleans(),
)  # fmt: skip


@FEW
@given(st.lists(_ROWS, min_size=1, max_size=30), _DAYS, _WIDTHS)
def test_gantt_stays_in_its_plot(rows: list[GanttRow], data_date: date, width: float) -> None:
    drawing = draw_gantt(Gantt("F", "Title 1", data_date, START, tuple(rows), ""), width)
    for row, bar in zip(rows, drawing.bars, strict=True):
        assert drawing.left <= bar.x <= bar.x + bar.width <= width + 2
        assert 0 <= bar.done_width <= bar.width
        assert text_width(bar.label, 11) <= drawing.left
        assert (bar.float_end > bar.float_x) == (row.late is not None and bar.float_end - bar.x > bar.width)
        assert bool(bar.base_width) == bool(row.baseline_end)
    assert all(b.text_y - a.note_y > 8 for a, b in pairwise(drawing.bars))
    _apart(tuple(Label(t.at, 0, t.label, "ink", "middle") for t in drawing.ticks), width + 20)


def test_gantt_worked_example() -> None:
    row = GanttRow(
        "A", "", date(2026, 6, 11), date(2026, 6, 21), Decimal(40), None, None, date(2026, 7, 1), False, False
    )
    drawing = draw_gantt(Gantt("F", "Title 1", START, date(2026, 7, 31), (row,), ""), WIDE)
    bar = drawing.bars[0]
    per_day = (drawing.contract - drawing.data_x) / 60  # type: ignore[operator]
    assert bar.width == pytest.approx(10 * per_day, abs=0.2)
    assert bar.done_width == pytest.approx(4 * per_day, abs=0.2)
    assert bar.float_end - bar.float_x == pytest.approx(10 * per_day, abs=0.2)


@FEW
@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), min_size=1, max_size=6).map(
        lambda pairs: [(max(a, b), min(a, b)) for a, b in pairs]
    ),
    _WIDTHS,
)
def test_calibration_bars_follow_their_shares(pairs: list[tuple[int, int]], width: float) -> None:
    rows = tuple(
        CalibrationRow(f"P80, {i} weeks before", 80, held, cases, cases >= 10) for i, (cases, held) in enumerate(pairs)
    )
    drawing = draw_calibration(Calibration("F", "Title 1", rows, ""), width)
    for row, bar in zip(rows, drawing.bars, strict=True):
        assert bar.width == pytest.approx((drawing.right - drawing.left) * row.held / row.cases, abs=0.2)
        assert bar.short == (row.held * 100 < 80 * row.cases)
        assert drawing.right + 8 + text_width(bar.value, 11) <= width + 1
        assert f"{row.held} of {row.cases}" in bar.value


@FEW
@example((14, [(0, 0, "A")] * 5), 600.0)
@given(
    st.integers(1, 14).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(
                st.tuples(st.integers(0, n - 1), st.integers(0, 120), st.text("ABC-", min_size=1, max_size=20)),
                max_size=60,
            ),
        )
    ),
    _WIDTHS,
)
def test_ageing_labels_cover_no_dot_and_no_label(made: tuple[int, list[tuple[int, int, str]]], width: float) -> None:
    count, dots = made
    gates = tuple(AgeingGate(f"Gate of work number {i}", 3, 9, 14, 30 if i % 2 else None) for i in range(count))
    chart = Ageing("F", "Title 1", gates, tuple(AgeingDot(*dot) for dot in dots), "")
    drawing = draw_ageing(chart, width, 260)
    _apart(drawing.labels, width)
    for box in _boxes(drawing.labels):
        assert not any(box.meets(Box(d.x - 3, d.y - 3, 6, 6)) for d in drawing.dots)
    assert len(drawing.dots) == len(dots)
    for (gate, _, _), dot in zip(sorted(dots), drawing.dots, strict=True):
        column = drawing.columns[gate]
        assert column.x < dot.x < column.x + column.width
    stuck = sum(gate % 2 and days > 30 for gate, days, _ in dots)
    assert sum(d.stuck for d in drawing.dots) == stuck


@FEW
@given(
    st.lists(st.lists(st.integers(0, 300), min_size=2, max_size=12), min_size=1, max_size=8),
    _WIDTHS,
)
def test_milestone_figures_keep_apart_and_off_the_lines(histories: list[list[int]], width: float) -> None:
    lines = []
    for number, days in enumerate(histories):
        points = tuple((START + timedelta(weeks=i), START + timedelta(days=60 + d)) for i, d in enumerate(days))
        causes = tuple((at, (b - a).days, "cause") for (_, a), (at, b) in pairwise(points) if a != b)
        lines.append(MilestoneLine(f"MSA-{number}/P1 SYS-{number}", points, "red", days[-1] - days[0], START, causes))
    drawing = draw_milestones(Milestones("F", "Title 1", tuple(lines), ""), width, 260)
    named = tuple(line.label for line in drawing.lines)
    _apart(named, width)
    _apart((*named, *(mark for line in drawing.lines for mark in line.marks)), width)


def test_every_working_chart_has_a_drawing_and_a_table() -> None:
    charts = (
        _six_twelve([Decimal(1)] * 6, [Decimal(1)] * 12, None),
        Calibration("F", "T 1", (CalibrationRow("P80", 80, 0, 0, enough=False),), ""),
        Ageing("F", "T 1", (AgeingGate("Install", 0, 0, None, None),), (), ""),
    )
    for chart in charts:
        assert draw(chart, WIDE) is not None
        heads, rows = behind(chart)
        assert rows
        assert all(len(row) == len(heads) for row in rows)
