"""Beside the checks: progress that logic did not foresee, and work that the data date pushes along."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.facts import FF, FS, SF, SS
from turnup.schedule.health.results import Observation

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts

_STAMP = "%Y-%m-%d %H:%M"


def out_of_sequence(facts: Facts) -> Observation:
    """Links whose successor went ahead before its predecessor allowed it.

    Only the order of actual dates counts: lags are not added, and links with a lead, which allow it, are left out.
    """
    pred_dates = facts.activities.select(pl.col("id", "actual_start", "actual_finish").name.prefix("pred_"))
    succ_dates = facts.activities.select(pl.col("id", "actual_start", "actual_finish").name.prefix("succ_"))
    links = facts.links.filter(pl.col("known") & (pl.col("sign") >= 0))
    links = links.join(pred_dates, left_on="pred", right_on="pred_id", maintain_order="left")
    links = links.join(succ_dates, left_on="succ", right_on="succ_id", maintain_order="left")
    allowed = pl.when(pl.col("type").is_in([FS, FF])).then("pred_actual_finish").otherwise("pred_actual_start")
    went = pl.when(pl.col("type").is_in([FS, SS])).then("succ_actual_start").otherwise("succ_actual_finish")
    found = links.filter(went.is_not_null() & (allowed.is_null() | (went < allowed)))
    before = pl.when(pl.col("type").is_in([SS, SF])).then(pl.lit("start")).otherwise(pl.lit("finish"))
    why = pl.format("went on {} before the {} of the predecessor", went.dt.strftime(_STAMP), before)
    listed = facts.listed_links(found, why)
    sentence = f"Links whose successor went ahead before the predecessor allowed it: {listed.height:,}."
    return Observation("out_of_sequence", Fraction(listed.height), sentence, listed)


def riding_data_date(facts: Facts) -> Observation:
    """Activities that should have begun: not started, held by nothing unfinished, and due to start at the data date."""
    if facts.data_date is None or facts.schedule is None:
        return Observation("riding_data_date", None, "No data: there is no data date or no computed start.")
    held = facts.links.filter(~pl.col("pred_complete") & pl.col("known"))["succ"].implode()
    start = pl.col("own_early_start")
    found = facts.base.filter(
        pl.col("actual_start").is_null()
        & start.is_between(pl.col("date_early"), pl.col("date_late"))
        & ~pl.col("id").is_in(held)
    )
    listed = facts.listed(found, "starts at the data date")
    sentence = f"Activities that start at the data date because nothing else holds them: {listed.height:,}."
    return Observation("riding_data_date", Fraction(listed.height), sentence, listed)
