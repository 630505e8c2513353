"""Whether figures that a tool prints beside each other agree, as far as their printed places go."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

_PARTS = re.compile(r"^(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$", re.IGNORECASE)


def half_step(text: str) -> float:
    """Half of the last printed place: 0.005 for ``80.00``, 50000 for ``1.3e+06``."""
    found = _PARTS.match(text.strip())
    if found is None:
        return 0.0
    return 0.5 * 10.0 ** (int(found.group(3) or 0) - len(found.group(2) or ""))


def agree(printed: str, expected: float, slack: float, share: float = 0.005) -> bool:
    """Whether a printed figure is the expected one within its own last place, ``slack`` and a ``share`` of it."""
    return abs(float(printed) - expected) <= half_step(printed) + slack + share * abs(expected)


def total(values: Iterable[str]) -> str:
    """The exact sum of printed figures."""
    return str(sum((Decimal(value) for value in values), Decimal(0)))
