"""Summaries: the activities they hold, and what their links mean for these.

Belongs here: the tree of activities. Does not: dates of summaries (``passes`` rolls them up).
"""

from __future__ import annotations

import polars as pl

_OF_STARTS = (1, 3)
"""SS and SF leave from the start of a summary."""


def leaves_of(activities: pl.DataFrame) -> pl.DataFrame:
    """The activities below every summary, at any depth: ``summary`` and ``leaf`` as rows of ``activities``."""
    rows = activities.select("_project", "id", "parent", "kind", _row=pl.int_range(pl.len(), dtype=pl.Int64))
    held = rows.join(
        rows.select("_project", parent="id", summary="_row"), on=["_project", "parent"], how="inner"
    ).select("summary", "kind", child="_row")  # fmt: skip
    found = [held.filter(pl.col("kind") != "summary").select("summary", leaf="child")]
    deeper = held.filter(pl.col("kind") == "summary").select("summary", "child")
    # Each round goes one level down; a tree is never deeper than it has summaries.
    while deeper.height and len(found) <= activities.height:
        below = deeper.join(held.rename({"summary": "child", "child": "below"}), on="child", how="inner")
        found.append(below.filter(pl.col("kind") != "summary").select("summary", leaf="below"))
        deeper = below.filter(pl.col("kind") == "summary").select("summary", child="below")
    return pl.concat(found).unique().sort("summary", "leaf")


def links_of_leaves(activities: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Links with every end at a summary replaced by links at the activities it holds.

    What follows a summary follows each of them. What starts with a summary starts with those of them that no other one
    of them holds back, because a summary starts when its first activity does.
    """
    summary = activities["kind"] == "summary"
    touched = summary.gather(links["pred"]) | summary.gather(links["succ"])
    if not touched.any():
        return links
    leaves = leaves_of(activities)
    first = leaves.join(_held_inside(leaves, links), on=["summary", "leaf"], how="anti")
    plain, spread = links.filter(~touched), links.filter(touched)
    starts = spread["type"].is_in(_OF_STARTS)
    spread = pl.concat(
        [_replaced(spread.filter(~starts), "pred", leaves), _replaced(spread.filter(starts), "pred", first)]
    )
    spread = _replaced(spread, "succ", leaves)
    return pl.concat([plain, spread]).sort("row", "pred", "succ", maintain_order=True)


def _held_inside(leaves: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Activities of a summary with a predecessor in it: ``summary`` and ``leaf``."""
    inner = links.select(leaf="succ", before="pred").join(leaves, on="leaf", how="inner")
    return inner.join(leaves.rename({"leaf": "before"}), on=["summary", "before"], how="semi").select("summary", "leaf")


def _replaced(links: pl.DataFrame, end: str, leaves: pl.DataFrame) -> pl.DataFrame:
    held = links.join(leaves.rename({"summary": end}), on=end, how="left", maintain_order="left")
    return held.with_columns(pl.coalesce("leaf", end).alias(end)).drop("leaf")
