"""``turnup explain``: a figure of a week with its definition, its SQL and the rows behind it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pipelines.commands.output import plain
from pipelines.commands.published import published_week
from turnup.programme import Home
from turnup.readiness.explain import explain
from turnup.warehouse.connection import connect

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output

_SHOWN = 40


def explain_metric(folder: Path, metric: str, system: str, week: str, output: Output) -> None:
    """Print definition, formula, SQL, value, last week's value and the rows behind it."""
    home = Home(folder)
    home.load()
    with connect(published_week(home, week), read_only=True) as con:
        found = explain(con, metric, system or None)
        label = con.sql("SELECT week FROM meta.week").fetchall()[0][0]
    output.document({**asdict(found), "system_id": system, "week": label})
    output.line(f"{found.title} ({found.metric}), {found.unit}, week {label}")
    output.line(f"  definition  {found.definition}")
    output.line(f"  formula     {found.formula}")
    for number, line in enumerate(found.sql.splitlines()):
        output.line(f"  {'' if number else 'SQL':<12}{line}")
    output.line(f"  value       {_figure(found.value)}   last week {_figure(found.last_week)}")
    if not found.rows:
        output.line(
            "  evidence    no row is evidence for it; reports show such a quantity as 0, and its criteria as no data"
        )
        return
    rows = [(row.unit_id, row.value, row.dataset, row.file, row.sheet, row.row, row.note) for row in found.rows]
    output.table(
        f"{len(rows)} {'row' if len(rows) == 1 else 'rows'} behind it",
        ("unit", "value", "dataset", "file", "sheet", "row", "note"),
        rows[:_SHOWN],
    )
    if len(rows) > _SHOWN:
        output.line(f"... and {len(rows) - _SHOWN} more; --json prints all")


def _figure(value: Any) -> str:
    return "no data" if value is None else str(plain(value))
