"""A project as columns that the checks count: who is judged, what its links are, which dates and floats it has.

Belongs here: facts that several checks need, each once. Does not: what any check makes of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.results import OFFENDING_ACTIVITIES, OFFENDING_LINKS
from turnup.schedule.health.working_days import calendar_table
from turnup.schedule.model import LINK_TYPES
from turnup.schedule.network import NO_INSTANT
from turnup.schedule.working_time import moment_of

if TYPE_CHECKING:
    from datetime import datetime

    from turnup.schedule.health.settings import HealthSettings
    from turnup.schedule.model import Project
    from turnup.schedule.passes import Schedule

FS, SS, FF, SF = range(4)
_TIME = pl.Datetime("us")
_UNDATED = pl.col("discrete") & ~pl.col("complete") & pl.col("own_early_finish").is_null()
COMPUTED: dict[str, pl.DataType] = {
    "early_start": _TIME,
    "early_finish": _TIME,
    "late_start": _TIME,
    "late_finish": _TIME,
    "total_float_s": pl.Int64(),
    "free_float_s": pl.Int64(),
    "critical": pl.Boolean(),
    "longest_path": pl.Boolean(),
}
"""Columns of ``Schedule.frame``; here with ``own_`` before them, as the file has stored ones of the same names."""


@dataclass(frozen=True)
class Facts:
    """What the checks count.

    Attributes:
        project, settings: as given.
        schedule: none where the network could not be computed.
        activities: columns of the project's, and ``place`` (row), ``day_s``, ``date_early`` and
            ``date_late`` (of its calendar), ``milestone``, ``complete``, ``discrete`` (neither summary nor level of
            effort), ``judged`` (discrete, and no milestone where these are left out), ``base`` (judged and incomplete),
            ``float_s`` (as the settings choose), ``own_*`` (computed here), and counts of links: ``preds``, ``succs``,
            ``start_driven`` (links that drive its start), ``finish_drives`` (links that its finish drives).
        links: columns of the project's, and ``type_name``, ``sign`` (of the lag), ``known`` (both ends are in the
            project), ``pred_code``, ``succ_code``, ``pred_complete``, ``succ_complete``, ``succ_base``.
    """

    project: Project
    settings: HealthSettings
    schedule: Schedule | None
    activities: pl.DataFrame
    links: pl.DataFrame

    @property
    def data_date(self) -> datetime | None:
        """The project's data date."""
        return self.project.data_date

    @property
    def now(self) -> pl.Expr:
        """The data date as an expression."""
        return pl.lit(self.data_date, dtype=_TIME)

    @property
    def base(self) -> pl.DataFrame:
        """The incomplete activities that are judged."""
        return self.activities.filter("base")

    @property
    def finish(self) -> datetime | None:
        """Project finish, computed or as stored, as the settings choose."""
        if self.settings.floats.results == "computed":
            return self.computed_finish
        latest: datetime | None = self.activities.filter("discrete").select(pl.col("early_finish").max()).item()
        return self.project.stored_finish or latest

    @property
    def computed_finish(self) -> datetime | None:
        """Computed project finish; none where some unfinished activity has no dates: it could end later."""
        if self.schedule is None or self.activities.filter(_UNDATED).height:
            return None
        return finish_of(self.project, self.schedule)

    def listed(self, found: pl.DataFrame, why: pl.Expr | str) -> pl.DataFrame:
        """Activities as offenders, sorted by code, each with its reason."""
        reason = pl.lit(why) if isinstance(why, str) else why
        named = found.select("id", "code", "name", reason.alias("why"))
        return named.cast(pl.Schema(OFFENDING_ACTIVITIES)).sort("code", "id", nulls_last=True)

    def listed_links(self, found: pl.DataFrame, why: pl.Expr | str) -> pl.DataFrame:
        """Links as offenders, sorted by the codes of their ends."""
        reason = pl.lit(why) if isinstance(why, str) else why
        named = found.select(
            "pred", "pred_code", "succ", "succ_code", pl.col("type_name").alias("type"), "lag_s", reason.alias("why")
        )
        order = ("pred_code", "succ_code", "type", "pred", "succ", "lag_s", "why")
        return named.cast(pl.Schema(OFFENDING_LINKS)).sort(*order, nulls_last=True)


def number_of(project: Project, schedule: Schedule) -> int:
    """Which of the scheduled projects this one is.

    Raises:
        ValueError: it is none of them.
    """
    projects = schedule.network.projects
    # Two projects of one file may bear the same name.
    same = [number for number, other in enumerate(projects) if other is project]
    named = [number for number, other in enumerate(projects) if other.id == project.id]
    if same or named:
        return (same or named)[0]
    raise ValueError(f"project '{project.id}' was not scheduled; scheduled: {', '.join(each.id for each in projects)}")


def finish_of(project: Project, schedule: Schedule) -> datetime | None:
    """The computed finish of a project; none: nothing in it could be scheduled."""
    finish = schedule.finish[number_of(project, schedule)]
    return None if finish == NO_INSTANT else moment_of(finish)


