"""Loops of needs: systems that wait for each other, so that none of them can be ready first.

Belongs here: finding them among all needs, met or not. Does not: what waits now (``chains``).

A gate of a system is passed after all that its earlier gates need, and before all that its later ones need: two systems
that need each other at gates that leave room for both are no loop.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from turnup.readiness.dependencies.graph import Need


def loops(needs: Iterable[Need]) -> list[tuple[Need, ...]]:
    """The shortest loop through each set of needs that wait for each other, from its first system on, in order."""
    listed = sorted(set(needs), key=lambda one: (one.system, one.asked_no, one.needed, one.gate_no or 0))
    follow = _followers(listed)
    found: list[tuple[Need, ...]] = []
    told: set[Need] = set()
    for need in listed:
        loop = () if need in told else _back_to(need, follow)
        if loop and not told.intersection(loop):
            found.append(loop)
            told.update(loop)
    return found


def _followers(needs: list[Need]) -> Mapping[Need, list[Need]]:
    """For each need, what the gate that it is of needs in turn."""
    of: dict[str, list[Need]] = defaultdict(list)
    for need in needs:
        of[need.system].append(need)
    return {
        need: [] if need.gate_no is None else [one for one in of[need.needed] if one.asked_no <= need.gate_no]
        for need in needs
    }


def _back_to(need: Need, follow: Mapping[Need, list[Need]]) -> tuple[Need, ...]:
    """The shortest way from a need back to itself; empty where there is none."""
    came: dict[Need, Need] = {}
    waiting = deque([need])
    while waiting:
        one = waiting.popleft()
        for after in follow[one]:
            if after == need:
                return tuple(reversed(_way(one, need, came)))
            if after not in came:
                came[after] = one
                waiting.append(after)
    return ()


def _way(last: Need, first: Need, came: Mapping[Need, Need]) -> list[Need]:
    way = [last]
    while way[-1] != first:
        way.append(came[way[-1]])
    return way
