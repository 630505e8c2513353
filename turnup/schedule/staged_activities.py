"""Activities from rows of ``activities``.

Belongs here: what a row says, and what follows where it says less: days for times, progress for what remains. Does not:
links and calendars.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache

import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.columns import DAYS, HOURS, PLAIN, TIMES, project_qualified
from turnup.schedule.model import ACTIVITY, ELAPSED, HOUR, WorkCalendar
from turnup.schedule.shifts import begin_of, end_of
from turnup.schedule.words import constraint_of, kind_of, state_of

_CONSTRAINTS = ("constraint", "constraint_2")


def activities_of(
    project: str, rows: pl.DataFrame, calendars: Mapping[str, WorkCalendar], default: str
) -> tuple[pl.DataFrame, list[Finding]]:
    """The activities of a project; a kind that no row gives stays empty.

    Args:
        project: its id.
        rows: its rows of the dataset.
        calendars: its calendars by key.
        default: the key of its own calendar.
    """
    whole = _whole(rows)
    frame = whole.with_columns(
        id=_ids(project, whole["task"]),
        parent=_ids(project, whole["parent_task"]),
        code=pl.coalesce("display_code", "task"),
        row=pl.col("_row"),
        calendar=_calendar_keys(whole["calendar"], calendars, default),
        **{ours: pl.col(theirs) for ours, theirs in PLAIN.items() if ours not in (*_CONSTRAINTS, "calendar")},
    )
    constraints, findings = _constraints(frame)
    frame = _timed(frame.with_columns(constraints), calendars, default)
    frame = _progressed(_lasting(frame, calendars, default))
    missing = [pl.lit(None, kind).alias(name) for name, kind in ACTIVITY.items() if name not in frame.columns]
    return frame.with_columns(missing).select(*ACTIVITY).cast(pl.Schema(ACTIVITY)), findings


def _whole(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with every column that is read, of one type each."""
    text, number = pl.String(), pl.Float64()
    kinds = {
        **dict.fromkeys(("task", "parent_task", "display_code", *PLAIN.values()), text),
        **dict.fromkeys(("percent", "planned_cost", "duration_d", "remaining_d", *HOURS.values()), number),
        **dict.fromkeys(("keeps_dates", "rolling_wave", "stored_critical", "stored_longest_path"), pl.Boolean()),
        **dict.fromkeys(("assignments", "_row"), pl.Int64()),
        **dict.fromkeys(TIMES.values(), pl.Datetime("us")),
        **dict.fromkeys(("constraint_date", *(day for day, _ in DAYS.values())), pl.Date()),
    }
    columns = [
        (pl.col(name).cast(kind) if name in rows.columns else pl.lit(None, kind)).alias(name)
        for name, kind in kinds.items()
    ]
    return rows.select(columns)


def _ids(project: str, tasks: pl.Series) -> pl.Series:
    ids = [None if task is None else project_qualified(project, task) for task in tasks]
    return pl.Series(tasks.name, ids, pl.String)


def _calendar_keys(names: pl.Series, calendars: Mapping[str, WorkCalendar], default: str) -> pl.Series:
    """Keys of calendars by key or name in any case; an unknown name stays, for the network to tell of it."""
    known = {calendar.name.casefold(): key for key, calendar in calendars.items()}
    known |= {key.casefold(): key for key in calendars}
    keys = [default if name is None else known.get(name.casefold(), name) for name in names]
    return pl.Series("calendar", keys, pl.String)


def _constraints(frame: pl.DataFrame) -> tuple[list[pl.Series], list[Finding]]:
    found, findings = [], []
    for column in _CONSTRAINTS:
        words: list[str | None] = []
        theirs = PLAIN[column]
        for row, text in frame.select("row", theirs).rows():
            try:
                words.append(constraint_of(text))
            except ValueError as error:
                words.append(None)
                findings.append(Finding("constraint", "warning", row, theirs, text, f"{error}; it is left out"))
        found.append(pl.Series(column, words, pl.String))
    return found, findings


