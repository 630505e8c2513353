"""Checks 6 and 7: high and negative total float."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check

_BECAUSE = "they have no total float"


def check_high_float(facts: Facts) -> Check:
    """Check 6: incomplete activities with more total float than the limit, in days of their own calendars."""
    days = facts.settings.floats.high_days
    # Whole seconds on both sides: 352 hours of an 8-hour calendar are 44 days, and not more.
    found = pl.col("float_s") > (pl.col("day_s") * days).round(0)
    return _float_share(facts, "6", "High float", "high_float", found, f"have more than {days:g} days of float")


def check_negative_float(facts: Facts) -> Check:
    """Check 7: incomplete activities with negative total float."""
    return _float_share(facts, "7", "Negative float", "negative_float", pl.col("float_s") < 0, "have negative float")


def _float_share(facts: Facts, number: str, name: str, limit: str, found: pl.Expr, words: str) -> Check:
    base = facts.base
    without = base["float_s"].null_count()
    return Share(
        number,
        name,
        facts.settings.limits.of(limit),
        base.height,
        facts.listed(base.filter(found), float_words()),
        ("incomplete activities", words),
        unknown=without,
        unknown_because=_BECAUSE,
        missing="no incomplete activity has a total float" if base.height and without == base.height else "",
    ).check()


def float_words() -> pl.Expr:
    """Total float for people, in days of the activity's calendar."""
    return pl.format("float {} d", (pl.col("float_s") / pl.col("day_s")).round(1))
