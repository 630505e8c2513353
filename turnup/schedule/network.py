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
from turnup.schedule.loops import loops_of
from turnup.schedule.model import ELAPSED, LINK_TYPES
from turnup.schedule.summaries import links_of_leaves
from turnup.schedule.topology import in_order
from turnup.schedule.working_time import ALWAYS, Clocks, Ints, Small, clocks_of, seconds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from turnup.schedule.model import Project, WorkCalendar

NO_INSTANT = np.iinfo(np.int64).min
"""An instant, coordinate or float that there is not."""
OUTSIDE_LOGIC = ("summary", "level_of_effort")
SAME_CALENDAR = -1
"""In ``pred_lag_calendar``: both ends and the lag live on one calendar, so that the link is an addition."""
_YEAR = 366 * 86_400
_INSTANTS = (
    "actual_start", "actual_finish", "resume", "constraint_date", "constraint_2_date", "deadline", "expected_finish",
    "external_early", "external_late", "early_start", "early_finish", "late_start", "late_finish", "planned_start",
    "planned_finish",
)  # fmt: skip


@dataclass(frozen=True)
class Network:
    """The activities of some projects that logic schedules, and their links.

    Attributes:
        projects: as given; ``project[k]`` is the number of the project of position k.
        activities: the activities of all projects, one project after the other, with ``_calendar`` (number) and
            ``_project``.
        row: position to row of ``activities``. Activities that cannot be ordered (in or behind a loop) have none.
        position: row of ``activities`` to position, -1 for none.
        calendar: number of the calendar whose working time an activity lives in.
        pred_ptr: links into position k are ``pred_ptr[k]`` to ``pred_ptr[k + 1]``.
        pred: their predecessors' positions.
        pred_type: position in LINK_TYPES.
        pred_lag: seconds.
        pred_lag_calendar: number of the calendar that a lag counts on, or SAME_CALENDAR.
        succ_ptr: links out of position k.
        succ: their successors' positions.
        succ_link: their place among the links into their successors.
        effort_links: links of levels of effort: rows ``pred`` and ``succ``, ``type``, ``lag``, ``lag_calendar``.
        clocks: working time of all calendars; the last one is elapsed time.
        findings: loops, dangling and external links, calendars that cannot be used.
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
    clocks: Clocks
    findings: tuple[Finding, ...]

    @property
    def size(self) -> int:
        """Number of activities in the network."""
        return len(self.row)

    def instants(self, column: str) -> Ints:
        """A column of times of the activities in the network as instants, NO_INSTANT where there is none."""
        return instants_of(self.activities.get_column(column))[self.row]


def instants_of(column: pl.Series) -> Ints:
    """Times as instants."""
    return column.dt.epoch("s").fill_null(NO_INSTANT).to_numpy()


def compile_network(projects: Sequence[Project]) -> Network:
    """Lay out projects of one file together; links between them are links like others."""
    findings: list[Finding] = []
    calendars, names = _calendars(projects, findings)
    activities = _activities(projects, names)
    links = _links(projects, activities, findings)
    within = ~activities.get_column("kind").is_in(OUTSIDE_LOGIC).to_numpy()
    logic = links.filter(pl.Series(within[links["pred"].to_numpy()] & within[links["succ"].to_numpy()]))
    ordered = in_order(within, logic["pred"].to_numpy(), logic["succ"].to_numpy())
    if not ordered.complete:
        findings += _loops(activities, logic, ordered.position)
    first, last = _horizon(projects, activities)
    effort = links.filter(pl.Series(~(within[links["pred"].to_numpy()] & within[links["succ"].to_numpy()])))
    calendar = activities["_calendar"].to_numpy().astype(np.int32)
    return Network(
        projects=tuple(projects),
        activities=activities,
        row=ordered.row,
        position=ordered.position,
        project=activities["_project"].to_numpy().astype(np.int32)[ordered.row],
        calendar=calendar[ordered.row],
        pred_ptr=ordered.pred_ptr,
        pred=ordered.pred,
        pred_type=logic["type"].to_numpy()[ordered.link],
        pred_lag=logic["lag"].to_numpy()[ordered.link],
        pred_lag_calendar=_lag_calendar(logic, calendar)[ordered.link],
        succ_ptr=ordered.succ_ptr,
        succ=ordered.succ,
        succ_link=ordered.succ_link,
        effort_links=effort,
        clocks=clocks_of(calendars, first, last),
        findings=tuple(findings),
    )


def _calendars(
    projects: Sequence[Project], findings: list[Finding]
) -> tuple[list[WorkCalendar], dict[tuple[int, str], int]]:
    """All usable calendars, elapsed time last, and the number of each project's keys."""
    calendars: list[WorkCalendar] = []
    names: dict[tuple[int, str], int] = {}
    for number, project in enumerate(projects):
        for key, calendar in sorted(project.calendars.items()):
            if any(calendar.week):
                names[number, key] = len(calendars)
                calendars.append(calendar)
            else:
                findings.append(_finding("calendar", f"calendar '{calendar.name}' has no working time in its week"))
    for number, project in enumerate(projects):
        names[number, ELAPSED] = len(calendars)
        default = names.get((number, project.default_calendar), len(calendars))
        for key in [*project.calendars, *project.activities["calendar"].unique().drop_nulls().to_list(), ""]:
            names.setdefault((number, key), default)
    return [*calendars, ALWAYS], names


