"""Room in storage by week: capacity as the runs bring it, against demand with its own spread, and when it runs out.

Belongs here: what is drawn of demand, and the odds of both together. Does not: when capacity comes (``outcomes``).

Demand is the demand curve of the system where one was delivered: low, mid and high are the least, the likely and the
most of a triangle, and one draw holds for all weeks of a run, because a programme that grows faster does so every week.
A week without a row has that of the row before it; after the last row nothing is known. Without a curve, what is used
goes on growing by increments drawn from the system's own past weeks. Without either there is no demand, and so no
headroom. Capacity that has no date is left out of the runs and said.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from turnup.readiness.forecasting.nodes import data_instant
from turnup.readiness.forecasting.tables import share
from turnup.schedule.working_time import seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    import duckdb
    from numpy.typing import NDArray

    from turnup.readiness.forecasting.outcomes import Flow
    from turnup.readiness.forecasting.settings import ForecastSettings as Settings

WEEKS = 53
"""The data date and a year of week ends after it."""
LEAST_INCREMENTS = 4
"""Past weeks that growth needs before anything is said of it."""
_QUANTITY, _ODDS = "DECIMAL(18, 3)", "DECIMAL(6, 4)"
COLUMNS = {
    "system_key": "VARCHAR", "system_id": "VARCHAR", "week_no": "INTEGER", "week_end": "DATE",
    "capacity_p50": _QUANTITY, "capacity_p80": _QUANTITY, "added_p50": _QUANTITY, "undated": _QUANTITY,
    "demand_low": _QUANTITY, "demand_mid": _QUANTITY, "demand_high": _QUANTITY, "demand_basis": "VARCHAR",
    "headroom_p50": _QUANTITY, "headroom_p80": _QUANTITY, "odds_short": _ODDS, "odds_run_out": _ODDS,
}  # fmt: skip
"""``core.storage_weeks``: headroom and odds are empty in weeks of which no demand is known."""
_STORES = """
SELECT s.system_key, s.system_id,
       CASE WHEN t.fresh AND t.serving AND t.usable IS NOT NULL THEN greatest(t.usable, f.reached) ELSE f.reached END,
       greatest(k.contracted - f.reached, 0), greatest(k.contracted, t.usable)
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
LEFT JOIN core.storage_now t ON t.system_key = s.system_key
WHERE s.kind = 'storage' ORDER BY s.system_key
"""
_DEMAND = """
SELECT scope_key, try_strptime(trim(week) || '-1', '%G-W%V-%u')::DATE AS monday,
       coalesce(low, mid)::DOUBLE, mid::DOUBLE, coalesce(high, mid)::DOUBLE
FROM stg.demand
WHERE mid IS NOT NULL AND scope_key IN (SELECT system_key FROM core.systems WHERE kind = 'storage')
  AND try_strptime(trim(week) || '-1', '%G-W%V-%u') IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY scope_key, monday ORDER BY _ingest, _sheet, _row) = 1
