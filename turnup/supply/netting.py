"""Who gets which part: demand lines take from lots by priority, then need date, ties by name.

Belongs here: the order of demand, which lots may serve it and in which order. Does not: where demand and lots come from
(the SQL models), or what follows for a block (the same).

A demand line takes, in this order,

1. what is its own already: installed in its block or system, or kitted for it;
2. of the part itself, free stock at its site, then what comes by the need date (for the system, for the site, for
   anybody), earliest first; then the same of each approved alternate in the order of the list;
3. what comes later, earliest first, and last what has no day.

Stock is open to every system at its site; so nothing free and there in time is left to a later line while an earlier
one lacks it. What comes for a system by its share of an order is that system's alone. Installed and kitted pieces
never serve another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from turnup.supply.kernels import FOR_SYSTEM, NONE, SYSTEM, UNTOLD, Shelf, nothing_taken, serve, serve_used

if TYPE_CHECKING:
    from datetime import date

    from numpy.typing import NDArray

    from turnup.supply.kernels import Numbers, Taken

SCOPES = {
    "block": "block_id", "system": "system_no", "used": "site_no", "count": "site_no", "receipt": "site_no",
    "for_system": "system_no", "for_site": "site_no", "for_any": None,
}  # fmt: skip
"""Kinds of lot by who may take them, in the order of the kernels' columns, and the demand's number of that holder.

