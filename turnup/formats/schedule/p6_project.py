"""Projects from the tables of a P6 file: each with its activities, links, calendars, options and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from turnup.formats.model import FileRejected, Finding
from turnup.formats.schedule.p6_activities import activities
from turnup.formats.schedule.p6_baselines import baselines
from turnup.formats.schedule.p6_calendar import STANDARD, work_calendars
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_links import links
from turnup.formats.schedule.p6_resources import driven
from turnup.formats.schedule.p6_tables import COLUMNS, ROW, P6Tables
from turnup.formats.schedule.p6_words import options
from turnup.schedule.model import ACTIVITY, LINK, Options, Project, WorkCalendar

_STANDARD = "standard"


@dataclass(frozen=True)
class _File:
    """What the projects of a file share."""

    tables: P6Tables
    calendars: Mapping[str, WorkCalendar]
    broken: Mapping[str, str]
    driven: pl.DataFrame
    findings: tuple[Finding, ...]


def projects(tables: P6Tables, name: str) -> tuple[Project, ...]:
    """The projects of a file in its order; baselines of projects in the file are not among them but in their columns.

    Raises:
        FileRejected: ``no_project`` when the file holds neither projects nor activities.
    """
    tasks, found = activities(tables)
    tasks, repeated = _single(tasks)
    rows = _rows(tables, tasks)
    if not rows.height:
        raise FileRejected("no_project", f"{name} holds no project and no activity", expected="an export of a project")
    names = _names(rows)
    network, loose = links(tables, tasks.select("id", "code", "project"), names)
    usable, broken = work_calendars(tables.calendars)
    general = [finding for finding in loose if finding.code != "external_link"]
    file = _File(tables, usable, broken, driven(tables, usable), (*tables.findings, *found, *repeated, *general))
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


def _single(tasks: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Activities with an id, each id once."""
    findings = []
    blank = tasks.filter(pl.col("id").is_null())
    if blank.height:
        row = int(blank["row"][0])
        message = f"{blank.height} activities have no task_id (first in row {row}): left out, for no link can name them"
        findings.append(Finding("activity_without_id", "error", row, "task_id", None, message))
    tasks = tasks.filter(pl.col("id").is_not_null())
    if tasks["id"].n_unique() == tasks.height:
        return tasks, findings
    again = tasks.filter(~pl.col("id").is_first_distinct())
    for row, key, code in again.select("row", "id", "code").iter_rows():
        message = f"activity {code}: its task_id {key} stands in an earlier row, which is kept"
        findings.append(Finding("duplicate_key", "error", row, "task_id", key, message))
    return tasks.unique("id", keep="first", maintain_order=True), findings


def _rows(tables: P6Tables, tasks: pl.DataFrame) -> pl.DataFrame:
    """Rows of PROJECT, one for each proj_id; activities of a project without a row make one."""
    rows = (
        tables.table("PROJECT")
        .filter(pl.col("proj_id").is_not_null())
        .unique("proj_id", keep="first", maintain_order=True)
    )
    lost = tasks.filter(~pl.col("project").is_in(rows["proj_id"].implode())).unique("project", maintain_order=True)
    blank = {column: pl.lit(None, pl.String).alias(column) for column in COLUMNS["PROJECT"]}
    made = lost.select(**blank | {"proj_id": pl.col("project"), ROW: pl.lit(None, pl.Int64)})
    return pl.concat([rows, made.select(rows.columns)])


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
    chosen, odd = options(row, file.tables.table("SCHEDOPTIONS").filter(pl.col("proj_id") == key))
    dates = {
        column: about.instant(column)[0]
        for column in ("last_recalc_date", "plan_start_date", "plan_end_date", "scd_end_date")
    }
    default, missing = _default(file, row["clndr_id"][0])
    tasks, placed = _placed(file, tasks, default)
    used = [default, *tasks["calendar"].unique()]
    shared = [
        calendar.id for calendar in file.tables.calendars if calendar.project in (None, key) and not calendar.personal
    ]
    calendars = {id_: file.calendars[id_] for id_ in file.calendars if id_ in {*used, *shared}}
    if default == _STANDARD:
        calendars[_STANDARD] = STANDARD
    return Project(
        id=name, name=_title(file.tables, row) or name, tool="p6",
        data_date=dates["last_recalc_date"], planned_start=dates["plan_start_date"],
        must_finish=dates["plan_end_date"], stored_finish=dates["scd_end_date"],
        options=chosen, calendars=calendars, default_calendar=default,
        activities=_critical(tasks, chosen).select(*ACTIVITY), links=own.select(*LINK),
        findings=(*file.findings, *odd, *about.findings, *missing, *placed, *more),
    )  # fmt: skip


