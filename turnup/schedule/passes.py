"""Early and late dates, floats and critical activities of projects, as the tool that owns them computes them.

Belongs here: the order of the passes, and their coordinates as dates. Does not: what links or limits do (``kernels``,
``bounds``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, get_args

import numpy as np
import polars as pl

from turnup.schedule.bounds import FIXED, MANUAL, Bounds, bounds_of, coordinates
from turnup.schedule.kernels import (
    Links,
    backward,
    forward,
    instants_at,
    longest_path,
    own_coordinates,
)
from turnup.schedule.model import FloatKind
from turnup.schedule.network import NO_INSTANT, OUTSIDE_LOGIC, SAME_CALENDAR, Network, compile_network
from turnup.schedule.rollup import roll_up
from turnup.schedule.working_time import seconds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.formats.model import Finding
    from turnup.schedule.model import Project
    from turnup.schedule.working_time import Ints

T = TypeVar("T", bound=np.generic)
FLOAT_KINDS: tuple[FloatKind, ...] = get_args(FloatKind)


@dataclass(frozen=True)
class Schedule:
    """What the passes found, by row of ``network.activities``.

    Attributes:
        network: what was scheduled.
        early_start, early_finish, late_start, late_finish: instants; NO_INSTANT where there is none. Early and late
            dates of a started activity are those of its remaining work; those of a completed one its actual dates.
        total_float, free_float: seconds of the activity's own calendar; none for completed activities and summaries.
        critical: by float, at most the project's critical float; never a manual task.
        longest_path: on a chain of driving links to the last finish of its project.
        finish: latest early finish of each project; NO_INSTANT when an activity of it could not be scheduled.
        findings: what could not be computed, and why.
    """

    network: Network
    early_start: Ints
    early_finish: Ints
    late_start: Ints
    late_finish: Ints
    total_float: Ints
    free_float: Ints
    critical: NDArray[np.bool_]
    longest_path: NDArray[np.bool_]
    finish: tuple[int, ...]
    findings: tuple[Finding, ...]

    def frame(self) -> pl.DataFrame:
        """One row an activity, in the order of the projects and of their files.

        Columns: ``project``, ``id``, ``code``, the four dates, ``total_float_s``, ``free_float_s``, ``critical``,
        ``longest_path``.
        """
        names = [project.id for project in self.network.projects]
        activities = self.network.activities
        return pl.DataFrame(
            {
                "project": activities["_project"].replace_strict(range(len(names)), names, return_dtype=pl.String),
                "id": activities["id"],
                "code": activities["code"],
                "early_start": _times(self.early_start),
                "early_finish": _times(self.early_finish),
                "late_start": _times(self.late_start),
                "late_finish": _times(self.late_finish),
                "total_float_s": _numbers(self.total_float),
                "free_float_s": _numbers(self.free_float),
                "critical": self.critical,
                "longest_path": self.longest_path,
            }
        )


def _numbers(values: Ints) -> pl.Series:
    numbers = pl.Series(values)
    return numbers.set(numbers == NO_INSTANT, None)


def _times(instants: Ints) -> pl.Series:
    return pl.from_epoch(_numbers(instants), "s").cast(pl.Datetime("us"))


def schedule(*projects: Project) -> Schedule:
    """Compute the dates and floats of the projects of one file, all at once: links between them count."""
    return computed(compile_network(projects))


def computed(network: Network) -> Schedule:
    """Run the passes over a network."""
    clocks, links = network.clocks, links_of(network)
    bounds = bounds_of(network, links.calendar)
    start, finish, late_start, late_finish, free = (np.empty(network.size, dtype=np.int64) for _ in range(5))
    forward(clocks, links, bounds, start, finish)
    finishes = _finishes(network, instants_at(clocks, links, finish, ends=True))
    last = coordinates(clocks, links.calendar, np.array(finishes)[network.project])
    limit = _limits(network, links, finish, finishes)
    backward(clocks, links, bounds, limit, last, start, finish, late_start, late_finish, free)
    early_finish = instants_at(clocks, links, finish, ends=True)
    at_end = early_finish == np.array(finishes)[network.project]
    path = longest_path(clocks, links, bounds, start, finish, at_end)
    total = _total_floats(network, links, bounds, (start, finish, late_start, late_finish))
    done = bounds.state == FIXED
    free = own_coordinates(clocks, links, free) - own_coordinates(clocks, links, finish)
    late = [
        np.where(done, NO_INSTANT, instants_at(clocks, links, work, ends=ends))
        for work, ends in ((late_start, False), (late_finish, True))
    ]
    found = Schedule(
        network=network,
        early_start=_by_row(network, instants_at(clocks, links, start, ends=False)),
        early_finish=_by_row(network, early_finish),
        late_start=_by_row(network, late[0]),
        late_finish=_by_row(network, late[1]),
        total_float=_by_row(network, total),
        free_float=_by_row(network, np.where(done, NO_INSTANT, free)),
        critical=_by_row(network, _critical(network, total) & (bounds.state != MANUAL), missing=False),
        longest_path=_by_row(network, path & ~done, missing=False),
        finish=_known(network, finishes),
        findings=network.findings,
    )
    return roll_up(found)


def links_of(network: Network) -> Links:
    """What the passes read of a network: milestones are instants, whatever calendar they belong to."""
    kinds = network.activities["kind"][network.row]
    side = np.array(kinds.replace_strict(_SIDES, default=0, return_dtype=pl.Int8))
    calendar = np.where(side != 0, network.elapsed, network.calendar).astype(np.int32)
    before, after = calendar[network.pred], np.repeat(calendar, np.diff(network.pred_ptr))
    own_lag = network.pred_lag_calendar == SAME_CALENDAR
    lag_calendar = np.where(own_lag, network.calendar[network.pred], network.pred_lag_calendar)
    same = (before == after) & ((network.pred_lag == 0) | (lag_calendar == before))
    return Links(
        calendar=calendar,
        own=network.calendar,
        side=side,
        pred_ptr=network.pred_ptr,
        pred=network.pred,
        pred_type=network.pred_type,
        pred_lag=network.pred_lag,
        pred_lag_calendar=np.where(same, SAME_CALENDAR, lag_calendar).astype(np.int32),
        succ_ptr=network.succ_ptr,
        succ=network.succ,
        succ_link=network.succ_link,
    )


_SIDES = {"start_milestone": 1, "finish_milestone": 2}


def _finishes(network: Network, early_finish: Ints) -> tuple[int, ...]:
    """The latest early finish of each project."""
    latest = np.full(len(network.projects), NO_INSTANT)
    np.maximum.at(latest, network.project, early_finish)
    return tuple(int(instant) for instant in latest)


def _known(network: Network, finishes: tuple[int, ...]) -> tuple[int, ...]:
    """The finishes of projects all of whose activities have dates."""
    if network.complete:
        return finishes
    logic = ~network.activities["kind"].is_in(OUTSIDE_LOGIC).to_numpy()
    undated = set(network.activities["_project"].to_numpy()[logic & (network.position < 0)].tolist())
    return tuple(NO_INSTANT if number in undated else finish for number, finish in enumerate(finishes))


def _limits(network: Network, links: Links, finish: Ints, finishes: tuple[int, ...]) -> Ints:
    """Latest finish of each activity as far as its project says: what must be, else what is."""
    last = max(finishes, default=NO_INSTANT)
    instants = np.array(
        [
            seconds_of(project.must_finish)
            if project.must_finish is not None
            else (own if project.options.float_from_each_project else last)
            for project, own in zip(network.projects, finishes, strict=True)
        ],
        dtype=np.int64,
    )
    limit = coordinates(network.clocks, links.calendar, instants[network.project])
    closed = np.array([project.options.open_ends_critical for project in network.projects], dtype=np.bool_)
    open_end = np.diff(links.succ_ptr) == 0
    return np.where(closed[network.project] & open_end, np.minimum(limit, finish), limit)


def _total_floats(network: Network, links: Links, bounds: Bounds, work: tuple[Ints, Ints, Ints, Ints]) -> Ints:
    start, finish, late_start, late_finish = (own_coordinates(network.clocks, links, each) for each in work)
    of_start, of_finish = late_start - start, late_finish - finish
    kinds = np.array([FLOAT_KINDS.index(project.options.float_kind) for project in network.projects])[network.project]
    total = np.select([kinds == 0, kinds == 1], [of_finish, of_start], np.minimum(of_start, of_finish))
    return np.where(bounds.state == FIXED, NO_INSTANT, total)


def _critical(network: Network, total: Ints) -> NDArray[np.bool_]:
    most = np.array([project.options.critical_float for project in network.projects], dtype=np.int64)[network.project]
    critical: NDArray[np.bool_] = (total <= most) & (total != NO_INSTANT)
    return critical


def _by_row(network: Network, values: NDArray[T], missing: int = NO_INSTANT) -> NDArray[T]:
    laid = np.full(network.activities.height, missing, dtype=values.dtype)
    laid[network.row] = values
    return laid