def _timed(frame: pl.DataFrame, calendars: Mapping[str, WorkCalendar], default: str) -> pl.DataFrame:
    """Times as given, else the beginning or the end of the working day that is given.

    The one start and finish of a table are planned where nothing else says so; a reader's row has its status and its
    planned dates, and there they are what happened or is computed.
    """
    days = {**DAYS, "constraint_date": ("constraint_date", False)}
    by_reader = frame["status"].is_not_null()
    clocked = []
    for ours, theirs in TIMES.items():
        if ours not in days:
            clocked.append(frame[theirs].alias(ours))
            continue
        day, at_end = days[ours]
        ends = [at_end or (kind or "").find("finish") >= 0 for kind in frame["constraint"]]
        at_ends = ends if ours == "constraint_date" else [at_end] * frame.height
        made = _clocked(frame, day, at_ends, calendars, default)
        made = made.set(by_reader, None) if ours in ("planned_start", "planned_finish") else made
        clocked.append(frame[theirs].fill_null(made).alias(ours))
    return frame.drop(day for day in frame.columns if day in TIMES).with_columns(clocked)


def _clocked(
    frame: pl.DataFrame, day: str, at_ends: list[bool], calendars: Mapping[str, WorkCalendar], default: str
) -> pl.Series:
    @cache
    def moment(key: str, on: date, at_end: bool) -> datetime:
        calendar = calendars.get(key, calendars[default])
        return end_of(calendar, on) if at_end else begin_of(calendar, on)

    pairs = zip(frame["calendar"], frame[day], at_ends, strict=True)
    return pl.Series([None if on is None else moment(key, on, end) for key, on, end in pairs], dtype=pl.Datetime("us"))


def _lasting(frame: pl.DataFrame, calendars: Mapping[str, WorkCalendar], default: str) -> pl.DataFrame:
    """Durations in seconds: of hours where they are given, else of working days of the activity's calendar."""
    hours = {key: calendar.hours_per_day for key, calendar in calendars.items()} | {ELAPSED: 24.0}
    per_day = pl.col("calendar").replace_strict(hours, default=hours[default], return_dtype=pl.Float64) * HOUR
    seconds = {ours: pl.col(theirs) * HOUR for ours, theirs in HOURS.items()}
    seconds["duration_s"] = pl.coalesce(seconds["duration_s"], pl.col("duration_d") * per_day)
    seconds["remaining_s"] = pl.coalesce(seconds["remaining_s"], pl.col("remaining_d") * per_day)
    return frame.with_columns(**{name: each.round().cast(pl.Int64) for name, each in seconds.items()})


def _progressed(frame: pl.DataFrame) -> pl.DataFrame:
    """How far each activity is where only its dates and percentage say it, and what remains of it."""
    states = [state_of(text) for text in frame["status"]]
    kinds = [kind_of(text) for text in frame["kind"]]
    done = pl.col("actual_finish").is_not_null() | (pl.col("percent") >= 100)
    begun = pl.col("actual_start").is_not_null() | (pl.col("percent") > 0)
    by_dates = (
        pl.when(done).then(pl.lit("completed")).when(begun).then(pl.lit("in_progress"))
        .otherwise(pl.lit("not_started"))
    )  # fmt: skip
    frame = frame.with_columns(pl.Series("_told", states, pl.String), pl.Series("kind", kinds, pl.String))
    frame = frame.with_columns(status=pl.coalesce("_told", by_dates))
    started, completed = pl.col("status") != "not_started", pl.col("status") == "completed"
    # Where a table has but one start and one finish, they are the actual ones of what has begun and ended.
    silent = pl.col("_told").is_null()
    share = 1 - pl.col("percent").fill_null(0) / 100
    left = (pl.col("duration_s") * pl.when(pl.col("status") == "not_started").then(1.0).otherwise(share)).round()
    return frame.with_columns(
        actual_start=pl.when(silent & started).then(pl.coalesce("actual_start", "planned_start"))
        .otherwise("actual_start"),
        actual_finish=pl.when(silent & completed).then(pl.coalesce("actual_finish", "planned_finish"))
        .otherwise("actual_finish"),
        remaining_s=pl.when(completed & pl.col("remaining_s").is_null()).then(0)
        .otherwise(pl.coalesce("remaining_s", left.cast(pl.Int64))),
    )  # fmt: skip
