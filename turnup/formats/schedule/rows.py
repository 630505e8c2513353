"""Projects as rows of the four datasets of the schedule, all cells text.

Belongs here: how an activity, a link, a calendar and a project are written. Does not: reading them from a format, and
the way back (``turnup.schedule.staged``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.content import canonical
from turnup.schedule.columns import DAYS, HOURS, PLAIN, PROJECT_TIMES, TIMES, WEEKDAYS, shifts_text
from turnup.schedule.model import DAY, ELAPSED, HOUR, LINK_TYPES, Options, Project

if TYPE_CHECKING:
    from turnup.schedule.model import WorkCalendar

Row = dict[str, str | int | None]
_TIME = "%Y-%m-%dT%H:%M:%S"
_LEAST = 0.0005
"""What is smaller has no three decimals to be written with."""


def rows_of(dataset: str, projects: Sequence[Project]) -> pl.DataFrame:
    """The rows of one dataset: its columns as text, ``_row`` (Int64), ``_sheet`` and ``_given``."""
    names = task_names(projects)
    match dataset:
        case "activities":
            frames = [_activities(project, names) for project in projects]
        case "activity_links":
            frames = [_links(project, names) for project in projects]
        case "work_calendars":
            frames = [_frame(_calendars(project)) for project in projects]
        case _:
            frames = [_frame(_project(project, number)) for number, project in enumerate(projects, start=1)]
    return pl.concat(frames, how="diagonal") if frames else _frame(())


def task_names(projects: Sequence[Project]) -> dict[tuple[str, str], str]:
    """What the datasets call an activity, by project and id: the code that Primavera's planners give, else the id.

    A row number of Microsoft Project changes with every row put before it and names nothing for long.
    """
    names = {}
    for project in projects:
        rows = project.activities.select("id", "code").rows()
        counts = Counter(code.casefold() for _, code in rows if code is not None)
        for id_, code in rows:
            alone = project.tool == "p6" and code is not None and counts[code.casefold()] == 1
            names[project.id, id_] = code if alone else id_
    return names


def _activities(project: Project, names: Mapping[tuple[str, str], str]) -> pl.DataFrame:
    frame = project.activities
    own = {id_: name for (held, id_), name in names.items() if held == project.id}
    task = pl.col("id").replace_strict(own, return_dtype=pl.String)
    columns = {
        "project_id": pl.lit(project.id),
        "task": task,
        "parent_task": pl.col("parent").replace(own),
        "display_code": pl.when(pl.col("code") != task).then("code"),
        **{ours: pl.col(theirs).cast(pl.String) for theirs, ours in PLAIN.items()},
        **{ours: pl.col(theirs).dt.strftime(_TIME) for theirs, ours in TIMES.items()},
        **{ours: (pl.col(theirs) / HOUR).cast(pl.String) for theirs, ours in HOURS.items()},
        **_days(project),
        "percent": _decimals(pl.when(pl.col("percent").is_between(0, 100)).then("percent")),
        "name": pl.coalesce("name", "code", "id"),
        "_row": pl.coalesce("row", pl.int_range(1, pl.len() + 1, dtype=pl.Int64)),
        "_sheet": pl.lit(project.id),
    }
    made = frame.select(expression.alias(name) for name, expression in columns.items())
    return made.with_columns(pl.struct("project_id", "task", "name").struct.json_encode().alias("_given"))


def _days(project: Project) -> dict[str, pl.Expr]:
    """Days and working days, for those who need no more."""
    per_day = {key: calendar.hours_per_day * HOUR for key, calendar in project.calendars.items()}
    of_calendar = pl.col("calendar").replace_strict(per_day, default=None, return_dtype=pl.Float64)
    days = {ours: _day(pl.col(theirs), at_end=at_end) for theirs, (ours, at_end) in DAYS.items()}
    return days | {
        "start": _day(pl.coalesce("actual_start", "early_start", "planned_start"), at_end=False),
        "finish": _day(pl.coalesce("actual_finish", "early_finish", "planned_finish"), at_end=True),
        "constraint_date": _day(pl.col("constraint_date"), at_end=False),
        "duration_d": _decimals((pl.col("duration_s") / of_calendar).clip(lower_bound=0)),
        "remaining_d": _decimals((pl.col("remaining_s") / of_calendar).clip(lower_bound=0)),
    }


def _day(moment: pl.Expr, *, at_end: bool) -> pl.Expr:
    """The day of a time; midnight at the end of something is the end of the day before."""
    shifted = moment.dt.offset_by("-1us") if at_end else moment
    return shifted.dt.strftime("%Y-%m-%d")


def _decimals(number: pl.Expr) -> pl.Expr:
    """A number with three decimals; none where nothing would be left of it."""
    kept = pl.when((number == 0) | (number.abs() >= _LEAST)).then(number.round(3))
    return kept.cast(pl.String)


def _links(project: Project, names: Mapping[tuple[str, str], str]) -> pl.DataFrame:
    per_day = project.calendars[project.default_calendar].hours_per_day if project.calendars else 8.0
    rows: list[Row] = []
    for number, link in enumerate(project.links.iter_rows(named=True), start=1):
        other = link["pred_project"] or project.id
        lag, percent = link["lag_s"] or 0, link["lag_percent"]
        days = round(lag / (DAY if link["elapsed"] else per_day * HOUR), 3)
        row: Row = {
            "project_id": project.id,
            "pred_project_id": other,
            "pred": names.get((other, link["pred"]), link["pred"]),
            "succ": names.get((project.id, link["succ"]), link["succ"]),
            "type": LINK_TYPES[link["type"]],
            "lag_d": str(days) if days or not lag else None,
            "lag_h": str(lag / HOUR) if percent is None else None,
            "lag_percent": None if percent is None else str(percent),
            "elapsed": _flag(link["elapsed"]),
            "external": _flag(link["external"]),
        }
        given = canonical({name: row[name] for name in ("pred", "succ", "type")})
        rows.append(row | {"_row": link["row"] or number, "_sheet": project.id, "_given": given})
    return _frame(rows)


def _calendars(project: Project) -> Iterator[Row]:
    number = 0
    for key, calendar in sorted(project.calendars.items()):
        if key == ELAPSED:
            continue
        for day, text in _calendar_days(calendar):
            number += 1
            row: Row = {
                "project_id": project.id, "calendar": key, "day": day, "shifts": text, "name": calendar.name,
                "hours_per_day": str(calendar.hours_per_day), "hours_per_week": str(calendar.hours_per_week),
                "hours_per_month": str(calendar.hours_per_month),
            }  # fmt: skip
            yield row | {"_row": number, "_sheet": project.id, "_given": canonical({"calendar": key, "day": day})}


def _calendar_days(calendar: WorkCalendar) -> Iterator[tuple[str, str]]:
    yield from ((day, shifts_text(shifts)) for day, shifts in zip(WEEKDAYS, calendar.week, strict=True))
    yield from ((day.isoformat(), shifts_text(shifts)) for day, shifts in sorted(calendar.exceptions.items()))


def _project(project: Project, number: int) -> list[Row]:
    row: Row = {
        "project_id": project.id, "name": project.name, "tool": project.tool,
        "default_calendar": project.default_calendar or None,
        "critical_float_h": str(project.options.critical_float / HOUR),
    }  # fmt: skip
    for field, (at, day, at_end) in PROJECT_TIMES.items():
        moment = getattr(project, field)
        row[at] = _written(moment)
        if day is not None:
            row[day] = _written_day(moment, at_end=at_end)
    for option in fields(Options):
        if option.name != "critical_float":
            value = getattr(project.options, option.name)
            row[option.name] = _flag(value) if isinstance(value, bool) else str(value)
    given = canonical({"project_id": project.id, "name": project.name})
    return [row | {"_row": number, "_sheet": None, "_given": given}]


def _written(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime(_TIME)


def _written_day(moment: datetime | None, *, at_end: bool) -> str | None:
    frame = pl.DataFrame({"moment": [moment]}, schema={"moment": pl.Datetime("us")})
    text: str | None = frame.select(_day(pl.col("moment"), at_end=at_end)).item()
    return text


def _flag(value: bool | None) -> str | None:
    return None if value is None else str(value).lower()


def _frame(rows: Sequence[Row] | Iterator[Row]) -> pl.DataFrame:
    held = list(rows)
    names = list(dict.fromkeys(name for row in held for name in row)) or ["_row", "_sheet", "_given"]
    schema = {name: pl.Int64() if name == "_row" else pl.String() for name in names}
    return pl.DataFrame({name: [row.get(name) for row in held] for name in names}, schema=schema)
