"""Large activity networks for measurements: layered, seeded, about two links an activity.

Public networks have 1.3 to 1.8 links an activity and many layers; these have twice the links and fewer layers, so that
nothing here is easier than what comes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from turnup.schedule.model import ACTIVITY, HOUR, LINK, Options, Project, WorkCalendar

LAYERS = {1_000: 60, 10_000: 200, 100_000: 600}
WORKDAY = 8 * HOUR
OFFICE = WorkCalendar("office", (((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR)),) * 5 + ((), ()))


class Drawn(NamedTuple):
    """Activities 0 to n - 1 in no order: durations in days, and links by activity number."""

    days: np.ndarray
    pred: np.ndarray
    succ: np.ndarray
    type: np.ndarray
    lag: np.ndarray


def drawn(size: int, layers: int, *, mixed: bool = False, seed: int = 7) -> Drawn:
    """Draw a network in which every activity but those of the first layer has a predecessor in the layer before.

    Args:
        size: number of activities.
        layers: length of the longest chain.
        mixed: all link types, and lags on one link in ten; else finish-to-start without lag.
        seed: of the draws.
    """
    random = np.random.default_rng(seed)
    layer = np.sort(np.append(np.arange(layers), random.integers(layers, size=size - layers)))
    first = np.searchsorted(layer, np.arange(layers))
    later = np.flatnonzero(layer > 0)
    low, high = first[layer[later] - 1], first[layer[later]]
    near = low + (random.random(later.size) * (high - low)).astype(np.int64)
    again = random.choice(later, size=size)
    far = (random.random(size) * first[layer[again]]).astype(np.int64)
    pairs = np.unique(np.stack([np.append(near, far), np.append(later, again)]), axis=1)
    shuffled = random.permutation(size)
    count = pairs.shape[1]
    kinds = np.asarray(random.choice(4, p=(0.85, 0.07, 0.07, 0.01), size=count)) if mixed else np.zeros(count)
    lags = np.where(random.random(count) < 0.1, random.integers(-2, 6, size=count), 0) if mixed else np.zeros(count)
    return Drawn(
        random.integers(1, 21, size=size), shuffled[pairs[0]], shuffled[pairs[1]], kinds.astype(np.int8),
        lags.astype(np.int64),
    )  # fmt: skip


def as_project(network: Drawn, calendars: dict[str, WorkCalendar] | None = None, seed: int = 7) -> Project:
    """A drawn network as a project of its own; with several calendars each activity gets one of them."""
    from datetime import datetime

    calendars = calendars or {"office": OFFICE}
    size, links = len(network.days), len(network.pred)
    names = pl.Series([f"A{number}" for number in range(size)])
    chosen = np.random.default_rng(seed).integers(len(calendars), size=size)
    columns = {
        "id": names, "code": names, "name": names, "kind": ["task"] * size, "status": ["not_started"] * size,
        "calendar": [list(calendars)[number] for number in chosen],
        "duration_s": network.days * WORKDAY, "remaining_s": network.days * WORKDAY,
    }  # fmt: skip
    linked = {
        "pred": names.gather(network.pred), "succ": names.gather(network.succ), "type": network.type,
        "lag_s": network.lag * WORKDAY, "elapsed": [False] * links, "external": [False] * links,
    }  # fmt: skip
    return Project(
        id="P", name="P", tool="p6", data_date=datetime(2026, 1, 5), planned_start=None, must_finish=None,
        stored_finish=None, options=Options(), calendars=calendars, default_calendar=next(iter(calendars)),
        activities=_whole(columns, ACTIVITY), links=_whole(linked, LINK),
    )  # fmt: skip


def _whole(columns: dict[str, object], schema: dict[str, pl.DataType]) -> pl.DataFrame:
    frame = pl.DataFrame(columns)
    missing = (pl.lit(None).cast(kind).alias(name) for name, kind in schema.items() if name not in columns)
    return frame.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in schema.items())
