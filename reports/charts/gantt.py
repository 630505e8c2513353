"""Geometry of the Gantt: outline of the baseline, bar of the forecast filled to done, dotted tail of total float."""

from dataclasses import dataclass
from datetime import date, timedelta

from reports.charts.scale import Scale, Tick, date_scale, month_ticks, text_width
from reports.models.working_charts import Gantt, GanttRow

_ROW = 26.0
_TOP = 26.0
_BOTTOM = 22.0
_FONT = 11.0
_BAR = 9.0
_NAME_SHARE = 0.38


@dataclass(frozen=True)
class GanttBar:
    """One row in pixels; without a baseline or float its widths are zero."""

    label: str
    note: str
    text_y: float
    note_y: float
    y: float
    x: float
    width: float
    done_width: float
    base_x: float
    base_width: float
    float_x: float
    float_end: float
    driving: bool
    milestone: bool
    link: str


@dataclass(frozen=True)
class GanttDrawing:
    """The drawing; `contract` is None where no contract milestone is in view."""

    width: float
    height: float
    font: float
    left: float
    top: float
    bottom: float
    bar: float
    data_x: float
    contract: float | None
    contract_label: tuple[float, str]
    data_label: tuple[float, str]
    ticks: tuple[Tick, ...]
    bars: tuple[GanttBar, ...]


def draw_gantt(chart: Gantt, width: float) -> GanttDrawing:
    """Return the geometry for a given width; names longer than their column are cut, and whole in the table."""
    left = round(width * _NAME_SHARE, 1)
    dates = [day for row in chart.rows for day in _dates(row)] + [chart.data_date]
    if chart.contract_date:
        dates.append(chart.contract_date)
    low, high = min(dates), max(dates) + timedelta(days=1)
    scale = date_scale(low, high, left, width - 8)
    bars = tuple(_bar(row, number, scale, left) for number, row in enumerate(chart.rows))
    contract = scale.at(chart.contract_date.toordinal()) if chart.contract_date else None
    data_x = scale.at(chart.data_date.toordinal())
    wanted = max(2, int((width - left) // 52))
    return GanttDrawing(
        width=width,
        height=_TOP + _ROW * len(bars) + _BOTTOM,
        font=_FONT,
        left=left,
        top=_TOP,
        bottom=_TOP + _ROW * len(bars),
        bar=_BAR,
        data_x=data_x,
        contract=contract,
        contract_label=_beside("contract", contract if contract is not None else left, left, width),
        data_label=_beside("data date", data_x, left, width),
        ticks=_ticks(low, high, scale, wanted, width),
        bars=bars,
    )


def _dates(row: GanttRow) -> list[date]:
    found = (row.start, row.end, row.baseline_start, row.baseline_end, row.late)
    return [day for day in found if day is not None]


def _beside(text: str, at: float, left: float, width: float) -> tuple[float, str]:
    """Where a word centred on a line fits within the plot."""
    half = text_width(text, _FONT) / 2
    return round(min(max(at, left + half), width - half), 1), text


def _ticks(low: date, high: date, scale: Scale, wanted: int, width: float) -> tuple[Tick, ...]:
    made = [Tick(scale.at(day.toordinal()), text) for day, text in month_ticks(low, high, wanted)]
    return tuple(tick for tick in made if tick.at + text_width(tick.label, _FONT) / 2 <= width)


def _bar(row: GanttRow, number: int, scale: Scale, left: float) -> GanttBar:
    top = _TOP + _ROW * number
    x, end = scale.at(row.start.toordinal()), scale.at(row.end.toordinal())
    wide = max(round(end - x, 1), 2.0)
    base = (row.baseline_start or row.baseline_end, row.baseline_end)
    base_x = scale.at(base[0].toordinal()) if base[0] else 0.0
    base_end = scale.at(base[1].toordinal()) if base[1] else base_x
    late = scale.at(row.late.toordinal()) if row.late and row.late > row.end else end
    return GanttBar(
        label=_cut(row.label, left),
        note=_cut(row.note, left),
        text_y=top + 10,
        note_y=top + 21,
        y=top + 5,
        x=x,
        width=wide,
        done_width=round(wide * min(max(float(row.percent), 0.0), 100.0) / 100, 1),
        base_x=base_x,
        base_width=max(round(base_end - base_x, 1), 2.0) if base[1] else 0.0,
        float_x=round(x + wide, 1),
        float_end=late,
        driving=row.driving,
        milestone=row.milestone,
        link=row.link,
    )


def _cut(text: str, left: float) -> str:
    room = int((left - 12) / text_width("x", _FONT))
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"
