"""Geometry of the XmR chart: values by week, the mean, the natural limits, and rings around signals."""

from dataclasses import dataclass

from reports.charts.frame import Frame, Label
from reports.charts.placement import spread
from reports.charts.scale import Scale, Tick, compact, round_step, text_width
from reports.models.working_charts import Behaviour
from reports.wording import quantity

_FONT = 11.0
_TOP = 12.0
_BOTTOM = 22.0
_LINE = 13.0


@dataclass(frozen=True)
class Dot:
    """A week's value; `rules` are the rules it breaks."""

    x: float
    y: float
    rules: str


@dataclass(frozen=True)
class BehaviourDrawing(Frame):
    """The drawing; `paths` break where a week is not available; gaps are marked on the axis."""

    mean: float
    lower: float
    upper: float
    baseline: tuple[float, float]
    paths: tuple[str, ...]
    dots: tuple[Dot, ...]
    gaps: tuple[float, ...]
    labels: tuple[Label, ...]


def draw_behaviour(chart: Behaviour, width: float, height: float) -> BehaviourDrawing:
    """Return the geometry for a given size; limits and every value are in view."""
    known = [float(p.value) for p in chart.points if p.value is not None]
    values = [*known, float(chart.lower), float(chart.upper)]
    step = round_step(max(values) - min(values) or 1.0, 4)
    low, high = step * (min(values) // step), -step * (-max(values) // step)
    named = (("limit", chart.upper), ("mean", chart.mean), ("limit", chart.lower))
    texts = [f"{name} {quantity(round(value, 1))}" for name, value in named]
    left, right = 46.0, round(width - max(text_width(text, _FONT) for text in texts) - 10, 1)
    x = Scale(0, max(1, len(chart.points) - 1), left + 6, right - 6)
    y = Scale(low, high, height - _BOTTOM, _TOP)
    dots = tuple(Dot(x.at(i), y.at(p.value), p.rules) for i, p in enumerate(chart.points) if p.value is not None)
    run = [i for i, p in enumerate(chart.points) if p.in_baseline] or [0]
    places = spread([y.at(value) + 4 for _, value in named], _LINE, _TOP + 4, height - _BOTTOM)
    return BehaviourDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=left,
        right=right,
        top=_TOP,
        bottom=height - _BOTTOM,
        mean=y.at(chart.mean),
        lower=y.at(chart.lower),
        upper=y.at(chart.upper),
        baseline=(round(x.at(run[0]) - 4, 1), round(x.at(run[-1]) + 4, 1)),
        paths=_paths(chart, x, y),
        dots=dots,
        gaps=tuple(x.at(i) for i, p in enumerate(chart.points) if p.value is None),
        y_ticks=tuple(Tick(y.at(low + step * i), _axis(low + step * i)) for i in range(round((high - low) / step) + 1)),
        x_ticks=_week_ticks(chart, x),
        labels=tuple(
            Label(right + 6, at, text, "ink" if name == "mean" else "muted")
            for (name, _), text, at in zip(named, texts, places, strict=True)
        ),
    )


def _axis(value: float) -> str:
    return compact(value) if value >= 0 else f"\N{MINUS SIGN}{compact(-value)}"


def _paths(chart: Behaviour, x: Scale, y: Scale) -> tuple[str, ...]:
    runs: list[list[str]] = [[]]
    for place, point in enumerate(chart.points):
        if point.value is None:
            runs.append([])
        else:
            runs[-1].append(f"{x.at(place):g} {y.at(point.value):g}")
    return tuple("M" + " L".join(run) for run in runs if len(run) > 1)


def _week_ticks(chart: Behaviour, x: Scale) -> tuple[Tick, ...]:
    """Weeks counted back from the last, as many as have room."""
    count = len(chart.points)
    every = max(1, -(-count * 32 // max(32, int(x.end - x.start))))
    return tuple(Tick(x.at(i), p.label[-3:]) for i, p in enumerate(chart.points) if (count - 1 - i) % every == 0)
