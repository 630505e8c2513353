"""Checks 8 and 10: long durations, and work without resources or cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.results import Reading
from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check

_MEASURES = {
    "baseline_else_current": pl.coalesce("baseline_duration_s", "duration_s"),
    "baseline": pl.col("baseline_duration_s"),
    "current": pl.col("duration_s"),
    "remaining": pl.col("remaining_s"),
}
_NAMES = {
    "baseline_else_current": "baseline (else current) duration",
    "baseline": "baseline duration",
    "current": "current duration",
    "remaining": "remaining duration",
}


def check_high_duration(facts: Facts) -> Check:
    """Check 8: incomplete activities that last longer than the limit, in days of their own calendars."""
    rules = facts.settings.durations
    base = _measured(facts)
    name = _NAMES[rules.measure]
    found, unknown = _long(facts, rules.measure)
    without = base.filter(unknown).height
    return Share(
        "8",
        "High duration",
        facts.settings.limits.of("high_duration"),
        base.height,
        facts.listed(base.filter(found), _days(_MEASURES[rules.measure])),
        ("incomplete activities", f"have a {name} above {rules.high_days:g} days"),
        unknown=without,
        unknown_because=f"they have no {name}",
        missing=f"no incomplete activity has a {name}" if base.height and without == base.height else "",
        readings=tuple(_reading(facts, base, measure) for measure in _MEASURES),
    ).check()


def _measured(facts: Facts) -> pl.DataFrame:
    rules = facts.settings.durations
    judged = pl.lit(rules.milestones) | ~pl.col("milestone")
    if rules.exempt_rolling_wave:
        judged &= ~pl.col("rolling_wave").fill_null(value=False)
    return facts.base.filter(judged)


def _long(facts: Facts, measure: str) -> tuple[pl.Expr, pl.Expr]:
    duration = _MEASURES[measure]
    limit = (pl.col("day_s") * facts.settings.durations.high_days).round(0)
    return duration > limit, duration.is_null()


def _reading(facts: Facts, base: pl.DataFrame, measure: str) -> Reading:
    found, unknown = _long(facts, measure)
    if base.height == 0 or base.select(unknown.any()).item():
        return Reading(measure, None, None, None)
    return Reading.of(measure, base.filter(found).height, base.height)


def _days(duration: pl.Expr) -> pl.Expr:
    return pl.format("{} d", (duration / pl.col("day_s")).round(1))


def check_resources(facts: Facts) -> Check:
    """Check 10: activities of a day or more without resource and without cost. Advisory."""
    rules = facts.settings.durations
    judged = facts.activities.filter("judged") if rules.resourced_completed else facts.base
    duration = _MEASURES["current"]
    worked = judged.filter(
        ~pl.col("milestone")
        & (duration >= (pl.col("day_s") * rules.resourced_from_days).round(0)).fill_null(value=True)
    )
    costs = (pl.col("cost") > 0).fill_null(value=False)
    found = (pl.col("resources") == 0).fill_null(value=False) & ~costs
    unknown = worked.filter(pl.col("resources").is_null() & ~costs).height
    whose = "activities" if rules.resourced_completed else "incomplete activities"
    length = f" of at least {rules.resourced_from_days:g} days" if rules.resourced_from_days else ""
    return Share(
        "10",
        "Resources",
        facts.settings.limits.of("resources"),
        worked.height,
        facts.listed(worked.filter(found), "neither resource nor cost"),
        (whose + length, "have neither resource nor cost"),
        unknown=unknown,
        unknown_because="the file tells nothing of their resources",
        missing="the file tells nothing of resources or cost" if worked.height and unknown == worked.height else "",
        advisory=True,
    ).check()
