"""Schedules in PMXML, the XML export of Primavera P6, with or without its namespace: several projects, baselines too.

Its records become the tables of an XER. PMXML has neither floats nor early and late dates of its own: the remaining
early and late dates of scheduled activities stand for them, and differ from what scheduling gave where P6 has
levelled resources.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from turnup.formats.schedule.p6_project import projects
from turnup.formats.schedule.p6_tables import COLUMNS, ROW, P6Tables
from turnup.formats.schedule.pmxml_calendars import calendars
from turnup.formats.schedule.pmxml_fields import FIELDS, KINDS, REMAINING
from turnup.formats.schedule.pmxml_records import Record, records
from turnup.schedule.model import Project

_ROOT = re.compile(rb"<(?:\w+:)?(?:API)?BusinessObjects[\s>/]")
_PROGRESS = {"Retained Logic": ("Y", "N"), "Progress Override": ("N", "Y"), "Actual Dates": ("N", "N")}


def claims_pmxml(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a PMXML document."""
    return _ROOT.search(head.replace(b"\x00", b"")) is not None


def read_pmxml(data: bytes, name: str) -> tuple[Project, ...]:
    """The projects of a PMXML document.

    Args:
        data: the whole document.
        name: what its sender called it, for messages.

    Raises:
        FileRejected: no XML, another document, or one without project and activity.
    """
    found = records(data, name)
    owners: dict[int, str] = {}
    for place, project in enumerate(found["Project"]):
        owners[place] = project.fields.setdefault("ObjectId", f"project {place + 1}")
    found["ScheduleOptions"] = _options(found)
    found["WBS"] = _nodes(found)
    _baselines(found)
    for type_ in found["UDFType"]:
        type_.fields |= {"SubjectArea": "TASK"} if type_.fields.get("SubjectArea") == "Activity" else {}
    found |= {kind: _nested(found["Activity"], kind) for kind in ("Code", "UDF")}
    frames = {table: _frame(table, found[kind], owners) for table, kind in KINDS.items() if found[kind]}
    return projects(P6Tables(frames, calendars(found["Calendar"], owners), ()), name)


def _frame(table: str, rows: list[Record], owners: Mapping[int, str]) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {
        name: [row.fields.get(field) for row in rows] for name, field in FIELDS[table].items()
    }
    columns |= {ROW: [row.number for row in rows]}
    if "proj_id" in COLUMNS[table] and "proj_id" not in columns:
        columns["proj_id"] = [_owner(row, owners) for row in rows]
    if table == "TASK":
        columns["phys_complete_pct"] = [_percent(row.fields) for row in rows]
        columns |= {name: _either(columns[name], rows, field) for name, field in REMAINING.items()}
        if any(columns["driving_path_flag"]):
            columns["driving_path_flag"] = [flag or "0" for flag in columns["driving_path_flag"]]
    schema = {name: pl.Int64() if name == ROW else pl.String() for name in columns}
    return pl.DataFrame(columns, schema=schema)


def _nested(activities: list[Record], kind: str) -> list[Record]:
    return [
        Record(row.number, row.project, fields | {"task": row.fields.get("ObjectId", "")})
        for row in activities
        for name, fields in row.nested
        if name == kind
    ]


def _either(cells: list[str | None], rows: list[Record], field: str) -> list[str | None]:
    """Cells, or the remaining dates of activities that were scheduled: only scheduling gives late dates."""
    return [
        row.fields.get(field) if cell is None and REMAINING["late_end_date"] in row.fields else cell
        for cell, row in zip(cells, rows, strict=True)
    ]


def _owner(row: Record, owners: Mapping[int, str]) -> str | None:
    return owners[row.project] if row.project is not None else row.fields.get("ProjectObjectId")


def _percent(fields: Mapping[str, str]) -> str | None:
    """Physical or scope percent complete, which PMXML tells as a share of one."""
    scope = fields.get("PercentCompleteType") == "Scope"
    text = fields.get("ScopePercentComplete" if scope else "PhysicalPercentComplete")
    try:
        return None if text is None else repr(round(100 * float(text), 9))
    except ValueError:
        return text


def _options(found: Mapping[str, list[Record]]) -> list[Record]:
    """Scheduling options of each project; some stand in the project itself."""
    rows = {row.project: row for row in found["ScheduleOptions"]}
    for project in found["Project"]:
        row = rows.setdefault(project.project, Record(project.number, project.project))
        if "RelationshipLagCalendar" in project.fields:
            row.fields.setdefault("RelationshipLagCalendar", project.fields["RelationshipLagCalendar"])
        for own, other in (("PathType", "PathType"), ("FloatLimit", "FloatThreshold")):
            if f"CriticalActivity{other}" in row.fields:
                project.fields.setdefault(f"CriticalActivity{own}", row.fields[f"CriticalActivity{other}"])
        progress = row.fields.get("OutOfSequenceScheduleType")
        if progress is not None:
            retained, override = _PROGRESS.get(progress, (progress, progress))
            row.fields |= {"Retained": retained, "Override": override}
    return list(rows.values())


def _nodes(found: Mapping[str, list[Record]]) -> list[Record]:
    """WBS nodes, with the topmost one that P6 leaves out because it is the project itself."""
    nodes = list(found["WBS"])
    known = {node.fields.get("ObjectId") for node in nodes}
    for project in found["Project"]:
        top = project.fields.get("WBSObjectId")
        if top is None or top in known:
            continue
        title = {"ObjectId": top, "Code": project.fields.get("Id", ""), "Name": project.fields.get("Name", "")}
        for kind, above in (("WBS", "ParentObjectId"), ("Activity", "WBSObjectId")):
            for row in found[kind]:
                if row.project == project.project:
                    row.fields.setdefault(above, top)
        nodes.append(Record(0, project.project, title))
    return nodes


def _baselines(found: dict[str, list[Record]]) -> None:
    """Of baseline projects only the activities are needed; their ids may be those of the project's own."""
    places = {project.project for project in found["Project"] if project.fields[""] == "BaselineProject"}
    for row in found["Activity"]:
        if row.project in places and "ObjectId" in row.fields:
            row.fields["ObjectId"] = f"baseline {row.project} {row.fields['ObjectId']}"
    for kind in ("Relationship", "WBS", "ResourceAssignment", "ActivityExpense"):
        found[kind] = [row for row in found[kind] if row.project not in places]
