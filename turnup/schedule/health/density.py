"""Beside the checks: how densely activities are linked, where links meet, and where they go astray."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.facts import SF
from turnup.schedule.health.logic import counted_links, dangling_finish, dangling_start, lag_words
from turnup.schedule.health.results import Observation
from turnup.schedule.model import HOUR

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts

_LAG_DAY = 8 * HOUR


def links_per_activity(facts: Facts) -> Observation:
    """Links over activities; real networks have 1.3 to 2."""
    activities, links = facts.activities.filter("discrete").height, facts.links.height
    if activities == 0:
        return Observation("links_per_activity", None, "No data: there are no activities.")
    value = Fraction(links, activities)
    sentence = f"Links per activity: {float(value):.2f} ({links:,} links, {activities:,} activities)."
    return Observation("links_per_activity", value, sentence)


def logic_density(facts: Facts) -> Observation:
    """Predecessors and successors of an incomplete activity on average; below 2 logic is missing, above 4 it hides."""
    base = facts.base
    if base.is_empty():
        return Observation("logic_density", None, "No data: there are no incomplete activities.")
    value = Fraction(int(base.select(pl.col("preds").sum() + pl.col("succs").sum()).item()), base.height)
    told = "too few links" if value < 2 else "many links" if value > 4 else "between 2 and 4, as usual"
    return Observation("logic_density", value, f"Links at an incomplete activity: {float(value):.2f}, {told}.")


def merge_hot_spots(facts: Facts) -> Observation:
    """Incomplete activities with many predecessors: each of them can hold them up."""
    return _hot_spots(facts, "merge_hot_spots", "preds", facts.settings.beside.merge_above, "predecessors")


def divergence_hot_spots(facts: Facts) -> Observation:
    """Incomplete activities with many successors: a slip of theirs spreads."""
    return _hot_spots(facts, "divergence_hot_spots", "succs", facts.settings.beside.diverge_above, "successors")


def _hot_spots(facts: Facts, name: str, column: str, above: int, words: str) -> Observation:
    found = facts.base.filter(pl.col(column) > above)
    sentence = f"Incomplete activities with more than {above} {words}: {found.height:,}."
    return _listing(name, sentence, facts.listed(found, pl.format(f"{{}} {words}", column)))


def dangling_starts(facts: Facts) -> Observation:
    """Incomplete activities whose start no link drives."""
    found = facts.base.filter(dangling_start())
    sentence = f"Incomplete activities with predecessors of which none drives their start: {found.height:,}."
    return _listing("dangling_starts", sentence, facts.listed(found, "only finish-to-finish predecessors"))


def dangling_finishes(facts: Facts) -> Observation:
    """Incomplete activities whose finish drives nothing."""
    found = facts.base.filter(dangling_finish())
    sentence = f"Incomplete activities with successors of which none waits for their finish: {found.height:,}."
    return _listing("dangling_finishes", sentence, facts.listed(found, "only start-to-start successors"))


def start_to_finish_links(facts: Facts) -> Observation:
    """Start-to-finish links: hardly ever what was meant."""
    found = counted_links(facts).filter(pl.col("type") == SF)
    listed = facts.listed_links(found, "start-to-finish link")
    return _listing("start_to_finish_links", f"Start-to-finish links: {found.height:,}.", listed)


def long_lags(facts: Facts) -> Observation:
    """Links with a long lag, in working or elapsed days of 8 hours as P6 counts them."""
    days = facts.settings.links.long_lag_days
    found = counted_links(facts).filter(pl.col("lag_s") > round(days * _LAG_DAY))
    sentence = f"Links with a lag above {days:g} days of 8 hours: {found.height:,}."
    return _listing("long_lags", sentence, facts.listed_links(found, lag_words()))


def summary_links(facts: Facts) -> Observation:
    """Links at summaries: they stand for links of all activities below, and hide which one is meant."""
    summaries = facts.activities.filter(pl.col("kind") == "summary")["id"].implode()
    found = facts.links.filter(pl.col("pred").is_in(summaries) | pl.col("succ").is_in(summaries))
    sentence = f"Links that begin or end at a summary: {found.height:,}."
    return _listing("summary_links", sentence, facts.listed_links(found, "link at a summary"))


def external_links(facts: Facts) -> Observation:
    """Links to activities of other projects, in the file or outside of it."""
    outside = pl.col("external").fill_null(value=False)
    found = facts.links.filter(~pl.col("known"))
    lost = found.filter(outside).height
    why = pl.when(outside).then(pl.lit("outside the file")).otherwise(pl.lit("another project, or nowhere in the file"))
    sentence = f"Links from other projects: {found.height:,}, from outside the file: {lost:,}."
    return _listing("external_links", sentence, facts.listed_links(found, why))


def _listing(name: str, sentence: str, listed: pl.DataFrame) -> Observation:
    return Observation(name, Fraction(listed.height), sentence, listed)
