"""Geometry of the funnel: one bar per stage, all to one scale, with the loss to the stage before."""

from dataclasses import dataclass

from reports.charts.scale import Scale, text_width
from reports.models.charts import Funnel
from reports.wording import percent, quantity

_ROW = 20.0
_BAR = 13.0
_FONT = 11.0


@dataclass(frozen=True)
class FunnelBar:
    """One stage in pixels."""

    label: str
    label_x: float
    text_y: float
    x: float
    y: float
    width: float
    height: float
    value: str
    value_x: float
    last: bool


@dataclass(frozen=True)
class FunnelDrawing:
    """The drawing."""

    width: float
    height: float
    font: float
    bars: tuple[FunnelBar, ...]


def draw_funnel(chart: Funnel, width: float) -> FunnelDrawing:
    """Return the geometry for a given width; the longest bar leaves room for its label."""
    left = round(max(text_width(row.label, _FONT) for row in chart.rows) + 10, 1)
    top = max(row.reached for row in chart.rows)
    scale = Scale(0, float(top) or 1.0, left, width - 104)
    bars = []
    for number, row in enumerate(chart.rows):
        y = 4 + _ROW * number
        end = scale.at(row.reached)
        value = quantity(row.reached)
        if number:
            value += f" ({percent(row.reached, chart.rows[0].reached)})"
        bars.append(
            FunnelBar(
                row.label,
                round(left - 8, 1),
                y + _BAR - 2.5,
                left,
                y,
                max(round(end - left, 1), 1.0 if row.reached else 0.0),
                _BAR,
                value,
                round(end + 5, 1),
                number == len(chart.rows) - 1,
            )
        )
    return FunnelDrawing(width, 4 + _ROW * len(chart.rows), _FONT, tuple(bars))
