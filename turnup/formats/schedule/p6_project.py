"""Projects from the tables of a P6 file: each with its activities, links, calendars, options and findings."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from turnup.formats.model import FileRejected, Finding
from turnup.formats.schedule.p6_activities import activities
from turnup.formats.schedule.p6_baselines import baselines
from turnup.formats.schedule.p6_calendars import STANDARD, Calendars, work_calendars
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_links import links
from turnup.formats.schedule.p6_placing import STANDARD_KEY, placed, project_calendar
from turnup.formats.schedule.p6_resources import driven
from turnup.formats.schedule.p6_tables import COLUMNS, ROW, P6Tables
from turnup.formats.schedule.p6_words import ignores_outside, options
from turnup.schedule.model import ACTIVITY, LINK, Options, Project, WorkCalendar


@dataclass(frozen=True)
class _File:
    """What the projects of a file share."""

    tables: P6Tables
    calendars: Calendars
    driven: pl.DataFrame
    findings: tuple[Finding, ...]


def projects(tables: P6Tables, name: str) -> tuple[Project, ...]:
    """The projects of a file in its order; baselines of projects in the file are not among them but in their columns.

    Raises:
        FileRejected: ``no_project`` when the file holds neither projects nor activities.
    """
    tasks, found = activities(tables)
    tasks, repeated = _single(tasks, tables)
    rows, doubled = _rows(tables, tasks)
    if not rows.height:
        raise FileRejected("no_project", f"{name} holds no project and no activity", expected="an export of a project")
    names = _names(rows)
    network, loose = links(tables, tasks.select("id", "code", "project"), names)
    calendars = work_calendars(tables.calendars)
    general = [finding for finding in loose if finding.code != "external_link"]
    seen = (*tables.findings, *calendars.findings, *found, *repeated, *doubled, *general)
    file = _File(tables, calendars, driven(tables, calendars.usable), seen)
    tasks, copies, of_baselines = baselines(rows, tasks)
    made = []
    for row in rows.filter(~pl.col("proj_id").is_in(sorted(copies))).iter_slices(1):
        key = row["proj_id"][0]
        own = network.filter(pl.col("project") == key)
        outside = set(own.filter("external")["row"])
        mine = [finding for finding in loose if finding.code == "external_link" and finding.row in outside]
        extra = (of_baselines[key],) if key in of_baselines else ()
        made.append(_project(file, row, names[key], tasks.filter(pl.col("project") == key), own, (*mine, *extra)))
    return tuple(made)


def _single(tasks: pl.DataFrame, tables: P6Tables) -> tuple[pl.DataFrame, list[Finding]]:
    """Activities with an id, each id once, each in a project."""
    findings = []
    nameless, homeless = tasks.filter(pl.col("id").is_null()), tasks.filter(pl.col("project").is_null())
    known = tables.table("PROJECT")["proj_id"].drop_nulls().unique(maintain_order=True)
    home = known[0] if known.len() == 1 else "no project"
    for code, column, lost, fate in (
        ("activity_without_id", "task_id", nameless, "left out, for no link can name them"),
        ("activity_without_project", "proj_id", homeless, f"taken as those of project {home}"),
    ):
        if lost.height:
            row = int(lost["row"][0])
            message = f"{lost.height} activities have no {column} (first in row {row}): {fate}"
            findings.append(Finding(code, "error", row, column, None, message))
    tasks = tasks.drop_nulls("id").with_columns(pl.col("project").fill_null(home))
    for row, key, code in tasks.filter(~pl.col("id").is_first_distinct()).select("row", "id", "code").iter_rows():
        message = f"activity {code} is left out: its task_id {key} stands in an earlier row"
        findings.append(Finding("duplicate_key", "error", row, "task_id", key, message))
    return tasks.unique("id", keep="first", maintain_order=True), findings


def _rows(tables: P6Tables, tasks: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Rows of PROJECT, one for each proj_id; activities of a project without a row make one."""
    told = tables.table("PROJECT")
    single = pl.col("proj_id").is_not_null() & pl.col("proj_id").is_first_distinct()
    findings = []
    for row, key in told.filter(~single).select(ROW, "proj_id").iter_rows():
        reason = "empty" if key is None else f"that of an earlier row, {key}"
        message = f"a row of PROJECT is left out: its proj_id is {reason}"
        findings.append(Finding("duplicate_key", "error", row, "proj_id", key, message))
    rows = told.filter(single)
    lost = tasks.filter(~pl.col("project").is_in(rows["proj_id"].implode())).unique("project", maintain_order=True)
    blank = {column: pl.lit(None, pl.String).alias(column) for column in COLUMNS["PROJECT"]}
    made = lost.select(**blank | {"proj_id": pl.col("project"), ROW: pl.lit(None, pl.Int64)})
    return pl.concat([rows, made.select(rows.columns)]), findings


