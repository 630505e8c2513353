"""Reading the facts of a forecast, once and in order.

Belongs here: one query a kind of record. Does not: the records (``facts``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from turnup.readiness.forecasting.facts import (
    Block,
    Circuit,
    Coming,
    Facts,
    Gate,
    Late,
    Missing,
    Move,
    Need,
    Risk,
    Share,
    SiteDate,
    Stage,
    System,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    import duckdb

Record = TypeVar("Record")

_SYSTEMS = """
SELECT s.system_key, s.system_id, s.kind, s.site_key, coalesce(s.site_id, s.site_key), s.netting_order, s.owner,
       c.contracted, f.reached,
       s.unit_source = 'circuit',
       EXISTS (SELECT 1 FROM core.part_needs n WHERE n.system_key = s.system_key AND n.in_bom AND n.fitted)
FROM core.systems s
JOIN core.contracted c ON c.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
WHERE s.playbook IS NOT NULL ORDER BY s.netting_order, s.system_key
"""
_BLOCKS = """
SELECT b.system_key, b.block_key, b.block, b.block_no, b.planned, b.planned_before, coalesce(f.reached, 0)
FROM core.block_sizes b
JOIN core.systems s ON s.system_key = b.system_key AND s.playbook IS NOT NULL
LEFT JOIN core.block_funnel f
    ON f.system_key = b.system_key AND f.block_key = b.block_key AND f.stage = 'schedulable'
ORDER BY s.netting_order, b.system_key, b.block_no
"""
_GATES = """
SELECT g.system_key, g.block_key, s.system_id || CASE b.block WHEN 'all' THEN '' ELSE ' ' || b.block END, g.gate_no,
       g.gate, g.title, g.owner_role, g.stage, g.pool,
       CASE WHEN g.likely_d IS NOT NULL THEN [g.optimistic_d, g.likely_d, g.pessimistic_d] END,
       coalesce(g.lead_per = 'unit', false), g.passed, g.passed_on, g.entered_on, g.satisfied, g.begun, g.is_current,
       g.of_system, g.of_site, g.open_share, g.missing_share, g.units
FROM core.open_gates g
JOIN core.systems s ON s.system_key = g.system_key
JOIN core.block_sizes b ON b.system_key = g.system_key AND b.block_key = g.block_key
ORDER BY s.netting_order, g.system_key, b.block_no, g.gate_no
"""
_MISSING = """
SELECT system_key, part_key, part_number, category, site_key, needed, received
FROM core.missing_goods ORDER BY netting_order, system_key, part_key
"""
_COMING = """
SELECT coming_key, source, name, shipment_key, po_key, line_key, part_key, site_key, coalesce(vendor, '(unknown)'),
       mode, quantity, expected, promised, arrived
FROM core.coming_goods ORDER BY expected NULLS LAST, coming_key
"""
_SHARES = """
SELECT po_key, line_key, system_key, quantity FROM core.allocations ORDER BY netting_order, system_key, po_key, line_key
"""
_LATENESS = "SELECT source, vendor, category, mode, days, happened FROM core.lateness ORDER BY source, lateness_key"
_MOVES = "SELECT pool, site_key, pieces, entered, left_on FROM core.pool_moves ORDER BY pool, lot_key"
_SITES = "SELECT system_key, block_key, ready_on FROM core.site_dates ORDER BY ALL"
_CIRCUITS = """
SELECT c.system_id_key, c.circuit, lower(trim(coalesce(c.provider, '(unknown)'))), lower(trim(c.type)), c.firm_date
FROM core.circuit_now c
JOIN core.evidence_installed e ON e.system_key = c.system_id_key AND e.unit_key = c.circuit_key AND NOT e.has
ORDER BY c.system_id_key, c.circuit_key
"""
_RISKS = """
SELECT id, title, system_key, gate, probability, impact_days, owner, block_key, units FROM core.open_risks ORDER BY id
"""
_NEEDS = "SELECT system_key, needed_key, gate, asked_gate FROM core.system_needs ORDER BY ALL"
_STAGES = """
SELECT system_key, stage, coalesce(reached, contracted), contracted FROM core.funnel ORDER BY system_key, stage_no
"""


def read_facts(con: duckdb.DuckDBPyConnection, as_of: date) -> Facts:
    """Read the facts of a database in which the models of ``gates`` and ``network`` have run."""

    def all_of(query: str, make: Callable[..., Record]) -> tuple[Record, ...]:
        return tuple(make(*row) for row in con.sql(query).fetchall())

    return Facts(
        as_of=as_of,
        systems=all_of(_SYSTEMS, System),
        blocks=all_of(_BLOCKS, Block),
        gates=all_of(_GATES, Gate),
        missing=all_of(_MISSING, Missing),
        coming=all_of(_COMING, Coming),
        shares=all_of(_SHARES, Share),
        lateness=all_of(_LATENESS, Late),
        moves=all_of(_MOVES, Move),
        sites=all_of(_SITES, SiteDate),
        circuits=all_of(_CIRCUITS, Circuit),
        risks=all_of(_RISKS, Risk),
        needs=all_of(_NEEDS, Need),
        stages=all_of(_STAGES, Stage),
    )
