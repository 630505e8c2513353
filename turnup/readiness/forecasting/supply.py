"""Gates that wait for what comes from outside: goods, circuits, halls.

Belongs here: their nodes and links. Does not: the day on which one thing comes (``arrivals``), or who waits for which
goods (``goods``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.arrivals import arrival_of, circuit_of, hall_of
from turnup.readiness.forecasting.goods import Waiting, waiting_blocks
from turnup.readiness.forecasting.lead_times import PLAYBOOK, at_rate, gate_duration, three_points
from turnup.readiness.forecasting.nodes import MILESTONE, WORK, Basis, Node, milestone
from turnup.readiness.forecasting.plan import node_of, reached_with
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from turnup.readiness.forecasting.facts import Coming, Gate, System
    from turnup.readiness.forecasting.lead_times import Duration
    from turnup.readiness.forecasting.plan import Making

_NAMED = 3
_NOTHING: Waiting = Waiting((), ())


class Supply:
    """Adds the gates of one network that wait for supply."""

    def __init__(self, making: Making) -> None:
        """Take the network in the making."""
        self._making = making
        self._draft = making.draft
        self._category = {(need.system, need.part): need.category for need in making.facts.missing}
        self._halls = {(hall.system, hall.block): hall.ready_on for hall in making.facts.sites}

    @cached_property
    def _waiting(self) -> dict[tuple[str, str], Waiting]:
        return waiting_blocks(self._making.facts)

    def delivery(self, system: System, gate: Gate, before: Sequence[str]) -> str:
        """A gate that waits for goods: they come on their days, and what has no day takes the lead time."""
        waiting = self._waiting.get((gate.system, gate.block), _NOTHING)
        if waiting == _NOTHING:
            return self._draft.add(node_of(gate, _without_goods(gate)), *before)
        held = [*before, *(self._arrival(gate, coming) for coming in waiting.coming if not coming.arrived)]
        if waiting.undated:
            held.append(self._undated(gate, waiting.undated, before))
        rate = self._making.rate(gate.pool, system.site)
        found = three_points(1, 1, 1, Basis("receiving", note="the working day of arrival"))
        node = node_of(gate, at_rate(gate, rate) if rate and gate.units else found, group=f"site/{system.site}")
        if rate and gate.units:
            self._draft.uses[node.id] = f"{gate.pool}/{system.site}"
        return self._draft.add(node, *held)

    def _arrival(self, gate: Gate, coming: Coming) -> str:
        category = self._category.get((gate.system, coming.part or ""))
        return self._draft.once(arrival_of(coming, self._making.facts, category, self._making.minimum))

    def _undated(self, gate: Gate, parts: Sequence[str], before: Sequence[str]) -> str:
        words = ", ".join(parts[:_NAMED]) + (f" and {len(parts) - _NAMED} more" if len(parts) > _NAMED else "")
        basis = Basis(PLAYBOOK, gate.gate, None, f"without a day: {words}")
        duration, planned, _ = three_points(*(gate.lead or (0.0, 0.0, 0.0)), basis)
        unknown = "" if gate.lead else f"{words} has no promised day, and gate '{gate.gate}' no lead_time"
        node = Node(
            f"undated/{gate.system}/{gate.block}", f"what has no day for {gate.of}: {words}",
            "undated", WORK, duration, planned, basis, gate.system, gate.block, gate.gate, gate.owner_role,
            unknown=unknown,
        )  # fmt: skip
        return self._draft.add(node, *before)

    def circuits(self, gate: Gate, before: Sequence[str]) -> str:
        """A gate that waits for circuits: those with a firm day come on it, the others take the lead time."""
        waited = [circuit for circuit in self._making.facts.circuits if circuit.system == gate.system]
        dated = [node for one in waited if (node := circuit_of(one, self._making.facts, self._making.minimum))]
        if not dated:
            return self._draft.add(node_of(gate, gate_duration(gate, None)), *before)
        held = [*before, *(self._draft.once(node) for node in dated)]
        if len(dated) < len(waited):
            names = [one.circuit for one in waited if one.firm is None]
            held.append(self._undated(gate, names, before))
        return self._draft.add(reached_with(gate), *held)

    def shared(self, system: System, gate: Gate) -> str:
        """The piece of work that blocks of a system share: their hall's planned day, or one lead time."""
        ready_on = self._ready_on(gate) if gate.of_site and not gate.is_there else None
        identity = f"ready/{gate.system}/{gate.gate}" + (f"/{ready_on}" if ready_on and not gate.of_system else "")
        if identity in self._draft.nodes:
            return identity
        name = f"{gate.title}, {system.id}"
        if ready_on is not None:
            hall = self._draft.once(hall_of(system.site, ready_on, self._making.facts, self._making.minimum))
            of = {"system": system.key, "gate": gate.gate, "owner": gate.owner_role}
            return self._draft.add(milestone(identity, name, "ready", **of), hall)
        found = gate_duration(gate, None)
        duration, planned, basis = (Fixed(0), 0.0, MILESTONE) if isinstance(found, str) else found
        node = Node(
            identity, name, "ready", WORK, duration, planned, basis, system.key, "", gate.gate, gate.owner_role,
            group=f"site/{system.site}", unknown=found if isinstance(found, str) else "",
        )  # fmt: skip
        return self._draft.add(node)

    def _ready_on(self, gate: Gate) -> date | None:
        """The planned day of the hall of a block; of a gate of the whole system, the last of its blocks' days."""
        halls = self._halls.items()
        found = [day for (of, block), day in halls if of == gate.system and (gate.of_system or block == gate.block)]
        days = [day for day in found if day is not None]
        return max(days) if days and len(days) == len(found) else None


def _without_goods(gate: Gate) -> Duration | str:
    """A gate whose block waits for no part: its share is there, or its capacity is in no bill of material."""
    if gate.missing_share <= 0:
        return Fixed(0), 0.0, Basis("evidence", note="its share is there")
    found = gate_duration(gate, None)
    if isinstance(found, str):
        return found
    duration, planned, basis = found
    return duration, planned, replace(basis, note=f"{gate.missing_share:.0%} of its capacity is in no bill of material")
