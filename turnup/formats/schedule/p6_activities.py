"""Activities of a P6 file in the columns of ``turnup.schedule.model.ACTIVITY``, for all its projects together.

``target_*`` are planned dates, not a baseline: baseline columns stay null here.
"""

from __future__ import annotations

import polars as pl

from turnup.formats.model import Finding
from turnup.formats.schedule.p6_cells import Cells
from turnup.formats.schedule.p6_codes import codes
from turnup.formats.schedule.p6_resources import loads, tells_resources
from turnup.formats.schedule.p6_tables import ROW, P6Tables
from turnup.formats.schedule.p6_words import CONSTRAINTS, KINDS, PERCENTS, STATUSES
from turnup.schedule.model import ACTIVITY

_INSTANTS = {
    "actual_start": "act_start_date", "actual_finish": "act_end_date", "suspend": "suspend_date",
    "resume": "resume_date", "constraint_date": "cstr_date", "constraint_2_date": "cstr_date2",
    "expected_finish": "expect_end_date", "external_early": "external_early_start_date",
    "external_late": "external_late_end_date", "planned_start": "target_start_date",
    "planned_finish": "target_end_date", "early_start": "early_start_date", "early_finish": "early_end_date",
    "late_start": "late_start_date", "late_finish": "late_end_date",
}  # fmt: skip
_SECONDS = {
    "duration_s": "target_drtn_hr_cnt", "remaining_s": "remain_drtn_hr_cnt", "total_float_s": "total_float_hr_cnt",
    "free_float_s": "free_float_hr_cnt",
}  # fmt: skip


def activities(tables: P6Tables) -> tuple[pl.DataFrame, list[Finding]]:
    """The columns ACTIVITY and ``project`` (its proj_id); ``calendar`` as the file has it, ``critical`` not decided."""
    cells = Cells(tables.table("TASK"), "TASK")
    raw = cells.frame
    columns = {name: cells.instant(column) for name, column in _INSTANTS.items()}
    columns |= {name: cells.seconds(column) for name, column in _SECONDS.items()}
    columns |= {
        "id": raw["task_id"], "project": raw["proj_id"], "calendar": raw["clndr_id"], "row": raw[ROW],
        "code": cells.text("task_code"), "name": cells.text("task_name"),
        "kind": cells.word("task_type", KINDS), "status": cells.word("status_code", STATUSES),
        "constraint": cells.word("cstr_type", CONSTRAINTS), "constraint_2": cells.word("cstr_type2", CONSTRAINTS),
        "longest_path": cells.flag("driving_path_flag"),
    }  # fmt: skip
    frame = pl.DataFrame(columns).with_columns(
        _status(), pl.col("kind").fill_null("task"), manual=pl.lit(value=False), rolling_wave=pl.lit(value=False),
        percent=_percent(cells, columns),
    )  # fmt: skip
    frame = frame.with_columns(pl.col("code").fill_null(pl.col("id")), pl.col("name").fill_null(""))
    named, found = _with_people(frame, tables, raw)
    frame, odd = _constraints(_with_wbs(named, tables, raw))
    frame = frame.join(codes(tables), on="id", how="left", maintain_order="left")
    missing = [pl.lit(None, dtype).alias(name) for name, dtype in ACTIVITY.items() if name not in frame.columns]
    whole = frame.with_columns(missing).select("project", *ACTIVITY)
    return whole, [*cells.findings, *found, *odd, *_contradictions(whole)]


def _status() -> pl.Expr:
    """Where the file says nothing of the status, the actual dates do."""
    by_dates = (
        pl.when(pl.col("actual_finish").is_not_null()).then(pl.lit("completed"))
        .when(pl.col("actual_start").is_not_null()).then(pl.lit("in_progress"))
        .otherwise(pl.lit("not_started"))
    )  # fmt: skip
    return pl.col("status").fill_null(by_dates)


def _contradictions(frame: pl.DataFrame) -> list[Finding]:
    """Activities whose status and actual dates disagree; both are kept as they are."""
    begun, done = pl.col("actual_start").is_not_null(), pl.col("actual_finish").is_not_null()
    found = []
    for odd, what in (
        ((pl.col("status") == "completed") & ~done, "are completed without an actual finish"),
        ((pl.col("status") == "in_progress") & (~begun | done), "are in progress without a start, or with a finish"),
        ((pl.col("status") == "not_started") & (begun | done), "are not started and have actual dates"),
    ):
        rows = frame.filter(odd)
        if rows.height:
            row, code, status = rows.row(0, named=True)["row"], rows["code"][0], rows["status"][0]
            message = f"{rows.height} activities {what} (first {code}, row {row})"
            found.append(Finding("status_contradiction", "warning", row, "status_code", status, message))
    return found


