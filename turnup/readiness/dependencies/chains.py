"""The chain behind a block that waits: which system it waits for, what that one waits for, down to one thing.

Belongs here: which way a chain goes. Does not: what is open (``graph``), or words for people (``written``).

Of several needs the one that comes last leads on, and a need without a date comes last of all. A chain ends at a thing
of the system's own where that comes later than what the system needs, at a system of which nothing is known, or where
it comes back to a block that it has passed: then it is a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.readiness.dependencies.graph import Graph, Item, Wait

End = Literal["item", "loop", "no data"]


@dataclass(frozen=True)
class Chain:
    """What a block waits for.

    Attributes:
        wait: with which it begins.
        systems: on the way, the block's own first; of a loop, the last one stands in it twice.
        steps: the gates waited for (system, block, number), from the first needed system on.
        item: at its end; None where it ends in a loop or at a system of which nothing is known.
        on: when what the block needs is there; None where nobody knows.
        decides: what it needs comes later than the block's own gates before the one that asks.
    """

    wait: Wait
    systems: tuple[str, ...]
    steps: tuple[tuple[str, str, int], ...]
    item: Item | None
    end: End
    on: date | None
    decides: bool


def chains(graph: Graph) -> list[Chain]:
    """One chain for each need of each block that waits, by system, block, and the need that comes last first."""
    latest: dict[tuple[str, str, int, str, int], Wait] = {}
    for wait in sorted(set(graph.waits)):
        key = (wait.system, wait.block, wait.asked_no, wait.needed, wait.gate_no)
        latest[key] = min((wait, latest.get(key, wait)), key=lambda one: _last(graph, one))
    found = [_chain(graph, wait) for wait in latest.values()]
    return sorted(found, key=lambda one: (one.wait.system, one.wait.block, *_last(graph, one.wait)))


def _chain(graph: Graph, first: Wait) -> Chain:
    systems, steps = [first.system], []
    seen = {(first.system, first.block)}
    wait: Wait | None = first
    item: Item | None = None
    end: End = "item"
    while wait is not None:
        systems.append(wait.needed)
        steps.append((wait.needed, wait.needed_block, wait.gate_no))
        if (wait.needed, wait.needed_block) in seen:
            end = "loop"
            break
        seen.add((wait.needed, wait.needed_block))
        wait, item = _next(graph, wait)
        end = "item" if item else "no data"
    return Chain(
        first, tuple(systems), tuple(steps), item if end == "item" else None, end,
        graph.dates.get(steps[0]), _decides(graph, first),
    )  # fmt: skip


def _next(graph: Graph, wait: Wait) -> tuple[Wait | None, Item | None]:
    """What holds the needed block: another need, or a thing of its own."""
    needs = graph.waits_of(wait.needed, wait.needed_block, wait.gate_no)
    items = graph.items_of(wait.needed, wait.needed_block, wait.gate_no)
    deciding = [one for one in needs if _decides(graph, one)] or (needs if not items else [])
    if deciding:
        return min(deciding, key=lambda one: _last(graph, one)), None
    return None, items[0] if items else None


def _decides(graph: Graph, wait: Wait) -> bool:
    """Whether a need comes no earlier than what the block itself has still to do before the gate that asks."""
    before: Sequence[Item] = graph.items_of(wait.system, wait.block, wait.asked_no - 1)
    if not before:
        return True
    own = [graph.dates.get((one.system, one.block, one.gate_no)) for one in before]
    needed = graph.dates.get((wait.needed, wait.needed_block, wait.gate_no))
    return needed is None or (None not in own and needed >= max(day for day in own if day is not None))


def _last(graph: Graph, wait: Wait) -> tuple[int, Wait]:
    """What comes last sorts first; no date is last of all."""
    on = graph.dates.get((wait.needed, wait.needed_block, wait.gate_no)) or date.max
    return -on.toordinal(), wait
