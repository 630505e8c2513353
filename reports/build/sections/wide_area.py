"""Section 7a beyond its criteria: region pairs and what relieves them, and cloud interconnects from both sides.

Belongs here: tables of the wide area network. Does not: how its figures come about (``turnup.network``).
"""

from collections import defaultdict
from itertools import pairwise

from reports.build.cells import figure, system, table, when, words
from reports.build.warehouse import Record
from reports.build.week import Week
from reports.models.common import Block, Cell
from reports.wording import plural, signed

Pair = tuple[str, str]
_ORDER = ("no path", "short", "short at N-1", "N-1 unknown", "no demand known", "covered to mid", "covered")
_OF_A_PAIR = "Each pair alone: pairs at the same time share circuits. A planned circuit counts from its expected week."
_REDUNDANT = {
    "locations": "two locations",
    "devices": "two devices, one location",
    "none": "none",
    "unknown": "not known",
}


def wide_area_blocks(week: Week) -> list[Block]:
    """Return the tables of region pairs, coming weeks, relief and interconnects; none where nothing was delivered."""
    rows = list(week.rows("mart.wan_pairs"))
    return [*_pairs(week, rows), *_changes(rows), *_relief(week), *_interconnects(week)]


def _pair(row: Record) -> Pair:
    return row.text("region_a"), row.text("region_b")


def _rank(row: Record) -> tuple[int, Pair]:
    state = row.text("state")
    return _ORDER.index(state) if state in _ORDER else 0, _pair(row)


def _pairs(week: Week, rows: list[Record]) -> list[Block]:
    present = sorted((row for row in rows if row.count("week_no") == 0), key=_rank)
    if not present:
        return []
    relief: dict[Pair, Record] = {}
    for row in sorted(week.rows("mart.wan_relief"), key=lambda r: (r.whole("week_no") is None, r.count("week_no"))):
        relief.setdefault(_pair(row), row)
    heads = ("Regions", ">Capacity#wan_capacity", ">N-1#wan_n1_capacity", "Worst failure", ">Paths#separate_paths",
             ">Best", ">Second#second_path", ">Demand", "State", "Next relief")  # fmt: skip
    cells = (_pair_row(row, relief.get(_pair(row))) for row in present)
    short = sum(row.text("state") in _ORDER[:4] for row in present)
    title = f"{plural(len(present), 'region pair')}, Gbit/s: {short} not covered at N-1"
    return [table("S7a-pairs", title, heads, cells, cap=40, of=len(present), note=_OF_A_PAIR)]


def _pair_row(row: Record, relief: Record | None) -> tuple[Cell, ...]:
    best, second = row.number("best_ms"), row.number("second_ms")
    return (
        words(" - ".join(_pair(row)), note=row.text("bound_by") and f"bound by {row.text('bound_by')}"),
        figure(row.number("capacity_gbps")),
        _n1(row),
        words(row.text("worst_failure"), note=row.text("n1_bound_by") and f"leaves {row.text('n1_bound_by')}"),
        figure(row.whole("separate_paths")),
        figure(best, suffix=" ms"),
        figure(second, suffix=" ms"),
        figure(row.number("demand_mid")),
        words(row.text("state")),
        words(_gain(relief) if relief else "none planned"),
    )


def _n1(row: Record) -> Cell:
    """What is left after the worst failure; its bounds where missing spans leave it open."""
    if row.has("n1_gbps"):
        return figure(row.number("n1_gbps"))
    least, most = figure(row.number("n1_least_gbps")), figure(row.number("n1_most_gbps"))
    return Cell(f"{least.text} to {most.text}", row.number("n1_least_gbps"), note="spans are missing")


def _gain(row: Record) -> str:
    added = f"{signed(row.number('capacity_gain_gbps'))} / {signed(row.number('n1_gain_gbps'))}"
    return f"{row.text('circuit')} {row.text('in_week') or 'without date'}: {added}"


def _changes(rows: list[Record]) -> list[Block]:
    """The weeks in which a pair changes."""
    by_pair: dict[Pair, list[Record]] = defaultdict(list)
    for row in rows:
        by_pair[_pair(row)].append(row)
    changed = []
    for series in by_pair.values():
        ordered = sorted(series, key=lambda r: r.count("week_no"))
        changed += [now for before, now in pairwise(ordered) if _said(before) != _said(now)]
    if not changed:
        return []
    changed.sort(key=lambda r: (r.count("week_no"), _pair(r)))
    heads = ("Week", "Regions", ">Capacity", ">N-1", ">Demand", "State")
    cells = (
        (
            words(r.text("in_week")),
            words(" - ".join(_pair(r))),
            figure(r.number("capacity_gbps")),
            _n1(r),
            figure(r.number("demand_mid")),
            words(r.text("state")),
        )
        for r in changed
    )
    return [table("S7a-weeks", "Region pairs ahead: weeks in which one changes", heads, cells, cap=40, of=len(changed))]


def _said(row: Record) -> tuple[object, ...]:
    rates = (row.number(name) for name in ("capacity_gbps", "n1_least_gbps", "n1_most_gbps"))
    return *rates, row.text("state")


def _relief(week: Week) -> list[Block]:
    rows = list(week.rows("mart.wan_relief"))
    if not rows:
        return []
    rows.sort(key=lambda r: (r.whole("week_no") is None, r.count("week_no"), r.text("circuit"), _pair(r)))
    heads = ("Circuit", "Expected", "Regions", ">Adds", ">Adds at N-1", "Relieves", "Needs")
    cells = (
        (
            words(r.text("circuit")),
            when(r.day("expected")) if r.day("expected") else words("no date"),
            words(" - ".join(_pair(r))),
            figure(r.number("capacity_gain_gbps")),
            figure(r.number("n1_gain_gbps")),
            words(r.text("bottleneck") or "no path", note=r.text("failure") and f"without {r.text('failure')}"),
            words(r.text("needs")),
        )
        for r in rows
    )
    return [table("S7a-relief", "Planned circuits and what they relieve, Gbit/s", heads, cells, cap=30, of=len(rows))]


def _interconnects(week: Week) -> list[Block]:
    rows = sorted(week.rows("mart.interconnects"), key=lambda r: r.text("system_id"))
    if not rows:
        return []
    heads = ("System", ">Circuits", ">Gbit/s", ">Customer side", ">Provider side", ">Both", ">In service",
             "Redundancy#redundancy", ">BGP up", "Not ready")  # fmt: skip
    cells = (
        (
            system(r.text("system_id")),
            figure(r.whole("circuits"), suffix="" if r.count("reported") else " (no report)"),
            *(
                figure(r.number(name))
                for name in ("gbps", "customer_gbps", "provider_gbps", "both_sides_gbps", "in_service_gbps")
            ),
            words(_REDUNDANT.get(r.text("redundancy"), r.text("redundancy"))),
            words(f"{r.count('sessions_up')} of {r.count('sessions')}" if r.count("sessions") else ""),
            words(r.text("not_ready")),
        )
        for r in rows
    )
    return [table("S7a-interconnects", "Cloud interconnects from both sides", heads, cells, cap=40, of=len(rows))]