def _names(rows: pl.DataFrame) -> dict[str, str]:
    """Ids of projects: their short names, with the proj_id where two share one."""
    names: dict[str, str] = {}
    for key, short in rows.select("proj_id", "proj_short_name").iter_rows():
        name = short or key
        names[key] = f"{name} ({key})" if name in names.values() else name
    return names


def _project(
    file: _File, row: pl.DataFrame, name: str, tasks: pl.DataFrame, own: pl.DataFrame, more: tuple[Finding, ...]
) -> Project:
    key = row["proj_id"][0]
    about = Cells(row, "PROJECT")
    scheduling = file.tables.table("SCHEDOPTIONS").filter(pl.col("proj_id") == key)
    chosen, odd = options(row, scheduling)
    if ignores_outside(scheduling):
        tasks, cut = _alone(tasks)
        more = (*more, *cut)
    dates = {
        column: about.instant(column)[0]
        for column in ("last_recalc_date", "plan_start_date", "plan_end_date", "scd_end_date")
    }
    default, missing = project_calendar(file.calendars, row["clndr_id"][0])
    tasks, moved = placed(file.calendars, file.driven, tasks, default)
    calendars = _calendars(file.calendars, key, {default, *tasks["calendar"]})
    return Project(
        id=name, name=_title(file.tables, row) or name, tool="p6",
        data_date=dates["last_recalc_date"], planned_start=dates["plan_start_date"],
        must_finish=dates["plan_end_date"], stored_finish=dates["scd_end_date"],
        options=chosen, calendars=calendars, default_calendar=default,
        activities=_critical(tasks, chosen).select(*ACTIVITY), links=own.select(*LINK),
        findings=(*file.findings, *odd, *about.findings, *missing, *moved, *more),
    )  # fmt: skip


def _alone(tasks: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Activities without the dates that other projects give: P6 was told to schedule as if there were none."""
    dates = ("external_early", "external_late")
    bound = tasks.filter(pl.any_horizontal(pl.col(dates).is_not_null()))
    if not bound.height:
        return tasks, []
    row, code = int(bound["row"][0]), bound["code"][0]
    message = f"the project is scheduled without regard to others: external dates of {bound.height} activities (first "
    message += f"{code}) are left out"
    found = Finding("external_dates_ignored", "info", row, "sched_outer_depend_type", None, message)
    return tasks.with_columns(pl.lit(None, pl.Datetime("us")).alias(date) for date in dates), [found]


def _calendars(calendars: Calendars, key: str, used: set[str]) -> dict[str, WorkCalendar]:
    """Those in use, the project's own and global ones, but not those of other projects and of resources."""
    own = {each.id for each in calendars.told.values() if each.project in (None, key) and not each.personal}
    chosen = {id_: calendar for id_, calendar in calendars.usable.items() if id_ in own | used}
    return chosen | ({STANDARD_KEY: STANDARD} if STANDARD_KEY in used else {})


def _title(tables: P6Tables, row: pl.DataFrame) -> str | None:
    """The name of a project: its own in PMXML, that of its topmost WBS node in XER."""
    if row["proj_name"][0] is not None:
        return str(row["proj_name"][0])
    top = tables.table("PROJWBS").filter(pl.col("proj_id") == row["proj_id"][0], pl.col("proj_node_flag") == "Y")
    return top["wbs_name"][0] if top.height else None


def _critical(tasks: pl.DataFrame, chosen: Options) -> pl.DataFrame:
    """Critical as P6 shows it, from the float and longest path that it stores; a completed activity never is."""
    by_float = pl.col("total_float_s") <= chosen.critical_float
    rule = pl.col("longest_path") if chosen.critical_rule == "longest_path" else by_float
    return tasks.with_columns(
        critical=pl.when(pl.col("status") == "completed").then(pl.lit(value=False)).otherwise(rule)
    )
