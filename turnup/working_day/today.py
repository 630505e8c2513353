"""What this day asks of a manager, read from the published week; figures stand as at its data date.

Belongs here: which rows count for the day. Does not: what they mean (the models), nor files that are due
(``turnup.returns.chase``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from turnup.returns.chase import Awaited, chases
from turnup.working_day.records import records

if TYPE_CHECKING:
    from datetime import datetime

    import duckdb

    from turnup.landing import Landing
    from turnup.programme import Programme
    from turnup.working_day.records import Record

AHEAD = timedelta(hours=48)
"""How far the day looks ahead."""

# Goods that are to arrive between two days, both included; what has arrived of a shipment is no longer expected.
_ARRIVALS = """
SELECT shipment, string_agg(DISTINCT part_number, ', ' ORDER BY part_number) AS parts,
    sum(quantity - arrived) AS quantity, min(vendor) AS vendor, min(carrier) AS carrier, min(origin) AS origin,
    destination, min(eta) AS eta, max(slip_days) AS slip_days, min(state) AS state
FROM core.goods_under_way WHERE eta BETWEEN $1 AND $2 AND quantity > arrived
GROUP BY shipment, destination ORDER BY eta, shipment, destination
"""
_MOVES = """
SELECT shipment, vendor, destination, eta_before, eta, slip_week_days AS days, last_told, file, "row"
FROM mart.shipment_etas WHERE is_under_way AND slip_week_days <> 0 ORDER BY slip_week_days DESC, shipment
"""
# What is listed is every production device of the system's tracker; the day is that of the contract line due next.
_INSTALLS = """
WITH done AS (
    SELECT asset_key, max(step_no) AS step_no, bool_or(step = 'racked' AND done_on > $1::DATE - 7) AS racked_now,
        bool_or(step = 'provisioned' AND done_on > $1::DATE - 7) AS provisioned_now
    FROM core.install_steps GROUP BY asset_key
)
SELECT d.system_id, count(*)::INTEGER AS listed,
    count(*) FILTER (o.step_no >= 2)::INTEGER AS racked, count(*) FILTER (o.step_no >= 3)::INTEGER AS cabled,
    count(*) FILTER (o.step_no >= 4)::INTEGER AS powered, count(*) FILTER (o.step_no >= 5)::INTEGER AS provisioned,
    count(*) FILTER (o.racked_now)::INTEGER AS racked_in_7_days,
    count(*) FILTER (o.provisioned_now)::INTEGER AS provisioned_in_7_days,
    any_value(s.next_contract_date) AS due,
    CASE WHEN any_value(s.next_contract_date) > $1::DATE THEN round(
        count(*) FILTER (coalesce(o.step_no, 0) < 5) / (any_value(s.next_contract_date) - $1::DATE), 1)
    END::DECIMAL(12, 1) AS needed_a_day
FROM core.devices d
JOIN mart.systems s ON s.system_key = d.system_key
LEFT JOIN done o ON o.asset_key = d.asset_key
WHERE d.purpose = 'production'
GROUP BY d.system_id HAVING count(*) FILTER (coalesce(o.step_no, 0) < 5) > 0 ORDER BY d.system_id
"""
# A gate can pass when none of its own criteria is open but the signature; it then waits for that or for a gate before.
_GATES = """
WITH open AS (
    SELECT system_key, block, gate, count(*) FILTER (state NOT IN ('met', 'waived')) AS unmet,
        count(*) FILTER (state NOT IN ('met', 'waived') AND metric = 'gate_decision_approved') AS unsigned
    FROM mart.criteria GROUP BY ALL
)
SELECT g.system_id, g.block, g.gate, g.title, g.owner_role, g.waiting_capacity,
    CASE WHEN o.unmet = 0 THEN 'gate before it' WHEN g.is_current THEN 'signature'
        ELSE 'signature and gate before it' END AS waits_for,
    CASE WHEN g.is_current THEN '' ELSE before.title END AS gate_before
FROM mart.gates g
JOIN open o ON o.system_key = g.system_key AND o.block = g.block AND o.gate = g.gate
LEFT JOIN mart.gates before ON before.system_key = g.system_key AND before.block = g.block AND before.is_current
WHERE g.state NOT IN ('passed', 'waived') AND o.unmet = o.unsigned
ORDER BY g.is_current DESC, g.waiting_capacity DESC, g.system_id, g.block, g.gate_no
"""
_DUE = """
SELECT id, type, title, system_id, CASE type WHEN 'decision' THEN coalesce(decider, owner) ELSE owner END AS who,
    CASE type WHEN 'decision' THEN coalesce(needed_by, due) ELSE due END AS due_on,
    CASE type WHEN 'decision' THEN coalesce(needed_by, due) ELSE due END < $1 AS overdue
FROM mart.raid
WHERE NOT is_closed AND type IN ('action', 'decision')
    AND CASE type WHEN 'decision' THEN coalesce(needed_by, due) ELSE due END <= $2
ORDER BY due_on, id
"""


@dataclass(frozen=True)
class Today:
    """What the day asks, by subject; every list in the order in which one looks at it.

    Attributes:
        programme: its name.
        week: the published week that was read.
        state: open, closed or restated.
        at: the instant of the question.
        arrivals: shipments to arrive within 48 hours (by day).
        eta_moves: shipments under way whose day of arrival is another than at the last cut-off.
        installs: systems with devices to install: how many of those listed have each step behind them.
        gates: gates of which only a signature or a gate before is missing.
        due: open actions and decisions due within 48 hours or overdue.
        missing: files that should be here, with their owner.
    """

    programme: str
    week: str
    state: str
    at: datetime
    arrivals: list[Record]
    eta_moves: list[Record]
    installs: list[Record]
    gates: list[Record]
    due: list[Record]
    missing: tuple[tuple[str, Awaited], ...]


def today(con: duckdb.DuckDBPyConnection, programme: Programme, now: datetime) -> Today:
    """What a day asks.

    Args:
        con: the published week.
        programme: its configuration; days are those of its time zone.
        now: instant of the question (aware).
    """
    zone = ZoneInfo(programme.time_zone)
    first, last = now.astimezone(zone).date(), (now + AHEAD).astimezone(zone).date()
    week = records(con, "SELECT programme, week, state FROM meta.week")[0]
    asked = chases(con, programme, now)
    return Today(
        programme=week["programme"],
        week=week["week"],
        state=week["state"],
        at=now,
        arrivals=records(con, _ARRIVALS, first, last),
        eta_moves=records(con, _MOVES),
        installs=records(con, _INSTALLS, first),
        gates=records(con, _GATES),
        due=records(con, _DUE, first, last),
        missing=tuple((chase.owner, item) for chase in asked.chases for item in chase.awaited),
    )


def waiting(landing: Landing, now: datetime) -> list[str]:
    """Paths of inbox files that are no arrival yet: the next refresh takes them, or says why not."""
    known = {delivery.path: (delivery.size, delivery.modified_ns) for delivery in landing.deliveries()}
    return [path for path, look in landing.untaken(now).items() if known.get(path) != (look[0], look[1])]
