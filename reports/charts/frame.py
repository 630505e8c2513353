"""What drawings of several charts have in common: the frame with its ticks, and a label.

Belongs here: their fields. Does not: where anything lies (``reports.charts.scale``, ``reports.charts.placement``).
"""

from dataclasses import dataclass

from reports.charts.scale import Tick


@dataclass(frozen=True)
class Label:
    """A text with its anchor point and the role that colours it."""

    x: float
    y: float
    text: str
    role: str
    anchor: str = "start"


@dataclass(frozen=True)
class Frame:
    """A drawing with two axes: its size, the sides of the plot in pixels, and the ticks on both."""

    width: float
    height: float
    font: float
    left: float
    right: float
    top: float
    bottom: float
    y_ticks: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
