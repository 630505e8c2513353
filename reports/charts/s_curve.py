"""Geometry of the S-curve with its cone: plan dotted, actual solid to the data date, P50 dashed, P10-P90 band.

Contract quantities change on their dates, so they are drawn as steps. The band starts at the last actual point.
"""

# ruff: noqa: RUF001 - typographic dashes and signs are what readers should see

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from reports.charts.frame import Frame, Label
from reports.charts.placement import Box, first_free, spread
from reports.charts.scale import Scale, Tick, compact, date_scale, month_ticks, text_width, value_ticks
from reports.models.charts import Point, SCurve
from reports.wording import quantity, short_day

_FONT = 11.0
_LINE = 13.0
_TOP = 20.0
_BOTTOM = 22.0


@dataclass(frozen=True)
class SCurveDrawing(Frame):
    """The drawing: frame, ticks, paths (SVG path data, empty when the series is) and labels that do not collide."""

    data_x: float
    plan: str
    actual: str
    contract: str
    p50: str
    band: str
    actual_end: tuple[float, float]
    labels: tuple[Label, ...]


def draw_s_curve(chart: SCurve, width: float, height: float) -> SCurveDrawing:
    """Return the geometry. The band is left out when P10 or P90 is absent, the forecast when P50 is."""
    series = (chart.plan, chart.actual, chart.p10, chart.p50, chart.p90, chart.contract)
    every = [point for points in series for point in points]
    ticks = value_ticks(max(float(point.value) for point in every), 5 if height > 210 else 4)
    left = round(max(text_width(compact(tick), _FONT) for tick in ticks) + 8, 1)
    ends = _end_texts(chart)
    right = round(width - max((text_width(text, _FONT) for text, _, _ in ends), default=0) - 8, 1)
    first, last = min(p.day for p in every), max(p.day for p in every)
    x = date_scale(first, max(last, chart.data_date), left, right)
    y = Scale(0, ticks[-1], height - _BOTTOM, _TOP)
    start = chart.actual[-1]
    months = month_ticks(first, max(last, chart.data_date), max(3, int((right - left) / 62)))
    data_x = x.at(chart.data_date.toordinal())
    return SCurveDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=left,
        right=right,
        top=_TOP,
        bottom=height - _BOTTOM,
        y_ticks=tuple(Tick(y.at(tick), compact(tick)) for tick in ticks),
        x_ticks=_fitting(tuple(Tick(x.at(day.toordinal()), text) for day, text in months)),
        data_x=data_x,
        plan=_steps(chart.plan, x, y),
        actual=_line(chart.actual, x, y),
        contract=_steps(chart.contract, x, y),
        p50=_line(_from(start, chart.p50), x, y) if chart.p50 else "",
        band=_band(_from(start, chart.p10), _from(start, chart.p90), x, y) if chart.p10 and chart.p90 else "",
        actual_end=(x.at(start.day.toordinal()), y.at(start.value)),
        labels=_labels(chart, x, y, data_x, right),
    )


def _from(start: Point, points: Sequence[Point]) -> tuple[Point, ...]:
    return (start, *(point for point in points if point.day > start.day))


def _xy(point: Point, x: Scale, y: Scale) -> str:
    return f"{x.at(point.day.toordinal()):g} {y.at(point.value):g}"


def _line(points: Sequence[Point], x: Scale, y: Scale) -> str:
    return "M" + " L".join(_xy(point, x, y) for point in points) if points else ""


def _steps(points: Sequence[Point], x: Scale, y: Scale) -> str:
    """A step at each date, from zero at the left edge to the right edge: a contract does not end with its last date."""
    if not points:
        return ""
    first = x.at(points[0].day.toordinal())
    path = (
        f"M{x.start:g} {y.start:g} H{first:g} V{y.at(points[0].value):g}"
        if first > x.start
        else f"M{_xy(points[0], x, y)}"
    )
    for point in points[1:]:
        path += f" H{x.at(point.day.toordinal()):g} V{y.at(point.value):g}"
    return f"{path} H{x.end:g}"


def _band(low: Sequence[Point], high: Sequence[Point], x: Scale, y: Scale) -> str:
    there, back = _line(low, x, y), " L".join(_xy(point, x, y) for point in reversed(high))
    return f"{there} L{back} Z"


