"""Delivered schedules as tables: their health as delivered, and their activities as computed on this week's evidence.

Belongs here: the rows. Does not: judging a schedule (``turnup.schedule.health``) or computing it (``turnup.schedule``).
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import polars as pl

from turnup.readiness.forecasting.binding import activity_id
from turnup.schedule.health.assess import assess
from turnup.schedule.health.results import percent
from turnup.schedule.listing import activity_table
from turnup.schedule.passes import schedule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime
    from fractions import Fraction

    from turnup.readiness.forecasting.made import Forecast
    from turnup.schedule.health.results import Check
    from turnup.schedule.health.settings import HealthSettings
    from turnup.schedule.model import Project

Row = dict[str, object]
HEALTH = {
    "project": "VARCHAR", "data_date": "DATE", "check_no": "INTEGER", "check_id": "VARCHAR", "title": "VARCHAR",
    "numerator": "BIGINT",
    "denominator": "BIGINT", "unknown": "BIGINT", "value": "DOUBLE", "figure": "VARCHAR", "limit_text": "VARCHAR",
    "verdict": "VARCHAR", "advisory": "BOOLEAN", "offenders": "INTEGER", "first_offenders": "VARCHAR",
    "sentence": "VARCHAR", "judged_by": "VARCHAR",
}  # fmt: skip
"""``core.schedule_health``: the DCMA points of every delivered schedule, and what is told beside them; data_date is the
day up to which its progress is told, judged_by whose definitions were used and what was chosen otherwise."""
ACTIVITIES = {
    "project": "VARCHAR", "task": "VARCHAR", "code": "VARCHAR", "name": "VARCHAR", "wbs": "VARCHAR",
    "system": "VARCHAR", "block": "VARCHAR", "gate": "VARCHAR", "kind": "VARCHAR", "status": "VARCHAR",
    "claimed_status": "VARCHAR", "percent": "DOUBLE", "contradicted": "BOOLEAN", "calendar": "VARCHAR",
    "remaining_days": "DOUBLE", "actual_start": "TIMESTAMP", "actual_finish": "TIMESTAMP", "early_start": "TIMESTAMP",
    "early_finish": "TIMESTAMP", "late_start": "TIMESTAMP", "late_finish": "TIMESTAMP", "total_float_days": "DOUBLE",
    "free_float_days": "DOUBLE", "critical": "BOOLEAN", "longest_path": "BOOLEAN", "stored_start": "TIMESTAMP",
    "stored_finish": "TIMESTAMP", "stored_float_days": "DOUBLE", "baseline_start": "TIMESTAMP",
    "baseline_finish": "TIMESTAMP", "owner": "VARCHAR",
    "reason": "VARCHAR",
}  # fmt: skip
"""``core.schedule_activities``: dates and floats on the evidence of the week beside those that the schedule stored."""
_NAMED = 5
_RATIOS = frozenset({"12", "13", "14"})
_OF_TIME = frozenset({"12", "13"})
"""Checks that compare durations and count nothing."""


def health_rows(projects: Sequence[Project], settings: HealthSettings) -> list[Row]:
    """One row a check of every schedule as it was delivered, then one for each thing told beside them."""
    if not projects:
        return []
    dates = schedule(*projects)
    rows: list[Row] = []
    for project in projects:
        health = assess(project, dates, settings)
        about = {"project": project.id, "data_date": _last_day(project.data_date), "judged_by": settings.described}
        rows += [about | _check(number, check) for number, check in enumerate(health.checks, start=1)]
        rows += [
            about | {
                "check_no": number, "check_id": told.id, "title": told.id.replace("_", " "),
                "value": _float(told.value), "figure": "" if told.value is None else _plain(told.value),
                "verdict": "info", "advisory": True, "offenders": told.listed.height, "sentence": told.sentence,
            }
            for number, told in enumerate(health.beside, start=len(health.checks) + 1)
        ]  # fmt: skip
    return rows


def _last_day(moment: datetime | None) -> date | None:
    return None if moment is None else (moment - timedelta(microseconds=1)).date()


def _check(number: int, check: Check) -> Row:
    column = "code" if "code" in check.offenders.columns else "succ_code"
    counted = check.id not in _OF_TIME
    return {
        "check_no": number, "check_id": check.id, "title": check.name,
        "numerator": check.numerator if counted else None,
        "denominator": check.denominator if counted else None, "unknown": check.unknown,
        "value": _float(check.value), "figure": _figure(check), "limit_text": check.limit.text,
        "verdict": check.verdict, "advisory": check.advisory, "offenders": check.offenders.height,
        "first_offenders": ", ".join(check.offenders[column].head(_NAMED).cast(pl.String).to_list()),
        "sentence": check.sentence,
    }  # fmt: skip


def _figure(check: Check) -> str:
    if check.value is None:
        return ""
    return f"{float(check.value):.2f}" if check.id in _RATIOS else percent(check.value)


def _plain(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def activity_rows(made: Forecast, projects: Sequence[Project]) -> list[Row]:
    """One row an activity of the delivered schedules, summaries included."""
    if not projects:
        return []
    claimed = {contradiction.task for contradiction in made.bindings.contradictions}
    delivered = pl.concat(
        project.activities.select(
            task="id", claimed_status="status", stored_start="early_start", stored_finish="early_finish",
            _stored_float="total_float_s", baseline_start="baseline_start", baseline_finish="baseline_finish",
            owner="owner",
        )
        for project in projects
    )  # fmt: skip
    given = {row["task"]: row for row in delivered.iter_rows(named=True)}
    names = {activity_id(task): task for task in given}
    return [
        _activity(made, row, given[names[row["id"]]], claimed)
        for row in activity_table(made.bound.schedule).iter_rows(named=True)
        if row["id"] in names
    ]


def _activity(made: Forecast, row: Row, given: Row, claimed: set[str]) -> Row:
    hours = row["total_float_hours"], row["total_float_days"]
    per_day = float(str(hours[0])) / float(str(hours[1])) if hours[0] and hours[1] else 8.0
    stored = given["_stored_float"]
    return (
        row
        | given
        | {
            "contradicted": given["task"] in claimed,
            "stored_float_days": None if stored is None else float(str(stored)) / 3600 / per_day,
            "reason": made.bound.reasons.get(str(row["id"]), ""),
        }
    )
