"""The network's tables in the warehouse: spans of circuits, region pairs by week, relief.

Belongs here: rows in and rows out. Does not: any rule of the network; circuits and their dates come from
``core.circuit_now``, regions from the register of sites, demand from its curve.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.identity import normal_form
from turnup.network.circuits import Circuit
from turnup.network.outlook import Demand, PairWeek, Relief, Scheduled, outlook
from turnup.network.spans import Route, route_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import duckdb

    from turnup.network.capacity import Pair
    from turnup.network.failures import Failure

WEEKS_AHEAD = 52
"""How far ahead pairs are followed at most; planned circuits beyond still count for relief."""
_LABEL = re.compile(r"(\d{4})-?W(\d{1,2})", re.IGNORECASE)
_RATE, _MS = pl.Decimal(28, 3), pl.Decimal(18, 3)
_PAIRS: dict[str, Any] = {
    "region_a": pl.String, "region_b": pl.String, "in_week": pl.String, "week_no": pl.Int32, "week_end": pl.Date,
    "capacity_gbps": _RATE, "n1_gbps": _RATE, "n1_least_gbps": _RATE, "n1_most_gbps": _RATE, "worst_failure": pl.String,
    "bound_by": pl.String, "n1_bound_by": pl.String, "separate_paths": pl.Int32, "best_ms": _MS, "best_path": pl.String,
    "second_ms": _MS, "second_path": pl.String, "demand_low": _RATE, "demand_mid": _RATE, "demand_high": _RATE,
    "state": pl.String,
}  # fmt: skip
_RELIEF: dict[str, Any] = {
    "region_a": pl.String, "region_b": pl.String, "circuit": pl.String, "in_week": pl.String, "week_no": pl.Int32,
    "expected": pl.Date, "capacity_gain_gbps": _RATE, "n1_gain_gbps": _RATE, "bottleneck": pl.String,
    "failure": pl.String, "needs": pl.String,
}  # fmt: skip
_SPANS: dict[str, Any] = dict.fromkeys(("circuit_key", "span_key", "span"), pl.String)
_ROUTES: dict[str, Any] = dict.fromkeys(("circuit_key", "text"), pl.String)
_ENDS: dict[str, Any] = dict.fromkeys(("circuit_key", "region_a", "region_b"), pl.String)
_UNREAD: dict[str, Any] = {"scope": pl.String, "week": pl.String, "why": pl.String}


@dataclass
class _Regions:
    """Region of each site, by key, and how people spell regions and sites."""

    of_site: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def name(self, key: str) -> str:
        return self.names.get(key, key)


def write_network(con: duckdb.DuckDBPyConnection, week_end: date) -> None:
    """Create ``mart.wan_pairs``, ``mart.wan_relief`` and, in ``core``, what was read of routes, ends and demand.

    These are ``circuit_spans``, ``circuit_routes_unread``, ``circuit_regions`` and ``demand_unread``.

    Args:
        con: a database with ``core.circuit_now``, ``stg.sites`` and ``stg.demand``.
        week_end: local date of the present week's cut-off; the other weeks end on the same weekday.
    """
    rows = _rows(con, "SELECT * FROM core.circuit_now ORDER BY circuit_key")
    regions = _regions(con, rows)
    routes = {row["circuit_key"]: route_of(row["spans"], row["a_site_key"], row["z_site_key"]) for row in rows}
    joining = [row for row in rows if row["a_site_key"] and row["z_site_key"]]
    demand, unread = _demand(con, regions, week_end)
    scheduled = [Scheduled(_circuit(row, routes), _week(row, week_end)) for row in joining]
    last = _last_week(scheduled, demand)
    found = outlook(scheduled, regions.of_site, demand, last)
    expected = {row["circuit"]: row["expected"] for row in joining}
    spans = [(key, span.key, span.spelled) for key, route in routes.items() for span in route.spans]
    _write(con, "core.circuit_spans", _SPANS, spans)
    _write(con, "core.circuit_routes_unread", _ROUTES, [(k, text) for k, r in routes.items() for text in r.unread])
    _write(con, "core.circuit_regions", _ENDS, [_ends(row, regions) for row in joining])
    _write(con, "core.demand_unread", _UNREAD, unread)
    _write(con, "mart.wan_pairs", _PAIRS, [_pair_row(row, regions, week_end) for row in found.weeks])
    _write(con, "mart.wan_relief", _RELIEF, [_relief_row(row, regions, week_end, expected) for row in found.relief])


def _rows(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    relation = con.sql(query)
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def _write(con: duckdb.DuckDBPyConnection, table: str, schema: dict[str, Any], rows: Sequence[tuple[Any, ...]]) -> None:
    con.register("network_frame", pl.DataFrame(rows, schema=schema, orient="row"))
    con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM network_frame ORDER BY ALL")
    con.unregister("network_frame")


def _regions(con: duckdb.DuckDBPyConnection, circuits: Iterable[dict[str, Any]]) -> _Regions:
    """Regions of the register of sites; a site that it does not know is a region of its own."""
    found = _Regions()
    for row in circuits:
        for end in ("a_site", "z_site"):
            if row[f"{end}_key"]:
                found.names.setdefault(row[f"{end}_key"], row[end])
    query = "SELECT site_id_key, site_id, region FROM stg.sites WHERE site_id_key IS NOT NULL ORDER BY ALL"
    for key, name, region in con.sql(query).fetchall():
        spelled = region or name
        found.of_site.setdefault(key, normal_form(spelled) or key)
        found.names[key] = name
        found.names.setdefault(found.of_site[key], spelled)
    return found


def _circuit(row: dict[str, Any], routes: Mapping[str, Route]) -> Circuit:
    return Circuit(
        key=row["circuit_key"],
        a_site=row["a_site_key"],
        z_site=row["z_site_key"],
        mbps=_thousandths(row["gbps"]) or 0,
        latency_us=_thousandths(row["latency_ms"]),
        spans=routes[row["circuit_key"]].spans,
        group=normal_form(row["diversity_group"]) and row["diversity_group"],
        name=row["circuit"],
    )


def _thousandths(value: Decimal | None) -> int | None:
    return None if value is None else int(value * 1000)


def _week(row: dict[str, Any], week_end: date) -> int | None:
    """The week from which a circuit serves: 0 when it does, else that of the day it is expected, at least the next."""
    if row["serves"]:
        return 0
    expected: date | None = row["expected"]
    return None if expected is None else max(1, -(-(expected - week_end).days // 7))


def _ends(row: dict[str, Any], regions: _Regions) -> tuple[str, str, str]:
    low, high = sorted(regions.of_site.get(row[f"{end}_site_key"], row[f"{end}_site_key"]) for end in ("a", "z"))
    return row["circuit_key"], regions.name(low), regions.name(high)


def _demand(
    con: duckdb.DuckDBPyConnection, regions: _Regions, week_end: date
) -> tuple[dict[Pair, dict[int, Demand]], list[tuple[str, str, str]]]:
    """Demand of region pairs by week, and the rows that name none; demand of systems is not the network's."""
    known = {*regions.of_site.values(), *regions.of_site, *regions.names}
    found: dict[Pair, dict[int, Demand]] = defaultdict(dict)
    unread = []
    query = "SELECT scope, week, low, mid, high FROM stg.demand WHERE contains(scope, ':') ORDER BY ALL"
    for scope, week, *cases in con.sql(query).fetchall():
        ends = [normal_form(part) or "" for part in scope.split(":")]
        number = _weeks_ahead(week, week_end)
        odd = [end for end in ends if end not in known]
        if number is None or odd or len(ends) != 2:
            why = f"no region or site is called '{odd[0]}'" if odd else "expected two regions and a colon"
            unread.append((scope, week, why if odd or len(ends) != 2 else "expected an ISO week such as 2026-W42"))
            continue
        low, high = sorted(regions.of_site.get(end, end) for end in ends)
        found[low, high][number] = Demand(*(_thousandths(case) for case in cases))
    return dict(found), unread


