"""What a schedule's own tool stored, beside what is computed: equal or not, in working time.

Belongs here: the comparison. Does not: what follows from a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from turnup.schedule.bounds import coordinates
from turnup.schedule.network import NO_INSTANT, values_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.passes import Schedule
    from turnup.schedule.working_time import Ints

DATES = ("early_start", "early_finish", "late_start", "late_finish")
FLOATS = ("total_float", "free_float")
FLAGS = ("critical", "longest_path")


@dataclass(frozen=True)
class Compared:
    """One field of one project.

    Attributes:
        compared: activities with a stored value, summaries and completed ones apart: nobody computes these.
        equal: those of them whose computed value is the same: dates as the same instant of working time of the
            activity's own calendar, floats to the second.
        differing: rows of ``network.activities`` with another value.
    """

    project: str
    field: str
    compared: int
    equal: int
    differing: tuple[int, ...]


def compare_stored(schedule: Schedule) -> list[Compared]:
    """Compare every field that the tool stored, in order of projects and fields."""
    activities = schedule.network.activities
    own = activities["_project"].to_numpy()
    inside = ((activities["kind"] != "summary") & (activities["status"] != "completed")).to_numpy()
    found = []
    for field in (*DATES, *FLOATS, *FLAGS):
        known, same = _compared(schedule, field)
        for number, project in enumerate(schedule.network.projects):
            counted = known & inside & (own == number)
            differing = np.flatnonzero(counted & ~same)
            total = int(counted.sum())
            found.append(Compared(project.id, field, total, total - len(differing), tuple(map(int, differing))))
    return sorted(found, key=lambda each: [project.id for project in schedule.network.projects].index(each.project))


def _compared(schedule: Schedule, field: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where a value is stored, and where the computed one is the same."""
    activities = schedule.network.activities
    if field in FLAGS:
        stored = activities[field]
        return stored.is_not_null().to_numpy(), (stored.fill_null(value=False) == getattr(schedule, field)).to_numpy()
    values: Ints = values_of(activities[field if field in DATES else f"{field}_s"])
    computed: Ints = getattr(schedule, field)
    if field in DATES:
        calendar = np.array(activities["_calendar"])
        values, computed = (coordinates(schedule.network.clocks, calendar, each) for each in (values, computed))
    return values != NO_INSTANT, values == computed
