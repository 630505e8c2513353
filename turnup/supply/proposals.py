"""What a decision could give to blocks that lack parts: transfers between sites, and what others hold.

Belongs here: matching what is missing with what may be asked for. Does not: what is on offer (``sql/results``), nor any
move: nothing of this changes the netting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.supply.kernels import NONE, UNTOLD, Offers, Wants, nothing_taken, propose
from turnup.supply.netting import in_turn

if TYPE_CHECKING:
    from turnup.supply.kernels import Numbers

_INSTALLED = 8
"""The last rank of offers: pieces that stand in a system of the same site."""


def proposals(wants: pl.DataFrame, alternates: pl.DataFrame, offers: pl.DataFrame) -> pl.DataFrame:
    """Match demand lines, in their turn, with offers of their part and then of its alternates, least harm first.

    Args:
        wants: ``demand_no``, the columns of ``netting.BLOCK_ORDER``, ``block_id``, ``line_no``, ``site_no``,
            ``part_key``, ``missing`` in thousandths, ``until``: the last day on which an offer still helps (null: any).
        alternates: ``demand_no``, ``place``, ``part_key``.
        offers: ``offer_no``, ``rank``, ``part_key``, ``site_no``, ``system_no``, ``holder_priority`` (null: nobody goes
            short), ``quantity`` in thousandths, ``available``; numbered in the order in which they are asked for.

    Returns:
        ``demand_no``, ``offer_no``, ``quantity`` in thousandths, ``as_alternate``; an offer never beyond its quantity.
    """
    turns = in_turn(wants).with_row_index("turn")
    ordered = offers.sort("part_key", "offer_no").with_row_index("number")
    choices = _choices(turns, alternates, ordered)
    pointers = np.searchsorted(choices["turn"].to_numpy(), np.arange(turns.height + 1)).astype(np.int64)
    first, last = (_numbers(choices[name]) for name in ("first", "last"))
    taken = nothing_taken(turns.height + ordered.height)
    propose(_wants(turns), pointers, first, last, _offers(ordered), taken)
    count = int(taken.steps[0])
    return pl.DataFrame(
        {
            "demand_no": turns["demand_no"].to_numpy()[taken.demand[:count]],
            "offer_no": ordered["offer_no"].to_numpy()[taken.lot[:count]],
            "quantity": taken.quantity[:count],
            "as_alternate": choices["place"].to_numpy()[taken.choice[:count]] > 0,
        },
        schema_overrides={"demand_no": pl.Int64, "offer_no": pl.Int64},
    )


def _choices(turns: pl.DataFrame, alternates: pl.DataFrame, offers: pl.DataFrame) -> pl.DataFrame:
    """By demand line and part that is on offer the bounds of its offers, one row a rank: a rank is one queue."""
    own = turns.select("turn", "part_key", place=pl.lit(0, pl.Int64))
    others = alternates.select("demand_no", "part_key", pl.col("place").cast(pl.Int64))
    listed = turns.select("turn", "demand_no").join(others, on="demand_no").select("turn", "part_key", "place")
    bounds = offers.group_by("part_key", "rank").agg(first=pl.col("number").min(), last=pl.col("number").max() + 1)
    return pl.concat([own, listed]).join(bounds, on="part_key").sort("turn", "place", "rank")


def _wants(turns: pl.DataFrame) -> Wants:
    names = ("priority", "site_no", "system_no")
    return Wants(_numbers(turns["missing"]), _days(turns["until"]), *(_numbers(turns[name]) for name in names))


def _offers(offers: pl.DataFrame) -> Offers:
    holder, site, system = (
        _numbers(offers[name].fill_null(NONE)) for name in ("holder_priority", "site_no", "system_no")
    )
    here_only = _numbers(offers["rank"] == _INSTALLED)
    quantity = _numbers(offers["quantity"]).copy()
    return Offers(quantity, _days(offers["available"]), holder, site, system, here_only)


def _days(days: pl.Series) -> Numbers:
    return _numbers(days.cast(pl.Int32).cast(pl.Int64).fill_null(UNTOLD))


def _numbers(values: pl.Series) -> Numbers:
    return values.cast(pl.Int64).to_numpy()
