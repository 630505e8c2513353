"""What a decision could give to blocks that lack parts: transfers between sites, and what others hold.

Belongs here: matching what is missing with what may be asked for. Does not: what is on offer (``sql/results``), nor any
move: nothing of this changes the netting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.supply.kernels import NONE, UNTOLD, Offers, Wants, nothing_taken, propose
from turnup.supply.netting import ORDER

if TYPE_CHECKING:
    from turnup.supply.kernels import Numbers

_INSTALLED = 8
"""The last rank of offers: pieces that stand in a system of the same site."""


def proposals(wants: pl.DataFrame, alternates: pl.DataFrame, offers: pl.DataFrame) -> pl.DataFrame:
    """Match demand lines, in their turn, with offers of their part and then of its alternates, least harm first.

    Args:
        wants: ``demand_no``, the columns of ``netting.ORDER``, ``site_key``, ``part_key``, ``missing`` in thousandths,
            ``until``: the last day on which an offer still helps (null: any).
        alternates: ``demand_no``, ``place``, ``part_key``.
        offers: ``offer_no``, ``rank``, ``part_key``, ``site_key``, ``system_key``, ``holder_priority`` (null: nobody
            goes short), ``quantity`` in thousandths, ``available``; in the order in which they are asked for.

    Returns:
        ``demand_no``, ``offer_no``, ``quantity`` in thousandths, ``as_alternate``; an offer never beyond its quantity.
    """
    turns = wants.sort(*ORDER, nulls_last=True).with_row_index("turn")
    ordered = offers.sort("part_key", "offer_no")
    choices = _choices(turns, alternates, ordered)
    pointers = np.searchsorted(choices["turn"].to_numpy(), np.arange(turns.height + 1)).astype(np.int64)
    first, last = (_numbers(choices[name]) for name in ("first", "last"))
    taken = nothing_taken(turns.height + ordered.height)
    propose(_wants(turns, ordered), pointers, first, last, _offers(ordered), taken)
    count = int(taken.steps[0])
    return pl.DataFrame(
        {
            "demand_no": turns["demand_no"].gather(taken.demand[:count]),
            "offer_no": ordered["offer_no"].gather(taken.lot[:count]),
            "quantity": taken.quantity[:count],
            "as_alternate": choices["place"].gather(taken.choice[:count]) > 0,
        }
    )


def _choices(turns: pl.DataFrame, alternates: pl.DataFrame, offers: pl.DataFrame) -> pl.DataFrame:
    """Each demand line's part and alternates of which something is on offer, with the bounds of those offers."""
    own = turns.select("turn", "part_key", place=pl.lit(0, pl.Int64))
    others = alternates.select("demand_no", "part_key", pl.col("place").cast(pl.Int64))
    listed = turns.select("turn", "demand_no").join(others, on="demand_no").select("turn", "part_key", "place")
    numbered = offers.with_row_index("number").group_by("part_key")
    bounds = numbered.agg(first=pl.col("number").min(), last=pl.col("number").max() + 1)
    return pl.concat([own, listed]).join(bounds, on="part_key").sort("turn", "place")


def _wants(turns: pl.DataFrame, offers: pl.DataFrame) -> Wants:
    site, system = (_codes(turns[name], offers[name]) for name in ("site_key", "system_key"))
    return Wants(_numbers(turns["missing"]), _days(turns["until"]), _numbers(turns["priority"]), site, system)


def _offers(offers: pl.DataFrame) -> Offers:
    site, system = (_codes(offers[name], offers[name]) for name in ("site_key", "system_key"))
    holder = _numbers(offers["holder_priority"].fill_null(NONE))
    here_only = _numbers(offers["rank"] == _INSTALLED)
    return Offers(_numbers(offers["quantity"]).copy(), _days(offers["available"]), holder, site, system, here_only)


def _days(days: pl.Series) -> Numbers:
    return _numbers(days.cast(pl.Int32).cast(pl.Int64).fill_null(UNTOLD))


def _codes(values: pl.Series, known: pl.Series) -> Numbers:
    """Names as the places they have among the offers' names; NONE where no offer has them."""
    names = known.unique().drop_nulls().sort()
    places = pl.DataFrame({"name": names, "code": np.arange(len(names))})
    found = pl.DataFrame({"name": values}).join(places, on="name", how="left", maintain_order="left")
    return _numbers(found["code"].fill_null(NONE))


def _numbers(values: pl.Series) -> Numbers:
    return values.cast(pl.Int64).to_numpy()
