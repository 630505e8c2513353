"""Charts of section 7b: capacity against demand of each storage system by week, and when it runs out.

Belongs here: what is drawn. Does not: the tables (``storage``) or the odds (``turnup.readiness.forecasting``).
"""

from collections.abc import Sequence

from reports.build.warehouse import Record
from reports.models.charts import Room, RoomPoint
from reports.text import anchor
from reports.wording import day, quantity

CHARTS = 6
"""Systems that get a chart, those that run out first; the table of weeks has them all."""


def room_charts(systems: Sequence[Record], weeks: dict[str, list[Record]]) -> list[Room]:
    """Return a chart of every storage system whose demand is known, at most ``CHARTS``.

    Args:
        systems: rows of ``mart.storage``.
        weeks: rows of ``mart.storage_outlook`` by system, in order of their weeks.
    """
    known = [row for row in systems if any(week.has("demand_mid") for week in weeks.get(row.text("system_id"), []))]
    known.sort(key=lambda row: (not row.has("run_out_on"), row.day("run_out_on") or row.day("covered_to"),
                                row.text("system_id")))  # fmt: skip
    return [_chart(row, weeks[row.text("system_id")]) for row in known[:CHARTS]]


def _chart(system: Record, weeks: Sequence[Record]) -> Room:
    name, unit = system.text("system_id"), weeks[0].text("unit")
    points = tuple(
        RoomPoint(at, row.amount("capacity_p50"), row.amount("capacity_p80"), row.number("demand_low"),
                  row.number("demand_mid"), row.number("demand_high"))
        for row in weeks if (at := row.day("week_end")) is not None
    )  # fmt: skip
    out = system.day("run_out_on")
    told = (
        f"{name} runs out in the week to {day(out)}" if out else f"{name} has room to {day(system.day('covered_to'))}"
    )
    first, last = points[0], points[-1]
    description = (
        f"Capacity {quantity(first.p50)} {unit} now, {quantity(last.p50)} {unit} by {day(last.day)} in half of the "
        f"runs; demand from {system.text('demand_basis')}, the band is its low to high case."
    )
    return Room(anchor("FIG", "room", name), f"{told} ({unit})", unit, points, out, description)
