"""What resources tell of the activities of a P6 file: assignments, planned cost, and whose calendar drives an activity.

Only resource-dependent activities are worked on the calendars of their resources: each assignment of labour or
equipment that drives dates runs for its units divided by its units per hour, on its resource's calendar, and the
activity ends with the last. A network holds one calendar for an activity, so it gets that of the assignment that takes
the longest.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_tables import P6Tables
from turnup.schedule.model import HOUR, WorkCalendar

DRIVEN = {"id": pl.String(), "resource_calendar": pl.String(), "driven_s": pl.Int64(), "driven_remaining_s": pl.Int64()}
_MATERIAL = ("RT_Mat", "Material")


def loads(tables: P6Tables) -> tuple[pl.DataFrame, list[Finding]]:
    """Assignments and planned cost by activity: ``id``, ``resources``, ``cost`` (assignments and expenses together)."""
    rows, expenses = Cells(tables.table("TASKRSRC"), "TASKRSRC"), Cells(tables.table("PROJCOST"), "PROJCOST")
    parts = [
        pl.DataFrame({"id": cells.frame["task_id"], "n": [n] * cells.frame.height, "cost": cells.number("target_cost")},
                     schema_overrides={"n": pl.Int64, "cost": pl.Float64})
        for cells, n in ((rows, 1), (expenses, 0))
    ]  # fmt: skip
    by_id = pl.concat(parts).group_by("id", maintain_order=True)
    cost = pl.when(pl.col("cost").is_not_null().any()).then(pl.col("cost").sum())
    return by_id.agg(pl.col("n").sum().alias("resources"), cost.alias("cost")), [*rows.findings, *expenses.findings]


def tells_resources(tables: P6Tables) -> bool:
    """Whether the file tells of resources at all; without its tables nothing is known of assignments."""
    return tables.has("TASKRSRC") or tables.has("RSRC")


def driven(tables: P6Tables, calendars: Mapping[str, WorkCalendar]) -> pl.DataFrame:
    """For activities with driving assignments: calendar of the longest one, its planned and remaining seconds.

    Assignments are compared in weeks of their calendars; equal ones by the file's order.
    """
    cells = Cells(tables.table("TASKRSRC"), "TASKRSRC")
    resources = tables.table("RSRC").select("rsrc_id", "clndr_id", own_type="rsrc_type").unique("rsrc_id", keep="first")
    hours = {key: _weekly(calendar) for key, calendar in calendars.items()}
    frame = cells.frame.select("task_id", "rsrc_id", "rsrc_type").with_columns(
        drives=cells.flag("rollup_dates_flag").fill_null(value=True),
        driven_s=_span(cells, "target_qty", "target_qty_per_hr"),
        driven_remaining_s=_span(cells, "remain_qty", "remain_qty_per_hr"),
    )
    joined = frame.join(resources, on="rsrc_id", how="inner", maintain_order="left").filter(
        pl.col("drives"),
        ~pl.coalesce("rsrc_type", "own_type").fill_null("").is_in(_MATERIAL),
        pl.col("clndr_id").is_in(list(calendars)),
    )
    weekly = pl.col("clndr_id").replace_strict(hours, default=None, return_dtype=pl.Float64)
    longest = pl.max_horizontal("driven_remaining_s", "driven_s") / weekly
    ordered = joined.with_columns(weeks=longest.fill_null(0.0).round(9)).sort(
        "weeks", descending=True, maintain_order=True
    )
    first = ordered.unique("task_id", keep="first", maintain_order=True)
    return first.select(
        id="task_id", resource_calendar="clndr_id", driven_s="driven_s", driven_remaining_s="driven_remaining_s"
    )


def _span(cells: Cells, quantity: str, rate: str) -> pl.Series:
    hours = cells.number(quantity) / cells.number(rate)
    return (hours.set(~hours.is_finite(), None) * HOUR).round().cast(pl.Int64, strict=False)


def _weekly(calendar: WorkCalendar) -> float:
    return float(sum(ends - begins for day in calendar.week for begins, ends in day)) or 1.0
