"""Drawn networks with uncertain durations, to measure forecasts on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from perf.networks import Drawn
from turnup.schedule.model import DAY, HOUR, WorkCalendar
from turnup.schedule.simulation import ActivityNetwork, RiskEvent, Triangular, Uncertainty
from turnup.schedule.working_time import ALWAYS, clocks_of

MONDAY = 20_458 * DAY
"""2026-01-05, as an instant."""


def names_of(graph: Drawn) -> tuple[str, ...]:
    """Ids of the activities."""
    return tuple(f"A{number}" for number in range(len(graph.days)))


def plain(graph: Drawn) -> tuple[ActivityNetwork, Uncertainty]:
    """Make it a network of finish-to-start links on one calendar, durations triangular from 0.9 to 1.6 of the plan."""
    names, seconds = names_of(graph), (graph.days.astype(np.int64) * DAY).tolist()
    links = [
        (names[first], names[second]) for first, second in zip(graph.pred.tolist(), graph.succ.tolist(), strict=True)
    ]
    network = ActivityNetwork.of(dict(zip(names, seconds, strict=True)), links, start=MONDAY)
    return network, Uncertainty({n: Triangular(0.9 * s, s, 1.6 * s) for n, s in zip(names, seconds, strict=True)})


_OFFICE = ((8 * HOUR, 12 * HOUR), (13 * HOUR, 17 * HOUR))
CALENDARS = (
    WorkCalendar("office", (_OFFICE,) * 5 + ((), ())),
    WorkCalendar("six days", (((7 * HOUR, 12 * HOUR), (12 * HOUR + 1800, 17 * HOUR + 1800)),) * 6 + ((),)),
    WorkCalendar("nights", (((0, 6 * HOUR), (22 * HOUR, DAY)),) * 7),
    ALWAYS,
)


def mixed(graph: Drawn, seed: int = 2) -> tuple[ActivityNetwork, Uncertainty]:
    """Add four calendars (70, 15, 10, 5 % of activities), all link types (85 % FS), lags on 17 % of links, 50 risks."""
    rng = np.random.default_rng(seed)
    network, uncertainty = plain(graph)
    count, links = len(graph.days), len(graph.pred)
    calendar = rng.choice(4, count, p=[0.7, 0.15, 0.1, 0.05]).astype(np.int32)
    lag = np.where(rng.random(links) < 0.17, rng.integers(-2, 6, links) * 8 * HOUR, 0)
    seconds = dict(zip(names_of(graph), (graph.days.astype(np.int64) * 8 * HOUR).tolist(), strict=True))
    network = replace(
        network,
        remaining=np.array(list(seconds.values()), dtype=np.int64),
        calendar=calendar,
        own=calendar,
        link_type=rng.choice(4, links, p=[0.85, 0.07, 0.07, 0.01]).astype(np.int8),
        lag=lag.astype(np.int64),
        lag_calendar=calendar[graph.pred],
        clocks=clocks_of(CALENDARS, MONDAY, MONDAY + 400 * DAY),
    )
    risks = tuple(
        RiskEvent(f"R{number}", 0.3, Triangular(8 * HOUR, 40 * HOUR, 120 * HOUR), tuple(rng.choice(names_of(graph), 5)))
        for number in range(50)
    )
    return network, replace(
        uncertainty, durations={n: Triangular(0.9 * s, s, 1.6 * s) for n, s in seconds.items()}, risks=risks
    )
