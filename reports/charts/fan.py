"""Geometry of the forecast-drift fan: P50 and P80 in days against the contract date, per report week."""

from dataclasses import dataclass

from reports.charts.frame import Label
from reports.charts.placement import spread
from reports.charts.scale import Scale, Tick, round_step, text_width
from reports.models.charts import Fan
from reports.wording import signed

_FONT = 11.0
_TOP = 10.0
_BOTTOM = 22.0
_LINE = 13.0


@dataclass(frozen=True)
class FanDrawing:
    """The drawing; `zero` is the pixel of the contract date."""

    width: float
    height: float
    font: float
    left: float
    right: float
    zero: float
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    p50: str
    p80: str
    band: str
    breaks: tuple[float, ...]
    labels: tuple[Label, ...]


def draw_fan(chart: Fan, width: float, height: float) -> FanDrawing:
    """Return the geometry; weeks are spaced evenly, zero is always in view."""
    values = [0, *(p.p50 for p in chart.points), *(p.p80 for p in chart.points if p.p80 is not None)]
    step = round_step(max(values) - min(values) or 1, 4)
    low, high = _floor(min(values), step), -_floor(-max(values), step)
    left, right = 46.0, round(width - text_width("contract date", _FONT) - 10, 1)
    x = Scale(0, max(1, len(chart.points) - 1), left, right)
    y = Scale(low, high, height - _BOTTOM, _TOP)
    p50 = [f"{x.at(i):g} {y.at(p.p50):g}" for i, p in enumerate(chart.points)]
    p80 = [f"{x.at(i):g} {y.at(p.p80):g}" for i, p in enumerate(chart.points) if p.p80 is not None]
    paired = len(p80) == len(p50)
    every = max(1, -(-len(chart.points) * 34 // int(right - left)))
    return FanDrawing(
        width=width,
        height=height,
        font=_FONT,
        left=left,
        right=right,
        zero=y.at(0),
        y_ticks=tuple(Tick(y.at(v), signed(round(v)) + (" d" if v else "")) for v in _range(low, high, step)),
        x_ticks=tuple(
            Tick(x.at(i), p.week[-3:]) for i, p in enumerate(chart.points) if (len(chart.points) - 1 - i) % every == 0
        ),
        p50="M" + " L".join(p50),
        p80="M" + " L".join(p80) if p80 else "",
        band="M" + " L".join([*p50, *reversed(p80)]) + " Z" if paired else "",
        breaks=tuple(x.at(i) for i, p in enumerate(chart.points) if p.week in chart.breaks),
        labels=_labels(chart, y, right),
    )


def _labels(chart: Fan, y: Scale, right: float) -> tuple[Label, ...]:
    last = chart.points[-1]
    wanted = [(0, "contract date", "muted"), (last.p50, f"P50 {signed(last.p50)} d", "forecast")]
    if last.p80 is not None:
        wanted.append((last.p80, f"P80 {signed(last.p80)} d", "ink"))
    wanted.sort(key=lambda item: (-item[0], item[1]))
    places = spread([y.at(value) + 4 for value, _, _ in wanted], _LINE, _TOP + 4, y.start)
    return tuple(Label(right + 6, at, text, role) for (_, text, role), at in zip(wanted, places, strict=True))


def _floor(value: float, step: float) -> float:
    return step * (value // step)


def _range(low: float, high: float, step: float) -> list[float]:
    return [low + step * i for i in range(round((high - low) / step) + 1)]