ORDER BY ALL
"""
_USED = """
SELECT t.system_id_key, date_trunc('week', t.observed_at)::DATE AS monday, t.used::DOUBLE
FROM stg.storage_state t CROSS JOIN core.settings p
WHERE t.observed_at <= p.cut_off AND t.used IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY t.system_id_key, monday ORDER BY t.observed_at DESC, t._ingest, t._row) = 1
ORDER BY ALL
"""
Row = dict[str, object]
Curve = list[tuple[date, float, float, float]]
"""Monday, low, mid, high."""


@dataclass(frozen=True)
class Store:
    """A storage system: what it serves now, what is still to come of its contract, and the most that it can reach."""

    key: str
    id: str
    now: Decimal
    remaining: Decimal
    most: Decimal


@dataclass(frozen=True)
class Demand:
    """Demand by week and run; the weeks of which nothing is known are not in it."""

    basis: str
    drawn: Mapping[int, NDArray[np.float64]]
    cases: Mapping[int, tuple[float, float, float]]


@dataclass(frozen=True)
class Storage:
    """The storage systems; by key their demand curves, and Monday and what was used, of past weeks."""

    stores: tuple[Store, ...] = ()
    curves: Mapping[str, Curve] = field(default_factory=dict)
    used: Mapping[str, list[tuple[date, float]]] = field(default_factory=dict)


def read_storage(con: duckdb.DuckDBPyConnection) -> Storage:
    """Read what the outlook of storage is made on."""
    stores = tuple(Store(*row) for row in con.sql(_STORES).fetchall())
    return Storage(stores, _by_system(con, _DEMAND), _by_system(con, _USED))


def storage_rows(storage: Storage, flows: Mapping[str, Flow], settings: Settings, as_of: date) -> list[Row]:
    """One row for every storage system and week end of the coming year."""
    curves, used = storage.curves, storage.used
    rows: list[Row] = []
    for store in storage.stores:
        rng = np.random.default_rng([settings.seed, crc32(store.key.encode())])
        flow = flows.get(store.key)
        runs = flow.finishes.shape[1] if flow is not None else settings.iterations
        ends = [as_of + timedelta(weeks=number) for number in range(WEEKS)]
        demand = demand_of(curves.get(store.key, []), used.get(store.key, []), ends, settings.history_weeks, runs, rng)
        rows += outlook_of(store, flow, demand, ends, runs)
    return rows


def _by_system(con: duckdb.DuckDBPyConnection, query: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for key, *row in con.sql(query).fetchall():
        found.setdefault(key, []).append(tuple(row))
    return found


def demand_of(
    curve: Curve, used: Sequence[tuple[date, float]], ends: Sequence[date], history: int, runs: int,
    rng: np.random.Generator,
) -> Demand:  # fmt: skip
    """Draw the demand of one system.

    Args:
        curve: Monday, low, mid and high of the weeks of its demand curve, in order; empty where none was delivered.
        used: Monday and what was used, of past weeks, in order.
        ends: week ends, the data date first.
        history: past weeks that growth looks back.
        runs: number of runs.
        rng: seeded.
    """
    return _of_curve(curve, ends, runs, rng) if curve else _of_growth(used, ends, history, runs, rng)


def _of_curve(curve: Curve, ends: Sequence[date], runs: int, rng: np.random.Generator) -> Demand:
    place = rng.random(runs)
    drawn, cases = {}, {}
    for number, end in enumerate(ends):
        monday = end - timedelta(days=end.weekday())
        before = [row for row in curve if row[0] <= monday]
        if before and monday <= curve[-1][0]:
            cases[number] = before[-1][1:]
            drawn[number] = triangle(place, *before[-1][1:])
    return Demand("demand curve", drawn, cases)


def triangle(place: NDArray[np.float64], least: float, likely: float, most: float) -> NDArray[np.float64]:
    """Values of a triangular distribution at places between 0 and 1 (its inverse distribution function)."""
    width = most - least
    if width <= 0:
        return np.full(len(place), likely)
    split = (likely - least) / width
    low = least + np.sqrt(place * width * (likely - least))
    high = most - np.sqrt((1 - place) * width * (most - likely))
    return np.where(place < split, low, high)


def _of_growth(
    used: Sequence[tuple[date, float]], ends: Sequence[date], history: int, runs: int, rng: np.random.Generator
) -> Demand:
    """What is used goes on by increments drawn from past weeks; a gap of several weeks grew evenly."""
    monday = ends[0] - timedelta(days=ends[0].weekday())
    recent = [row for row in used if row[0] >= monday - timedelta(weeks=history)]
    steps = [
        (now - before) * 7 / (day - past).days
        for (past, before), (day, now) in pairwise(recent)
    ]  # fmt: skip
    if len(steps) < LEAST_INCREMENTS:
        return Demand("no data", {}, {})
    grown = np.cumsum(rng.choice(np.array(steps), size=(runs, len(ends) - 1)), axis=1)
    drawn = {0: np.full(runs, recent[-1][1])}
    drawn |= {number: np.maximum(0.0, recent[-1][1] + grown[:, number - 1]) for number in range(1, len(ends))}
    cases = {number: _cases(np.sort(values)) for number, values in drawn.items()}
    return Demand(f"growth of {len(steps)} past weeks", drawn, cases)


def _cases(ordered: NDArray[np.float64]) -> tuple[float, float, float]:
    low, mid, high = (ordered[max(0, -(-percent * len(ordered) // 100) - 1)] for percent in (10, 50, 90))
    return float(low), float(mid), float(high)


def outlook_of(store: Store, flow: Flow | None, demand: Demand, ends: Sequence[date], runs: int) -> list[Row]:
    """One row for every week end of one system."""
    rows: list[Row] = []
    out = np.zeros(runs, dtype=bool)
    before: float | None = None
    undated = flow.lost / 1000 if flow is not None else float(store.remaining)
    for number, end in enumerate(ends):
        capacity = _capacity(store, flow, end if number else None, runs)
        p50 = _reached_by(capacity, 50)
        row: Row = {
            "system_key": store.key, "system_id": store.id, "week_no": number, "week_end": end,
            "capacity_p50": _plain(p50), "capacity_p80": _plain(_reached_by(capacity, 80)),
            "added_p50": _plain(0.0 if before is None else p50 - before), "undated": _plain(undated),
            "demand_basis": demand.basis,
        }  # fmt: skip
        before = p50
        if number in demand.drawn:
            left = capacity - demand.drawn[number]
            out |= left < 0
            row |= _odds(left, out, demand.cases[number])
        rows.append(row)
    return rows


def _capacity(store: Store, flow: Flow | None, end: date | None, runs: int) -> NDArray[np.float64]:
    """Capacity by run, in thousandths exactly, as a float of whole units and thousandths."""
    now = np.full(runs, int(store.now * 1000), dtype=np.int64)
    if flow is not None and end is not None and flow.amounts.size:
        now = now + flow.gained(seconds_of(data_instant(end)), store.remaining)
    capacity: NDArray[np.float64] = np.minimum(now, max(int(store.most * 1000), int(store.now * 1000))) / 1000
    return capacity


def _odds(left: NDArray[np.float64], out: NDArray[np.bool_], cases: tuple[float, float, float]) -> Row:
    low, mid, high = cases
    return {
        "demand_low": _plain(low), "demand_mid": _plain(mid), "demand_high": _plain(high),
        "headroom_p50": _plain(_reached_by(left, 50)), "headroom_p80": _plain(_reached_by(left, 80)),
        "odds_short": share(float((left < 0).mean())), "odds_run_out": share(float(out.mean())),
    }  # fmt: skip


def _reached_by(values: NDArray[np.float64], percent: int) -> float:
    """The largest value that at least this percentage of runs reaches."""
    place = len(values) - max(1, -(-percent * len(values) // 100))
    return float(np.partition(values, place)[place])


def _plain(value: float) -> str:
    return f"{value:.3f}"
