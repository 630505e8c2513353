"""Geometry of six weeks and twelve months: two panels, each with its own scale, and a visible break between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reports.charts.frame import Label
from reports.charts.placement import Box, first_free
from reports.charts.scale import Scale, Tick, compact, round_step, text_width
from reports.models.working_charts import PeriodFigure, SixTwelve
from reports.wording import MONTHS

_FONT = 11.0
_TOP = 18.0
_BOTTOM = 34.0
_BREAK = 26.0
_AXIS = 44.0
_LINE = 12.0
_EDGE = 8.0


@dataclass(frozen=True)
class Bar:
    """One period: its bar, or a hatched stub where it is not available (`value` empty)."""

    x: float
    y: float
    width: float
    height: float
    available: bool
    part: bool
    plan_y: float | None


@dataclass(frozen=True)
class Panel:
    """Weeks or months with their own axis."""

    left: float
    right: float
    zero: float
    name: str
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class SixTwelveDrawing:
    """The drawing; `gap` is the middle of the break in the axis."""

    width: float
    height: float
    font: float
    top: float
    bottom: float
    gap: float
    panels: tuple[Panel, Panel]


def draw_six_twelve(chart: SixTwelve, width: float, height: float) -> SixTwelveDrawing:
    """Return the geometry for a given size; weeks and months never share a scale."""
    room = width - 2 * _AXIS - _BREAK - _EDGE
    cut = round(_AXIS + room * 0.36, 1)
    share = chart.unit == "share"
    weeks = _panel(chart.weeks, _AXIS, cut, height, share=share, name="weeks")
    months = _panel(chart.months, cut + _BREAK + _AXIS, width - _EDGE, height, share=share, name="months")
    return SixTwelveDrawing(width, height, _FONT, _TOP, height - _BOTTOM, round(cut + _BREAK / 2, 1), (weeks, months))


def _panel(
    figures: Sequence[PeriodFigure], left: float, right: float, height: float, *, share: bool, name: str
) -> Panel:
    numbers = [float(n) for f in figures for n in (f.value, f.plan) if n is not None]
    step = 0.25 if share else round_step(max([*numbers, 0.0]) - min([*numbers, 0.0]) or 1.0, 3)
    low = 0.0 if share else step * (min([*numbers, 0.0]) // step)
    high = 1.0 if share else max(-step * (-max([*numbers, 0.0]) // step), low + step)
    y = Scale(low, high, height - _BOTTOM, _TOP)
    slot = (right - left) / max(1, len(figures))
    bars = tuple(_bar(f, left + slot * i, slot, y) for i, f in enumerate(figures))
    ticks = [low + step * i for i in range(round((high - low) / step) + 1)]
    return Panel(
        left=left,
        right=right,
        zero=y.at(0),
        name=name,
        y_ticks=tuple(Tick(y.at(v), f"{v:.0%}".replace("%", " %") if share else _axis(v)) for v in ticks),
        x_ticks=_names(figures, left, slot),
        bars=bars,
        labels=_labels(figures, bars, slot, share=share),
    )


def _bar(figure: PeriodFigure, x: float, slot: float, y: Scale) -> Bar:
    wide = round(slot * 0.62, 1)
    at = round(x + (slot - wide) / 2, 1)
    zero = y.at(0)
    plan = y.at(figure.plan) if figure.plan is not None else None
    if figure.value is None:
        return Bar(at, round(zero - 6, 1), wide, 6.0, available=False, part=False, plan_y=plan)
    top = y.at(figure.value)
    tall = max(round(abs(zero - top), 1), 1.0 if figure.value else 0.0)
    return Bar(at, min(top, zero), wide, tall, available=True, part=bool(figure.note), plan_y=plan)


def _names(figures: Sequence[PeriodFigure], left: float, slot: float) -> tuple[Tick, ...]:
    """Names under the axis, counted back from the last so that it is always named."""
    texts = [_name(figure.label) for figure in figures]
    widest = max((text_width(text, _FONT) for text in texts), default=0.0) + 3
    every = max(1, -(-int(widest * 10) // max(1, int(slot * 10))))
    last = len(texts) - 1
    return tuple(
        Tick(round(left + slot * (i + 0.5), 1), text) for i, text in enumerate(texts) if (last - i) % every == 0
    )


def _name(label: str) -> str:
    _, dash, rest = label.partition("-")
    return rest if rest.startswith("W") or not dash or not rest.isdigit() else MONTHS[int(rest) - 1]


def _labels(figures: Sequence[PeriodFigure], bars: Sequence[Bar], slot: float, *, share: bool) -> tuple[Label, ...]:
    """Values above their bars, the last first; one that would touch another, a bar or a mark is left to the table."""
    taken = [Box(bar.x, bar.y, bar.width, bar.height) for bar in bars if bar.available and bar.height]
    made: list[Label] = []
    for figure, bar in reversed(list(zip(figures, bars, strict=True))):
        text = value_text(figure.value, share=share) if figure.value is not None else "n/a"
        wide = text_width(text, _FONT)
        middle = bar.x + bar.width / 2
        above = Box(middle - wide / 2, bar.y - _LINE - 1, wide, _LINE)
        marks = [Box(bar.x - 3, at - 2, bar.width + 6, 4) for at in [bar.plan_y] if at is not None]
        higher = [Box(above.x, mark.y - _LINE - 1, wide, _LINE) for mark in marks]
        spot = first_free([above, *higher], [*taken, *marks])
        if spot is None or spot.y < 0 or (wide > slot * 2):
            continue
        taken.append(spot)
        made.append(Label(round(middle, 1), round(spot.y + _LINE - 3, 1), text, "ink", "middle"))
    return tuple(made)


def value_text(value: Decimal | None, *, share: bool) -> str:
    """Return a figure as it stands above its bar."""
    if value is None:
        return "n/a"
    return f"{round(value * 100)} %" if share else _axis(float(value))


def _axis(value: float) -> str:
    return compact(value) if value >= 0 else f"\N{MINUS SIGN}{compact(-value)}"
