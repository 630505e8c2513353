"""Links of a P6 file in the columns of ``turnup.schedule.model.LINK``, those to projects outside the file included."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_tables import ROW, P6Tables
from turnup.formats.schedule.p6_words import LINKS
from turnup.schedule.model import LINK, LINK_TYPES


def links(tables: P6Tables, tasks: pl.DataFrame, names: Mapping[str, str]) -> tuple[pl.DataFrame, list[Finding]]:
    """The columns LINK and ``project`` (proj_id of the successor; of the predecessor where only it is in the file).

    Args:
        tables: the file.
        tasks: ``id``, ``code`` and ``project`` (proj_id) of the file's activities.
        names: ids of projects by proj_id.
    """
    cells = Cells(tables.table("TASKPRED"), "TASKPRED")
    # Some exports number their link types: PR_FF1, PR_FF2.
    cells.frame = cells.frame.with_columns(pl.col("pred_type").str.replace(r"^(PR_[FS][FS])\d+$", "${1}"))
    # A link between two projects of a file stands with both of them.
    told = pl.col("task_pred_id").is_null() | pl.struct("task_pred_id", "task_id", "pred_task_id").is_first_distinct()
    cells.frame = raw = cells.frame.filter(told)
    frame = pl.DataFrame({
        "pred": raw["pred_task_id"], "succ": raw["task_id"], "row": raw[ROW], "lag_s": cells.seconds("lag_hr_cnt"),
        "type": cells.word("pred_type", LINKS), "_pred_proj": raw["pred_proj_id"], "_succ_proj": raw["proj_id"],
    })  # fmt: skip
    for end in ("pred", "succ"):
        known = tasks.select(
            pl.col("id").alias(end), pl.col("project").alias(f"_{end}_in"), pl.col("code").alias(f"_{end}_code")
        )
        frame = frame.join(known.unique(end, keep="first"), on=end, how="left", maintain_order="left")
    findings = [*cells.findings, *_blanks(frame), *_outside(frame)]
    kept = frame.drop_nulls(["pred", "succ"]).filter(pl.any_horizontal(pl.col("_pred_in", "_succ_in").is_not_null()))
    numbers = {word: number for number, word in enumerate(LINK_TYPES)}
    outside = pl.col("_pred_in").is_null() | pl.col("_succ_in").is_null()
    project = pl.coalesce("_succ_in", "_pred_in")
    other = pl.coalesce("_pred_in", "_pred_proj")
    whole = kept.with_columns(
        project=project,
        type=pl.col("type").fill_null("FS").replace_strict(numbers, return_dtype=pl.Int8),
        lag_s=pl.col("lag_s").fill_null(0),
        elapsed=pl.lit(value=False),
        lag_percent=pl.lit(None, pl.Float64),
        pred_project=pl.when(other != project).then(other.replace_strict(names, default=other, return_dtype=pl.String)),
        external=outside,
    ).select("project", *LINK)
    return whole, findings


def _blanks(frame: pl.DataFrame) -> list[Finding]:
    """Links without a type or a lag: P6 itself reads them as finish to start, and as no lag."""
    found = []
    for column, code, taken in (
        ("type", "link_without_type", "finish to start"),
        ("lag_s", "link_without_lag", "none"),
    ):
        blank = frame.filter(pl.col(column).is_null())
        if blank.height:
            row = int(blank["row"][0])
            message = f"{blank.height} links have no {column.removesuffix('_s')} (first in row {row}): taken as {taken}"
            found.append(Finding(code, "warning", row, column, None, message))
    return found


def _outside(frame: pl.DataFrame) -> list[Finding]:
    """One finding for each link with an end that is not in the file."""
    found = []
    columns = ("row", "pred", "_pred_in", "_pred_code", "_pred_proj", "succ", "_succ_in", "_succ_code", "_succ_proj")
    loose = frame.filter(pl.col("_pred_in").is_null() | pl.col("_succ_in").is_null()).select(columns)
    for row, pred, pred_in, pred_code, pred_proj, succ, succ_in, succ_code, succ_proj in loose.iter_rows():
        if (pred_in is None and succ_in is None) or pred is None or succ is None:
            reason = "an end is empty" if pred is None or succ is None else "neither activity is in the file"
            message = f"link from {pred} to {succ} is left out: {reason}"
            found.append(Finding("link_without_ends", "warning", row, "task_id", succ, message))
        elif pred_in is None:
            message = f"activity {succ_code} follows activity {pred} of project {pred_proj}, which is not in the file"
            found.append(Finding("external_link", "warning", row, "pred_task_id", pred, message))
        else:
            message = f"activity {pred_code} precedes activity {succ} of project {succ_proj}, which is not in the file"
            found.append(Finding("external_link", "warning", row, "task_id", succ, message))
    return found
