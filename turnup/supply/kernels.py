"""The compiled loops of the netting: demand in its order takes from queues of lots.

Belongs here: taking. Does not: which queues serve which demand, or what the queues are (``netting``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from turnup.schedule.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

NONE = -1
UNTOLD = 2**40
"""Day of a lot whose day nobody told: after every other."""
BLOCK, SYSTEM, USED, COUNT, RECEIPT, FOR_SYSTEM, FOR_SITE, FOR_ANY = range(8)
"""Columns of ``queues``: who may take from a queue, and whether its lots are there already."""


class Shelf(NamedTuple):
    """Lots in queues: queue q has the lots ``first[q]`` up to before ``last[q]``, in the order in which they are taken.

    ``left`` and ``heads`` change while lots are taken.
    """

    first: Numbers
    last: Numbers
    day: Numbers
    left: Numbers
    heads: Numbers


class Taken(NamedTuple):
    """What was taken, in the order of taking; ``steps[0]`` entries are filled."""

    demand: Numbers
    lot: Numbers
    choice: Numbers
    quantity: Numbers
    steps: Numbers


def nothing_taken(most: int) -> Taken:
    """Room for what is taken. A step empties a lot or fills a demand, so ``most`` is the number of both together."""
    demand, lot, choice, quantity = (np.zeros(most, np.int64) for _ in range(4))
    return Taken(demand, lot, choice, quantity, np.zeros(1, np.int64))


@kernel()
def head(shelf: Shelf, queue: int) -> int:
    """The first lot of a queue of which something is left, or NONE."""
    if queue == NONE:
        return NONE
    lot = shelf.heads[queue]
    while lot < shelf.last[queue] and shelf.left[lot] == 0:
        lot += 1
    shelf.heads[queue] = lot
    return lot if lot < shelf.last[queue] else NONE


@kernel()
def take(shelf: Shelf, taken: Taken, demand: int, choice: int, lot: int, wanted: int) -> int:
    """Take from a lot; returns what is still wanted."""
    quantity = min(wanted, shelf.left[lot])
    shelf.left[lot] -= quantity
    place = taken.steps[0]
    taken.demand[place], taken.lot[place] = demand, lot
    taken.choice[place], taken.quantity[place] = choice, quantity
    taken.steps[0] = place + 1
    return wanted - quantity  # type: ignore[no-any-return]


@kernel()
def take_all(shelf: Shelf, taken: Taken, demand: int, choice: int, queue: int, wanted: int) -> int:
    """Take from a queue until nothing is wanted or left; returns what is still wanted."""
    while wanted > 0:
        lot = head(shelf, queue)
        if lot == NONE:
            break
        wanted = take(shelf, taken, demand, choice, lot, wanted)
    return wanted


@kernel()
def earliest(shelf: Shelf, queues: Numbers, first: int, last: int, until: int) -> tuple[int, int]:
    """The inbound lot of some choices that comes first, up to a day, and its choice; ties go to the earlier choice."""
    best, best_choice, best_day = NONE, NONE, until + 1
    for choice in range(first, last):
        for scope in (FOR_SYSTEM, FOR_SITE, FOR_ANY):
            lot = head(shelf, queues[choice, scope])
            if lot != NONE and shelf.day[lot] < best_day:
                best, best_choice, best_day = lot, choice, shelf.day[lot]
    return best, best_choice


@kernel()
def take_inbound(
    shelf: Shelf, taken: Taken, queues: Numbers, demand: int, first: int, last: int, until: int, wanted: int
) -> int:
    """Take what comes up to a day, earliest first; returns what is still wanted."""
    while wanted > 0:
        lot, choice = earliest(shelf, queues, first, last, until)
        if lot == NONE:
            break
        wanted = take(shelf, taken, demand, choice, lot, wanted)
    return wanted


@kernel()
def serve_used(wanted: Numbers, pointers: Numbers, queues: Numbers, shelf: Shelf, taken: Taken) -> None:
    """Give built units the bulk parts that went into them: what is no longer counted, else what was received."""
    for demand in range(len(wanted)):
        left = wanted[demand]
        for choice in range(pointers[demand], pointers[demand + 1]):
            for scope in (USED, RECEIPT):
                left = take_all(shelf, taken, demand, choice, queues[choice, scope], left)


@kernel()
def serve(wanted: Numbers, need: Numbers, pointers: Numbers, queues: Numbers, shelf: Shelf, taken: Taken) -> None:
    """Serve each demand, in order, as ``turnup.supply.netting`` says."""
    for demand in range(len(wanted)):
        left = wanted[demand]
        first, last = pointers[demand], pointers[demand + 1]
        for choice in range(first, last):
            for scope in (BLOCK, SYSTEM):
                left = take_all(shelf, taken, demand, choice, queues[choice, scope], left)
        for choice in range(first, last):
            for scope in (COUNT, RECEIPT):
                left = take_all(shelf, taken, demand, choice, queues[choice, scope], left)
            left = take_inbound(shelf, taken, queues, demand, choice, choice + 1, need[demand], left)
        take_inbound(shelf, taken, queues, demand, first, last, UNTOLD, left)


class Wants(NamedTuple):
    """Demand lines that miss something, in their turn: pieces, day needed, priority, site and system as numbers."""

    quantity: Numbers
    need: Numbers
    priority: Numbers
    site: Numbers
    system: Numbers


class Offers(NamedTuple):
    """What only a decision can give, least harm first within a part; ``left`` changes.

    ``priority`` is that of the holder, or NONE where nobody goes short; ``here_only`` says that it serves its own site.
    """

    left: Numbers
    day: Numbers
    priority: Numbers
    site: Numbers
    system: Numbers
    here_only: Numbers


@kernel()
def may_serve(wants: Wants, offers: Offers, demand: int, offer: int) -> bool:
    """Whether an offer is there in time, at the right site, and not of the demand's own system."""
    if offers.left[offer] == 0 or offers.day[offer] > wants.need[demand]:
        return False
    if offers.here_only[offer] == 1 and offers.site[offer] != wants.site[demand]:
        return False
    return bool(offers.priority[offer] == NONE or offers.system[offer] != wants.system[demand])


@kernel()
def propose(wants: Wants, pointers: Numbers, first: Numbers, last: Numbers, offers: Offers, taken: Taken) -> None:
    """Propose offers to each demand line in its turn; ``first`` and ``last`` bound the queue of each choice.

    In a queue the holders of the lowest priority (the highest number) come first, so the first holder of the demand's
    own priority ends it. ``first`` moves on past offers that are used up.
    """
    heads = np.arange(len(offers.left) + 1)
    for demand in range(len(wants.quantity)):
        left = wants.quantity[demand]
        for choice in range(pointers[demand], pointers[demand + 1]):
            start = first[choice]
            while heads[start] < last[choice] and offers.left[heads[start]] == 0:
                heads[start] += 1
            for offer in range(heads[start], last[choice]):
                if left == 0:
                    break
                if offers.priority[offer] != NONE and offers.priority[offer] <= wants.priority[demand]:
                    break
                if may_serve(wants, offers, demand, offer):
                    quantity = min(left, offers.left[offer])
                    offers.left[offer] -= quantity
                    left -= quantity
                    place = taken.steps[0]
                    taken.demand[place], taken.lot[place] = demand, offer
                    taken.choice[place], taken.quantity[place] = choice, quantity
                    taken.steps[0] = place + 1