def _percent(cells: Cells, columns: dict[str, pl.Series]) -> pl.Series:
    """Percent complete of the activity's own kind; an empty kind means duration, as P6 presets it.

    Duration: share of the planned duration that does not remain. Units: actual of actual and remaining units, labour
    and other together.
    """
    frame = pl.DataFrame({
        "kind": cells.word("complete_pct_type", PERCENTS), "status": columns["status"],
        "physical": cells.number("phys_complete_pct"), "planned": columns["duration_s"],
        "remaining": columns["remaining_s"],
        **{name: cells.number(f"{name}_qty") for name in ("act_work", "act_equip", "remain_work", "remain_equip")},
    })  # fmt: skip
    done = pl.sum_horizontal("act_work", "act_equip")
    whole = pl.sum_horizontal("act_work", "act_equip", "remain_work", "remain_equip")
    by_duration = (
        pl.when(pl.col("planned") > 0).then(100 * (1 - pl.col("remaining") / pl.col("planned")).clip(0, 1))
        .when(pl.col("planned").is_not_null()).then(0.0)
    )  # fmt: skip
    percent = (
        pl.when(pl.col("kind").is_in(["physical", "scope"])).then("physical")
        .when(pl.col("status") == "completed").then(100.0)
        .when(pl.col("kind") == "units").then(pl.when(whole > 0).then(100 * done / whole).otherwise(0.0))
        .otherwise(by_duration)
    )  # fmt: skip
    return frame.select(percent.alias("percent"))["percent"]


def _constraints(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Constraints with their date; one without a date it needs cannot hold and is a finding."""
    findings = []
    for name in ("constraint", "constraint_2"):
        undated = (pl.col(name) != "as_late_as_possible") & pl.col(f"{name}_date").is_null()
        for code, word, row in frame.filter(undated).select("code", name, "row").iter_rows():
            message = f"activity {code}: constraint {word} has no date and is left out"
            findings.append(Finding("constraint_without_date", "warning", row, "cstr_date", word, message))
        frame = frame.with_columns(pl.when(~undated.fill_null(value=False)).then(pl.col(name)).alias(name))
        dated = pl.col(name).is_not_null() & (pl.col(name) != "as_late_as_possible")
        frame = frame.with_columns(pl.when(dated).then(pl.col(f"{name}_date")).alias(f"{name}_date"))
    return frame, findings


def _with_people(frame: pl.DataFrame, tables: P6Tables, raw: pl.DataFrame) -> tuple[pl.DataFrame, list[Finding]]:
    """Owner is the primary resource; assignments and cost are null where the file tells nothing of resources."""
    load, findings = loads(tables)
    people = Cells(tables.table("RSRC"), "RSRC")
    names = pl.DataFrame({"_resource": people.frame["rsrc_id"], "owner": people.text("rsrc_name")}).unique("_resource")
    frame = frame.with_columns(raw["rsrc_id"].alias("_resource"))
    frame = frame.join(load, on="id", how="left", maintain_order="left")
    frame = frame.join(names, on="_resource", how="left", maintain_order="left")
    if tells_resources(tables):
        frame = frame.with_columns(pl.col("resources").fill_null(0))
    return frame, findings


def _with_wbs(frame: pl.DataFrame, tables: P6Tables, raw: pl.DataFrame) -> pl.DataFrame:
    """WBS path of short names, and the WBS summary activity over each activity."""
    nodes = {
        row[0]: row[1:] for row in tables.table("PROJWBS").select("wbs_id", "parent_wbs_id", "wbs_short_name").rows()
    }
    sign = tables.table("PROJECT")["name_sep_char"].drop_nulls()
    separator = sign[0] if sign.len() else "."
    lines = {node: _line(node, nodes) for node in nodes}
    paths = {node: separator.join(nodes[each][1] or "" for each in reversed(line)) for node, line in lines.items()}
    frame = frame.with_columns(raw["wbs_id"].alias("_node"))
    summaries = frame.filter(pl.col("kind") == "summary").select("_node", "id").unique("_node", keep="first")
    over = dict(summaries.rows())
    holders = {node: [over[each] for each in line if each in over] for node, line in lines.items()}
    first = {node: held[0] for node, held in holders.items() if held}
    second = {node: held[1] for node, held in holders.items() if len(held) > 1}
    parent = pl.col("_node").replace_strict(first, default=None, return_dtype=pl.String)
    above = pl.col("_node").replace_strict(second, default=None, return_dtype=pl.String)
    return frame.with_columns(
        wbs=pl.col("_node").replace_strict(paths, default=None, return_dtype=pl.String),
        parent=pl.when(parent == pl.col("id")).then(above).otherwise(parent),
    )


def _line(node: str, nodes: dict[str, tuple[str | None, str | None]]) -> list[str]:
    """A WBS node and those above it, innermost first; a loop in the file ends it."""
    line: list[str] = []
    current: str | None = node
    while current in nodes and current not in line:
        line.append(current)
        current = nodes[current][0]
    return line