def _activities(projects: Sequence[Project], names: dict[tuple[int, str], int]) -> pl.DataFrame:
    frames = []
    for number, project in enumerate(projects):
        keys = {key: place for (owner, key), place in names.items() if owner == number}
        calendar = pl.col("calendar").fill_null("").replace_strict(keys, return_dtype=pl.Int32)
        frames.append(project.activities.with_columns(calendar.alias("_calendar"), pl.lit(number).alias("_project")))
    return pl.concat(frames)


def _links(projects: Sequence[Project], activities: pl.DataFrame, findings: list[Finding]) -> pl.DataFrame:
    """Links by rows of ``activities``, with lags in seconds and the calendar that each counts on."""
    rows = activities.select("id", "_project", "duration_s", row=pl.int_range(pl.len(), dtype=pl.Int64))
    rows = rows.unique("id", keep="first", maintain_order=True)
    elapsed = activities_elapsed(projects)
    given = pl.concat(
        project.links.with_columns(
            pl.lit(number).alias("_project"), pl.lit(project.options.lag_calendar).alias("_rule"),
            pl.lit(_default_calendar(projects, number)).alias("_default"),
        )
        for number, project in enumerate(projects)
    )  # fmt: skip
    found = given.join(
        rows.select("row", "duration_s", pred="id").rename({"row": "_pred"}), on="pred", how="left", maintain_order="left"
    ).join(rows.select("row", succ="id").rename({"row": "_succ"}), on="succ", how="left", maintain_order="left")
    lost = found.filter(pl.col("_pred").is_null() | pl.col("_succ").is_null())
    findings += [_lost(link) for link in lost.iter_rows(named=True)]
    percent = (pl.col("lag_percent") * pl.col("duration_s") / 100).round().cast(pl.Int64)
    lag = pl.when(pl.col("lag_percent").is_not_null()).then(percent).otherwise(pl.col("lag_s")).fill_null(0)
    kept = found.drop_nulls(["_pred", "_succ"]).select(
        pred="_pred", succ="_succ", type="type", lag=lag, elapsed=pl.col("elapsed").fill_null(value=False),
        rule="_rule", default="_default", row="row",
    )  # fmt: skip
    leaves = links_of_leaves(activities, kept)
    calendars = activities["_calendar"].cast(pl.Int32)
    return leaves.with_columns(
        lag_calendar=pl.when(pl.col("elapsed") | (pl.col("rule") == "elapsed"))
        .then(pl.lit(elapsed))
        .when(pl.col("rule") == "successor")
        .then(calendars.gather(leaves["succ"]))
        .when(pl.col("rule") == "project")
        .then(pl.col("default"))
        .otherwise(calendars.gather(leaves["pred"]))
        .cast(pl.Int32)
    )
