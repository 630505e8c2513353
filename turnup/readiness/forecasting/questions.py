"""What somebody asks: "what if shipment S-12 came 14 days later", read from the words they use.

Belongs here: the words and what they mean. Does not: what follows from them (``what_if``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

ALLOWED = (
    "shipment S-12 +14d",
    "order PO-1/10 -5d",
    "activity A1020 duration 5d",
    "gate SYSTEM/install +7d",
    "gate SYSTEM/BLOCK/install +7d",
    "risk R-3 happens",
    "risk R-3 does not happen",
    "throughput SITE install x2",
)
"""One example of every question, as error messages show them."""
POOLS = ("dock", "install", "burn_in")


class QuestionError(ConfigurationError):
    """A question that cannot be read, or that names what the programme does not have."""


@dataclass(frozen=True)
class ArrivalMoves:
    """What is told to come comes so many calendar days later, or earlier."""

    text: str
    source: str
    name: str
    days: float


@dataclass(frozen=True)
class ActivityTakes:
    """What remains of an activity takes so many of its working days, for certain."""

    text: str
    name: str
    days: float


@dataclass(frozen=True)
class GateMoves:
    """A gate is reached so many calendar days later, or earlier; of one block where ``path`` names it."""

    text: str
    path: str
    days: float


@dataclass(frozen=True)
class RiskComes:
    """A risk happens for certain, or does not."""

    text: str
    name: str
    happens: bool


@dataclass(frozen=True)
class ThroughputGrows:
    """A pool of a site does so many times as much."""

    text: str
    site: str
    pool: str
    factor: float


Question = ArrivalMoves | ActivityTakes | GateMoves | RiskComes | ThroughputGrows

_DAYS = r"(?P<days>[+-]\s*\d+(?:\.\d+)?)\s*(?:d|days?)"
_SPAN = r"(?P<days>\d+(?:\.\d+)?)\s*(?:d|days?)"
_FORMS: tuple[tuple[str, Callable[[str, dict[str, str]], Question]], ...] = (
    (rf"(?P<source>shipment|order)\s+(?P<name>.+?)\s+{_DAYS}",
     lambda text, of: ArrivalMoves(text, of["source"].lower(), of["name"], _number(of["days"]))),
    (rf"activity\s+(?P<name>.+?)\s+duration\s+{_SPAN}",
     lambda text, of: ActivityTakes(text, of["name"], _number(of["days"]))),
    (rf"gate\s+(?P<path>[^/]+(?:/[^/]+)+?)\s+{_DAYS}",
     lambda text, of: GateMoves(text, of["path"], _number(of["days"]))),
    (r"risk\s+(?P<name>.+?)\s+(?P<how>happens|does\s+not\s+happen)",
     lambda text, of: RiskComes(text, of["name"], of["how"].lower() == "happens")),
    (rf"throughput\s+(?P<site>.+?)\s+(?P<pool>{'|'.join(POOLS)}|burn-in)\s+[x*]\s*(?P<factor>\d+(?:\.\d+)?)",
     lambda text, of: ThroughputGrows(text, of["site"], of["pool"].lower().replace("-", "_"), _number(of["factor"]))),
)  # fmt: skip


def read_question(text: str) -> Question:
    """Read one question.

    Raises:
        QuestionError: naming the text and what is allowed.
    """
    words = text.strip()
    for pattern, make in _FORMS:
        found = re.fullmatch(pattern, words, re.IGNORECASE)
        if found is not None:
            question = make(words, found.groupdict())
            if isinstance(question, ThroughputGrows) and question.factor <= 0:
                raise QuestionError(f"what-if '{words}': a factor above 0 is needed, such as x2 or x0.5")
            return question
    raise QuestionError(f"what-if '{words}': not understood; allowed are such as: " + "; ".join(ALLOWED))


def _number(text: str) -> float:
    return float(text.replace(" ", ""))
