"""Gates out of order, named twice, or waiting for each other, within a playbook and between playbooks.

Belongs here: faults of the order of gates. Does not: what a criterion asks (``playbook_lint``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnup.readiness.kinds import STAGES, UNITS
from turnup.readiness.playbook_problem import at, items, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turnup.readiness.playbook import Criterion
    from turnup.readiness.playbook_problem import Place, Problem
    from turnup.yaml_source import YamlDocument


def order_faults(document: YamlDocument, gates: list[tuple[int, dict[str, Any]]]) -> Iterator[Problem]:
    """Gates and criteria named twice, stages out of order, a last gate that closes none."""
    seen: set[Any] = set()
    furthest = 0
    for number, gate in gates:
        name, stage = word(gate.get("id")), word(gate.get("stage"))
        if name and name in seen:
            yield at(document, ("gates", number, "id"), f"gate '{name}' is named twice")
        seen.add(name)
        yield from _repeated(document, number, gate)
        if stage in STAGES[1:]:
            if STAGES.index(stage) <= furthest:
                words = f"gates close stages out of order; the order is {', '.join(STAGES[1:])}"
                yield at(document, ("gates", number, "stage"), words)
            furthest = max(furthest, STAGES.index(stage))
    if gates and gates[-1][1].get("stage") != STAGES[-1]:
        yield at(document, ("gates", gates[-1][0]), f"the last gate must close the stage '{STAGES[-1]}'")


def _repeated(document: YamlDocument, number: int, gate: dict[str, Any]) -> Iterator[Problem]:
    seen: set[Any] = set()
    for part in ("entry", "criteria"):
        for place, given in items(gate.get(part)):
            name = word(given.get("id"))
            if name and name in seen:
                where: Place = ("gates", number, part, place, "id")
                yield at(document, where, f"criterion '{name}' is named twice in this gate")
            seen.add(name)


def waits_for_later(
    document: YamlDocument, where: Place, criterion: Criterion, gates: list[tuple[int, dict[str, Any]]],
    closed_by: dict[Any, int],
) -> Iterator[Problem]:  # fmt: skip
    """A gate that asks for what a later gate closes, while that one waits for it."""
    own, closing = where[1], closed_by.get(criterion.metric)
    names = {number: str(gate.get("id")) for number, gate in gates}
    if isinstance(own, int) and closing is not None and closing > own:
        words = (
            f"gate order loop: gate '{names[own]}' asks for {criterion.metric}, which gate '{names[closing]}' closes, "
            f"and '{names[closing]}' waits for '{names[own]}'"
        )
        yield at(document, (*where, "metric"), words)


def named_twice(documents: list[YamlDocument]) -> Iterator[Problem]:
    """Two files with one playbook name."""
    first: dict[Any, str] = {}
    for document in documents:
        name = word(document.data.get("playbook")) if isinstance(document.data, dict) else ""
        if name in first:
            yield at(document, ("playbook",), f"playbook '{name}' is already in {first[name]}")
        elif name:
            first[name] = str(document.path)


def needed_in_a_ring(documents: list[YamlDocument]) -> Iterator[Problem]:
    """Kinds whose gates need each other: neither would ever pass."""
    needs: dict[str, list[tuple[str, YamlDocument, Place]]] = {}
    for document in documents:
        data = document.data if isinstance(document.data, dict) else {}
        for number, gate in items(data.get("gates")):
            for part in ("entry", "criteria"):
                for place, given in items(gate.get(part)):
                    if word(given.get("needs")) in UNITS:
                        where: Place = ("gates", number, part, place, "needs")
                        needs.setdefault(word(data.get("kind")), []).append((str(given["needs"]), document, where))
    for kind, wanted in sorted(needs.items()):
        for other, document, where in wanted:
            ring = _way(other, kind, {name: [to for to, *_ in items] for name, items in needs.items()})
            if ring:
                yield at(document, where, f"gate order loop: {' needs '.join((kind, *ring))}")


def _way(start: str, end: str, needs: dict[str, list[str]]) -> tuple[str, ...]:
    """The shortest way from one kind to another along needs, both included; empty when there is none."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while ways:
        way = ways.pop(0)
        if way[-1] == end:
            return way
        for other in sorted(set(needs.get(way[-1], ())) - seen):
            seen.add(other)
            ways.append((*way, other))
    return ()
