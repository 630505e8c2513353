"""First cut of the forecast: the system's own weekly schedulable increments, as issued, drawn again and again.

A kind is ready when each of its systems is: throughput at one site serves no contract at another.

Belongs here: which history feeds which forecast, and when there is none. Does not: status (``mart.commitments``).
A forecast needs the stated weeks of history and some throughput; without them there are no dates, and a reason.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import astuple, dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.readiness.simulation import (
    NEVER,
    capped_paths,
    generator,
    inverse_ecdf,
    reached_with_confidence,
    slowest_of,
    weeks_to_reach,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    from numpy.typing import NDArray

    from turnup.programme import Forecast as Settings

METHOD = "bootstrap of weekly schedulable increments"
CURVE_PERCENTS = (10, 50, 80, 90)
_CURVE_WEEKS = 53
"""A year of week ends covers the next three quarter ends whatever the data date."""

_SERIES = """
SELECT {key} AS scope, list(quantity ORDER BY week) AS quantities
FROM (
    SELECT {key}, week, sum(schedulable) AS quantity FROM past_systems GROUP BY ALL
    UNION ALL
    SELECT s.{key}, p.week, sum(f.reached)
    FROM core.systems s
    JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
    CROSS JOIN core.settings p
    GROUP BY ALL
)
GROUP BY {key} ORDER BY {key}
"""
_TARGETS = """
SELECT 'commitment' AS scope_type, concat_ws('/', c.contract, c.line, c.phase) AS scope,
       concat_ws(chr(31), c.contract_key, c.line_key, c.phase_key) AS key, c.system_key AS series, c.unit,
       c.cumulative AS target, f.reached AS present, c.contract_date, h.complete_on
FROM core.commitment_lines c
CROSS JOIN core.settings p
JOIN core.funnel f ON f.system_key = c.system_key AND f.stage = 'schedulable'
LEFT JOIN past_commitments h
    ON h.week = p.previous_week AND h.contract = c.contract AND h.line = c.line AND h.phase = c.phase
