"""Geometry of room in storage: capacity as steps, demand as a line in its band, and the day on which it runs out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reports.charts.frame import Frame, Label
from reports.charts.placement import spread
from reports.charts.scale import Scale, Tick, compact, date_scale, month_ticks, text_width, value_ticks
from reports.models.charts import Room
from reports.wording import quantity, short_day

_FONT = 11.0
_LINE = 13.0
_TOP = 20.0
_BOTTOM = 22.0


@dataclass(frozen=True)
class RoomDrawing(Frame):
    """The drawing; paths are SVG path data, `out` is the pixel of the run-out day, None when it does not run out."""

    p50: str
    p80: str
    demand: str
    band: str
    out: float | None
    labels: tuple[Label, ...]


def draw_room(chart: Room, width: float, height: float) -> RoomDrawing:
    """Return the geometry; zero is always in view, and demand ends where nothing is known of it."""
    known = [point for point in chart.points if point.mid is not None]
    highest = max(float(v) for p in chart.points for v in (p.p50, p.high) if v is not None)
    ticks = value_ticks(highest, 5)
    left = round(max(text_width(compact(tick), _FONT) for tick in ticks) + 8, 1)
    ends = _ends(chart)
    right = round(width - max(text_width(text, _FONT) for _, text, _ in ends) - 8, 1)
    first, last = chart.points[0].day, chart.points[-1].day
    x, y = date_scale(first, last, left, right), Scale(0, ticks[-1], height - _BOTTOM, _TOP)
    low = [(point.day, point.low) for point in known]
    high = [(point.day, point.high) for point in known]
    out = x.at(chart.run_out.toordinal()) if chart.run_out is not None else None
    places = spread([y.at(value) + 4 for value, _, _ in ends], _LINE, _TOP + 4, y.start)
    labels = [Label(right + 6, at, text, role) for (_, text, role), at in zip(ends, places, strict=True)]
    if chart.run_out is not None and out is not None:
        side = "end" if out > (left + right) / 2 else "start"
        labels.append(
            Label(out + (-4 if side == "end" else 4), _TOP - 6, f"runs out {short_day(chart.run_out)}", "red", side)
        )
    months = month_ticks(first, last, max(3, int((right - left) / 62)))
    return RoomDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=left,
        right=right,
        top=_TOP,
        bottom=height - _BOTTOM,
        y_ticks=tuple(Tick(y.at(tick), compact(tick)) for tick in ticks),
        x_ticks=tuple(Tick(x.at(day.toordinal()), text) for day, text in months),
        p50=_steps([(point.day, point.p50) for point in chart.points], x, y),
        p80=_steps([(point.day, point.p80) for point in chart.points], x, y),
        demand="M" + " L".join(_places([(point.day, point.mid) for point in known], x, y)),
        band="M" + " L".join([*_places(low, x, y), *reversed(_places(high, x, y))]) + " Z",
        out=out,
        labels=tuple(labels),
    )


_Values = Sequence[tuple[date, Decimal | None]]


def _places(values: _Values, x: Scale, y: Scale) -> list[str]:
    return [f"{x.at(day.toordinal()):g} {y.at(value):g}" for day, value in values if value is not None]


def _steps(values: _Values, x: Scale, y: Scale) -> str:
    """A step at each week end: capacity stays until more comes."""
    told = [(x.at(day.toordinal()), y.at(value)) for day, value in values if value is not None]
    path = f"M{told[0][0]:g} {told[0][1]:g}"
    for (at, level), (_, before) in zip(told[1:], told, strict=False):
        path += f" H{at:g}" + (f" V{level:g}" if level != before else "")
    return path


def _ends(chart: Room) -> list[tuple[Decimal, str, str]]:
    """What stands right of the lines, from the top: value, text, role."""
    last = chart.points[-1]
    told = next(point for point in reversed(chart.points) if point.mid is not None)
    wanted = [(last.p50, f"capacity {quantity(last.p50)}", "ink")]
    if last.p80 != last.p50:
        wanted.append((last.p80, f"P80 {quantity(last.p80)}", "muted"))
    if told.mid is not None:
        wanted.append((told.mid, f"demand {quantity(told.mid)}", "forecast"))
    return sorted(wanted, key=lambda item: (-item[0], item[1]))
