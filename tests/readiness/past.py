"""Earlier weeks as a refresh would have kept them."""

from __future__ import annotations

from datetime import timedelta

from tests.readiness.tiny import AS_OF, Datasets, Row


def label(weeks_ago: int) -> str:
    """Return the ISO week so many weeks before the data date."""
    year, week, _ = (AS_OF - timedelta(weeks=weeks_ago)).isocalendar()
    return f"{year}-W{week:02d}"


def systems(values: list[float], contracted: float, system: str = "TRAIN-1", **changes: object) -> list[Row]:
    """Return one row a week for a system, oldest first; the last value is last week's."""
    return [
        {
            "week": label(len(values) - place),
            "system_key": system.lower(),
            "system_id": system,
            "kind": "gpu_cluster",
            "unit": "accelerators",
            "schedulable": value,
            "contracted": contracted,
            "playbook": "gpu_cluster 2",
            "status": "red",
            "weeks_in_status": place + 1,
        }
        | changes
        for place, value in enumerate(values)
    ]


def grown(increments: list[float], now: float) -> list[float]:
    """Return the weekly values that lead to the present one by these increments, oldest first, without the present."""
    values = [now]
    for increment in reversed(increments):
        values.insert(0, values[0] - increment)
    return values[:-1]


def history(increments: list[float], now: float, contracted: float) -> Datasets:
    """Return hist tables of a system that grew by these increments."""
    return {"systems": systems(grown(increments, now), contracted)}
