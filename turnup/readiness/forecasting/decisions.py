"""What waiting costs: the P80 of a system with a decision made a week late, less that with the decision made in time.

Belongs here: two further sets of runs for each open decision. Does not: which decisions there are (``core``).

In time is the day by which it is needed, or the data date where that day is past. Work on the gate that it names begins
on the day after it; where other things hold that gate back for longer, waiting costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.build import planned, simulated
from turnup.readiness.forecasting.nodes import MILESTONE, Node, days
from turnup.readiness.forecasting.what_if import Figures, figures_of
from turnup.schedule.model import ELAPSED
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from turnup.readiness.forecasting.build import Ground
    from turnup.readiness.forecasting.plan import Making
    from turnup.readiness.forecasting.targets import Target

WAIT = timedelta(weeks=1)
DELAYS = {
    "id": "VARCHAR", "system_key": "VARCHAR", "gate": "VARCHAR", "needed_on": "DATE", "p80": "DATE",
    "p80_later": "DATE", "delay_days": "INTEGER", "note": "VARCHAR",
}  # fmt: skip
"""``core.decision_delays``: what a week of waiting for a decision costs its system."""
_OPEN = "SELECT id, system_key, gate, block_key, needed_by FROM core.open_decisions ORDER BY id"
Row = dict[str, object]


@dataclass(frozen=True)
class Decision:
    """An open decision; without a gate it is not known what waits for it."""

    id: str
    system: str | None
    gate: str | None
    block: str | None
    needed_by: date | None


def read_decisions(con: duckdb.DuckDBPyConnection) -> tuple[Decision, ...]:
    """The open decisions, in the order of their ids."""
    return tuple(Decision(*row) for row in con.sql(_OPEN).fetchall())


def decision_rows(ground: Ground, decisions: Sequence[Decision]) -> list[Row]:
    """What a week of waiting costs, or why that is not known, one row a decision."""
    return [_row(ground, decision) for decision in decisions]


def _row(ground: Ground, decision: Decision) -> Row:
    row: Row = {"id": decision.id, "system_key": decision.system, "gate": decision.gate}
    target = next((t for t in ground.targets if t.scope_type == "system" and t.system == decision.system), None)
    if target is None or decision.gate is None:
        return row | {"note": "the entry names no gate of a system that is forecast"}
    if target.remaining == 0:
        return row | {"note": "the system is complete"}
    as_of = ground.kept.as_of
    needed = max(decision.needed_by or as_of, as_of)
    found = [_decided(ground, decision, target, day) for day in (needed, needed + WAIT)]
    in_time, late = found[0], found[1]
    if in_time is None or late is None:
        return row | {"note": "its gate has passed"}
    row |= {"needed_on": needed, "p80": in_time.p80, "p80_later": late.p80, "note": in_time.note or late.note}
    if in_time.p80 is None or late.p80 is None:
        return row
    return row | {"delay_days": (late.p80 - in_time.p80).days}


def _decided(ground: Ground, decision: Decision, target: Target, day: date) -> Figures | None:
    """Figures of the system with the decision made on a day; None where nothing waits for it."""
    plan = planned(ground)
    held = _waiting(plan.bound.making, decision)
    if not held:
        return None
    _wait(plan.bound.making, held, decision, (day - ground.kept.as_of).days)
    # Dates are kept by the network: a changed draft needs a new one.
    return figures_of(simulated(replace(plan, bound=replace(plan.bound)), ground, only=(target,)), target, ground)


def _waiting(making: Making, decision: Decision) -> list[Node]:
    """The open gates that wait for a decision; one that is judged on the whole system waits with its blocks."""
    return [
        node
        for node in making.draft.nodes.values()
        if node.role in {"gate", "ready"} and node.finished is None
        and (node.system, node.gate) == (decision.system, decision.gate)
        and decision.block in {None, node.block}
    ]  # fmt: skip


def _wait(making: Making, held: Sequence[Node], decision: Decision, number: int) -> None:
    """Let the work of some gates begin so many days after the data date."""
    node = Node(f"decision/{decision.id.casefold()}", decision.id, "delay", ELAPSED, Fixed(days(number)), days(number),
                MILESTONE)  # fmt: skip
    making.draft.add(node)
    for gate in held:
        own = making.coded.get((gate.system, gate.block, gate.gate), [])
        making.draft.links += [(node.id, after) for after in (gate.id, *own)]
