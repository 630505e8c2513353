"""Dates of what logic does not schedule: levels of effort follow their links, summaries the activities they hold.

Belongs here: what follows from the passes. Does not: the passes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.schedule.network import NO_INSTANT, values_of
from turnup.schedule.summaries import leaves_of
from turnup.schedule.working_time import finish_instant, start_instant, work_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from turnup.schedule.passes import Schedule
    from turnup.schedule.working_time import Clocks, Ints

_DATES = ("early_start", "early_finish", "late_start", "late_finish")


def roll_up(schedule: Schedule) -> Schedule:
    """Give dates to levels of effort, then to summaries; neither has a float nor is critical."""
    dates = {name: getattr(schedule, name).copy() for name in _DATES}
    kinds = schedule.network.activities["kind"]
    if (kinds == "level_of_effort").any():
        for row in kinds.eq("level_of_effort").arg_true():
            _span(schedule, dates, row)
    if (kinds == "summary").any():
        _sum_up(schedule, dates)
    return replace(schedule, **dates)


def _span(schedule: Schedule, dates: dict[str, Ints], row: int) -> None:
    """A level of effort starts with the first activity it is tied to and ends with the last one."""
    network = schedule.network
    calendar = int(network.activities["_calendar"][row])
    links = network.effort_links.filter((pl.col("pred") == row) | (pl.col("succ") == row))
    for start_name, finish_name in (_DATES[:2], _DATES[2:]):
        starts: list[int] = []
        finishes: list[int] = []
        for pred, succ, kind, lag, lag_calendar in links.select("pred", "succ", "type", "lag", "lag_calendar").rows():
            follows = succ == row
            other, sign = (pred, 1) if follows else (succ, -1)
            # The other end is a finish where the link says so on that side.
            at_finish = kind in (0, 2) if follows else kind in (2, 3)
            instant = int(dates[finish_name if at_finish else start_name][other])
            if instant == NO_INSTANT:
                continue
            moved = _moved(
                network.clocks, lag_calendar, instant, sign * lag, finish_instant if at_finish else start_instant
            )
            at_start = kind in (0, 1) if follows else kind in (1, 3)
            (starts if at_start else finishes).append(moved)
        _lay(
            network.clocks, calendar, network.activities, row, (dates[start_name], dates[finish_name]), starts, finishes
        )


def _moved(clocks: Clocks, calendar: int, instant: int, lag: int, back: Callable[[Clocks, int, int], int]) -> int:
    return instant if lag == 0 else back(clocks, calendar, work_at(clocks, calendar, instant) + lag)


def _lay(
    clocks: Clocks,
    calendar: int,
    activities: pl.DataFrame,
    row: int,
    dates: tuple[Ints, Ints],
    starts: list[int],
    finishes: list[int],
) -> None:
    actual_start, actual_finish = (
        int(values_of(activities[name][row : row + 1])[0]) for name in ("actual_start", "actual_finish")
    )
    if actual_start != NO_INSTANT:
        starts = [actual_start]
    if actual_finish != NO_INSTANT:
        finishes = [actual_finish]
    if not starts and not finishes:
        return
    start = work_at(clocks, calendar, min(starts) if starts else max(finishes))
    finish = work_at(clocks, calendar, max(finishes)) if finishes else start + (activities["remaining_s"][row] or 0)
    dates[0][row] = start_instant(clocks, calendar, start)
    dates[1][row] = finish_instant(clocks, calendar, max(start, finish))


def _sum_up(schedule: Schedule, dates: dict[str, Ints]) -> None:
    leaves = leaves_of(schedule.network.activities)
    leaf, summary = leaves["leaf"].to_numpy(), leaves["summary"].to_numpy()
    for name, least in zip(_DATES, (True, False, True, False), strict=True):
        known = dates[name][leaf] != NO_INSTANT
        rows, values = summary[known], dates[name][leaf[known]]
        rolled = np.full(len(dates[name]), np.iinfo(np.int64).max if least else NO_INSTANT)
        (np.minimum if least else np.maximum).at(rolled, rows, values)
        dates[name][rows] = rolled[rows]