def _weeks_ahead(label: str, week_end: date) -> int | None:
    """Weeks from the present ISO week to a label such as ``2026-W42``; None when it is none."""
    matched = _LABEL.fullmatch((label or "").strip())
    try:
        monday = date.fromisocalendar(int(matched.group(1)), int(matched.group(2)), 1) if matched else None
    except ValueError:
        monday = None
    return None if monday is None else (monday - (week_end - timedelta(days=week_end.weekday()))).days // 7


def _last_week(scheduled: Iterable[Scheduled], demand: Mapping[Pair, Mapping[int, Demand]]) -> int:
    weeks = [item.week for item in scheduled if item.week is not None]
    weeks += [week for curve in demand.values() for week in curve]
    return min(WEEKS_AHEAD, max([0, *weeks]))


def _rate(mbps: int | None) -> Decimal | None:
    return None if mbps is None else Decimal(mbps).scaleb(-3)


def _label(week_end: date, week: int | None) -> tuple[str | None, date | None]:
    if week is None:
        return None, None
    day = week_end + timedelta(days=7 * week)
    year, number, _ = day.isocalendar()
    return f"{year}-W{number:02d}", day


def _failure(failure: Failure | None, regions: _Regions) -> str | None:
    if failure is None:
        return None
    return f"site {regions.name(failure.key)}" if failure.kind == "site" else str(failure)


def _pair_row(row: PairWeek, regions: _Regions, week_end: date) -> tuple[Any, ...]:
    capacity, demand = row.capacity, row.demand or Demand()
    ways = [
        (_rate(path.latency_us), " + ".join(path.circuits)) if path else (None, None)
        for path in (row.paths.best, row.paths.second)
    ]
    label, day = _label(week_end, row.week)
    return (
        *(regions.name(region) for region in row.pair), label, row.week, day,
        *map(_rate, (capacity.mbps, capacity.n1, capacity.least, capacity.most)),
        _failure(capacity.worst, regions),
        "; ".join(row.bound_by) or None, "; ".join(row.n1_bound_by) or None,
        row.paths.separate, *ways[0], *ways[1],
        *map(_rate, (demand.low, demand.mid, demand.high)), row.state,
    )  # fmt: skip


def _relief_row(row: Relief, regions: _Regions, week_end: date, expected: Mapping[str, date | None]) -> tuple[Any, ...]:
    return (
        *(regions.name(region) for region in row.pair), row.circuit, _label(week_end, row.week)[0], row.week,
        expected[row.circuit], _rate(row.mbps), _rate(row.n1_mbps), "; ".join(row.bottleneck) or None,
        _failure(row.failure, regions),
        "; ".join(row.needs) or None,
    )  # fmt: skip