def facts_of(project: Project, schedule: Schedule | None, settings: HealthSettings) -> Facts:
    """Lay out a project for its checks.

    Args:
        project: as read.
        schedule: dates computed for it, alone or with the other projects of its file, whose links to it then count;
            none where they could not be computed.
        settings: how to judge it.
    """
    activities = _with_schedule(_with_kinds(project, settings), project, schedule)
    float_column = "own_total_float_s" if settings.floats.results == "computed" else "total_float_s"
    activities = activities.with_columns(pl.col(float_column).alias("float_s"))
    links = _with_ends(project.links, activities)
    activities = _with_degrees(activities, links, _leaving(project, schedule), external=settings.logic.external)
    return Facts(project, settings, schedule, activities, links)


def _with_kinds(project: Project, settings: HealthSettings) -> pl.DataFrame:
    kind, discrete = pl.col("kind"), pl.col("discrete")
    calendars = calendar_table(project, settings.day_hours)
    return (
        project.activities.with_row_index("place")
        .join(calendars, on="calendar", how="left", nulls_equal=True, maintain_order="left")
        .with_columns(
            kind.is_in(["start_milestone", "finish_milestone"]).fill_null(value=False).alias("milestone"),
            (pl.col("status") == "completed").fill_null(value=False).alias("complete"),
            (~kind.is_in(["summary", "level_of_effort"])).fill_null(value=True).alias("discrete"),
        )
        .with_columns((discrete & (pl.lit(settings.milestones) | ~pl.col("milestone"))).alias("judged"))
        .with_columns((pl.col("judged") & ~pl.col("complete")).alias("base"))
    )


def _with_schedule(activities: pl.DataFrame, project: Project, schedule: Schedule | None) -> pl.DataFrame:
    if schedule is None:
        return activities.with_columns(pl.lit(None, kind).alias(f"own_{name}") for name, kind in COMPUTED.items())
    mine = schedule.network.activities["_project"] == number_of(project, schedule)
    computed = schedule.frame().select(pl.col(*COMPUTED).name.prefix("own_"))
    computed = computed.with_columns(schedule.network.activities["_calendar"].alias("own_calendar"))
    return pl.concat([activities, computed.filter(mine)], how="horizontal")


def _with_ends(links: pl.DataFrame, activities: pl.DataFrame) -> pl.DataFrame:
    """Links with what the checks ask of their ends; a percent lag has the sign of its percentage."""
    ends = activities.select("id", "code", "complete", "base", pl.lit(value=True).alias("here"))
    for side in ("pred", "succ"):
        named = ends.rename({name: f"{side}_{name}" for name in ("code", "complete", "base", "here")})
        links = links.join(named, left_on=side, right_on="id", how="left", maintain_order="left")
    inside = pl.col("pred_here", "succ_here").fill_null(value=False)
    return links.with_columns(
        pl.coalesce(pl.col("lag_percent").sign(), pl.col("lag_s").sign(), 0).cast(pl.Int8).alias("sign"),
        pl.col("type").replace_strict(range(4), LINK_TYPES, return_dtype=pl.String).alias("type_name"),
        pl.all_horizontal(inside).alias("known"),
        pl.coalesce("pred_code", "pred").alias("pred_code"),
        pl.coalesce("succ_code", "succ").alias("succ_code"),
        pl.col("pred_complete", "succ_complete", "pred_base", "succ_base").fill_null(value=False),
    ).drop("pred_here", "succ_here")


def _leaving(project: Project, schedule: Schedule | None) -> pl.DataFrame:
    """Links of the other projects of the file that begin in this one."""
    others = () if schedule is None else (other for other in schedule.network.projects if other.id != project.id)
    links = [project.links.clear(), *(other.links for other in others)]
    return pl.concat(links).filter(pl.col("pred").is_in(project.activities["id"].implode())).select("pred", "type")


def _with_degrees(
    activities: pl.DataFrame, links: pl.DataFrame, leaving: pl.DataFrame, *, external: bool
) -> pl.DataFrame:
    real = links.filter(pl.col("pred").ne_missing(pl.col("succ")) & (pl.col("known") | pl.lit(external)))
    out = pl.concat([real.select("pred", "type"), leaving if external else leaving.clear()])
    counts = (
        real.group_by(pl.col("succ").alias("id")).agg(
            pl.len().alias("preds"), pl.col("type").is_in([FS, SS]).sum().alias("start_driven")
        ),
        out.group_by(pl.col("pred").alias("id")).agg(
            pl.len().alias("succs"), pl.col("type").is_in([FS, FF]).sum().alias("finish_drives")
        ),
    )
    for count in counts:
        activities = activities.join(count, on="id", how="left", maintain_order="left")
    names = ("preds", "start_driven", "succs", "finish_drives")
    return activities.with_columns(pl.col(*names).fill_null(0).cast(pl.Int64))
