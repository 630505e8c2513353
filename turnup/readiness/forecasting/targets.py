"""What is forecast: contract lines, systems and kinds, each a quantity to reach and the days it is judged by.

Belongs here: reading them, and which blocks each of them needs. Does not: when they are reached (``outcomes``).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.nodes import gate_id, milestone

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    import duckdb

    from turnup.readiness.forecasting.facts import Block
    from turnup.readiness.forecasting.plan import Making

_TARGETS = """
SELECT 'commitment' AS scope_type, concat_ws('/', c.contract, c.line, c.phase) AS scope,
       concat_ws(chr(31), c.contract_key, c.line_key, c.phase_key) AS key, c.system_key AS system, c.kind, c.unit,
       c.cumulative AS target, f.reached AS present, c.contract_date, c.internal_commit_date AS commit_date,
       c.need_date, h.complete_on
FROM core.commitment_lines c
CROSS JOIN core.settings p
JOIN core.funnel f ON f.system_key = c.system_key AND f.stage = 'schedulable'
LEFT JOIN past_commitments h
    ON h.week = p.previous_week AND h.contract = c.contract AND h.line = c.line AND h.phase = c.phase
UNION ALL
SELECT 'system', s.system_id, s.system_key, s.system_key, s.kind, s.unit, k.contracted, f.reached,
       max(l.contract_date), max(l.internal_commit_date), max(l.need_date), NULL
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key AND k.contracted > 0
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
LEFT JOIN core.commitment_lines l ON l.system_key = s.system_key
GROUP BY ALL
UNION ALL
SELECT 'kind', s.kind, s.kind, NULL, s.kind, any_value(s.unit), sum(k.contracted), sum(f.reached),
       (SELECT max(l.contract_date) FROM core.commitment_lines l WHERE l.kind = s.kind),
       (SELECT max(l.internal_commit_date) FROM core.commitment_lines l WHERE l.kind = s.kind),
       (SELECT max(l.need_date) FROM core.commitment_lines l WHERE l.kind = s.kind), NULL
FROM core.systems s
JOIN core.contracted k ON k.system_key = s.system_key
JOIN core.funnel f ON f.system_key = s.system_key AND f.stage = 'schedulable'
GROUP BY s.kind
ORDER BY scope_type, scope, key
"""


@dataclass(frozen=True)
class Target:
    """A cumulative quantity to reach, what there is now, and the dates it is judged by.

    Attributes:
        system: None for a kind, which is reached when each of its systems is.
        complete_on: the day on which it was first seen reached, where it was before this week.
    """

    scope_type: str
    scope: str
    key: str
    system: str | None
    kind: str
    unit: str
    target: Decimal
    present: Decimal
    contract_date: date | None
    commit_date: date | None
    need_date: date | None
    complete_on: date | None

    @property
    def remaining(self) -> Decimal:
        """What is still to come."""
        return max(Decimal(0), self.target - self.present)

    @property
    def sink(self) -> str:
        """Id of the milestone that stands for it in the network."""
        return f"target/{self.scope_type}/{self.key}"


def read_targets(con: duckdb.DuckDBPyConnection) -> tuple[Target, ...]:
    """Read all targets in order."""
    return tuple(Target(*row) for row in con.sql(_TARGETS).fetchall())


def open_blocks(making: Making, system: str) -> list[Block]:
    """Blocks of a system with capacity to come, in planned order."""
    return [block for block in making.blocks.get(system, ()) if block.planned > block.reached]


def last_gate(making: Making, block: Block) -> str | None:
    """The id at which a block is schedulable; None where it has no gates, or all have passed."""
    gates = making.gates.get((block.system, block.key), [])
    if not gates or gates[-1].passed:
        return None
    return making.draft.exits[gate_id(block.system, block.key, gates[-1].gate)]


def exits_of(making: Making, targets: Sequence[Target] | None) -> list[str]:
    """Ids at which gates are reached: of the systems of some targets, or of all."""
    if targets is None:
        return list(making.draft.exits.values())
    systems = {target.system for target in targets}
    gates = [gate for gate in making.facts.gates if gate.system in systems]
    return [making.draft.exits[gate_id(gate.system, gate.block, gate.gate)] for gate in gates]


def joins_of(targets: Sequence[Target], dated: Collection[str]) -> dict[str, list[str]]:
    """The sinks of systems behind which each kind is reached, where all of them have a date."""
    found: dict[str, list[str]] = {}
    for target in targets:
        if target.system is None and target.sink in dated:
            members = [
                one.sink
                for one in targets
                if one.scope_type == "system" and one.kind == target.kind and one.remaining > 0
            ]
            if members and all(member in dated for member in members):
                found[target.sink] = members
    return found


def add_targets(making: Making, targets: Sequence[Target]) -> None:
    """Add a milestone for every target that is not reached, behind the blocks that it needs; then those of kinds."""
    of_kind: dict[str, list[str]] = {}
    for target in targets:
        if target.system is None or target.remaining == 0:
            continue
        before = [
            last
            for block in open_blocks(making, target.system)
            if block.before < target.target and (last := last_gate(making, block)) is not None
        ]
        making.draft.add(milestone(target.sink, target.scope, "target", system=target.system), *before)
        if target.scope_type == "system":
            of_kind.setdefault(target.kind, []).append(target.sink)
    for target in targets:
        if target.system is None and target.remaining > 0:
            making.draft.add(milestone(target.sink, target.scope, "target"), *of_kind.get(target.kind, []))
