"""Geometry of the readiness waterfall: contracted, one falling bar per stage, schedulable. It must close exactly."""

from dataclasses import dataclass
from decimal import Decimal

from reports.charts.scale import Scale, text_width
from reports.models.charts import Waterfall
from reports.wording import MINUS, percent, quantity

_ROW = 24.0
_BAR = 15.0
_TOP = 6.0
_FONT = 11.0


class WaterfallDoesNotClose(ValueError):
    """Contracted less all held capacity is not what is schedulable."""


@dataclass(frozen=True)
class WaterfallBar:
    """One bar with its labels, all in pixels; `role` is total or drop."""

    label: str
    label_x: float
    text_y: float
    x: float
    y: float
    width: float
    height: float
    value: str
    value_x: float
    role: str
    waived_x: float
    waived_width: float


@dataclass(frozen=True)
class WaterfallDrawing:
    """The drawing: size, bars, and the thin links between the ends of neighbouring bars."""

    width: float
    height: float
    font: float
    bars: tuple[WaterfallBar, ...]
    links: tuple[tuple[float, float, float], ...]


def check_closes(chart: Waterfall) -> None:
    """Raise when contracted - Σ held ≠ schedulable, or a bar is negative.

    Raises:
        WaterfallDoesNotClose: with the three figures.
    """
    held = sum((step.held for step in chart.steps), Decimal(0))
    gap = chart.contracted - held - chart.schedulable
    if gap:
        raise WaterfallDoesNotClose(
            f"contracted {quantity(chart.contracted)} less held {quantity(held)} leaves "
            f"{quantity(chart.contracted - held)}, but schedulable is {quantity(chart.schedulable)}"
        )
    if any(step.held < 0 for step in chart.steps):
        raise WaterfallDoesNotClose("a stage holds a negative quantity")


def draw_waterfall(chart: Waterfall, width: float) -> WaterfallDrawing:
    """Return the geometry for a given width."""
    check_closes(chart)
    labels = ["Contracted", *(step.label for step in chart.steps), "Schedulable"]
    left = round(max(text_width(label, _FONT) for label in labels) + 10, 1)
    drops = [f"{MINUS}{quantity(s.held)} ({percent(s.held, chart.contracted)})" for s in chart.steps]
    end = f"{quantity(chart.schedulable)} ({percent(chart.schedulable, chart.contracted)})"
    room = max(text_width(value, _FONT) for value in (quantity(chart.contracted), *drops, end)) + 12
    scale = Scale(0, float(chart.contracted) or 1.0, left, round(width - room, 1))
    bars = [_bar("Contracted", 0, Decimal(0), chart.contracted, scale, "total", quantity(chart.contracted))]
    links = []
    level = chart.contracted
    for number, (step, value) in enumerate(zip(chart.steps, drops, strict=True), start=1):
        links.append((scale.at(level), _TOP + _ROW * (number - 1) + _BAR, _TOP + _ROW * number))
        level -= step.held
        bars.append(_bar(step.label, number, level, level + step.held, scale, "drop", value))
    last = len(chart.steps) + 1
    links.append((scale.at(level), _TOP + _ROW * (last - 1) + _BAR, _TOP + _ROW * last))
    bars.append(_bar("Schedulable", last, Decimal(0), level, scale, "total", end, waived=chart.waived))
    return WaterfallDrawing(width, _TOP + _ROW * (last + 1), _FONT, tuple(bars), tuple(links))


def _bar(
    label: str,
    number: int,
    low: Decimal,
    high: Decimal,
    scale: Scale,
    role: str,
    value: str,
    *,
    waived: Decimal = Decimal(0),
) -> WaterfallBar:
    x, end = scale.at(low), scale.at(high)
    y = _TOP + _ROW * number
    return WaterfallBar(
        label=label,
        label_x=round(scale.start - 8, 1),
        text_y=round(y + _BAR - 3.5, 1),
        x=x,
        y=y,
        width=max(round(end - x, 1), 1.0 if high > low else 0.0),
        height=_BAR,
        value=value,
        value_x=round(end + 5, 1),
        role=role,
        waived_x=scale.at(high - waived),
        waived_width=round(end - scale.at(high - waived), 1),
    )
