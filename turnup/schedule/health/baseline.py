"""Checks 11 and 14: how far the baseline was kept."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.results import Check, Reading
from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Verdict
    from turnup.schedule.health.settings import BaselineSettings

_FINISH = pl.col("baseline_finish")
_STAMP = "%Y-%m-%d"
_INDEX = "Baseline execution index"
_WORDS = {
    "pam": "completed over due and those without baseline",
    "baselined_only": "completed over due, with baseline only",
    "completed_in_both": "completed over due, those without baseline once completed",
}


def _missing(facts: Facts) -> str:
    if facts.data_date is None:
        return "the schedule has no data date"
    if facts.activities.filter(pl.col("judged") & _FINISH.is_not_null()).is_empty():
        return "no activity has a baseline finish"
    return ""


def _due(facts: Facts) -> pl.Expr:
    """Whether the baseline wanted it finished by the data date."""
    return _not_after(_FINISH, facts.now, facts.settings.baseline).fill_null(value=False)


def _not_after(stamp: pl.Expr, limit: pl.Expr, rules: BaselineSettings) -> pl.Expr:
    return stamp.dt.date() <= limit.dt.date() if rules.compare == "date" else stamp <= limit


def check_missed(facts: Facts) -> Check:
    """Check 11: activities that missed their baseline finish."""
    missing = _missing(facts)
    if facts.settings.baseline.missed == "late_forecast":
        return _late_forecasts(facts, missing)
    due = facts.activities.filter("judged").filter(_due(facts))
    kept = pl.col("complete") & _not_after(pl.col("actual_finish"), _FINISH, facts.settings.baseline)
    # Completed without a finish date: nobody can say whether it was in time.
    unknown = pl.col("complete") & pl.col("actual_finish").is_null()
    missed = due.filter(~kept.fill_null(value=False) & ~unknown)
    told = pl.when("complete").then(pl.col("actual_finish").dt.strftime("finished %Y-%m-%d"))
    why = _wanted() + told.otherwise(pl.lit("not finished"))
    return Share(
        "11",
        "Missed tasks",
        facts.settings.limits.of("missed"),
        due.height,
        facts.listed(missed, why),
        ("activities due by the data date", "were not finished by their baseline finish"),
        unknown=due.filter(unknown).height,
        unknown_because="they are completed without an actual finish",
        missing=missing,
    ).check()


def _wanted() -> pl.Expr:
    return _FINISH.dt.strftime(f"baseline {_STAMP}, ")


def _late_forecasts(facts: Facts, missing: str) -> Check:
    base = facts.base.filter(~pl.col("milestone"))
    forecast = pl.col("own_early_finish" if facts.settings.floats.results == "computed" else "early_finish")
    late = ~_not_after(forecast, _FINISH, facts.settings.baseline)
    unknown = base.filter(late.is_null()).height
    return Share(
        "11",
        "Missed tasks",
        facts.settings.limits.of("missed"),
        base.height,
        facts.listed(base.filter(late), _wanted() + forecast.dt.strftime(f"forecast {_STAMP}")),
        ("incomplete activities", "are forecast to finish after their baseline finish"),
        unknown=unknown,
        unknown_because="they have no baseline finish or no forecast",
        missing=missing,
    ).check()


def check_execution(facts: Facts) -> Check:
    """Check 14, baseline execution index: activities completed for each that was due."""
    rules = facts.settings.baseline
    limit = facts.settings.limits.of("baseline_execution")
    with_milestones = _counts(facts, milestones=True)
    without = _counts(facts, milestones=False)
    own = with_milestones if rules.execution_milestones else without
    missing = _missing(facts) or ("" if own["baselined_only"][1] else "nothing was due by the data date")
    if missing:
        return Check("14", _INDEX, None, None, 0, None, limit, "no data", f"No data: {missing}.")
    numerator, denominator = own[rules.execution]
    value = Fraction(numerator, denominator)
    counted = f"{numerator:,} of {denominator:,} activities ({_WORDS[rules.execution]})"
    sentence = f"The index is {float(value):.3f}: {counted}; {limit.words} is good."
    verdict: Verdict = "pass" if limit.met_by(value) else "fail"
    late = facts.activities.filter("judged").filter(_due(facts) & ~pl.col("complete"))
    return Check(
        "14", _INDEX, numerator, denominator, 0, value, limit, verdict, sentence,
        facts.listed(late, _wanted() + pl.lit("not finished")),
        readings=_readings(with_milestones, "") + _readings(without, ", without milestones"),
    )  # fmt: skip


def _counts(facts: Facts, *, milestones: bool) -> dict[str, tuple[int, int]]:
    """Numerator and denominator of the three readings."""
    judged = facts.activities.filter(pl.col("judged") & (pl.lit(milestones) | ~pl.col("milestone")))
    bare, complete = _FINISH.is_null(), pl.col("complete")
    completed, due, without, completed_without = judged.select(
        complete.sum(), _due(facts).sum().alias("due"), bare.sum().alias("bare"), (bare & complete).sum().alias("both")
    ).row(0)
    return {
        "pam": (completed, due + without),
        "baselined_only": (completed - completed_without, due),
        "completed_in_both": (completed, due + completed_without),
    }


def _readings(counts: dict[str, tuple[int, int]], whose: str) -> tuple[Reading, ...]:
    return tuple(Reading.of(f"{name}{whose}", *numbers) for name, numbers in counts.items())
