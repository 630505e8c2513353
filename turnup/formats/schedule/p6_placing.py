"""Which calendar each activity of a P6 project is worked on, also where its own cannot be used."""

from __future__ import annotations

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_calendars import STANDARD, Calendars

STANDARD_KEY = "standard"
"""Key of the standard week of P6 in a project none of whose calendars can be used."""


def project_calendar(calendars: Calendars, wanted: str | None) -> tuple[str, list[Finding]]:
    """Key of the project's calendar; without a usable one the file's default, without that the standard week."""
    if wanted in calendars.usable:
        return str(wanted), []
    spare = calendars.default
    taken = f"'{calendars.usable[spare].name}'" if spare is not None else "Monday to Friday 08:00-16:00"
    named = "names no calendar" if wanted is None else f"names calendar {wanted}, which cannot be used"
    message = f"the project {named}: {taken} is taken"
    return spare or STANDARD_KEY, [Finding("calendar_unknown", "warning", None, "clndr_id", wanted, message)]


def placed(
    calendars: Calendars, driven: pl.DataFrame, tasks: pl.DataFrame, default: str
) -> tuple[pl.DataFrame, list[Finding]]:
    """Activities on calendars that exist, resource-dependent ones on that of their driving resource."""
    findings = [*_unreadable(calendars, tasks), *_unknown(calendars, tasks)]
    known = pl.col("calendar").is_in(list(calendars.usable)).fill_null(value=False)
    tasks = tasks.with_columns(calendar=pl.when(known).then(pl.col("calendar")).otherwise(pl.lit(default)))
    return _on_resources(calendars, driven, tasks, findings), findings


def _unreadable(calendars: Calendars, tasks: pl.DataFrame) -> list[Finding]:
    findings = []
    for key, problem in calendars.broken.items():
        told = calendars.told[key]
        count = tasks.filter(pl.col("calendar") == key).height
        fate = f"the activities on it ({count}) take the project's calendar" if count else "no activity is on it"
        message = f"calendar '{told.name}' ({key}) cannot be used: {problem}; {fate}"
        findings.append(Finding("calendar_unreadable", "warning", told.row, "clndr_data", key, message))
    return findings


def _unknown(calendars: Calendars, tasks: pl.DataFrame) -> list[Finding]:
    lost = tasks.filter(~pl.col("calendar").is_in(list(calendars.told)).fill_null(value=False))
    if not lost.height:
        return []
    row = int(lost["row"][0])
    message = f"{lost.height} activities name no calendar of the file (first in row {row}): the project's is taken"
    return [Finding("calendar_unknown", "warning", row, "clndr_id", lost["calendar"][0], message)]


def _on_resources(
    calendars: Calendars, driven: pl.DataFrame, tasks: pl.DataFrame, findings: list[Finding]
) -> pl.DataFrame:
    """Resource-dependent activities whose driving resource works at other times than they: its calendar and hours."""
    tasks = tasks.join(driven, on="id", how="left", maintain_order="left")
    apart = pl.col("kind").eq("resource_dependent") & pl.col("resource_calendar").is_not_null()
    pairs = tasks.filter(apart).select("calendar", "resource_calendar").unique()
    moving = [pair for pair in pairs.iter_rows() if not _same(calendars, *pair)]
    others = pl.DataFrame(moving, schema=pairs.schema, orient="row").with_columns(moved=pl.lit(value=True))
    tasks = tasks.join(others, on=["calendar", "resource_calendar"], how="left", maintain_order="left")
    moved = apart & pl.col("moved").fill_null(value=False)
    for (other,), group in tasks.filter(moved).group_by("resource_calendar", maintain_order=True):
        row, code, name = int(group["row"][0]), group["code"][0], calendars.usable[str(other)].name
        message = (
            f"{group.height} resource-dependent activities (first {code}) are worked on '{name}', their resource's"
        )
        findings.append(Finding("resource_calendar", "info", row, "clndr_id", str(other), message))
    taken = {"calendar": "resource_calendar", "duration_s": "driven_s", "remaining_s": "driven_remaining_s"}
    return tasks.with_columns(
        pl.when(moved).then(pl.coalesce(new, old)).otherwise(old).alias(old) for old, new in taken.items()
    )


def _same(calendars: Calendars, key: str, other: str) -> bool:
    mine, theirs = calendars.usable.get(key, STANDARD), calendars.usable[other]
    return (mine.week, mine.exceptions) == (theirs.week, theirs.exceptions)
