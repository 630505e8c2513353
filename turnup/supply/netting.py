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

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.supply.kernels import NONE, UNTOLD, Shelf, nothing_taken, serve, serve_used

if TYPE_CHECKING:
    from datetime import date

    from turnup.supply.kernels import Numbers, Taken

SCOPES = ("block", "system", "used", "count", "receipt", "for_system", "for_site", "for_any")
"""Kinds of lot by who may take them, in the order of the kernels' columns.

``block`` and ``system``: there and reserved for it. ``used``: received at a site and no longer counted there. ``count``
and ``receipt``: free at a site. ``for_system``, ``for_site`` and ``for_any``: not there yet.
"""
_HOLDERS = ("block_holder", "system_key", "site_key", "site_key", "site_key", "system_key", "site_key", "nobody")
ORDER = ("priority", "need_date", "system_key", "block_no", "line_no")
"""Columns by which demand lines take their turn."""
ALLOCATIONS = {
    "demand_no": pl.Int64, "lot_no": pl.Int64, "place": pl.Int64, "quantity": pl.Int64, "used": pl.Boolean,
}  # fmt: skip
"""Columns of the result: ``place`` is 0 for the part itself and n for its n-th alternate."""


def net(demand: pl.DataFrame, alternates: pl.DataFrame, lots: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """Allocate lots to demand lines.

    Args:
        demand: ``demand_no``, the columns of ``ORDER``, ``block_holder``, ``site_key``, ``part_key``, ``quantity``
            wanted and ``used`` of it that went into built units, in thousandths of a piece.
        alternates: ``demand_no``, ``place`` from 1, ``part_key``.
        lots: ``lot_no``, ``scope``, ``holder``, ``part_key``, ``quantity`` in thousandths, ``day`` (null: not told).
            Within a queue lots are taken by day, then by number.
        as_of: a demand without a need date is needed now.

    Returns:
        Allocations, see ``ALLOCATIONS``; by demand line in its turn, then in the order of taking.
    """
    turns = demand.sort(*ORDER, nulls_last=True)
    queued = _queued(lots)
    choices = _choices(turns, alternates, queued)
    pointers = _pointers(turns, choices)
    queues = choices.select(SCOPES).to_numpy().astype(np.int64)
    shelf = _shelf(queued)
    wanted, used = (turns[name].to_numpy().astype(np.int64) for name in ("quantity", "used"))
    need = turns["need_date"].fill_null(as_of).cast(pl.Int32).to_numpy().astype(np.int64)
    built = nothing_taken(turns.height + lots.height)
    serve_used(np.minimum(used, wanted), pointers, queues, shelf, built)
    first = _frame(built, turns, queued, choices, used=True)
    filled = np.bincount(built.demand[: built.steps[0]], built.quantity[: built.steps[0]], turns.height)
    rest = nothing_taken(turns.height + lots.height)
    serve(wanted - filled.astype(np.int64), need, pointers, queues, shelf, rest)
    found = pl.concat([first, _frame(rest, turns, queued, choices, used=False)])
    return found.sort("turn", "used", "step", descending=[False, True, False]).select(list(ALLOCATIONS))


def _queued(lots: pl.DataFrame) -> pl.DataFrame:
    """Lots with their queue, sorted as they are taken."""
    ordered = lots.filter(pl.col("quantity") > 0).sort("scope", "holder", "part_key", "day", "lot_no", nulls_last=True)
    return ordered.with_columns(queue=pl.struct("scope", "holder", "part_key").rle_id().cast(pl.Int64))


def _choices(turns: pl.DataFrame, alternates: pl.DataFrame, queued: pl.DataFrame) -> pl.DataFrame:
    """One row a demand line and part that may serve it, with the queue of each scope."""
    wanted = turns.select(
        "demand_no", "part_key", "system_key", "block_holder", "site_key",
        turn=pl.int_range(pl.len(), dtype=pl.Int64), place=pl.lit(0, pl.Int64), nobody=pl.lit(""),
    )  # fmt: skip
    others = alternates.select("demand_no", pl.col("place").cast(pl.Int64), other="part_key")
    listed = wanted.drop("place").join(others, on="demand_no").with_columns(part_key="other").drop("other")
    found = pl.concat([wanted, listed.select(wanted.columns)]).sort("turn", "place")
    kinds = queued.group_by("scope", "holder", "part_key").agg(pl.col("queue").first())
    for scope, holder in zip(SCOPES, _HOLDERS, strict=True):
        of_scope = kinds.filter(pl.col("scope") == scope).select(
            pl.col("holder").alias(holder), "part_key", pl.col("queue").alias(scope)
        )
        found = found.join(of_scope, on=[holder, "part_key"], how="left", maintain_order="left")
    return found.with_columns(pl.col(SCOPES).fill_null(NONE))


def _pointers(turns: pl.DataFrame, choices: pl.DataFrame) -> Numbers:
    counts = np.bincount(choices["turn"].to_numpy(), minlength=turns.height)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def _shelf(queued: pl.DataFrame) -> Shelf:
    queues = queued["queue"].to_numpy()
    count = int(queues[-1]) + 1 if len(queues) else 0
    first = np.searchsorted(queues, np.arange(count)).astype(np.int64)
    last = np.append(first[1:], len(queues)).astype(np.int64)[:count]
    day = queued["day"].cast(pl.Int32).cast(pl.Int64).fill_null(UNTOLD).to_numpy()
    return Shelf(first, last, day, queued["quantity"].to_numpy().astype(np.int64), first.copy())


def _frame(
    taken: Taken, turns: pl.DataFrame, queued: pl.DataFrame, choices: pl.DataFrame, *, used: bool
) -> pl.DataFrame:
    count = int(taken.steps[0])
    turn, lot, choice, quantity = (column[:count] for column in taken[:4])
    return pl.DataFrame(
        {
            "turn": turn, "step": np.arange(count), "demand_no": turns["demand_no"].gather(turn),
            "lot_no": queued["lot_no"].gather(lot), "place": choices["place"].gather(choice),
            "quantity": quantity, "used": np.full(count, used),
        }
    ).with_columns(pl.col("demand_no", "lot_no").cast(pl.Int64))  # fmt: skip
