"""How long what remains of an activity of a schedule file may take.

Belongs here: its distribution and where it comes from. Does not: what remains (``binding``), gates (``lead_times``).

An activity with three points of its own has them. Without, it is taken to be like the completed activities of the
programme's own schedules: their actual duration as a share of the planned one (reference class, Flyvbjerg 2006). With
too few of those, one that stands for a gate has the spread of that gate's lead time, and any other a stated one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnup.readiness.forecasting.nodes import Basis
from turnup.schedule.network import NO_INSTANT, OUTSIDE_LOGIC, values_of
from turnup.schedule.simulation import Empirical, Fixed, Triangular
from turnup.schedule.working_time import work_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turnup.readiness.forecasting.computed import Bound
    from turnup.readiness.forecasting.facts import Gate
    from turnup.schedule.simulation import Distribution

SPREAD = (0.9, 1.0, 1.5)
"""Least, likely and most, as shares of what is planned, where nothing else is known."""
OWN_POINTS, OWN_RECORD = "three points of the activity", "actual to planned of own activities"
LIKE_GATE, STATED = "spread of the gate's lead time", "stated spread"


def activity_durations(bound: Bound, minimum: int) -> tuple[dict[str, Distribution], dict[str, Basis]]:
    """Distributions of the remaining durations of all open activities of schedule files, and their bases, by id."""
    ratios = own_ratios(bound)
    gates = {(gate.system, gate.block, gate.gate): gate for gate in bound.making.facts.gates}
    coded = {identity: gates[key] for key, names in bound.making.coded.items() for identity in names if key in gates}
    drawn: dict[str, Distribution] = {}
    bases: dict[str, Basis] = {}
    for project in bound.files:
        for row in project.activities.iter_rows(named=True):
            left = row["remaining_s"] if row["remaining_s"] is not None else row["duration_s"]
            if row["status"] == "completed" or row["kind"] in OUTSIDE_LOGIC or row["manual"] or not left:
                continue
            points = bound.points.get(row["id"])
            drawn[row["id"]], bases[row["id"]] = _duration(left, points, ratios, coded.get(row["id"]), minimum)
    return drawn, bases


def _duration(
    left: int, points: tuple[float, float, float] | None, ratios: tuple[float, ...], gate: Gate | None, minimum: int
) -> tuple[Distribution, Basis]:
    if points is not None and points[1] > 0:
        return _spread(left, points), Basis(OWN_POINTS)
    if len(ratios) >= minimum:
        return Empirical.of_ratios(ratios, left), Basis(OWN_RECORD, "completed activities", len(ratios))
    if gate is not None and gate.lead is not None and gate.lead[1] > 0:
        return _spread(left, gate.lead), Basis(LIKE_GATE, gate.gate)
    return _spread(left, SPREAD), Basis(STATED, note=f"{SPREAD[0]:.0%} to {SPREAD[2]:.0%} of what is planned")


def _spread(left: int, points: tuple[float, float, float]) -> Distribution:
    """What is left, in the proportion of three points."""
    low, likely, high = (left * point / points[1] for point in points)
    return Fixed(likely) if low == high else Triangular(low, likely, high)


def own_ratios(bound: Bound) -> tuple[float, ...]:
    """Actual duration by planned duration of the completed activities of schedule files, in working time, sorted."""
    network = bound.network
    frame = network.activities
    own = len(bound.making.draft.nodes)
    done = (frame["status"] == "completed").to_numpy() & (np.arange(frame.height) >= own)
    done &= ~frame["kind"].is_in(OUTSIDE_LOGIC).to_numpy()
    planned, start, finish = (values_of(frame[name]) for name in ("duration_s", "actual_start", "actual_finish"))
    usable = done & (planned > 0) & (start != NO_INSTANT) & (finish > start)
    calendar = frame["_calendar"].to_numpy()
    found = [
        (work_at(network.clocks, calendar[row], finish[row]) - work_at(network.clocks, calendar[row], start[row]))
        / planned[row]
        for row in np.flatnonzero(usable)
    ]
    return tuple(sorted(round(float(ratio), 6) for ratio in found if ratio > 0))


def basis_counts(bases: Mapping[str, Basis]) -> list[tuple[Basis, int]]:
    """Each basis with the number of activities that rest on it."""
    counts: dict[Basis, int] = {}
    for basis in bases.values():
        counts[basis] = counts.get(basis, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].method, item[0].of))
