"""Which parts each system lacks at its site, week by week: the story's own account, kept in the truth file.

Belongs here: what is needed less what lies there, by priority. Does not: when the rest comes.

Nothing is counted in the demo, so what lies at a site is what its dock booked in; it goes to the systems there by
priority. Two planted faults of the dock log show in it: a serial that was not booked in, and fibres booked in twice.
"""

from __future__ import annotations

from collections import Counter

from examples.demo.logistics import Movement
from examples.demo.parts import BOM
from examples.demo.systems import BY_ID
from examples.demo.truth import Shortage
from examples.demo.weeks import THU, WEEKS, day, label

_REVISIONS = {"B": 35, "C": 41}
_LATE_LOG = {42: 41}
"""Week whose dock log came after the cut-off, and the log that stands instead."""
_MISBOOKED = (("ABL", "DGXH-G1141F+P2CMI36", 41, -1), ("ABL", "MFP7E10-N030", 37, 16))
"""Site, part, first week of the dock log that has the fault (F04, F05), pieces booked too many."""
_UNREADABLE = ("HIL-GPU-1", "0070", 35)
"""The line that revision A gives without a part number (D05), and the week that has it."""


def shortages(moved: list[Movement]) -> list[Shortage]:
    """Return every part that a system lacks at the end of a week."""
    found = []
    for week in WEEKS:
        there = _received(moved, _LATE_LOG.get(week, week))
        for system, part, needed in _needs(week):
            place = (BY_ID[system].site, part)
            given = min(needed, there[place])
            there[place] -= given
            if given < needed:
                found.append(Shortage(label(week), system, part, needed - given))
    return found


def _received(moved: list[Movement], week: int) -> Counter[tuple[str, str]]:
    today = day(week, THU)
    there: Counter[tuple[str, str]] = Counter()
    for move in moved:
        if move.delivered and move.delivered <= today:
            there[move.site, move.order.part] += move.quantity - move.rejected
    for site, part, since, pieces in _MISBOOKED:
        if week >= since:
            there[site, part] += pieces
    return there


def _needs(week: int) -> list[tuple[str, str, int]]:
    """System, part and pieces needed, by the systems' priority; quantities per parent are multiplied."""
    needs: Counter[tuple[str, str]] = Counter()
    quantities = {(line.system, line.line): line.quantity for line in BOM}
    for line in BOM:
        if line.since != "A" and week < _REVISIONS[line.since]:
            continue
        if (line.system, line.line) == _UNREADABLE[:2] and week < _UNREADABLE[2]:
            continue
        times = quantities[line.system, line.parent] if line.basis == "per_parent" else 1
        needs[line.system, line.part] += line.quantity * times
    ordered = sorted(needs.items(), key=lambda item: (BY_ID[item[0][0]].priority, item[0]))
    return [(system, part, needed) for (system, part), needed in ordered]
