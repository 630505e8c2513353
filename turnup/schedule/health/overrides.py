"""Beside the checks: dates that logic did not make, and calendars in which nothing can be done."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.bounds import coordinates
from turnup.schedule.health.facts import FF, FS, SF, SS
from turnup.schedule.health.results import Observation
from turnup.schedule.health.working_days import has_work
from turnup.schedule.model import ELAPSED
from turnup.schedule.network import NO_INSTANT, values_of

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts


def dates_over_logic(facts: Facts) -> Observation:
    """Links that the computed dates break: a constraint or a manual date holds the successor before its predecessor.

    Compared in the working time of the successor. Links with a lead are left out, lags are not added.
    """
    if facts.schedule is None:
        return Observation("dates_over_logic", None, "No data: the network could not be computed.")
    links = _held_links(facts)
    from_finish, to_start = pl.col("type").is_in([FS, FF]), pl.col("type").is_in([FS, SS])
    stamps = links.select(
        allowed=pl.when(from_finish).then("pred_own_early_finish").otherwise("pred_own_early_start"),
        stands=pl.when(to_start).then("own_early_start").otherwise("own_early_finish"),
    )
    calendar = links["own_calendar"].to_numpy()
    clocks = facts.schedule.network.clocks
    allowed, stands = (coordinates(clocks, calendar, values_of(stamps[name])) for name in ("allowed", "stands"))
    broken = (stands < allowed) & (stands != NO_INSTANT)
    why = pl.coalesce(pl.col("constraint", "constraint_2").str.replace_all("_", " "), pl.lit("manual dates"))
    listed = facts.listed_links(links.filter(pl.Series(broken, dtype=pl.Boolean)), why)
    sentence = f"Links broken by constraints or manual dates: {listed.height:,}."
    return Observation("dates_over_logic", Fraction(listed.height), sentence, listed)


def _held_links(facts: Facts) -> pl.DataFrame:
    """Links from unfinished activities into unfinished ones that have a constraint or manual dates."""
    dates = ("own_early_start", "own_early_finish")
    held = pl.any_horizontal(
        pl.col("constraint", "constraint_2").is_not_null(), pl.col("manual").fill_null(value=False)
    )
    pred = facts.activities.filter(~pl.col("complete")).select("id", pl.col(*dates).name.prefix("pred_"))
    succ = facts.base.filter(held).select("id", *dates, "own_calendar", "constraint", "constraint_2", "actual_start")
    links = facts.links.filter(pl.col("known") & (pl.col("sign") >= 0))
    links = links.join(pred, left_on="pred", right_on="id", maintain_order="left")
    links = links.join(succ, left_on="succ", right_on="id", maintain_order="left")
    # What has started cannot wait any more.
    return links.filter(pl.col("type").is_in([FF, SF]) | pl.col("actual_start").is_null())


def calendars_without_work(facts: Facts) -> Observation:
    """Activities whose calendar is not in the file or never works; the project's own stands in for it."""
    usable = [key for key, calendar in sorted(facts.project.calendars.items()) if has_work(calendar)]
    found = facts.activities.filter(
        pl.col("discrete") & pl.col("calendar").is_not_null() & ~pl.col("calendar").is_in([*usable, ELAPSED])
    )
    never = sorted(set(facts.project.calendars) - set(usable))
    names = ", ".join(facts.project.calendars[key].name for key in never)
    told = f" ({names})" if names else ""
    sentence = f"Calendars that never work: {len(never):,}{told}. Activities without one that does: {found.height:,}."
    listed = facts.listed(found, pl.format("calendar {}", "calendar"))
    return Observation("calendars_without_work", Fraction(len(never)), sentence, listed)
