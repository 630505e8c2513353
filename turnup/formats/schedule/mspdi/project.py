"""An MSPDI document as projects: its options, dates, calendars, activities and links put together.

Belongs here: the project's own elements. Does not: its calendars, tasks, links and resources.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

import polars as pl

from turnup.formats.model import FileRejected
from turnup.formats.schedule.frames import activity_frame, link_frame
from turnup.formats.schedule.mspdi.calendars import read_calendars
from turnup.formats.schedule.mspdi.codes import Codes
from turnup.formats.schedule.mspdi.links import read_links
from turnup.formats.schedule.mspdi.records import Record, local
from turnup.formats.schedule.mspdi.resources import Resources, WorkingBy, default_calendar
from turnup.formats.schedule.mspdi.tasks import Activities, read_tasks
from turnup.formats.schedule.notes import Notes
from turnup.formats.xml_parts import parse_xml
from turnup.schedule.model import MS_PROJECT, Options, Project, WorkCalendar
from turnup.schedule.shifts import worked_between

if TYPE_CHECKING:
    from turnup.formats.content import Content

_LATE = ("start_no_later", "finish_no_later", "mandatory_start", "mandatory_finish")


def is_mspdi(content: Content) -> bool:
    """Whether a file is an XML document of Microsoft Project."""
    head = content.head_text
    return head.lstrip().startswith("<") and "<Project" in head and (
        "schemas.microsoft.com/project" in head or ("<Tasks" in head and "<Task>" in head)
    )  # fmt: skip


def read_mspdi(data: bytes, name: str) -> tuple[Project, ...]:
    """Read a document: its project, and every project that is embedded in one of its tasks.

    Args:
        data: the bytes of the file.
        name: what its sender called it.

    Raises:
        FileRejected: ``mspdi`` when it is no XML, or another document.
    """
    root = parse_xml(data, name, "mspdi")
    if local(root) != "Project" or not any(local(child) in ("Tasks", "Calendars") for child in root):
        raise FileRejected("mspdi", f"{name} holds <{local(root)}> and no tasks", expected="<Project> with <Tasks>")
    projects: list[Project] = []
    for element, title in _documents(root, PurePath(name).stem):
        project = _project(element, title)
        taken = {held.id for held in projects}
        projects.append(replace(project, id=f"{project.id} ({len(taken) + 1})") if project.id in taken else project)
    return tuple(projects)


def _documents(root: Element, name: str) -> Iterator[tuple[Element, str]]:
    """The document and those inside its tasks, each with the name of its file."""
    yield root, name
    for tasks in root:
        for task in tasks if local(tasks) == "Tasks" else ():
            for element in task:
                if local(element) == "Project":
                    called = next((child.text or "" for child in task if local(child) == "SubprojectName"), "")
                    yield from _documents(element, PurePath(called.replace("\\", "/")).stem or name)


def _project(root: Element, file_name: str) -> Project:
    notes = Notes()
    record = Record(root, 1, notes)
    calendars = read_calendars(record, notes)
    default = default_calendar(record, calendars, notes)
    resources, working_by = Resources(record), WorkingBy(calendars, default, notes)
    tasks, inactive = read_tasks(record, notes)
    links = read_links(tasks, inactive, notes)
    follows = {link["succ"] for link in links}
    make = Activities(record, resources, working_by, Codes(record), notes)
    activities = activity_frame([make.of(task, follows=task.id in follows) for task in tasks])
    title = record.text("Title") or _stem(record.text("Name")) or file_name
    activities = _named(activities, title)
    backwards = not record.flag("ScheduleFromStart", default=True)
    if backwards:
        notes.add("from_finish", "the project is scheduled back from its finish date", severity="info")
    must_finish = record.moment("FinishDate") if backwards else _bound(activities, calendars.get(default), notes)
    return Project(
        id=title,
        name=title,
        tool="msproject",
        data_date=record.moment("StatusDate"),
        planned_start=record.moment("StartDate"),
        must_finish=must_finish,
        stored_finish=_latest(activities, "early_finish") or record.moment("FinishDate"),
        options=_options(record),
        calendars=calendars,
        default_calendar=default,
        activities=activities,
        links=link_frame(links),
        findings=notes.findings,
    )


def _stem(name: str | None) -> str | None:
    return PurePath(name).stem if name is not None else None


def _named(activities: pl.DataFrame, title: str) -> pl.DataFrame:
    """The summary of the whole project bears its title where the file gives it no name."""
    whole = (pl.col("id") == "0") & pl.col("name").is_null()
    return activities.with_columns(pl.when(whole).then(pl.lit(title)).otherwise("name").alias("name"))


def _options(record: Record) -> Options:
    slack = (record.number("CriticalSlackLimit") or 0) * (record.number("MinutesPerDay") or 480) * 60
    return replace(
        MS_PROJECT,
        float_kind="smallest",
        critical_float=round(slack),
        open_ends_critical=record.flag("MultipleCriticalPaths"),
    )


def _latest(activities: pl.DataFrame, column: str) -> datetime | None:
    latest = activities.filter(pl.col("kind") != "summary")[column].max()
    return latest if isinstance(latest, datetime) else None


def _bound(activities: pl.DataFrame, calendar: WorkCalendar | None, notes: Notes) -> datetime | None:
    """The date by which a project must finish, which MSPDI has no element for, as its late dates tell it.

    Late dates end at the last early finish, unless a date bounds them: one of the project (a file that another tool
    wrote), or deadlines and constraints of single tasks, which can only make them earlier.
    """
    early, late = _latest(activities, "early_finish"), _latest(activities, "late_finish")
    kept = _latest(activities.filter("manual"), "planned_finish")
    if early is None or late is None or calendar is None:
        return None
    early = max(early, kept or early)
    bounded = activities["deadline"].is_not_null().any() or activities["constraint"].is_in(_LATE).any()
    later = worked_between(calendar, early, late) > 0
    earlier = worked_between(calendar, late, early) > 0 and not bounded
    if not later and not earlier:
        return None
    message = f"late dates end at {late:%Y-%m-%d %H:%M}, not at the finish: the project must finish by then"
    notes.add("must_finish", message, severity="info", value=late.isoformat())
    return late