def _end_texts(chart: SCurve) -> list[tuple[str, str, Point]]:
    """Texts at the right ends of the lines. A forecast that ends where the contract ends needs its name only."""
    ends = []
    if chart.contract:
        ends.append((f"contract {quantity(chart.contract[-1].value)}", "contract", chart.contract[-1]))
    if chart.p50:
        ends.append(("P50", "forecast", chart.p50[-1]))
    if chart.p90 and chart.p10 and chart.p90[-1].value != chart.p10[-1].value:
        ends.append(("P10–P90", "band", min(chart.p10[-1], chart.p90[-1], key=lambda point: point.value)))
    return ends


def _labels(chart: SCurve, x: Scale, y: Scale, data_x: float, right: float) -> tuple[Label, ...]:
    ends = _end_texts(chart)
    places = spread([y.at(point.value) + 4 for _, _, point in ends], _LINE, _TOP + 4, y.start)
    labels = [Label(right + 6, place, text, role) for (text, role, _), place in zip(ends, places, strict=True)]
    text = f"data date {short_day(chart.data_date)}"
    side = "start" if data_x + 4 + text_width(text, _FONT) <= right else "end"
    labels.append(Label(data_x + 4 if side == "start" else data_x - 4, _TOP - 8, text, "muted", side))
    return (*labels, *_inner_labels(chart, x, y))


def _inner_labels(chart: SCurve, x: Scale, y: Scale) -> list[Label]:
    """Names of plan and actual beside their lines, where they cover neither line nor each other."""
    taken = [
        Box(x.at(p.day.toordinal()) - 3, y.at(p.value) - 3, 6, 6)
        for points in (_dense(chart.actual), _dense(_from(chart.actual[-1], chart.p50)))
        for p in points
    ]
    for points in (chart.plan, chart.contract):
        taken += _step_boxes(points, x, y)
    data_x = x.at(chart.data_date.toordinal())
    taken.append(Box(data_x - 2, _TOP, 4, y.start - _TOP))
    labels = []
    actual_text = f"actual {quantity(chart.actual[-1].value)}"
    for text, role, points, sides in (
        (actual_text, "actual", chart.actual, ("below", "above")),
        ("plan", "muted", chart.plan, ("above", "below")),
    ):
        box = first_free(_candidates(text, points, sides, x, y), taken)
        if box:
            labels.append(Label(round(box.x, 1), round(box.y + box.height - 3, 1), text, role))
            taken.append(box)
    return labels


def _step_boxes(points: Sequence[Point], x: Scale, y: Scale) -> list[Box]:
    boxes = []
    level, begin = y.start, x.start
    for point in points:
        at, height = x.at(point.day.toordinal()), y.at(point.value)
        boxes += [Box(begin, level - 2, at - begin, 4), Box(at - 2, min(level, height), 4, abs(level - height))]
        level, begin = height, at
    return [*boxes, Box(begin, level - 2, x.end - begin, 4)]


def _candidates(text: str, points: Sequence[Point], sides: tuple[str, ...], x: Scale, y: Scale) -> list[Box]:
    width = text_width(text, _FONT)
    boxes = []
    for side in sides:
        for point in _from_the_middle(points):
            at, level = x.at(point.day.toordinal()), y.at(point.value)
            box = Box(at - width - 5, level - _LINE - 3, width, _LINE)
            if side == "below":
                box = Box(at + 8, level + 6, width, _LINE)
            inside = box.x >= x.start and box.x + box.width <= x.end and box.y >= _TOP - 4
            if inside and box.y + box.height <= y.start:
                boxes.append(box)
    return boxes


def _from_the_middle(points: Sequence[Point]) -> list[Point]:
    """Points ordered from two thirds of the line outwards: a name at the very end of a line reads as another line's."""
    middle = len(points) * 2 // 3
    return sorted(points, key=lambda point: (abs(points.index(point) - middle), point.day))


def _dense(points: Sequence[Point]) -> list[Point]:
    """Points and the midpoints between them, so that a steep segment also counts as covered."""
    dense: list[Point] = []
    for a, b in pairwise(points):
        for part in range(4):
            at = date.fromordinal(a.day.toordinal() + (b.day.toordinal() - a.day.toordinal()) * part // 4)
            dense.append(Point(at, a.value + (b.value - a.value) * part / 4))
    return [*dense, *points[-1:]]


def _fitting(ticks: tuple[Tick, ...]) -> tuple[Tick, ...]:
    kept: list[Tick] = []
    for tick in ticks:
        half = text_width(tick.label, _FONT) / 2
        if not kept or tick.at - half > kept[-1].at + text_width(kept[-1].label, _FONT) / 2 + 4:
            kept.append(tick)
    return tuple(kept)