def _title(tables: P6Tables, row: pl.DataFrame) -> str | None:
    """The name of a project: its own in PMXML, that of its topmost WBS node in XER."""
    if row["proj_name"][0] is not None:
        return str(row["proj_name"][0])
    top = tables.table("PROJWBS").filter(pl.col("proj_id") == row["proj_id"][0], pl.col("proj_node_flag") == "Y")
    return top["wbs_name"][0] if top.height else None


def _default(file: _File, wanted: str | None) -> tuple[str, list[Finding]]:
    """The project's calendar; without a usable one the file's default, without that the standard week."""
    if wanted in file.calendars:
        return str(wanted), []
    spare = next((each.id for each in file.tables.calendars if each.is_default and each.id in file.calendars), None)
    taken = f"'{file.calendars[spare].name}'" if spare is not None else "Monday to Friday 08:00-16:00"
    message = f"the project's calendar {wanted or 'is not given and'} cannot be used: {taken} takes its place"
    return spare or _STANDARD, [Finding("calendar_unknown", "warning", None, "clndr_id", wanted, message)]


def _placed(file: _File, tasks: pl.DataFrame, default: str) -> tuple[pl.DataFrame, list[Finding]]:
    """Activities on calendars that exist, resource-dependent ones on that of their driving resource."""
    findings = []
    titles = {calendar.id: calendar for calendar in file.tables.calendars}
    for key, problem in file.broken.items():
        count = tasks.filter(pl.col("calendar") == key).height
        message = f"calendar '{titles[key].name}' ({key}) cannot be used: {problem}; {count} activities on it"
        message += " take the project's calendar" if count else ""
        findings.append(Finding("calendar_unreadable", "warning", titles[key].row, "clndr_data", key, message))
    lost = tasks.filter(~pl.col("calendar").is_in(list({*file.calendars, *file.broken})).fill_null(value=False))
    if lost.height:
        row = int(lost["row"][0])
        message = f"{lost.height} activities name no calendar of the file (first in row {row}): the project's is taken"
        findings.append(Finding("calendar_unknown", "warning", row, "clndr_id", lost["calendar"][0], message))
    known = pl.col("calendar").is_in(list(file.calendars)).fill_null(value=False)
    tasks = tasks.with_columns(calendar=pl.when(known).then(pl.col("calendar")).otherwise(pl.lit(default)))
    return _on_resources(file, tasks, findings), findings


def _on_resources(file: _File, tasks: pl.DataFrame, findings: list[Finding]) -> pl.DataFrame:
    """Resource-dependent activities whose driving resource works at other times than they: its calendar and hours."""
    if not (tasks["kind"] == "resource_dependent").any() or not file.driven.height:
        return tasks
    tasks = tasks.join(file.driven, on="id", how="left", maintain_order="left")
    moved = []
    for kind, calendar, other in tasks.select("kind", "calendar", "resource_calendar").iter_rows():
        mine, theirs = file.calendars.get(calendar, STANDARD), file.calendars.get(other)
        same = theirs is None or (mine.week, mine.exceptions) == (theirs.week, theirs.exceptions)
        moved.append(kind == "resource_dependent" and not same)
    tasks = tasks.with_columns(pl.Series("_moved", moved, pl.Boolean))
    for row, code, other in tasks.filter("_moved").select("row", "code", "resource_calendar").iter_rows():
        message = f"activity {code} is worked on '{file.calendars[other].name}', the calendar of its driving resource"
        findings.append(Finding("resource_calendar", "info", row, "clndr_id", other, message))
    taken = {"calendar": "resource_calendar", "duration_s": "driven_s", "remaining_s": "driven_remaining_s"}
    changed = [pl.when("_moved").then(pl.coalesce(new, old)).otherwise(old).alias(old) for old, new in taken.items()]
    return tasks.with_columns(changed)


def _critical(tasks: pl.DataFrame, chosen: Options) -> pl.DataFrame:
    """Critical as P6 shows it, from the float and longest path that it stores; a completed activity never is."""
    by_float = pl.col("total_float_s") <= chosen.critical_float
    rule = pl.col("longest_path") if chosen.critical_rule == "longest_path" else by_float
    return tasks.with_columns(
        critical=pl.when(pl.col("status") == "completed").then(pl.lit(value=False)).otherwise(rule)
    )
