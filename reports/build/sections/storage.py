"""Section 7b beyond its criteria: each storage system against its contract and limits, and its room by week.

Belongs here: tables of storage systems. Does not: what decides readiness (playbooks), or the odds
(``turnup.readiness.forecasting.storage_scaling``).
"""

from collections import defaultdict

from reports.build.caps import most
from reports.build.cells import figure, system, table, when, words
from reports.build.sections.storage_room import room_charts
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell, Paragraph
from reports.text import shorten
from reports.wording import DASH, day, percent, plural, quantity, share, signed

_WEEKS = frozenset({0, 1, 2, 3, 4, 6, 8, 10, 13, 26, 39, 52})
"""Weeks ahead that are always shown; others only where capacity is added or room is lost."""
_SYSTEMS = 40
"""Systems shown, in order of their ids."""


def storage_blocks(week: Week) -> list[Block]:
    """Return tables and charts of storage systems; none where the programme has no storage."""
    rows = sorted(week.rows("mart.storage"), key=lambda r: r.text("system_id"))
    by_system = _weeks(week, rows)
    return [*_systems(rows), *room_charts(rows, by_system), *_plan(by_system), *_silent(rows)] if rows else []


def _systems(rows: list[Record]) -> list[Block]:
    heads = ("System", ">Usable, PB", ">Contracted", ">Short#storage_short", "State", ">Clients", ">Limits passed",
             ">Room now#storage_headroom", "Runs out#run_out", "Not ready because")  # fmt: skip
    waiting = sum(bool(r.text("not_ready")) for r in rows)
    title = f"7b {plural(len(rows), 'storage system')}: {waiting} not ready"
    return [table("S7b-systems", title, heads, (_system_row(r) for r in rows), cap=_SYSTEMS, of=len(rows))]


def _system_row(row: Record) -> tuple[Cell, ...]:
    short = f"{quantity(row.number('short'))} PB" if row.amount("short") else ""
    due = f"{quantity(row.amount('due'))} due now"
    return (
        system(
            row.text("system_id"), f"seen {day(row.day('observed_at'))}" if row.has("observed_at") else "never seen"
        ),
        figure(row.number("usable")),
        Cell(quantity(row.amount("contracted")), row.amount("contracted"), note=due),
        Cell(f"{_percent(row)}" if short else "none" if row.has("usable") else DASH, row.number("short"), note=short),
        words(_state(row)),
        Cell(_clients(row), row.number("client_mounts"), note=row.text("clients_basis")),
        Cell(
            f"{row.count('limits_passed')} of {row.count('limits')}",
            row.number("limits_passed"),
            note=row.text("tests"),
        ),
        figure(row.number("headroom_now")),
        words(_run_out(row), note=row.text("demand_basis")),
        words(shorten(row.text("not_ready"), 220) or "ready"),
    )


def _percent(row: Record) -> str:
    found = row.number("short_share")
    return DASH if found is None else percent(found, type(found)(1))


def _state(row: Record) -> str:
    if not row.has("observed_at"):
        return "no data"
    said = [] if row.flag("fresh") else ["observation too old"]
    said.append("serving" if row.flag("serving") else "not serving")
    spells = [name for name in ("degraded", "rebuilding") if row.flag(name)]
    said += [f"{name} since {day(row.day(f'{name}_since'))}" for name in spells]
    return ", ".join(said)


def _clients(row: Record) -> str:
    mounted = figure(row.whole("client_mounts")).text
    return f"{mounted} of {row.count('clients_expected')}" if row.has("clients_expected") else mounted


def _run_out(row: Record) -> str:
    if row.text("demand_basis") in ("", "no data"):
        return "no data: no demand is known"
    early = f", one in five by {day(row.day('run_out_early'))}" if row.day("run_out_early") else ""
    if row.day("run_out_on"):
        return f"P50 {day(row.day('run_out_on'))}{early}"
    return f"not before {day(row.day('covered_to'))} (odds {share(row.number('odds_run_out'))}){early}"


def _weeks(week: Week, systems: list[Record]) -> dict[str, list[Record]]:
    """Weeks of the systems in the table, and of those that run out first."""
    first = sorted(systems, key=lambda r: (not r.has("run_out_on"), str(r.day("run_out_on") or r.day("covered_to"))))
    names = tuple(sorted({r.text("system_id") for r in (*systems[: most(_SYSTEMS)], *first[: most(_SYSTEMS)])}))
    by_system: dict[str, list[Record]] = defaultdict(list)
    for row in sorted(
        week.rows("mart.storage_outlook", system_id=names), key=lambda r: (r.text("system_id"), r.count("week_no"))
    ):
        by_system[row.text("system_id")].append(row)
    return by_system


def _plan(by_system: dict[str, list[Record]]) -> list[Block]:
    rows = [r for series in by_system.values() if _known(series) for r in _shown(series)]
    if not rows:
        return []
    heads = ("System", "Week to", ">Adds, P50", ">Capacity P50", ">P80", ">Demand", ">Room P50#storage_headroom",
             ">Room P80", ">Odds short", ">Odds run out#run_out")  # fmt: skip
    note = f"The plan of {plural(len(by_system), 'system')}. " if len(by_system) >= _SYSTEMS else ""
    note += "Adds: what half of the runs bring since the week before. P80: at least so much in 80 % of the runs."
    return [
        table(
            "S7b-plan",
            "Scaling plan: capacity and demand by week, PB",
            heads,
            map(_week_row, rows),
            cap=80,
            of=len(rows),
            note=note,
        )
    ]


def _known(series: list[Record]) -> bool:
    return any(row.has("odds_short") for row in series)


def _shown(series: list[Record]) -> list[Record]:
    """The weeks worth a line: those of the calendar, where capacity comes, and where room is first lost."""
    lost = next((r.count("week_no") for r in series if r.has("headroom_p50") and r.amount("headroom_p50") < 0), None)
    return [
        r for r in series if r.has("odds_short") and (r.count("week_no") in _WEEKS | {lost} or r.amount("added_p50"))
    ]


def _week_row(row: Record) -> tuple[Cell, ...]:
    low, high = quantity(row.number("demand_low")), quantity(row.number("demand_high"))
    return (
        system(row.text("system_id")),
        when(row.day("week_end")),
        Cell(signed(row.number("added_p50")) if row.amount("added_p50") else DASH, row.number("added_p50")),
        figure(row.number("capacity_p50")),
        figure(row.number("capacity_p80")),
        Cell(quantity(row.number("demand_mid")), row.number("demand_mid"), note=f"{low} to {high}"),
        _room(row, "headroom_p50"),
        _room(row, "headroom_p80"),
        Cell(share(row.number("odds_short")), row.number("odds_short")),
        Cell(share(row.number("odds_run_out")), row.number("odds_run_out")),
    )


def _room(row: Record, name: str) -> Cell:
    left = row.number(name)
    return Cell(quantity(left), left, "red" if left is not None and left < 0 else "")


def _silent(rows: list[Record]) -> list[Block]:
    without = [r.text("system_id") for r in rows if r.text("demand_basis") in ("", "no data")]
    undated = [f"{quantity(r.number('undated'))} PB of {r.text('system_id')}" for r in rows if r.amount("undated")]
    said = []
    if without:
        said.append(
            Paragraph(f"no data: no demand is known of {', '.join(without)}, so nothing is said of room", "absent")
        )
    if undated:
        said.append(Paragraph(f"Without a forecast date, and so in no week of the plan: {', '.join(undated)}."))
    return list(said)
