"""Projects from the rows of the schedule's datasets as they stand in the warehouse, or in a plain table.

Belongs here: what a row means, and what it means where it is silent. Does not: making the rows (``turnup.formats``).

Rows that readers of formats made hold a whole project, to the second. A plain table may have no more than durations and
links: it becomes a project that works by the given calendar.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.schedule.columns import MAIN, PROJECT_TIMES
from turnup.schedule.model import HOUR, MS_PROJECT, Options, Project, WorkCalendar
from turnup.schedule.shifts import OFFICE_WEEK, begin_of, end_of
from turnup.schedule.staged_activities import activities_of
from turnup.schedule.staged_calendars import calendars_of
from turnup.schedule.staged_links import links_of

if TYPE_CHECKING:
    from turnup.schedule.model import Tool

OFFICE = "office"
"""Key of the calendar of projects that have none."""


@dataclass(frozen=True)
class Defaults:
    """What holds for a schedule that does not say it.

    Attributes:
        calendar: by which its activities work.
        data_date: up to which its progress is told.
    """

    calendar: WorkCalendar
    data_date: datetime | None = None


def office_calendar(holidays: Collection[date] = ()) -> WorkCalendar:
    """Monday to Friday, eight hours, and no work on holidays: the working week of a programme that declares none."""
    return WorkCalendar("Monday to Friday, 8 hours", OFFICE_WEEK, dict.fromkeys(sorted(holidays), ()))


def projects_of(
    activities: pl.DataFrame,
    links: pl.DataFrame | None = None,
    calendars: pl.DataFrame | None = None,
    projects: pl.DataFrame | None = None,
    *,
    defaults: Defaults | None = None,
) -> tuple[Project, ...]:
    """The projects of rows of ``activities``, ``activity_links``, ``work_calendars`` and ``schedule_projects``.

    Args:
        activities: rows in force, with the columns of the dataset; those that are missing count as empty.
        links: the same; None where there are none.
        calendars: the same.
        projects: the same.
        defaults: what holds where the rows are silent; the working week of an office where that is None.

    Returns:
        One project for each ``project_id`` of the activities, in the order of these ids. An activity's id is its task,
        after its project where that is not the project of plain tables. Links without a task after them, and values
        that mean nothing, are findings.
    """
    held = defaults or Defaults(office_calendar())
    tasks = _ordered(activities)
    if not tasks.height:
        return ()
    joined = _ordered(links) if links is not None and links.height else None
    days = _ordered(calendars) if calendars is not None and calendars.height else None
    named = _ordered(projects) if projects is not None and projects.height else None
    about = {row["project_id"]: row for row in named.iter_rows(named=True)} if named is not None else {}
    found = []
    for (project,), rows in sorted(tasks.group_by(["project_id"], maintain_order=True), key=lambda group: group[0]):
        own = None if joined is None else joined.filter(pl.col("project_id") == project)
        found.append(_project(str(project), rows, own, days, about.get(project, {}), tasks, held))
    return tuple(found)


def _ordered(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows in the order of their files, each with a project; of the links that one cell names, by their tasks."""
    placed = ("_ingest", "_sheet", "_row", "pred", "succ", "type") if "_row" in frame.columns else ()
    order = [name for name in placed if name in frame.columns]
    project = pl.col("project_id") if "project_id" in frame.columns else pl.lit(None, pl.String)
    rows = frame.sort(order, maintain_order=True) if order else frame
    return rows.with_columns(project.fill_null(MAIN).alias("project_id"))


def _project(
    project: str,
    rows: pl.DataFrame,
    links: pl.DataFrame | None,
    days: pl.DataFrame | None,
    about: Mapping[str, Any],
    all_tasks: pl.DataFrame,
    defaults: Defaults,
) -> Project:
    calendars, findings = calendars_of(project, days)
    default = _default(about.get("default_calendar"), calendars, defaults)
    activities, more = activities_of(project, rows, calendars, default)
    network, lost = links_of(project, links, activities, all_tasks, calendars[default])
    times = {name: _time(about, *columns, calendars[default]) for name, columns in PROJECT_TIMES.items()}
    return Project(
        id=project,
        name=about.get("name") or project,
        tool=_tool(about),
        data_date=times["data_date"] or defaults.data_date,
        planned_start=times["planned_start"],
        must_finish=times["must_finish"],
        stored_finish=times["stored_finish"],
        options=_options(about),
        calendars=calendars,
        default_calendar=default,
        activities=_milestones(activities, network),
        links=network,
        findings=(*findings, *more, *lost),
    )


def _default(wanted: str | None, calendars: dict[str, WorkCalendar], defaults: Defaults) -> str:
    """The key of the project's own calendar; the given one is added where the rows have none."""
    keys = {key.casefold(): key for key in calendars}
    if wanted is not None and wanted.casefold() in keys:
        return keys[wanted.casefold()]
    if wanted is None and len(calendars) == 1:
        return next(iter(calendars))
    calendars[OFFICE] = defaults.calendar
    return OFFICE


def _time(
    about: Mapping[str, Any], at: str, day: str | None, at_end: bool, calendar: WorkCalendar
) -> datetime | None:  # fmt: skip
    moment: datetime | None = about.get(at)
    given: date | None = about.get(day) if day is not None else None
    if moment is not None or given is None:
        return moment
    if day == "data_date":
        return datetime.combine(given, time())
    return end_of(calendar, given) if at_end else begin_of(calendar, given)


def _tool(about: Mapping[str, Any]) -> Tool:
    tool = about.get("tool")
    return tool if tool in ("p6", "msproject") else "table"


def _options(about: Mapping[str, Any]) -> Options:
    """The options that the rows tell, over those of their tool."""
    base = MS_PROJECT if about.get("tool") == "msproject" else Options()
    told = {option.name: value for option in fields(Options) if (value := about.get(option.name)) is not None}
    if (hours := about.get("critical_float_h")) is not None:
        told["critical_float"] = round(hours * HOUR)
    return replace(base, **told)


def _milestones(activities: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Kinds where the rows give none: without duration a milestone, of the finish when something comes before it."""
    follows = pl.col("id").is_in(links["succ"].unique().implode())
    milestone = pl.when(follows).then(pl.lit("finish_milestone")).otherwise(pl.lit("start_milestone"))
    kind = pl.when(pl.col("duration_s") == 0).then(milestone).otherwise(pl.lit("task"))
    return activities.with_columns(pl.col("kind").fill_null(kind))
