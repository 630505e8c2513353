"""Links from rows of ``activity_links``.

Belongs here: what a row says of its link, and links whose tasks are not there. Does not: activities.
"""

from __future__ import annotations

import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.columns import project_qualified
from turnup.schedule.model import DAY, HOUR, LINK, LINK_TYPES, WorkCalendar


def links_of(
    project: str,
    rows: pl.DataFrame | None,
    activities: pl.DataFrame,
    all_tasks: pl.DataFrame,
    calendar: WorkCalendar,
) -> tuple[pl.DataFrame, list[Finding]]:
    """The links of a project.

    Args:
        project: its id.
        rows: its rows of the dataset.
        activities: its activities, by whose ``_key`` tasks are named.
        all_tasks: the tasks of all projects, for links between them.
        calendar: its own calendar; a lag in days counts its hours.
    """
    if rows is None:
        return pl.DataFrame(schema=LINK), []
    given = _whole(rows, project)
    ids = _ids(all_tasks)
    found = given.join(ids, left_on=["pred_project_id", "_pred"], right_on=["_project", "_key"], how="left",
                       maintain_order="left").rename({"_id": "_before"})  # fmt: skip
    found = found.join(ids, left_on=["project_id", "_succ"], right_on=["_project", "_key"], how="left",
                       maintain_order="left").rename({"_id": "_after"})  # fmt: skip
    lost = found.filter(pl.col("_after").is_null())
    kept = found.filter(pl.col("_after").is_not_null())
    per_day = pl.when("_elapsed").then(DAY).otherwise(calendar.hours_per_day * HOUR)
    lag = pl.coalesce(pl.col("_hours") * HOUR, pl.col("_days") * per_day, 0.0).round().cast(pl.Int64)
    external = pl.col("_before").is_null()
    links = kept.select(
        pred=pl.coalesce("_before", "pred"),
        succ="_after",
        type=pl.col("type").replace_strict(LINK_TYPES, range(4), default=0, return_dtype=pl.Int8),
        lag_s=pl.when(pl.col("_percent").is_null()).then(lag).otherwise(0),
        elapsed="_elapsed",
        lag_percent="_percent",
        pred_project=pl.when(pl.col("pred_project_id") != project).then("pred_project_id"),
        external=external,
        row="_row",
    )
    return links.cast(pl.Schema(LINK)), [*_lost(lost, "succ"), *_lost(kept.filter(external & ~pl.col("_told")), "pred")]


def _whole(rows: pl.DataFrame, project: str) -> pl.DataFrame:
    """The rows with every column that is read, typed, and the keys by which tasks are named."""

    def column(name: str, kind: pl.DataType) -> pl.Expr:
        return pl.col(name).cast(kind) if name in rows.columns else pl.lit(None, kind)

    number, text = pl.Float64(), pl.String()
    return rows.with_columns(
        pred_project_id=column("pred_project_id", text).fill_null(project),
        type=column("type", text).fill_null("FS"),
        _row=column("_row", pl.Int64()),
        _pred=_key(rows, "pred"),
        _succ=_key(rows, "succ"),
        _days=column("lag_d", number),
        _hours=column("lag_h", number),
        _percent=column("lag_percent", number),
        _elapsed=column("elapsed", pl.Boolean()).fill_null(value=False),
        _told=column("external", pl.Boolean()).fill_null(value=False),
    )


def _ids(tasks: pl.DataFrame) -> pl.DataFrame:
    """Project, key and id of every task."""
    rows = tasks.select(_project="project_id", _key=_key(tasks, "task"), _task="task")
    ids = [project_qualified(project, task) for project, _, task in rows.rows()]
    return rows.with_columns(pl.Series("_id", ids, pl.String)).drop("_task").unique(["_project", "_key"], keep="first")


def _key(frame: pl.DataFrame, name: str) -> pl.Expr:
    """The form in which tasks compare: as the warehouse has it, else folded here."""
    folded = pl.col(name).str.strip_chars().str.to_lowercase()
    return pl.coalesce(f"{name}_key", folded) if f"{name}_key" in frame.columns else folded


def _lost(links: pl.DataFrame, side: str) -> list[Finding]:
    what = "before it holds nothing back" if side == "pred" else "after it is left out"
    return [
        Finding("link_without_task", "warning", row, side, task, f"task {task} is not in the schedule; the link {what}")
        for row, task in links.select("_row", side).rows()
    ]
