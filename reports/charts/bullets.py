"""Geometry of bullet rows. Every row is scaled to its own contracted quantity: kinds have no common unit."""

from dataclasses import dataclass

from reports.charts.scale import Scale, text_width
from reports.models.charts import BulletRow, Bullets
from reports.wording import quantity, unit_name

_ROW = 34.0
_BAND = 18.0
_BAR = 8.0
_FONT = 11.0


@dataclass(frozen=True)
class BulletDrawingRow:
    """One row in pixels."""

    label: str
    unit: str
    x: float
    y: float
    band_width: float
    bar_width: float
    due_x: float
    value: str
    value_x: float
    status: str
    link: str


@dataclass(frozen=True)
class BulletsDrawing:
    """The drawing; bars are `bar` high inside bands `band` high."""

    width: float
    height: float
    font: float
    band: float
    bar: float
    rows: tuple[BulletDrawingRow, ...]


def draw_bullets(chart: Bullets, width: float) -> BulletsDrawing:
    """Return the geometry for a given width."""
    names = [text for row in chart.rows for text in (row.label, row.unit)]
    left = round(max(text_width(name, _FONT) for name in names) + 12, 1)
    values = [_value(row) for row in chart.rows]
    right = round(max(text_width(value, _FONT) for value in values) + 8, 1)
    rows = []
    for number, (row, value) in enumerate(zip(chart.rows, values, strict=True)):
        top = max(row.contracted, row.due, row.schedulable)
        scale = Scale(0, float(top) or 1.0, left, width - right)
        rows.append(
            BulletDrawingRow(
                row.label,
                row.unit,
                left,
                6 + _ROW * number,
                round(scale.at(row.contracted) - left, 1),
                round(scale.at(row.schedulable) - left, 1),
                scale.at(row.due),
                value,
                round(width - right + 8, 1),
                row.status,
                row.link,
            )
        )
    return BulletsDrawing(width, 6 + _ROW * len(rows), _FONT, _BAND, _BAR, tuple(rows))


def _value(row: BulletRow) -> str:
    of_due = f"{row.of_due} of due" if row.due else row.of_due
    return f"{quantity(row.schedulable)} {unit_name(row.unit)}, {of_due}"
