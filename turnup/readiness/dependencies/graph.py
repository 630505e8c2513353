"""The graph of needs that are open: blocks that wait for blocks of other systems, and the things all of them wait for.

Belongs here: its words and how it is looked up. Does not: walking it (``chains``), or reading it (``written``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date


@dataclass(frozen=True, order=True)
class Need:
    """A gate of a system needs a gate of another; ``gate_no`` is None where the other has no gates."""

    system: str
    asked_no: int
    needed: str
    gate_no: int | None


@dataclass(frozen=True, order=True)
class Wait:
    """A block that waits at a gate until a block of another system has passed one of its own.

    Attributes:
        needed_block: empty where the other system has no gates.
        gate_no: of the other system; 0 where it has no gates.
    """

    system: str
    block: str
    asked_no: int
    needed: str
    needed_block: str
    gate_no: int


@dataclass(frozen=True)
class Item:
    """A thing that a block waits for at one of its own gates, by its number.

    Attributes:
        place: the order in which the things of one gate are named, first the first.
        told: the day that somebody promised, by whom in ``told_by``.
    """

    system: str
    block: str
    gate_no: int
    kind: str
    key: str
    what: str
    place: int = 0
    owner: str = ""
    told: date | None = None
    told_by: str = ""

    @property
    def id(self) -> str:
        """The same thing has the same id whatever waits for it."""
        return f"{self.system}/{self.kind}/{self.key}"


_Row = TypeVar("_Row", Wait, Item)
Place = tuple[str, str, int]
"""A gate: system, block, number."""


@dataclass(frozen=True)
class Graph:
    """Open needs and open things. No row of it is of a gate that has passed; order of rows means nothing.

    Attributes:
        dates: when an open gate will be passed, as far as that is known.
    """

    waits: tuple[Wait, ...]
    items: tuple[Item, ...]
    dates: Mapping[Place, date | None] = field(default_factory=dict)

    @cached_property
    def _waits(self) -> dict[tuple[str, str], list[Wait]]:
        return _grouped(sorted(set(self.waits)))

    @cached_property
    def _items(self) -> dict[tuple[str, str], list[Item]]:
        return _grouped(sorted(self.items, key=_first_named))

    def waits_of(self, system: str, block: str, up_to: int) -> list[Wait]:
        """What a block waits for at its gates up to a number, in order."""
        return [wait for wait in self._waits.get((system, block), ()) if wait.asked_no <= up_to]

    def items_of(self, system: str, block: str, up_to: int) -> list[Item]:
        """The things that a block waits for at its gates up to a number, in order: what is to be done first leads."""
        return [item for item in self._items.get((system, block), ()) if item.gate_no <= up_to]


def _first_named(item: Item) -> tuple[str, str, int, int, bool, int, str, str]:
    """By gate and place; of things alike, one that nobody has promised first, then the latest."""
    told = -item.told.toordinal() if item.told else 0
    return item.system, item.block, item.gate_no, item.place, item.told is not None, told, item.kind, item.key


def _grouped(rows: Iterable[_Row]) -> dict[tuple[str, str], list[_Row]]:
    found: dict[tuple[str, str], list[_Row]] = defaultdict(list)
    for row in rows:
        found[row.system, row.block].append(row)
    return found
