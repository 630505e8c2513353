"""Section 7c: room of halls by week, the first week one runs out, and the phases behind it.

Belongs here: tables of power, cooling and racks. Does not: how room is judged (``core/block_room.sql``).
"""

from collections import defaultdict
from decimal import Decimal

from reports.build.cells import absent, change, figure, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.text import anchor
from reports.wording import plural, quantity, short_day, signed

_SHOWN = (0, 1, 2, 3, 4, 6, 8, 10, 13, 26)
"""Weeks ahead that have a column."""
_RESOURCES = ("power", "cooling", "racks")
_NOTE = "kW, or racks: what is ready less what is planned in the hall by the end of that week; not known is never zero."


def hall_blocks(week: Week) -> list[Block]:
    """Return the tables of 7c; without the dataset that is said and nothing else."""
    if not week.warehouse.delivered("facility_capacity"):
        return list(absent("facility_capacity"))
    return [*_headroom(week), *_runouts(week), _phases(week)]


def _headroom(week: Week) -> list[Block]:
    series: dict[tuple[str, str, str], dict[int, Record]] = defaultdict(dict)
    for row in week.rows("mart.site_headroom"):
        series[row.text("site_id"), row.text("hall"), row.text("resource")][row.count("week_no")] = row
    used = {key[:2] for key, weeks in series.items() if any(row.count("blocks") for row in weeks.values())}
    shown = sorted((k for k in series if k[:2] in used), key=lambda k: (k[0], k[1], _RESOURCES.index(k[2])))
    if not shown:
        return []
    ends = series[shown[0]]
    heads = ("Hall", "Of", ">Ready now", *(f">{_head(ends[number], number)}" for number in _SHOWN))
    rows = (_series(key, series[key]) for key in shown)
    title = f"7c Site: headroom of {plural(len(used), 'hall')} by week against the design load planned in it"
    return [table("S7c-headroom", title, heads, rows, cap=90, of=len(shown), note=_NOTE)]


def _head(row: Record, number: int) -> str:
    return "Headroom now#hall_headroom" if number == 0 else short_day(row.day("week_end"))


def _series(key: tuple[str, str, str], weeks: dict[int, Record]) -> tuple[Cell, ...]:
    site, hall, resource = key
    return (
        words(f"{site} {hall}"),
        words(resource),
        figure(weeks[0].number("ready")),
        *(_left(weeks[number]) for number in _SHOWN),
    )


def _left(row: Record) -> Cell:
    """Headroom in one week; not known where a load or an offer is not stated, and at most where only loads are not."""
    left = row.number("headroom")
    silent = row.count("unknown_loads") + row.count("silent_phases")
    if left is None:
        return Cell("not known", None, "grey", note=f"{silent} not stated")
    status = "short" if left < 0 else ""
    note = "at most" if silent else ""
    ahead = row.number("headroom_forecast")
    if ahead is not None and left < 0 <= ahead:
        note = f"as forecast {signed(ahead)}"
    return Cell(quantity(left), left, "red" if status else "", note=note)


def _runouts(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.hall_runouts"), key=_first)
    if not rows:
        return [Paragraph("No hall whose load and offer are known runs out of power, cooling or racks within a year.")]
    heads = ("Hall", "Runs out of", "In the week to", ">Ready", ">Planned", ">Short", "No room for", "Covered again",
             "As forecast")  # fmt: skip
    cells = (
        (
            words(f"{r.text('site_id')} {r.text('hall')}"),
            words(r.text("resource")),
            when(r.day("week_end")),
            *(figure(r.number(name)) for name in ("ready", "load", "short")),
            words(r.text("pushed_by")),
            when(r.day("covered_on")) if r.day("covered_on") else words("not within a year"),
            when(r.day("forecast_week")) if r.day("forecast_week") else words("does not run out"),
        )
        for r in rows
    )
    title = f"{plural(len(rows), 'shortage')} of power, cooling or racks in halls, first week first"
    return [table("S7c-runouts", title, heads, cells, cap=40, of=len(rows))]


def _first(row: Record) -> tuple[str, str, str, int]:
    order = _RESOURCES.index(row.text("resource"))
    return str(row.day("week_end")), row.text("site_id"), row.text("hall"), order


def _phases(week: Week) -> Block:
    rows = sorted(
        week.rows("stg.facility_capacity"), key=lambda r: (r.text("site_id"), r.text("hall"), r.text("phase"))
    )
    heads = ("Site", "Hall", "Phase", ">kW contracted", ">kW energised", ">Cooling kW", ">Racks", "Planned ready",
             "Actual ready", ">Late")  # fmt: skip
    cells = (
        (
            words(r.text("site_id")),
            words(r.text("hall")),
            words(r.text("phase")),
            figure(r.number("kw_contracted")),
            figure(r.number("kw_energised")),
            figure(_cooling(r)),
            figure(r.whole("racks")),
            when(r.day("planned_ready")),
            when(r.day("actual_ready")),
            change(_late_days(week, r), " d"),
        )
        for r in rows
    )
    return table(anchor("S7c", "site"), "7c Site: power and readiness", heads, cells, cap=60, of=len(rows))


def _cooling(row: Record) -> Decimal | None:
    given = [kw for name in ("air_kw", "liquid_kw") if (kw := row.number(name)) is not None]
    return sum(given, Decimal(0)) if given else None


def _late_days(week: Week, row: Record) -> int | None:
    planned, ready = row.day("planned_ready"), row.day("actual_ready") or week.as_of
    return max(0, (ready - planned).days) if planned and ready else None