UNION ALL
SELECT 'kind', s.kind, s.kind, s.kind, any_value(s.unit), sum(k.contracted), sum(f.reached),
       (SELECT max(l.contract_date) FROM core.commitment_lines l WHERE l.kind = s.kind), NULL
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
GROUP BY s.kind
ORDER BY ALL
"""
_MEMBERS = """
SELECT s.kind, s.system_id, s.system_key, k.contracted - f.reached AS remaining
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
WHERE k.contracted > f.reached
ORDER BY ALL
"""


@dataclass(frozen=True)
class Row:
    """One forecast; dates are null when there is none, and then ``note`` says why."""

    scope_type: str
    scope: str
    key: str
    unit: str
    target: Decimal
    remaining: Decimal
    weeks_of_history: int
    method: str | None
    iterations: int | None
    seed: int | None
    p50: date | None
    p80: date | None
    p95: date | None
    confidence: Decimal | None
    contract_date: date | None
    complete_on: date | None
    note: str


@dataclass(frozen=True)
class Target:
    """What is forecast: a cumulative quantity to reach, and what there is now."""

    scope_type: str
    scope: str
    key: str
    series: str
    unit: str
    target: Decimal
    present: Decimal
    contract_date: date | None
    complete_on: date | None


@dataclass(frozen=True)
class Member:
    """A system of a kind that has capacity to go, and its weekly increments."""

    system_id: str
    remaining: Decimal
    increments: NDArray[np.int64]

    @property
    def drawn(self) -> tuple[NDArray[np.int64], int]:
        """Increments and remaining quantity in thousandths."""
        return self.increments, int(self.remaining * 1000)


def write_forecasts(con: duckdb.DuckDBPyConnection, settings: Settings, as_of: date) -> None:
    """Create ``core.forecasts`` (commitment lines and kinds) and ``core.curves`` (kinds, week by week)."""
    systems, kinds = (_increments(con, name, settings) for name in ("system_key", "kind"))
    members: dict[str, list[Member]] = defaultdict(list)
    for kind, system_id, key, remaining in con.sql(_MEMBERS).fetchall():
        members[kind].append(Member(system_id, remaining, systems.get(key, _NONE)))
    rows, curves = [], []
    for record in con.sql(_TARGETS).fetchall():
        target = Target(*record)
        if target.scope_type == "kind":
            history = len(kinds.get(target.series, _NONE))
            rows.append(_forecast_kind(target, members[target.series], history, settings, as_of))
            curves += _curve(target, members[target.series], settings, as_of)
        else:
            rows.append(_forecast(target, systems.get(target.series, _NONE), settings, as_of))
    _store(con, "core.forecasts", [astuple(row) for row in rows], _FORECAST_COLUMNS)
    _store(con, "core.curves", curves, "kind VARCHAR, series VARCHAR, week_end DATE, quantity DECIMAL(18, 3)")


_NONE: NDArray[np.int64] = np.empty(0, dtype=np.int64)
_FORECAST_COLUMNS = (
    "scope_type VARCHAR, scope VARCHAR, key VARCHAR, unit VARCHAR, target DECIMAL(18, 3), remaining DECIMAL(18, 3), "
    "weeks_of_history INTEGER, method VARCHAR, iterations INTEGER, seed BIGINT, p50 DATE, p80 DATE, p95 DATE, "
    "confidence DECIMAL(6, 4), contract_date DATE, complete_on DATE, note VARCHAR"
)


def _increments(con: duckdb.DuckDBPyConnection, key: str, settings: Settings) -> dict[str, NDArray[np.int64]]:
    """Weekly increments by scope, newest last, in thousandths; at most the configured number of weeks."""
    found = {}
    for scope, quantities in con.sql(_SERIES.format(key=key)).fetchall():
        exact = np.array([int(quantity * 1000) for quantity in quantities], dtype=np.int64)
        found[scope] = np.diff(exact)[-settings.history_weeks :]
    return found


def _forecast(target: Target, increments: NDArray[np.int64], settings: Settings, as_of: date) -> Row:
    remaining = max(Decimal(0), target.target - target.present)
    reason = _why_not(remaining, increments, settings)
    if reason:
        complete = (target.complete_on or as_of) if remaining == 0 and target.target > 0 else None
        return _without_draws(target, remaining, len(increments), complete, reason)
    rng = generator(settings.seed, f"{target.scope_type}:{target.key}")
    weeks = weeks_to_reach(increments, int(remaining * 1000), settings.iterations, settings.horizon_weeks, rng)
    return _drawn(target, remaining, weeks, len(increments), settings, as_of)


def _forecast_kind(target: Target, members: list[Member], history: int, settings: Settings, as_of: date) -> Row:
    """All systems of a kind are ready when the slowest is; one without a forecast leaves the kind without one."""
    remaining = max(Decimal(0), target.target - target.present)
    if not members:
        # On which day the last system got there is known of lines, not of kinds.
        return _without_draws(target, remaining, history, None, "reached")
    for member in members:
        reason = _why_not(member.remaining, member.increments, settings)
        if reason:
            note = reason.replace("no forecast:", f"no forecast: {member.system_id}:", 1)
            return _without_draws(target, remaining, history, None, note)
    rng = generator(settings.seed, f"kind:{target.key}")
    weeks = slowest_of([m.drawn for m in members], settings.iterations, settings.horizon_weeks, rng)
    return _drawn(target, remaining, weeks, history, settings, as_of)


def _drawn(
    target: Target, remaining: Decimal, weeks: NDArray[np.int64], history: int, settings: Settings, as_of: date
) -> Row:
    p50, p80, p95 = (_date(inverse_ecdf(weeks, percent), as_of) for percent in (50, 80, 95))
    return Row(
        target.scope_type, target.scope, target.key, target.unit, target.target, remaining, history, METHOD,
        settings.iterations, settings.seed, p50, p80, p95, _confidence(weeks, target.contract_date, as_of),
        target.contract_date, None, _drawn_note(p80, history, settings),
    )  # fmt: skip


def _why_not(remaining: Decimal, increments: NDArray[np.int64], settings: Settings) -> str:
    if remaining == 0:
        return "reached"
    if len(increments) < settings.minimum_history_weeks:
        return f"no forecast: {len(increments)} weeks of history, {settings.minimum_history_weeks} needed"
    if int(increments.sum()) <= 0:
        return f"no forecast: no throughput in the last {len(increments)} weeks"
    return ""


def _without_draws(target: Target, remaining: Decimal, weeks: int, complete: date | None, note: str) -> Row:
    confidence = None
    if complete is not None and target.contract_date is not None:
        confidence = Decimal(int(complete <= target.contract_date))
    return Row(
        target.scope_type, target.scope, target.key, target.unit, target.target, remaining, weeks, None, None, None,
        complete, complete, complete, confidence, target.contract_date, complete, note,
    )  # fmt: skip


def _drawn_note(p80: date | None, weeks: int, settings: Settings) -> str:
    note = f"{settings.iterations} runs over {weeks} weeks of history"
    return note if p80 else f"{note}; beyond {settings.horizon_weeks} weeks where no date stands"


def _date(weeks: int, as_of: date) -> date | None:
    return None if weeks == NEVER else as_of + timedelta(weeks=weeks)


def _confidence(weeks: NDArray[np.int64], contract_date: date | None, as_of: date) -> Decimal | None:
    """Share of runs that finish on or before the contract date."""
    if contract_date is None:
        return None
    allowed = (contract_date - as_of).days // 7
    held = int(np.searchsorted(weeks, allowed, side="right")) if allowed >= 0 else 0
    return (Decimal(held) / Decimal(len(weeks))).quantize(Decimal("0.0001"))


def _curve(
    target: Target, members: list[Member], settings: Settings, as_of: date
) -> list[tuple[str, str, date, Decimal]]:
    """Quantity per week end that a given percentage of runs reaches; no system gives more than it still owes."""
    moving = [member for member in members if not _why_not(member.remaining, member.increments, settings)]
    if members and not moving:
        return []
    rng = generator(settings.seed, f"curve:{target.key}")
    paths = capped_paths([m.drawn for m in moving], settings.iterations, _CURVE_WEEKS, rng)
    rows = []
    for percent in CURVE_PERCENTS:
        rows.append((target.scope, f"p{percent}", as_of, target.present))
        for week in range(_CURVE_WEEKS):
            gained = Decimal(reached_with_confidence(paths[:, week], percent)) / 1000
            quantity = max(Decimal(0), min(target.target, target.present + gained))
            rows.append((target.scope, f"p{percent}", as_of + timedelta(weeks=week + 1), quantity))
    return rows


def _store(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[object, ...]], columns: str) -> None:
    names = [column.split()[0] for column in columns.replace("(18, 3)", "").replace("(6, 4)", "").split(", ")]
    con.execute(f"CREATE OR REPLACE TABLE {table} ({columns})")
    if not rows:
        return
    data = {name: [_plain(row[place]) for row in rows] for place, name in enumerate(names)}
    con.register("forecast_frame", pl.DataFrame(data))
    con.execute(f"INSERT INTO {table} SELECT * FROM forecast_frame")
    con.unregister("forecast_frame")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Decimal) else value
