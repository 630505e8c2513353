"""A small writer of XER texts: tables as lists of rows, each row a mapping of column to cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Row = Mapping[str, object]
HEADER = "ERMHDR\t20.12\t2026-01-05\tProject\tplanner\tPlanner\tdb\tProject Management\tUSD"
WEEK = "".join(
    f"(0||{day}()({'' if day in (1, 7) else '(0||0(s|08:00|f|12:00)())(0||1(s|13:00|f|17:00)())'}))"
    for day in range(1, 8)
)
CALENDAR = {
    "clndr_id": "1", "clndr_name": "Five days", "default_flag": "Y", "clndr_type": "CA_Base", "day_hr_cnt": "8",
    "week_hr_cnt": "40", "month_hr_cnt": "172", "clndr_data": f"(0||CalendarData()((0||DaysOfWeek()({WEEK}))))",
}  # fmt: skip
PROJECT = {
    "proj_id": "10", "proj_short_name": "HALL", "clndr_id": "1", "last_recalc_date": "2026-01-05 08:00",
    "plan_start_date": "2026-01-05 08:00",
}  # fmt: skip
TASK = {
    "task_id": "100", "proj_id": "10", "clndr_id": "1", "task_code": "A100", "task_name": "Pour slab",
    "task_type": "TT_Task", "status_code": "TK_NotStart", "complete_pct_type": "CP_Drtn", "target_drtn_hr_cnt": "40",
    "remain_drtn_hr_cnt": "40",
}  # fmt: skip


def xer(ends: str = "\r\n", **tables: Sequence[Row]) -> str:
    """The text of a file; columns stand in the order in which rows name them, None is an empty cell."""
    lines = [HEADER]
    for name, rows in tables.items():
        columns = list(dict.fromkeys(column for row in rows for column in row))
        lines += [f"%T\t{name}", "\t".join(["%F", *columns])]
        lines += ["\t".join(["%R", *("" if row.get(column) is None else str(row[column]) for column in columns)])
                  for row in rows]  # fmt: skip
    return ends.join([*lines, "%E", ""])


def task(number: int, **cells: object) -> dict[str, object]:
    """An activity A<number> with id <number>."""
    return {**TASK, "task_id": str(number), "task_code": f"A{number}", **cells}


def link(pred: int, succ: int, **cells: object) -> dict[str, object]:
    """A link without lag, finish to start, within the project."""
    return {
        "task_pred_id": f"{pred}{succ}", "task_id": str(succ), "pred_task_id": str(pred), "proj_id": "10",
        "pred_proj_id": "10", "pred_type": "PR_FS", "lag_hr_cnt": "0", **cells,
    }  # fmt: skip


def small(ends: str = "\r\n", project: Row = PROJECT, calendar: Row = CALENDAR, **tables: Sequence[Row]) -> bytes:
    """A file of one project, in cp1252, with one calendar unless the tables say otherwise."""
    given = {"PROJECT": [project], "CALENDAR": [calendar], "TASK": [TASK]} | tables
    return xer(ends, **given).encode("cp1252")
