"""Checks 1 to 4: missing logic, leads, lags and finish-to-start links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.facts import FS
from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check

_PRED, _SUCC = "no predecessor", "no successor"
_START, _FINISH = "no link drives its start", "its finish drives no link"
_LINKS = {
    "all": "links",
    "open": "links not between completed activities",
    "into_incomplete": "links into incomplete activities",
}


def check_logic(facts: Facts) -> Check:
    """Check 1: incomplete activities without predecessor, successor or both."""
    rules = facts.settings.logic
    base = _judged_for_logic(facts)
    gaps = base.with_columns(_gap_before(facts).alias("before"), _gap_after(facts).alias("after"))
    if rules.exempt_ends:
        gaps = _without_ends(gaps)
    open_ends = gaps.filter(pl.col("before").is_not_null() | pl.col("after").is_not_null())
    why = pl.concat_str(pl.col("before", "after"), separator=", ", ignore_nulls=True)
    limit = facts.settings.limits.of("logic")
    words = ("incomplete activities", "lack a predecessor or a successor")
    return Share("1", "Logic", limit, base.height, facts.listed(open_ends, why), words).check()


def _judged_for_logic(facts: Facts) -> pl.DataFrame:
    if not facts.settings.logic.level_of_effort:
        return facts.base
    effort = (pl.col("kind") == "level_of_effort") & ~pl.col("complete")
    return facts.activities.filter(pl.col("base") | effort)


def _gap_before(facts: Facts) -> pl.Expr:
    """What is missing at an activity's start, or null."""
    rules = facts.settings.logic
    needed = pl.lit(value=True)
    if not rules.started_need_predecessors:
        needed &= pl.col("actual_start").is_null() & (pl.col("status") != "in_progress").fill_null(value=True)
    if not rules.start_milestones_need_predecessors:
        needed &= (pl.col("kind") != "start_milestone").fill_null(value=True)
    loose = pl.lit(rules.dangling) & dangling_start()
    return pl.when(needed & (pl.col("preds") == 0)).then(pl.lit(_PRED)).when(needed & loose).then(pl.lit(_START))


def _gap_after(facts: Facts) -> pl.Expr:
    """What is missing at an activity's finish, or null."""
    loose = pl.lit(facts.settings.logic.dangling) & dangling_finish()
    return pl.when(pl.col("succs") == 0).then(pl.lit(_SUCC)).when(loose).then(pl.lit(_FINISH))


def dangling_start() -> pl.Expr:
    """It has predecessors, but only finish links: nothing says when it may start. What started needs no answer."""
    unstarted = pl.col("actual_start").is_null()
    return (pl.col("preds") > 0) & (pl.col("start_driven") == 0) & unstarted & ~pl.col("milestone")


def dangling_finish() -> pl.Expr:
    """It has successors, but only from its start: its finish may slip and moves nothing."""
    return (pl.col("succs") > 0) & (pl.col("finish_drives") == 0) & ~pl.col("milestone")


def _without_ends(gaps: pl.DataFrame) -> pl.DataFrame:
    """The earliest activity without predecessor begins the project, the latest without successor ends it."""
    start, finish = pl.coalesce("own_early_start", "early_start"), pl.coalesce("own_early_finish", "early_finish")
    first = gaps.filter(pl.col("before") == _PRED).sort(start, "id", nulls_last=True).head(1)["id"]
    last = gaps.filter(pl.col("after") == _SUCC).sort(finish, "id", descending=True, nulls_last=True).head(1)["id"]
    return gaps.with_columns(
        pl.when(~pl.col("id").is_in(first.implode())).then("before").alias("before"),
        pl.when(~pl.col("id").is_in(last.implode())).then("after").alias("after"),
    )


def counted_links(facts: Facts) -> pl.DataFrame:
    """The links that checks 2 to 4 judge."""
    match facts.settings.links.count:
        case "all":
            return facts.links
        case "open":
            return facts.links.filter(~(pl.col("pred_complete") & pl.col("succ_complete")))
        case "into_incomplete":
            return facts.links.filter("succ_base")


def check_leads(facts: Facts) -> Check:
    """Check 2: links with negative lag."""
    return _lag_share(facts, "2", "Leads", "leads", -1, "have a negative lag")


def check_lags(facts: Facts) -> Check:
    """Check 3: links with positive lag."""
    return _lag_share(facts, "3", "Lags", "lags", 1, "have a positive lag")


def _lag_share(facts: Facts, number: str, name: str, limit: str, sign: int, words: str) -> Check:
    links = counted_links(facts)
    found = links.filter(pl.col("sign") == sign)
    listed = facts.listed_links(found, lag_words())
    if facts.settings.links.unit == "activities":
        with_lag = facts.base.join(found.select(pl.col("succ").alias("id")).unique(), on="id", how="semi")
        what = ("incomplete activities", f"{words} on a link into them")
        counted, total = with_lag.height, facts.base.height
    else:
        what = (_LINKS[facts.settings.links.count], words)
        counted, total = found.height, links.height
    return Share(number, name, facts.settings.limits.of(limit), total, listed, what, numerator=counted).check()


def check_finish_to_start(facts: Facts) -> Check:
    """Check 4: links that are finish-to-start; the offenders are the others."""
    links = counted_links(facts)
    others = links.filter(pl.col("type") != FS)
    listed = facts.listed_links(others, pl.col("type_name") + " link")
    what = (_LINKS[facts.settings.links.count], "are finish-to-start")
    limit = facts.settings.limits.of("finish_to_start")
    return Share(
        "4", "Relationship types", limit, links.height, listed, what, numerator=links.height - others.height
    ).check()


def lag_words() -> pl.Expr:
    """A lag for people: hours, elapsed hours or percent of the predecessor's duration."""
    hours = (pl.col("lag_s") / 3600).round(2).cast(pl.String)
    unit = pl.when(pl.col("elapsed")).then(pl.lit(" elapsed h")).otherwise(pl.lit(" h"))
    share = pl.format("lag {} % of the predecessor", pl.col("lag_percent"))
    return pl.when(pl.col("lag_percent").is_not_null()).then(share).otherwise("lag " + hours + unit)
