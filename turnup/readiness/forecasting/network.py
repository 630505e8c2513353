"""The programme as one network: every gate of every block, what holds it back, and what it holds back.

Belongs here: the chain of gates, risks, and systems that need each other. Does not: what comes from outside
(``supply``), activities of schedule files (``binding``), or computing.

Gates of a block follow each other in playbook order. A gate that is judged on the whole system is one piece of work
that joins all of its blocks; blocks that wait for the same day of a hall share it. Where coded activities take the
place of a lead time, the gate is reached when they and the gate before it are.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from turnup.readiness.forecasting.lead_times import gate_duration
from turnup.readiness.forecasting.nodes import Basis, Node, gate_id
from turnup.readiness.forecasting.plan import Delay, node_of, passed, reached_with
from turnup.readiness.forecasting.supply import Supply
from turnup.schedule.model import ELAPSED
from turnup.schedule.simulation import Fixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.readiness.forecasting.facts import Block, Facts, Gate, Risk, System
    from turnup.readiness.forecasting.plan import Draft, Making

_IN_USE = ("handed_over", "schedulable")


def risk_delays(facts: Facts) -> list[Delay]:
    """The open risks that name a system of the network, as delays."""
    known = {system.key for system in facts.systems}
    return [
        Delay(risk.id, risk.title, risk.system, risk.gate, risk.days, risk.probability, _hit(facts, risk), risk.owner)
        for risk in facts.risks
        if risk.system in known
    ]


def _hit(facts: Facts, risk: Risk) -> frozenset[str]:
    """The blocks that a risk may hold back: the one it names, else the last ones that bear the units it names."""
    if risk.block is not None:
        return frozenset({risk.block})
    blocks = [block for block in facts.blocks if block.system == risk.system]
    found, left = set(), risk.units or Decimal("inf")
    for block in reversed(blocks):
        if left <= 0:
            break
        found.add(block.key)
        left -= block.planned
    return frozenset(found)


def draft_network(making: Making, delays: Sequence[Delay]) -> Draft:
    """Add the network of a programme to its draft, in the order of systems by priority, blocks and gates."""
    supply = Supply(making)
    for system in making.facts.systems:
        for block in making.blocks.get(system.key, ()):
            _add_block(making, supply, system, block, [delay for delay in delays if delay.system == system.key])
    for need in making.facts.needs:
        for block in making.blocks.get(need.system, ()):
            _hold(making, block, need.needed, need.gate)
    known = {system.key for system in making.facts.systems}
    making.draft.left_out += [
        f"risk {risk.id} names no system of the network and delays nothing"
        for risk in making.facts.risks
        if risk.system not in known
    ]
    return making.draft


def _add_block(making: Making, supply: Supply, system: System, block: Block, delays: Sequence[Delay]) -> None:
    before: list[str] = []
    gates = making.gates.get((system.key, block.key), [])
    first = next((gate.gate for gate in gates if not gate.passed), "")
    for gate in gates:
        if gate.passed:
            before = [making.draft.add(passed(gate))]
            making.draft.exits[before[0]] = before[0]
            continue
        identity = _add_open(making, supply, system, gate, before)
        hits = [delay for delay in delays if (delay.gate or first) == gate.gate and gate.block in delay.blocks]
        making.draft.exits[identity] = _delayed(making.draft, gate, identity, hits)
        before = [making.draft.exits[identity]]


def _add_open(making: Making, supply: Supply, system: System, gate: Gate, before: list[str]) -> str:
    activities = making.coded.get((gate.system, gate.block, gate.gate), [])
    if activities and not gate.is_there:
        return making.draft.add(reached_with(gate), *before, *activities)
    if gate.of_system or (gate.of_site and not gate.is_there):
        return making.draft.add(reached_with(gate), *before, supply.shared(system, gate))
    if gate.stage == "received" and system.has_bill and not gate.is_there:
        return supply.delivery(system, gate, before)
    if gate.stage == "installed" and system.is_circuit and not gate.is_there:
        return supply.circuits(gate, before)
    found = gate_duration(gate, making.rate(gate.pool, system.site) if gate.pool != "dock" else None)
    works = not isinstance(found, str) and found[1] > 0
    under_way = works and gate.is_current and gate.open_share < 1
    node = node_of(gate, found, f"site/{system.site}", gate.entered_on if under_way else None)
    if works and gate.pool in {"install", "burn_in"}:
        making.draft.uses[node.id] = f"{gate.pool}/{system.site}"
    return making.draft.add(node, *before)


def _delayed(draft: Draft, gate: Gate, identity: str, delays: Sequence[Delay]) -> str:
    """What may hold the gate back, after its own work; the id at which it is reached."""
    at = identity
    for delay in delays:
        basis = Basis("risk", delay.id, None, f"{delay.probability:.0%} x {delay.days:g} calendar days")
        node = Node(
            f"delay/{delay.id.casefold()}/{gate.system}/{gate.block}/{gate.gate}", f"{delay.id}: {delay.name}", "delay",
            ELAPSED, Fixed(0), 0, basis, gate.system, gate.block, gate.gate, delay.owner,
        )  # fmt: skip
        at = draft.add(node, at)
        draft.delays[delay.id].append(at)
    return at


def _hold(making: Making, block: Block, needed: str, gate: str) -> None:
    """Hold a block's handover until as large a share of the needed system has passed the gate."""
    waits = _handover(making, block)
    end = _share(making, block, block.before + block.planned)
    if waits is None or _there(making, needed, gate) >= end:
        return
    for other in making.blocks.get(needed, ()):
        identity = gate_id(needed, other.key, gate)
        if identity in making.draft.exits and _share(making, other, other.before) < end:
            making.draft.links.append((making.draft.exits[identity], waits))


def _handover(making: Making, block: Block) -> str | None:
    """The first open gate from the handover on."""
    gates = making.gates.get((block.system, block.key), [])
    late = [gate for gate in gates if gate.stage in _IN_USE and not gate.passed]
    return gate_id(late[0].system, late[0].block, late[0].gate) if late else None


def _share(making: Making, block: Block, quantity: Decimal) -> Decimal:
    total = sum((one.planned for one in making.blocks[block.system]), Decimal(0))
    return quantity / total if total else Decimal(quantity > 0 or block.planned == 0)


def _there(making: Making, system: str, gate: str) -> Decimal:
    """The share of a system that has reached the stage that a gate closes."""
    closes = next((one.stage for one in making.facts.gates if one.system == system and one.gate == gate), None)
    found = [one for one in making.facts.stages if one.system == system and one.stage == closes and one.contracted]
    return found[0].reached / found[0].contracted if found else Decimal(0)