``block`` and ``system``: there and reserved for it. ``used``: received at a site and no longer counted there. ``count``
and ``receipt``: free at a site. ``for_system``, ``for_site`` and ``for_any``: not there yet.
"""
BLOCK_ORDER = ("priority", "need_date", "system_no", "block_no")
"""Columns by which blocks take their turn; within a block its lines do, by ``line_no``."""
THOUSAND = 1000
"""Quantities are whole thousandths while they are given out."""
ALLOCATIONS = ("demand_no", "lot_no", "place", "quantity", "used")
"""Columns of the result: ``place`` is 0 for the part itself and n for its n-th alternate."""


class Netting(NamedTuple):
    """Who got what, and what that is for each demand line.

    Attributes:
        allocations: see ``ALLOCATIONS``; by demand line in its turn, then in the order of taking; thousandths.
        lines: ``demand_no`` and, in pieces, ``installed``, ``built_in``, ``kitted``, ``on_site`` (all that is there),
            ``by_alternate``, ``coming`` (with a day), ``undated``, ``in_time`` (by the need date); ``covered_on``, the
            last day of what comes.
    """

    allocations: pl.DataFrame
    lines: pl.DataFrame


def net(demand: pl.DataFrame, alternates: pl.DataFrame, lots: pl.DataFrame, as_of: date) -> Netting:
    """Allocate lots to demand lines.

    Args:
        demand: ``demand_no``, the columns of ``BLOCK_ORDER``, ``line_no``, ``block_id``, ``site_no``, ``part_no``,
            ``quantity`` wanted and ``used`` of it that went into built units, in thousandths of a piece. Names are
            numbered in their order.
        alternates: ``demand_no``, ``place`` from 1, ``part_no``.
        lots: ``lot_no``, ``scope``, ``holder_no`` (0 for ``for_any``), ``part_no``, ``quantity`` in thousandths,
            ``day`` (null: not told), ``kitted`` (else what is its own is installed). Within a queue lots are taken by
            day, then by number.
        as_of: a demand without a need date is needed now.
    """
    turns = in_turn(demand)
    queued = _queued(lots)
    choices = _choices(turns, alternates)
    pointers = np.searchsorted(choices["turn"].to_numpy(), np.arange(turns.height + 1)).astype(np.int64)
    queues = _queues(turns, choices, queued)
    shelf = _shelf(queued)
    wanted, used = (turns[name].to_numpy().astype(np.int64) for name in ("quantity", "used"))
    need = turns["need_date"].fill_null(as_of).cast(pl.Int32).to_numpy().astype(np.int64)
    built = nothing_taken(turns.height + queued.height)
    serve_used(np.minimum(used, wanted), pointers, queues, shelf, built)
    steps = int(built.steps[0])
    filled = np.bincount(built.demand[:steps], built.quantity[:steps], turns.height).astype(np.int64)
    rest = nothing_taken(turns.height + queued.height)
    serve(wanted - filled, need, pointers, queues, shelf, rest)
    found = _Given.of(built, rest)
    return Netting(_allocations(found, turns, queued, choices), _lines(found, turns, need, queued, choices))


def in_turn(demand: pl.DataFrame) -> pl.DataFrame:
    """Demand lines in the order in which they are served."""
    blocks = demand.select(*BLOCK_ORDER, "block_id").unique("block_id").sort(*BLOCK_ORDER, nulls_last=True)
    turns = blocks.select("block_id", block_turn=pl.int_range(pl.len(), dtype=pl.Int64))
    return demand.join(turns, on="block_id").sort("block_turn", "line_no", "demand_no")


def _queued(lots: pl.DataFrame) -> pl.DataFrame:
    """Lots with the number of their scope, sorted by queue and within it as they are taken."""
    scopes = pl.DataFrame(
        {"scope": list(SCOPES), "scope_no": range(len(SCOPES))}, schema_overrides={"scope_no": pl.Int64}
    )
    known = lots.filter(pl.col("quantity") > 0).join(scopes, on="scope")
    ordered = known.sort("scope_no", "holder_no", "part_no", "day", "lot_no", nulls_last=True)
    return ordered.with_columns(queue=pl.struct("scope_no", "holder_no", "part_no").rle_id().cast(pl.Int64))


def _choices(turns: pl.DataFrame, alternates: pl.DataFrame) -> pl.DataFrame:
    """One row a demand line and part that may serve it: its own, then its alternates as listed."""
    own = turns.select(
        "demand_no", "part_no", turn=pl.int_range(pl.len(), dtype=pl.Int64), place=pl.lit(0, pl.Int64)
    )  # fmt: skip
    if alternates.is_empty():
        return own
    others = alternates.select("demand_no", "part_no", pl.col("place").cast(pl.Int64))
    listed = others.join(own.select("demand_no", "turn"), on="demand_no").select(own.columns)
    return pl.concat([own.with_columns(pl.col("part_no").cast(pl.Int64)), listed.cast({"part_no": pl.Int64})]).sort(
        "turn", "place"
    )


def _queues(turns: pl.DataFrame, choices: pl.DataFrame, queued: pl.DataFrame) -> Numbers:
    """By choice and scope the number of the queue that serves it, or NONE."""
    found = np.full((choices.height, len(SCOPES)), NONE, np.int64)
    turn, part = choices["turn"].to_numpy(), choices["part_no"].to_numpy().astype(np.int64)
    kinds = queued.unique("queue", maintain_order=True).select("scope_no", "holder_no", "part_no", "queue")
    span = 1 + max(int(part.max(initial=0)), _most(kinds["part_no"]))
    for number, holder in enumerate(SCOPES.values()):
        of_scope = kinds.filter(pl.col("scope_no") == number)
        if of_scope.is_empty():
            continue
        names = np.zeros(len(turn), np.int64) if holder is None else turns[holder].to_numpy().astype(np.int64)[turn]
        keys = of_scope["holder_no"].to_numpy().astype(np.int64) * span + of_scope["part_no"].to_numpy()
        wanted = names * span + part
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found[:, number] = np.where(keys[place] == wanted, of_scope["queue"].to_numpy()[place], NONE)
    return found


def _most(values: pl.Series) -> int:
    return int(values.to_numpy().max(initial=0))


def _days(queued: pl.DataFrame) -> Numbers:
    return queued["day"].cast(pl.Int32).cast(pl.Int64).fill_null(UNTOLD).to_numpy()


def _shelf(queued: pl.DataFrame) -> Shelf:
    queues = queued["queue"].to_numpy()
    count = int(queues[-1]) + 1 if len(queues) else 0
    bounds = np.searchsorted(queues, np.arange(count + 1)).astype(np.int64)
    day = _days(queued)
    left = queued["quantity"].to_numpy().astype(np.int64).copy()
    return Shelf(bounds[:-1].copy(), bounds[1:].copy(), day, left, bounds[:-1].copy())


class _Given(NamedTuple):
    """What both rounds gave, by turn: numbers of the demand line, lot and choice, thousandths, and whether built in."""

    turn: Numbers
    lot: Numbers
    choice: Numbers
    quantity: Numbers
    used: NDArray[np.bool_]

    @classmethod
    def of(cls, built: Taken, rest: Taken) -> _Given:
        steps = [int(taken.steps[0]) for taken in (built, rest)]
        turn, lot, choice, quantity = (
            np.concatenate([one[: steps[0]], two[: steps[1]]]) for one, two in zip(built[:4], rest[:4], strict=True)
        )
        order = np.argsort(turn, kind="stable")
        return cls(turn[order], lot[order], choice[order], quantity[order], np.repeat([True, False], steps)[order])


def _allocations(given: _Given, turns: pl.DataFrame, queued: pl.DataFrame, choices: pl.DataFrame) -> pl.DataFrame:
    names = {
        "demand_no": turns["demand_no"].to_numpy()[given.turn], "lot_no": queued["lot_no"].to_numpy()[given.lot],
        "place": choices["place"].to_numpy()[given.choice], "quantity": given.quantity, "used": given.used,
    }  # fmt: skip
    return pl.DataFrame(names, schema_overrides={"demand_no": pl.Int64, "lot_no": pl.Int64})


def _lines(
    given: _Given, turns: pl.DataFrame, need: Numbers, queued: pl.DataFrame, choices: pl.DataFrame
) -> pl.DataFrame:
    scope, kitted = (queued[name].to_numpy()[given.lot] for name in ("scope_no", "kitted"))
    day = _days(queued)[given.lot]
    own, inbound, told = (scope <= SYSTEM) & ~given.used, scope >= FOR_SYSTEM, day != UNTOLD
    chosen = {
        "installed": own & ~kitted,
        "built_in": given.used,
        "kitted": own & kitted,
        "on_site": ~inbound,
        "by_alternate": choices["place"].to_numpy()[given.choice] > 0,
        "coming": inbound & told,
        "undated": inbound & ~told,
        "in_time": inbound & (day <= need[given.turn]),
    }
    sums = {
        name: np.bincount(given.turn[which], given.quantity[which], turns.height) / THOUSAND
        for name, which in chosen.items()
    }
    last = np.full(turns.height, NONE, np.int64)
    dated = chosen["coming"]
    np.maximum.at(last, given.turn[dated], day[dated])
    frame = pl.DataFrame({"demand_no": turns["demand_no"], **sums, "last": last})
    covered = pl.when(pl.col("last") != NONE).then(pl.col("last")).cast(pl.Int32).cast(pl.Date)
    return frame.with_columns(covered_on=covered).drop("last")
