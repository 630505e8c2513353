"""Geometry of the milestone trend: report date against forecast date, steps, never interpolation between reports."""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from reports.charts.frame import Frame, Label
from reports.charts.placement import Box, first_free, spread
from reports.charts.scale import Scale, Tick, date_scale, month_ticks, text_width
from reports.models.charts import MilestoneLine, Milestones
from reports.wording import short_day, signed

_FONT = 11.0
_TOP = 10.0
_BOTTOM = 34.0
_LINE = 13.0
_ROOMY = 500.0


@dataclass(frozen=True)
class MilestonePath:
    """One milestone: its step path, its end, and the leader from the end to its label."""

    path: str
    end: tuple[float, float]
    leader: tuple[float, float, float, float]
    label: Label
    status: str
    baseline_y: float | None
    marks: tuple[Label, ...]


@dataclass(frozen=True)
class MilestonesDrawing(Frame):
    """The drawing; the diagonal is report date = forecast date, drawn only where it is in view."""

    diagonal: tuple[float, float, float, float] | None
    lines: tuple[MilestonePath, ...]


def draw_milestones(chart: Milestones, width: float, height: float) -> MilestonesDrawing:
    """Return the geometry for at most as many lines as have room for their labels."""
    reports = [report for line in chart.lines for report, _ in line.points]
    dates = [forecast for line in chart.lines for _, forecast in line.points]
    dates += [line.baseline for line in chart.lines if line.baseline]
    names = [_name(line, width) for line in chart.lines]
    left, right = 56.0, round(width - max(text_width(name, _FONT) for name in names) - 26, 1)
    low, high = min(dates), max(dates)
    x = date_scale(min(reports), max(reports), left, right)
    y = date_scale(low, high, height - _BOTTOM, _TOP)
    ends = [y.at(line.points[-1][1].toordinal()) for line in chart.lines]
    places = spread([end + 4 for end in ends], _LINE, _TOP + 4, height - _BOTTOM)
    rows = []
    taken = [Box(right, 0, width - right, height), *(box for line in chart.lines for box in _drawn(line, x, y))]
    for line, name, end, place in zip(chart.lines, names, ends, places, strict=True):
        at = x.at(line.points[-1][0].toordinal())
        leader = (at + 4, end, right + 18, place - 4)
        rows.append(
            MilestonePath(
                _steps(line, x, y),
                (at, end),
                leader,
                Label(right + 20, place, name, line.status),
                line.status,
                y.at(line.baseline.toordinal()) if line.baseline else None,
                _marks(line, x, y, taken),
            )
        )
    return MilestonesDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=left,
        right=right,
        top=_TOP,
        bottom=height - _BOTTOM,
        y_ticks=tuple(Tick(y.at(d.toordinal()), text) for d, text in month_ticks(low, high, 6)),
        x_ticks=_report_ticks(sorted(set(reports)), x),
        diagonal=_diagonal(min(reports), max(reports), low, high, x, y),
        lines=tuple(rows),
    )


def _marks(line: MilestoneLine, x: Scale, y: Scale, taken: list[Box]) -> tuple[Label, ...]:
    """The days of each step beside it, where there is room; the table behind has them all with their causes."""
    told = dict(line.points)
    made = []
    for at, moved, _ in sorted(line.causes, key=lambda cause: -abs(cause[1])):
        text = signed(moved)
        wide, left, top = text_width(text, _FONT), x.at(at.toordinal()), y.at(told[at].toordinal())
        spots = [Box(left - wide - 3, top - _LINE, wide, _LINE), Box(left - wide - 3, top + 2, wide, _LINE)]
        spot = first_free([s for s in spots if s.x > x.start and y.end - _TOP <= s.y <= y.start - _LINE], taken)
        if spot is not None:
            taken.append(spot)
            made.append(Label(round(spot.x, 1), round(spot.y + _LINE - 3, 1), text, line.status))
    return tuple(made)


def _report_ticks(days: list[date], x: Scale) -> tuple[Tick, ...]:
    every = max(1, -(-len(days) * 48 // max(48, int(x.end - x.start))))
    kept = [day for number, day in enumerate(reversed(days)) if number % every == 0]
    return tuple(Tick(x.at(day.toordinal()), short_day(day)) for day in reversed(kept))


def _name(line: MilestoneLine, width: float) -> str:
    """Label and net slip; where there is little room the label's last part, for which the table has the whole."""
    label = line.label if width >= _ROOMY else line.label.rsplit("/", 1)[-1]
    return f"{label} {signed(line.slip_days) + ' d' if line.slip_days else 'on plan'}"


def _drawn(line: MilestoneLine, x: Scale, y: Scale) -> list[Box]:
    """Where the strokes of a line run, which no figure may cover."""
    strokes = []
    for (begin, before), (end, after) in pairwise(line.points):
        left, right = x.at(begin.toordinal()), x.at(end.toordinal())
        top, low = sorted((y.at(before.toordinal()), y.at(after.toordinal())))
        strokes.append(Box(left, y.at(before.toordinal()) - 1, right - left, 2))
        strokes.append(Box(right - 1, top, 2, low - top))
    return strokes


def _steps(line: MilestoneLine, x: Scale, y: Scale) -> str:
    (report, forecast), *rest = line.points
    path = f"M{x.at(report.toordinal()):g} {y.at(forecast.toordinal()):g}"
    for report, forecast in rest:
        path += f" H{x.at(report.toordinal()):g} V{y.at(forecast.toordinal()):g}"
    return path


def _diagonal(
    first: date, last: date, low: date, high: date, x: Scale, y: Scale
) -> tuple[float, float, float, float] | None:
    begin, end = max(first, low), min(last, high)
    if begin >= end:
        return None
    a, b = begin.toordinal(), end.toordinal()
    return (x.at(a), y.at(a), x.at(b), y.at(b))
