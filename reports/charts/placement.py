"""Placement of labels so that none covers another: computed here, never left to the renderer."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Box") -> bool:
        """Tell whether two rectangles overlap."""
        across = self.x < other.x + other.width and other.x < self.x + self.width
        return across and self.y < other.y + other.height and other.y < self.y + self.height


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions near the wanted ones, in their order, at least `gap` apart and within low..high if they fit.

    Ties keep the given order. Pool-adjacent-violators on the positions less their rank times the gap, the least
    squares answer; then shifted into the range.
    """
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    pools: list[tuple[float, int]] = []
    for rank, index in enumerate(order):
        mean, count = wanted[index] - rank * gap, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        pools.append((mean, count))
    placed = [0.0] * len(wanted)
    rank = 0
    top = high - gap * (len(wanted) - 1)
    for mean, count in pools:
        for _ in range(count):
            placed[order[rank]] = round(max(low, min(mean, top)) + rank * gap, 1)
            rank += 1
    return placed


def first_free(candidates: Sequence[Box], taken: Sequence[Box]) -> Box | None:
    """Return the first candidate that meets no taken box; None when all do, so that the label is left out."""
    return next((box for box in candidates if not any(box.meets(other) for other in taken)), None)
