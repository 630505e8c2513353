"""Beside the checks: links that say nothing, because other links already say it.

A finish-to-start link without lag from A to C is redundant when a chain of finish-to-start links without leads leads
from A to C through other activities, or when the same link is there twice. Other types and links with lag are never
called redundant, and never lend a hand.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from turnup.schedule.compiled import kernel
from turnup.schedule.health.facts import FS
from turnup.schedule.health.results import Observation
from turnup.schedule.topology import in_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from turnup.schedule.health.facts import Facts
    from turnup.schedule.working_time import Small


def redundant_links(facts: Facts) -> Observation:
    """Links implied by others, as far as the steps allowed go."""
    place = facts.activities.select("id", "place")
    links = facts.links.filter(
        pl.col("known") & (pl.col("type") == FS) & (pl.col("sign") >= 0) & (pl.col("pred") != pl.col("succ"))
    )
    links = links.join(place.rename({"place": "from"}), left_on="pred", right_on="id", maintain_order="left")
    links = links.join(place.rename({"place": "to"}), left_on="succ", right_on="id", maintain_order="left")
    pred, succ = (links[end].cast(pl.Int64).to_numpy() for end in ("from", "to"))
    plain = (links["sign"] == 0).to_numpy() & links["succ_base"].to_numpy()
    ordered = in_order(np.ones(facts.activities.height, dtype=np.bool_), pred, succ)
    found, skipped = _search(ordered.pred_ptr, ordered.pred, plain[ordered.link], facts.settings.beside.redundant_steps)
    implied = np.zeros(links.height, dtype=np.bool_)
    implied[ordered.link] = found
    listed = facts.listed_links(links.filter(pl.Series(implied)), "implied by other links")
    sentence = f"Finish-to-start links implied by others: {listed.height:,}."
    if skipped:
        sentence += f" Activities not searched because the search would take too long: {skipped:,}."
    if not ordered.complete:
        sentence += " Activities in loops and behind them were not searched."
    return Observation("redundant_links", Fraction(listed.height), sentence, listed)


@kernel()
def _search(pred_ptr: Small, pred: Small, plain: NDArray[np.bool_], steps: int) -> tuple[NDArray[np.bool_], int]:
    """Mark plain links whose predecessor is also reached backwards from another predecessor of the same activity.

    Positions are topological, so a search from C need not look before its earliest predecessor.
    """
    size = pred_ptr.size - 1
    implied = np.zeros(pred.size, dtype=np.bool_)
    seen = np.full(size, -1, dtype=np.int64)
    met = np.full(size, -1, dtype=np.int64)
    stack = np.empty(size, dtype=np.int64)
    skipped = 0
    for node in range(size):
        first, last = pred_ptr[node], pred_ptr[node + 1]
        if last - first < 2 or not plain[first:last].any():
            continue
        if steps <= 0:
            skipped += 1
            continue
        lowest = pred[first:last].min()
        for link in range(first, last):
            # A second search that ends at a marked activity has nothing to add.
            if seen[pred[link]] == node:
                continue
            height = 1
            stack[0] = pred[link]
            while height > 0:
                height -= 1
                at = stack[height]
                for before in range(pred_ptr[at], pred_ptr[at + 1]):
                    steps -= 1
                    other = pred[before]
                    if other >= lowest and seen[other] != node:
                        seen[other] = node
                        stack[height] = other
                        height += 1
        for link in range(first, last):
            implied[link] = plain[link] and (seen[pred[link]] == node or met[pred[link]] == node)
            met[pred[link]] = node
    return implied, skipped
