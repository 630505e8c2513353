"""What dates, constraints and progress say about each activity, in the working coordinates of its own calendar.

Belongs here: the rules by which a tool turns constraints and progress into limits. Does not: links.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.compiled import kernel
from turnup.schedule.network import NO_INSTANT
from turnup.schedule.working_time import EPOCH, Clocks, Ints, Small, seconds_of, work_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from turnup.schedule.model import Project
    from turnup.schedule.network import Network

NOT_STARTED, IN_PROGRESS, FIXED, MANUAL = 0, 1, 2, 3
"""State of an activity in the passes. FIXED (completed) and MANUAL ones keep their dates, whatever holds them back;
MANUAL ones still hold back what leads to them."""
EARLIEST: int = -(1 << 60)
LATEST: int = 1 << 60
"""A limit that there is not; far enough from the ends of int64 that durations can be added."""


class Bounds(NamedTuple):
    """Limits by position, as coordinates in which the passes compute; EARLIEST or LATEST where there is none.

    ``work`` is what is left to do, in seconds. Floors hold back early dates, limits bound late ones, ``start_cap``
    pulls early ones to it whatever holds them back. ``pin_start`` and ``pin_finish`` replace what links say, NO_INSTANT
    where they do not. ``fixed_start`` and ``fixed_finish`` are the dates of what is FIXED or MANUAL.
    """

    state: NDArray[np.int8]
    work: Ints
    start_floor: Ints
    finish_floor: Ints
    start_limit: Ints
    finish_limit: Ints
    start_cap: Ints
    pin_start: Ints
    pin_finish: Ints
    actual_start: Ints
    fixed_start: Ints
    fixed_finish: Ints
    expected_finish: Ints
    as_late: NDArray[np.bool_]
    follows_logic: NDArray[np.bool_]
    lag_from_actual: NDArray[np.bool_]


@kernel()
def coordinates(clocks: Clocks, calendar: Small, instants: Ints) -> Ints:
    """Coordinates of instants, each on its own calendar; none stays none."""
    found = np.empty(instants.size, dtype=np.int64)
    for k in range(instants.size):
        found[k] = NO_INSTANT if instants[k] == NO_INSTANT else work_at(clocks, calendar[k], instants[k])
    return found


def bounds_of(network: Network, calendar: Small) -> Bounds:
    """The limits of every activity of a network under the rules of its own project.

    Args:
        network: the activities.
        calendar: the calendar in whose coordinates each one is computed.
    """
    return _Rules(network, calendar).bounds()


class _Rules:
    """The columns of a network's activities as arrays by position, and what they mean."""

    def __init__(self, network: Network, calendar: Small) -> None:
        self.network, self.calendar = network, calendar
        self.known: dict[str, Ints] = {}
        frame = network.activities[network.row]
        self.started = (frame["status"] == "in_progress").to_numpy()
        self.completed = (frame["status"] == "completed").to_numpy()
        self.manual = frame["manual"].fill_null(value=False).to_numpy()
        given = [name for name in ("constraint", "constraint_2") if frame[name].null_count() < frame.height]
        self.kinds = [frame[name] for name in given]
        self.dates = [self._at(f"{name}_date") for name in given]
        self.dates_win = self._option(lambda project: project.options.precedence == "dates")
        self.as_started = self._option(lambda project: project.options.remaining == "as_started")

    def bounds(self) -> Bounds:
        """Put the rules together; later ones narrow what earlier ones left."""
        work = self._work()
        fixed_start, fixed_finish = self._fixed()
        state = np.where(self.started, IN_PROGRESS, NOT_STARTED)
        state = np.where(self.completed, FIXED, np.where(self.manual, MANUAL, state))
        pin_start, pin_finish = self._pins()
        start_floor, finish_floor = self._floors()
        start_limit, finish_limit = self._limits()
        cap = np.where(self.dates_win, self._least(start_limit, finish_limit - work), LATEST)
        return Bounds(
            state=state.astype(np.int8),
            work=np.where(state >= FIXED, fixed_finish - fixed_start, work),
            start_floor=start_floor,
            finish_floor=finish_floor,
            start_limit=np.where(self.started, LATEST, start_limit),
            finish_limit=self._least(finish_limit, self._at("deadline"), self._at("external_late")),
            start_cap=np.where(self.started, LATEST, cap),
            pin_start=pin_start,
            pin_finish=pin_finish,
            actual_start=self._at("actual_start"),
            fixed_start=fixed_start,
            fixed_finish=fixed_finish,
            expected_finish=self._expected(),
            as_late=self._either("as_late_as_possible") & ~self.started & (state < FIXED),
            follows_logic=self._option(lambda project: project.options.progress != "progress_override"),
            lag_from_actual=self._option(lambda project: not project.options.lag_from_early_start),
        )

    def _at(self, column: str) -> Ints:
        if column not in self.known:
            values = self.network.values(column)
            named = (values != NO_INSTANT).any()
            self.known[column] = coordinates(self.network.clocks, self.calendar, values) if named else values
        return self.known[column]

    def _option(self, holds: Callable[[Project], bool]) -> NDArray[np.bool_]:
        held = np.array([holds(project) for project in self.network.projects], dtype=np.bool_)
        chosen: NDArray[np.bool_] = held[self.network.project]
        return chosen

    def _moment(self, moment: Callable[[Project], datetime | None]) -> Ints:
        """A date of the projects, as the coordinate of each of its activities."""
        moments = [moment(project) for project in self.network.projects]
        instants = np.array([NO_INSTANT if m is None else seconds_of(m) for m in moments], dtype=np.int64)
        return coordinates(self.network.clocks, self.calendar, instants[self.network.project])

    def _dated(self, *kinds: str) -> Ints:
        """The date of a constraint of one of these kinds, primary before secondary."""
        found = np.full(self.network.size, NO_INSTANT)
        for given, date in reversed(list(zip(self.kinds, self.dates, strict=True))):
            found = np.where(given.is_in(kinds).fill_null(value=False).to_numpy(), date, found)
        return found

    def _either(self, kind: str) -> NDArray[np.bool_]:
        either = np.zeros(self.network.size, dtype=np.bool_)
        for given in self.kinds:
            either |= given.is_in([kind]).fill_null(value=False).to_numpy()
        return either

    def _work(self) -> Ints:
        whole, left = self.network.values("duration_s"), self.network.values("remaining_s")
        resumed = (self.network.values("resume") != NO_INSTANT) & (left != NO_INSTANT)
        keeps_whole = self.as_started & self.started & ~resumed
        return np.maximum(_first(np.where(keeps_whole, whole, left), whole, np.zeros_like(whole)), 0)

    def _fixed(self) -> tuple[Ints, Ints]:
        start = _first(self._at("actual_start"), self._at("early_start"), self._at("planned_start"))
        finish = _first(self._at("actual_finish"), self._at("early_finish"), self._at("planned_finish"))
        kept = _first(self._at("planned_start"), start), _first(self._at("planned_finish"), finish)
        start, finish = np.where(self.manual, kept[0], start), np.where(self.manual, kept[1], finish)
        # Done, but nobody says when: on the data date at the latest.
        known = self._moment(lambda project: project.data_date or project.planned_start)
        finish = _first(finish, start, known, np.zeros_like(finish))
        return np.minimum(_first(start, finish), finish), finish

    def _pins(self) -> tuple[Ints, Ints]:
        start = self._dated("mandatory_start")
        finish = self._dated("mandatory_finish")
        start = np.where(self.dates_win, _first(start, self._dated("start_on")), start)
        finish = np.where(self.dates_win, _first(finish, self._dated("finish_on")), finish)
        resume = _first(np.where(self.started, self._at("resume"), NO_INSTANT), self._at("actual_start"))
        start = np.where(self.started, np.where(self.as_started, resume, NO_INSTANT), start)
        return start, finish

    def _floors(self) -> tuple[Ints, Ints]:
        planned = self._moment(_start_of)
        dated = self._dated("start_on", "start_no_earlier", "finish_on", "finish_no_earlier")
        # Where dates win, a date before the project's start does too.
        planned = np.where(self.dates_win & (dated != NO_INSTANT), NO_INSTANT, planned)
        unplanned = self._option(lambda project: project.planned_start is None)
        status = self._moment(lambda project: project.data_date or project.planned_start)
        status = np.where(self.as_started & ~unplanned, NO_INSTANT, status)
        project = self._most(status, np.where(self.started, NO_INSTANT, planned))
        start = self._most(project, self._dated("start_on", "start_no_earlier"))
        begun = self._at("actual_start")
        start = np.where(self.started, self._most(project, begun), start)
        resume = np.where(self.started, self._at("resume"), NO_INSTANT)
        start = self._most(start, self._at("external_early"), resume)
        return start, self._most(self._dated("finish_on", "finish_no_earlier"))

    def _limits(self) -> tuple[Ints, Ints]:
        return (
            self._least(self._dated("start_on", "start_no_later")),
            self._least(self._dated("finish_on", "finish_no_later")),
        )

    def _expected(self) -> Ints:
        used = self._option(lambda project: project.options.use_expected_finish)
        return np.where(used, self._at("expected_finish"), NO_INSTANT)

    @staticmethod
    def _most(*limits: Ints) -> Ints:
        most: Ints = np.maximum.reduce([np.where(limit == NO_INSTANT, EARLIEST, limit) for limit in limits])
        return most

    @staticmethod
    def _least(*limits: Ints) -> Ints:
        least: Ints = np.minimum.reduce([np.where(limit == NO_INSTANT, LATEST, limit) for limit in limits])
        return least


def _start_of(project: Project) -> datetime | None:
    """Before what a project's first activities do not start; the data date alone may do."""
    if project.planned_start is not None or project.data_date is not None:
        return project.planned_start
    columns = ("planned_start", "early_start", "actual_start", "baseline_start")
    dates = [date for column in columns if isinstance(date := project.activities[column].min(), datetime)]
    return min(dates, default=EPOCH)


def _first(*choices: Ints) -> Ints:
    """The first of some arrays that has a value, element by element."""
    found = choices[-1]
    for choice in reversed(choices[:-1]):
        found = np.where(choice == NO_INSTANT, found, choice)
    return found
