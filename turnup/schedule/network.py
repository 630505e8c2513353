"""Projects as one network of arrays, in an order in which every activity comes after those that hold it back.

Belongs here: what is in the network, in which calendar each activity lives, and what of the file cannot be computed.
Does not: dates (``bounds``, ``passes``).

An activity of the network is a position in topological order; ``row`` leads back to the activities of the projects,
one project after the other. Summaries and levels of effort are not in the network: their dates follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.calendars import Numbered, numbered
from turnup.schedule.links import resolved_links
from turnup.schedule.loops import loops_of
from turnup.schedule.topology import Ordered, in_order
from turnup.schedule.working_time import Clocks, Ints, Small, clocks_of, seconds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from turnup.schedule.model import Project, WorkCalendar

NO_INSTANT: int = np.iinfo(np.int64).min
"""An instant, coordinate or float that there is not."""
SAME_CALENDAR = -1
"""In ``pred_lag_calendar``: both ends and the lag live on one calendar, so that the link is an addition."""
OUTSIDE_LOGIC = ("summary", "level_of_effort")


@dataclass(frozen=True)
class Network:
    """The activities of some projects that logic schedules, and their links.

    Attributes:
        projects: as given.
        activities: the activities of all projects, one project after the other, with ``_calendar`` (number) and
            ``_project`` (number).
        row: position to row of ``activities``. Activities in or behind a loop have no position.
        position: row of ``activities`` to position, -1 for none.
        project: number of the project of each position.
        calendar: number of the calendar whose working time an activity lives in.
        pred_ptr: links into position k are ``pred_ptr[k]`` to ``pred_ptr[k + 1]``.
        pred: their predecessors' positions.
        pred_type: position in LINK_TYPES.
        pred_lag: seconds.
        pred_lag_calendar: number of the calendar that a lag counts on, or SAME_CALENDAR.
        succ_ptr: links out of position k.
        succ: their successors' positions.
        succ_link: their place among the links into their successors.
        effort_links: links of levels of effort, as rows of ``activities``.
        calendars: by number; the last one is elapsed time.
        clocks: their working time.
        findings: loops, dangling and external links, calendars that cannot be used.
        complete: whether every activity that logic schedules has a position.
    """

    projects: tuple[Project, ...]
    activities: pl.DataFrame
    row: Small
    position: Small
    project: Small
    calendar: Small
    pred_ptr: Small
    pred: Small
    pred_type: NDArray[np.int8]
    pred_lag: Ints
    pred_lag_calendar: Small
    succ_ptr: Small
    succ: Small
    succ_link: Small
    effort_links: pl.DataFrame
    calendars: tuple[WorkCalendar, ...]
    clocks: Clocks
    findings: tuple[Finding, ...]
    complete: bool

    @property
    def size(self) -> int:
        """Number of activities in the network."""
        return len(self.row)

    @property
    def elapsed(self) -> int:
        """Number of the calendar of elapsed time."""
        return len(self.clocks.week) - 1

    def values(self, column: str) -> Ints:
        """A column of whole numbers or times of the activities in the network; NO_INSTANT where there is none."""
        return values_of(self.activities.get_column(column))[self.row]


def values_of(column: pl.Series) -> Ints:
    """Whole numbers, or times as instants; NO_INSTANT for none."""
    if column.null_count() == len(column):
        return np.full(len(column), NO_INSTANT)
    numbers = column.dt.epoch("s") if column.dtype.is_temporal() else column
    # A copy: kernels are compiled anew for arrays that cannot be written to.
    return np.array(numbers.cast(pl.Int64).fill_null(NO_INSTANT))


def compile_network(projects: Sequence[Project]) -> Network:
    """Lay out the projects of one file together; links between them are links like others."""
    numbers = numbered(projects)
    activities = _activities(projects, numbers)
    links, lost = resolved_links(projects, activities, numbers)
    within = ~activities["kind"].is_in(OUTSIDE_LOGIC).to_numpy()
    driving = pl.Series(within[links["pred"].to_numpy()] & within[links["succ"].to_numpy()])
    logic = links.filter(driving)
    ordered = in_order(within, logic["pred"].to_numpy(), logic["succ"].to_numpy())
    calendar = activities["_calendar"].to_numpy()[ordered.row]
    return Network(
        projects=tuple(projects),
        activities=activities,
        row=ordered.row,
        position=ordered.position,
        project=activities["_project"].to_numpy()[ordered.row],
        calendar=calendar,
        pred_ptr=ordered.pred_ptr,
        pred=ordered.pred,
        pred_type=logic["type"].to_numpy()[ordered.link],
        pred_lag=logic["lag"].to_numpy()[ordered.link],
        pred_lag_calendar=_lag_calendars(ordered, calendar, logic),
        succ_ptr=ordered.succ_ptr,
        succ=ordered.succ,
        succ_link=ordered.succ_link,
        effort_links=links.filter(~driving),
        calendars=numbers.calendars,
        clocks=clocks_of(numbers.calendars, *_horizon(projects, activities)),
        findings=(*numbers.findings, *lost, *_loops(activities, logic, ordered)),
        complete=ordered.complete,
    )


def _activities(projects: Sequence[Project], numbers: Numbered) -> pl.DataFrame:
    return pl.concat(
        project.activities.with_columns(
            _calendar=numbers.of(number, pl.col("calendar")), _project=pl.lit(number, dtype=pl.Int32)
        )
        for number, project in enumerate(projects)
    )


def _lag_calendars(ordered: Ordered, calendar: Small, logic: pl.DataFrame) -> Small:
    """The calendar of each link's lag; SAME_CALENDAR where nothing has to be converted."""
    lag = logic["lag"].to_numpy()[ordered.link]
    lag_calendar = logic["lag_calendar"].to_numpy()[ordered.link]
    before = calendar[ordered.pred]
    after = np.repeat(calendar, np.diff(ordered.pred_ptr))
    same = (before == after) & ((lag == 0) | (lag_calendar == before))
    return np.where(same, SAME_CALENDAR, lag_calendar).astype(np.int32)


def _horizon(projects: Sequence[Project], activities: pl.DataFrame) -> tuple[int, int]:
    """First and last instant that the projects name."""
    times = activities.select(pl.selectors.temporal().dt.epoch("s"))
    low = [value for value in times.min().row(0) if value is not None]
    high = [value for value in times.max().row(0) if value is not None]
    named = [
        seconds_of(moment)
        for project in projects
        for moment in (project.data_date, project.planned_start, project.must_finish, project.stored_finish)
        if moment is not None
    ]
    return min([*low, *named], default=0), max([*high, *named], default=0)


def _loops(activities: pl.DataFrame, logic: pl.DataFrame, ordered: Ordered) -> list[Finding]:
    if ordered.complete:
        return []
    findings = []
    codes, rows = activities["code"], activities["row"]
    for loop in loops_of(activities.height, logic["pred"].to_numpy(), logic["succ"].to_numpy()):
        names = [str(codes[row]) for row in [*loop, loop[0]]]
        message = f"activities wait for each other in a loop: {' -> '.join(names)}; they and what follows have no dates"
        findings.append(Finding("loop", "error", rows[loop[0]], "pred", names[0], message))
    return findings
