"""Geometry of calibration: one bar a percentile and lead, the share that held, against a mark of what was promised."""

from dataclasses import dataclass
from decimal import Decimal

from reports.charts.scale import Scale, Tick, text_width
from reports.models.working_charts import Calibration, CalibrationRow
from reports.wording import percent

_ROW = 24.0
_BAR = 12.0
_FONT = 11.0
_TOP = 6.0
_BOTTOM = 22.0


@dataclass(frozen=True)
class CalibrationBar:
    """One row in pixels; `weak` rows rest on few cases."""

    label: str
    text_y: float
    y: float
    width: float
    claim_x: float
    value: str
    weak: bool
    short: bool


@dataclass(frozen=True)
class CalibrationDrawing:
    """The drawing, from 0 to 100 %."""

    width: float
    height: float
    font: float
    left: float
    right: float
    bar: float
    bottom: float
    ticks: tuple[Tick, ...]
    bars: tuple[CalibrationBar, ...]


def draw_calibration(chart: Calibration, width: float) -> CalibrationDrawing:
    """Return the geometry for a given width; values stand in a column of their own at the right."""
    left = round(max(text_width(row.label, _FONT) for row in chart.rows) + 10, 1)
    right = round(width - max(text_width(_value(row), _FONT) for row in chart.rows) - 10, 1)
    scale = Scale(0, 100, left, right)
    bars = tuple(_bar(row, number, scale) for number, row in enumerate(chart.rows))
    bottom = _TOP + _ROW * len(bars)
    ticks = tuple(
        Tick(scale.at(at), f"{at} %") for at in ((0, 50, 100) if right - left < 150 else (0, 25, 50, 75, 100))
    )
    return CalibrationDrawing(width, bottom + _BOTTOM, _FONT, left, right, _BAR, bottom, ticks, bars)


def _bar(row: CalibrationRow, number: int, scale: Scale) -> CalibrationBar:
    held = 100 * row.held / row.cases if row.cases else 0.0
    y = _TOP + _ROW * number + (_ROW - _BAR) / 2
    return CalibrationBar(
        row.label,
        y + _BAR - 2,
        y,
        round(scale.at(held) - scale.start, 1),
        scale.at(row.claimed),
        _value(row),
        weak=not row.enough,
        short=held < row.claimed,
    )


def _value(row: CalibrationRow) -> str:
    if not row.cases:
        return "no case"
    return f"{row.held} of {row.cases} ({percent_of(row)})"


def percent_of(row: CalibrationRow) -> str:
    """Return the share that held in whole percent, rounded down."""
    return percent(Decimal(row.held), Decimal(row.cases))
