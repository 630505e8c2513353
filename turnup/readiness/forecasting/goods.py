"""Which coming goods each block waits for.

Belongs here: serving the needs of systems from what comes, by order line, priority and day. Does not: how late things
come (``arrivals``).

Goods of an order line serve that line's shares in the order of the shares; goods that name no line serve the systems at
their site that miss the part, by priority. Within a system they fill the blocks in planned order: a block waits for its
share of every part.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.readiness.forecasting.facts import Block, Coming, Facts, Missing

ZERO = Decimal(0)


@dataclass(frozen=True)
class Waiting:
    """What a block waits for: goods that come, and the parts of which some have no day."""

    coming: tuple[Coming, ...]
    undated: tuple[str, ...]


def waiting_blocks(facts: Facts) -> dict[tuple[str, str], Waiting]:
    """By system and block, what its share of the missing parts waits for; blocks that wait for nothing are left out."""
    served = served_goods(facts)
    blocks: dict[str, list[Block]] = defaultdict(list)
    for block in facts.blocks:
        blocks[block.system].append(block)
    goods: dict[tuple[str, str], dict[str, Coming]] = defaultdict(dict)
    undated: dict[tuple[str, str], list[str]] = defaultdict(list)
    for need in facts.missing:
        lots = served.get((need.system, need.part), [])
        for block in blocks[need.system]:
            needed, open_quantity = _goods_of(block, blocks[need.system], need, lots)
            for coming in needed:
                goods[block.system, block.key][coming.key] = coming
            if open_quantity > ZERO:
                undated[block.system, block.key].append(need.part_number)
    keys = sorted(goods.keys() | undated.keys())
    return {key: Waiting(tuple(goods[key].values()), tuple(undated[key])) for key in keys}


def _goods_of(
    block: Block, blocks: Sequence[Block], need: Missing, lots: Sequence[tuple[Coming, Decimal]]
) -> tuple[list[Coming], Decimal]:
    """Lots that a block needs of a part, and how much of its need has no lot."""
    planned = sum((one.planned for one in blocks), ZERO)
    share = (block.before + block.planned) / planned if planned else Decimal(1)
    before = block.before / planned if planned else ZERO
    wanted = need.needed * share - need.received
    if wanted <= ZERO or need.needed * (share - before) <= ZERO:
        return [], ZERO
    taken: list[Coming] = []
    for coming, quantity in lots:
        if wanted <= ZERO:
            break
        taken.append(coming)
        wanted -= quantity
    return taken, max(ZERO, wanted)


def served_goods(facts: Facts) -> dict[tuple[str, str], list[tuple[Coming, Decimal]]]:
    """By system and part, the dated lots that come for it, in order of their days, each with its quantity for it."""
    left = {(need.system, need.part): need.needed - need.received for need in facts.missing}
    in_turn = _InTurn(facts)
    found: dict[tuple[str, str], list[tuple[Coming, Decimal]]] = defaultdict(list)
    for coming in facts.coming:
        if coming.part is None or coming.expected is None:
            continue
        quantity = coming.quantity
        for system, at_most in in_turn.takers(coming):
            taken = min(quantity, left.get((system, coming.part), ZERO), at_most)
            if taken > ZERO:
                found[system, coming.part].append((coming, taken))
                left[system, coming.part] -= taken
                quantity -= taken
                in_turn.took(coming, system, taken)
    return found


class _InTurn:
    """Who takes of a lot, first in turn first, and how much at most."""

    def __init__(self, facts: Facts) -> None:
        self._shares: dict[tuple[str, str], dict[str, Decimal]] = defaultdict(dict)
        for share in facts.shares:
            self._shares[share.po, share.line][share.system] = share.quantity
        self._missing: dict[tuple[str, str], list[str]] = defaultdict(list)
        for need in facts.missing:
            self._missing[need.site, need.part].append(need.system)

    def takers(self, coming: Coming) -> list[tuple[str, Decimal]]:
        shares = self._shares.get((coming.po or "", coming.line or ""))
        if shares:
            return list(shares.items())
        return [(system, coming.quantity) for system in self._missing.get((coming.site or "", coming.part or ""), [])]

    def took(self, coming: Coming, system: str, quantity: Decimal) -> None:
        shares = self._shares.get((coming.po or "", coming.line or ""))
        if shares:
            shares[system] -= quantity
