"""Slurm's generic resources: ``gpu:h200:8(S:0-1)``, ``gpu:4,nvme:2``, ``gpu:h200:no_consume:8``.

The count is what stands after the last colon; a name alone is one (gres.conf(5), ``Count``). Types of one name add up.
"""

from __future__ import annotations

import re

_NOTHING = frozenset({"", "(null)", "n/a", "none"})
_BRACKETS = re.compile(r"\([^()]*\)")
_COUNT = re.compile(r"^(\d+)([KMG]?)$", re.IGNORECASE)
_FACTOR = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}


def count_of(text: str | None, name: str = "gpu") -> int | None:
    """How many of a resource a text names; None when the text is absent, 0 when it names others only."""
    if text is None:
        return None
    plain = _BRACKETS.sub("", text).strip()
    if plain.lower() in _NOTHING:
        return None
    total = 0
    for item in plain.split(","):
        parts = item.strip().removeprefix("gres/").replace("=", ":").split(":")
        if parts[0].lower() != name:
            continue
        found = _COUNT.match(parts[-1]) if len(parts) > 1 else None
        total += int(found.group(1)) * _FACTOR[found.group(2).lower()] if found else 1
    return total


def kinds_of(text: str | None, name: str = "gpu") -> str | None:
    """The types of a resource, such as ``h200``; None where none is named."""
    items = [item.strip().split(":") for item in _BRACKETS.sub("", text or "").split(",")]
    named = {parts[1] for parts in items if parts[0].lower() == name and len(parts) > 2}
    return ", ".join(sorted(named)) or None
