"""Links of projects as rows of their activities, with lags in seconds and the calendar that each lag counts on.

Belongs here: what a link means and which ones cannot be used. Does not: order or dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.formats.model import Finding
from turnup.schedule.model import LINK_TYPES
from turnup.schedule.summaries import links_of_leaves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.calendars import Numbered
    from turnup.schedule.model import Project


def resolved_links(
    projects: Sequence[Project], activities: pl.DataFrame, numbers: Numbered
) -> tuple[pl.DataFrame, list[Finding]]:
    """Links by rows of ``activities``: ``pred``, ``succ``, ``type``, ``lag``, ``lag_calendar``, ``row``.

    Links of summaries are those of the activities that they stand for. A lag in percent is one of the predecessor's
    duration. Links with an end that is not in the file are findings.
    """
    rows = activities.select("id", "duration_s", "_calendar", _row=pl.int_range(pl.len(), dtype=pl.Int64))
    rows = rows.unique("id", keep="first", maintain_order=True)
    given = pl.concat(_given(projects, numbers)).join(
        rows.rename({"id": "pred", "_row": "_pred"}), on="pred", how="left", maintain_order="left"
    )
    given = given.join(rows.select(succ="id", _succ="_row"), on="succ", how="left", maintain_order="left")
    lost = given.filter(pl.any_horizontal(pl.col("_pred", "_succ").is_null()))
    percent = (pl.col("lag_percent") * pl.col("duration_s") / 100).round().cast(pl.Int64)
    kept = given.drop_nulls(["_pred", "_succ"]).select(
        "row", "type", "elapsed", "_rule", "_default", pred="_pred", succ="_succ",
        lag=pl.coalesce(percent, "lag_s", pl.lit(0)),
    )  # fmt: skip
    spread = links_of_leaves(activities, kept)
    calendar = activities["_calendar"]
    lag_calendar = (
        pl.when(pl.col("elapsed").fill_null(value=False) | (pl.col("_rule") == "elapsed"))
        .then(numbers.elapsed)
        .when(pl.col("_rule") == "successor")
        .then(calendar.gather(spread["succ"]))
        .when(pl.col("_rule") == "project")
        .then("_default")
        .otherwise(calendar.gather(spread["pred"]))
    )
    links = spread.select("pred", "succ", "type", "lag", lag_calendar.cast(pl.Int32).alias("lag_calendar"), "row")
    return links, [_finding(link) for link in lost.iter_rows(named=True)]


def _given(projects: Sequence[Project], numbers: Numbered) -> list[pl.DataFrame]:
    return [
        project.links.with_columns(
            _project=pl.lit(project.id),
            _rule=pl.lit(project.options.lag_calendar),
            _default=pl.lit(numbers.defaults[number], dtype=pl.Int32),
        )
        for number, project in enumerate(projects)
    ]


def _finding(link: dict[str, object]) -> Finding:
    """A link that cannot be used: one end lies outside the file, or is nowhere."""
    kind = LINK_TYPES[int(str(link["type"]))]
    missing = link["pred"] if link["_pred"] is None else link["succ"]
    name = f"{link['_project']}: the {kind} link from '{link['pred']}' to '{link['succ']}'"
    row = int(str(link["row"])) if link["row"] is not None else None
    if link["external"]:
        message = f"{name} comes from another project that is not in the file; its stored dates hold"
        return Finding("external_link", "info", row, "pred", str(missing), message)
    message = f"{name} is left out: activity '{missing}' is not in the file"
    return Finding("dangling_link", "warning", row, "pred" if link["_pred"] is None else "succ", str(missing), message)
