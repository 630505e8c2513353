"""Geometry of ageing work: one column a gate, one dot an open item, lines where half and 85 % pass."""

from collections import Counter
from dataclasses import dataclass

from reports.charts.frame import Label
from reports.charts.placement import Box, first_free
from reports.charts.scale import Scale, Tick, compact, text_width, value_ticks
from reports.models.working_charts import Ageing, AgeingDot

_FONT = 11.0
_TOP = 12.0
_LINE = 12.0
_LEFT = 40.0
_RADIUS = 3.2
_NAMED = 8


@dataclass(frozen=True)
class AgeingMark:
    """One dot; `stuck` is beyond its gate's P85."""

    x: float
    y: float
    stuck: bool
    label: str
    link: str


@dataclass(frozen=True)
class AgeingColumn:
    """One gate: its slot, its lines, and its name on up to two lines."""

    x: float
    width: float
    p50: float | None
    p85: float | None
    name: tuple[str, ...]
    count: str


@dataclass(frozen=True)
class AgeingDrawing:
    """The drawing."""

    width: float
    height: float
    font: float
    left: float
    right: float
    bottom: float
    radius: float
    y_ticks: tuple[Tick, ...]
    columns: tuple[AgeingColumn, ...]
    dots: tuple[AgeingMark, ...]
    labels: tuple[Label, ...]


def draw_ageing(chart: Ageing, width: float, height: float) -> AgeingDrawing:
    """Return the geometry for a given size; names of gates are cut to their columns and numbered in the table."""
    most = [dot.days for dot in chart.dots] + [days for g in chart.gates for days in (g.p50, g.p85) if days is not None]
    ticks = value_ticks(max([*most, 1]), 4)
    slot = (width - _LEFT - 4) / len(chart.gates)
    upright = slot < 44
    bottom = height - (20.0 if upright else 46.0)
    y = Scale(0, ticks[-1], bottom, _TOP)
    columns = tuple(
        AgeingColumn(
            round(_LEFT + slot * i, 1),
            round(slot, 1),
            y.at(gate.p50) if gate.p50 is not None else None,
            y.at(gate.p85) if gate.p85 is not None else None,
            (str(i + 1),) if upright else _wrapped(gate.label, slot),
            "" if upright else f"{gate.waiting} open",
        )
        for i, gate in enumerate(chart.gates)
    )
    dots = _dots(chart, columns, y)
    return AgeingDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=_LEFT,
        right=width - 4,
        bottom=bottom,
        radius=_RADIUS,
        y_ticks=tuple(Tick(y.at(value), f"{compact(value)} d") for value in ticks),
        columns=columns,
        dots=dots,
        labels=_labels(dots, columns, width),
    )


def _wrapped(text: str, slot: float) -> tuple[str, ...]:
    """A name on at most two lines, each cut to the slot."""
    room = max(3, int((slot - 4) / text_width("x", _FONT)))
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}".strip()
        if len(joined) > room and line:
            lines.append(line)
            line = word
        else:
            line = joined
    lines.append(line)
    shown = [part if len(part) <= room else part[: room - 1] + "…" for part in lines[:2]]
    if len(lines) > 2:
        shown[1] = shown[1][: room - 1].rstrip("…") + "…"
    return tuple(shown)


def _dots(chart: Ageing, columns: tuple[AgeingColumn, ...], y: Scale) -> tuple[AgeingMark, ...]:
    """Dots of one age stand side by side; more of them than their column has room for overlap, and none is left out."""
    made: list[AgeingMark] = []
    together = Counter((dot.gate, y.at(dot.days)) for dot in chart.dots)
    seen: Counter[tuple[int, float]] = Counter()
    for dot in sorted(chart.dots, key=lambda d: (d.gate, d.days, d.label)):
        column, at = columns[dot.gate], y.at(dot.days)
        room = max(0.0, column.width - 10 - 2 * _RADIUS)
        step = min(2 * _RADIUS, room / max(1, together[dot.gate, at] - 1))
        x = column.x + 6 + _RADIUS + seen[dot.gate, at] * step
        seen[dot.gate, at] += 1
        made.append(AgeingMark(round(x, 1), at, _stuck(chart, dot), dot.label, dot.link))
    return tuple(made)


def _stuck(chart: Ageing, dot: AgeingDot) -> bool:
    limit = chart.gates[dot.gate].p85
    return limit is not None and dot.days > limit


def _labels(dots: tuple[AgeingMark, ...], columns: tuple[AgeingColumn, ...], width: float) -> tuple[Label, ...]:
    """Names of the oldest items where there is room; one that would cover a dot or a name is left to the table."""
    taken = [Box(d.x - _RADIUS, d.y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS) for d in dots]
    made: list[Label] = []
    for dot in sorted(dots, key=lambda d: (not d.stuck, d.y, d.label))[:_NAMED]:
        wide = text_width(dot.label, _FONT)
        right = Box(dot.x + _RADIUS + 3, dot.y - _LINE / 2, wide, _LINE)
        left = Box(dot.x - _RADIUS - 3 - wide, dot.y - _LINE / 2, wide, _LINE)
        within = [box for box in (right, left) if box.x >= _LEFT and box.x + wide <= width]
        spot = first_free(within, taken)
        if spot is not None:
            taken.append(spot)
            made.append(Label(round(spot.x, 1), round(spot.y + _LINE - 3, 1), dot.label, "red" if dot.stuck else "ink"))
    return tuple(made)
