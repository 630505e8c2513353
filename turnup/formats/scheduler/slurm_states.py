"""Slurm's node states: a base state, flags, and the marks that sinfo puts behind a state.

The words and marks are those of the manual pages sinfo(1) and scontrol(1), "NODE STATE CODES". Belongs here: whether a
state places jobs. Does not: reading any output.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

MARKS = {
    "*": "NOT_RESPONDING",
    "~": "POWERED_DOWN",
    "#": "POWERING_UP",
    "!": "POWER_DOWN",
    "%": "POWERING_DOWN",
    "$": "MAINTENANCE",
    "@": "REBOOT_REQUESTED",
    "^": "REBOOT_ISSUED",
    "-": "PLANNED",
}
"""The mark behind a state, and the flag that it stands for."""

BASES = ("FUTURE", "UNKNOWN", "DOWN", "ERROR", "MIXED", "ALLOCATED", "IDLE")
_SHORT = {
    "ALLOC": "ALLOCATED", "MIX": "MIXED", "COMP": "COMPLETING", "DRNG": "DRAINING", "DRAINED": "DRAINED",
    "FAILG": "FAILING", "FUTR": "FUTURE", "MAINT": "MAINTENANCE", "RESV": "RESERVED", "UNK": "UNKNOWN",
    "PLND": "PLANNED", "POW_DN": "POWERED_DOWN", "POW_UP": "POWERING_UP", "POWERING_DN": "POWERING_DOWN",
    "NPC": "PERFCTRS", "INVAL": "INVALID_REG", "BOOT": "REBOOT_ISSUED", "REBOOT": "REBOOT_ISSUED",
    "NO_RESPOND": "NOT_RESPONDING", "MAINT_RES": "MAINTENANCE",
}  # fmt: skip
_COMPOUND = {
    "DRAINING": ("ALLOCATED", "DRAIN"),
    "DRAINED": ("IDLE", "DRAIN"),
    "DRAIN": ("IDLE", "DRAIN"),
    "FAILING": ("ALLOCATED", "FAIL"),
    "FAIL": ("IDLE", "FAIL"),
    "COMPLETING": ("ALLOCATED", "COMPLETING"),
    "RESERVED": ("IDLE", "RESERVED"),
    "MAINTENANCE": ("IDLE", "MAINTENANCE"),
    "PLANNED": ("IDLE", "PLANNED"),
    "POWERED_DOWN": ("IDLE", "POWERED_DOWN"),
    "POWERING_UP": ("IDLE", "POWERING_UP"),
    "POWERING_DOWN": ("IDLE", "POWERING_DOWN"),
    "REBOOT_ISSUED": ("DOWN", "REBOOT_ISSUED"),
    "PERFCTRS": ("ALLOCATED", "PERFCTRS"),
    "INVALID_REG": ("IDLE", "INVALID_REG"),
}
"""States as sinfo says them in one word, where a node that says the flag alone has no base state beside it."""

HOLDING = frozenset(
    {"DRAIN", "FAIL", "NOT_RESPONDING", "MAINTENANCE", "RESERVED", "POWERED_DOWN", "POWERING_UP", "POWER_DOWN",
     "POWERING_DOWN", "POWER_DRAIN", "REBOOT_ISSUED", "INVALID_REG", "INVALID"}
)  # fmt: skip
"""Flags under which no job is placed, or only those of one reservation, or the node is "not capable of running any
jobs" at the time (power saving)."""

_PLACING = frozenset({"IDLE", "ALLOCATED", "MIXED"})
_MARKED = re.compile(r"^([A-Z_]+?)([*~#!%$@^-]*)$")


@dataclass(frozen=True)
class NodeState:
    """A node's state: base, flags in the order given, and whether jobs are placed on it."""

    base: str
    flags: tuple[str, ...]

    @property
    def offered(self) -> bool:
        """Whether the scheduler places any user's job on the node: busy nodes count, drained ones do not."""
        return self.base in _PLACING and not HOLDING & set(self.flags)


def state_of(words: Iterable[str]) -> NodeState | None:
    """The state in a list of words such as ``IDLE``, ``DRAIN`` or one text such as ``idle*+drain``.

    Returns None when no word is there; a word that Slurm does not have is kept as the base, which places no job.
    """
    given = [part for word in words for part in re.split(r"[+,\s]+", word.strip().upper()) if part]
    flags: dict[str, None] = {}
    base: str | None = None
    implied: str | None = None
    for word in given:
        marked = _MARKED.match(word)
        name, marks = (marked.group(1), marked.group(2)) if marked else (word, "")
        name = _SHORT.get(name, name)
        if name in BASES:
            base = name if base is None else base
        elif name in _COMPOUND:
            implied = implied or _COMPOUND[name][0]
            flags[_COMPOUND[name][1]] = None
        else:
            flags[name] = None
        flags |= dict.fromkeys(MARKS[mark] for mark in marks)
    if not given:
        return None
    if base is None and implied is None and not set(flags) & KNOWN_FLAGS:
        return NodeState(next(iter(flags)), tuple(flags)[1:])
    return NodeState(base or implied or "UNKNOWN", tuple(flags))


KNOWN_FLAGS = HOLDING | frozenset(MARKS.values()) | frozenset(
    {"COMPLETING", "CLOUD", "DYNAMIC_NORM", "DYNAMIC_FUTURE", "BLOCKED", "PERFCTRS", "PLANNED", "RESUME", "UNDRAIN",
     "REBOOT_CANCELED", "EXTERNAL", "POWER_UP"}
)  # fmt: skip
