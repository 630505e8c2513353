"""Geometry of the tornado: one bar an input, from the P80 when it comes out well to the P80 when it comes out badly."""

from dataclasses import dataclass
from datetime import date

from reports.charts.scale import Scale, Tick, date_scale, text_width
from reports.models.charts import Tornado, TornadoBar
from reports.text import shorten
from reports.wording import day, short_day

_ROW = 34.0
_BAR = 12.0
_FONT = 11.0
_BOTTOM = 22.0
_TOP = 18.0


@dataclass(frozen=True)
class TornadoDrawingBar:
    """One bar in pixels, with its label above it."""

    label: str
    text_y: float
    x: float
    y: float
    width: float
    value: str
    value_x: float


@dataclass(frozen=True)
class TornadoDrawing:
    """The drawing; `contract` is absent when the contract date lies outside what the bars span."""

    width: float
    height: float
    font: float
    bar: float
    base: float
    base_label: str
    contract: float | None
    contract_label: str
    top: float
    bottom: float
    ticks: tuple[Tick, ...]
    bars: tuple[TornadoDrawingBar, ...]


def draw_tornado(chart: Tornado, width: float) -> TornadoDrawing:
    """Return the geometry for a given width."""
    left = 8.0
    values = [_value(bar) for bar in chart.bars]
    right = round(width - max(text_width(value, _FONT) for value in values) - 12, 1)
    days = [chart.base, *(day for bar in chart.bars for day in (bar.low, bar.high))]
    scale = date_scale(min(days), max(days), left, right)
    height = _TOP + _ROW * len(chart.bars) + _BOTTOM
    due = chart.contract_date
    inside = due is not None and min(days) <= due <= max(days)
    return TornadoDrawing(
        width=width,
        height=height,
        font=_FONT,
        bar=_BAR,
        base=scale.at(chart.base.toordinal()),
        base_label=f"P80 {day(chart.base)}",
        contract=scale.at(due.toordinal()) if inside and due else None,
        contract_label=f"contract {day(due)}" if inside else "",
        top=_TOP,
        bottom=height - _BOTTOM,
        ticks=_ticks(min(days), max(days), scale),
        bars=tuple(_bar(bar, number, scale, right, width) for number, bar in enumerate(chart.bars)),
    )


def _bar(bar: TornadoBar, number: int, scale: Scale, right: float, width: float) -> TornadoDrawingBar:
    top = _TOP + _ROW * number
    x, end = scale.at(bar.low.toordinal()), scale.at(bar.high.toordinal())
    room = int(width / text_width("x", _FONT)) - 2
    return TornadoDrawingBar(
        shorten(bar.label, room), top + 11, x, top + 16, max(1.0, round(end - x, 1)), _value(bar), right + 8
    )


def _value(bar: TornadoBar) -> str:
    return f"{round(bar.swing_days)} d"


def _ticks(first: date, last: date, scale: Scale) -> tuple[Tick, ...]:
    ends = (first,) if first == last else (first, last)
    return tuple(Tick(scale.at(one.toordinal()), short_day(one)) for one in ends)
