"""Schedules in XER, the text export of Primavera P6: several projects may stand in one file."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl

from turnup.formats.schedule.p6_calendar import BrokenCalendar, Week, read_clndr_data
from turnup.formats.schedule.p6_calendars import Calendar
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_project import projects
from turnup.formats.schedule.p6_tables import ROW, P6Tables
from turnup.formats.schedule.xer_lines import HEADER
from turnup.formats.schedule.xer_tables import read_tables
from turnup.schedule.model import Project, Shift


def claims_xer(head: bytes) -> bool:
    """Whether a file that begins with these bytes is an XER."""
    start = head[:200].replace(b"\x00", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").lstrip()
    return start.startswith(HEADER + b"\t")


def read_xer(data: bytes, name: str, encoding: str | None = None) -> tuple[Project, ...]:
    """The projects of an XER file.

    Args:
        data: the whole file.
        name: what its sender called it, for messages.
        encoding: as its source declares it; else UTF-8 where it is, and cp1252 where not.

    Raises:
        FileRejected: not an XER, in another encoding than declared, or without project and activity.
    """
    frames, findings = read_tables(data, encoding)
    calendars = Cells(P6Tables(frames, (), ()).table("CALENDAR"), "CALENDAR")
    read = tuple(_calendars(calendars))
    return projects(P6Tables(frames, read, (*findings, *calendars.findings)), name)


def _calendars(cells: Cells) -> list[Calendar]:
    hours = pl.DataFrame([cells.number(column) for column in ("day_hr_cnt", "week_hr_cnt", "month_hr_cnt")])
    frame = cells.frame.with_columns(hours)
    return [_calendar(row) for row in frame.filter(pl.col("clndr_id").is_not_null()).iter_rows(named=True)]


def _calendar(row: dict[str, Any]) -> Calendar:
    text, problem = row["clndr_data"], None
    week: Week | None = None
    exceptions: dict[date, tuple[Shift, ...]] = {}
    try:
        if text is not None:
            week, exceptions = read_clndr_data(str(text))
    except BrokenCalendar as error:
        problem = str(error)
    return Calendar(
        id=row["clndr_id"], name=row["clndr_name"] or row["clndr_id"], base=row["base_clndr_id"],
        project=row["proj_id"], personal=row["clndr_type"] == "CA_Rsrc", is_default=row["default_flag"] == "Y",
        week=week, exceptions=exceptions, hours=(row["day_hr_cnt"], row["week_hr_cnt"], row["month_hr_cnt"]),
        problem=problem, row=row[ROW],
    )  # fmt: skip
