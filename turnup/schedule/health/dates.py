"""Check 9: forecasts in the past and actuals in the future."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check
    from turnup.schedule.health.settings import Compare

_NO_DATE = "the schedule has no data date"
_STAMP = "%Y-%m-%d %H:%M"


def check_forecasts(facts: Facts) -> Check:
    """Check 9a: incomplete activities forecast to start or finish before the data date."""
    base = facts.base
    start, finish = _forecast(facts, "start"), _forecast(facts, "finish")
    waits = pl.col("actual_start").is_null()
    begins = waits | pl.lit(facts.settings.dates.remaining_start)
    compare = facts.settings.dates.compare_forecasts
    early_start = begins & before(start, facts.now, compare)
    early_finish = before(finish, facts.now, compare)
    why = pl.concat_str(
        pl.when(early_start).then(pl.lit("forecast start ") + start.dt.strftime(_STAMP)),
        pl.when(early_finish).then(pl.lit("forecast finish ") + finish.dt.strftime(_STAMP)),
        separator=", ",
        ignore_nulls=True,
    )
    found = base.filter((early_start | early_finish).fill_null(value=False))
    without = base.filter(finish.is_null() | (waits & start.is_null())).join(found, on="id", how="anti").height
    missing = "no incomplete activity has a forecast" if base.height and without == base.height else ""
    return Share(
        "9a",
        "Invalid forecast dates",
        facts.settings.limits.of("invalid_forecast"),
        base.height,
        facts.listed(found, why),
        ("incomplete activities", "are forecast before the data date"),
        unknown=without,
        unknown_because="they have no forecast",
        missing=_NO_DATE if facts.data_date is None else missing,
    ).check()


def _forecast(facts: Facts, end: str) -> pl.Expr:
    """The forecast start or finish; a tool that computed none has at least planned one."""
    if facts.settings.dates.forecasts == "computed":
        return pl.col(f"own_early_{end}")
    return pl.coalesce(f"early_{end}", f"planned_{end}")


def check_actuals(facts: Facts) -> Check:
    """Check 9b: activities with an actual start or finish after the data date."""
    reported = facts.activities.filter(
        pl.col("judged") & pl.any_horizontal(pl.col("actual_start", "actual_finish").is_not_null())
    )
    compare = facts.settings.dates.compare_actuals
    late = {end: after(pl.col(f"actual_{end}"), facts.now, compare) for end in ("start", "finish")}
    why = pl.concat_str(
        *(
            pl.when(rule).then(pl.lit(f"actual {end} ") + pl.col(f"actual_{end}").dt.strftime(_STAMP))
            for end, rule in late.items()
        ),
        separator=", ",
        ignore_nulls=True,
    )
    found = reported.filter(pl.any_horizontal(late.values()).fill_null(value=False))
    return Share(
        "9b",
        "Invalid actual dates",
        facts.settings.limits.of("invalid_actual"),
        reported.height,
        facts.listed(found, why),
        ("activities with actual dates", "have one after the data date"),
        missing=_NO_DATE if facts.data_date is None else "",
    ).check()


def before(stamp: pl.Expr, moment: pl.Expr, compare: Compare) -> pl.Expr:
    """Whether a stamp lies before the data date; working time is that of the activity's calendar."""
    match compare:
        case "date":
            return stamp.dt.date() < moment.dt.date()
        case "instant":
            return stamp < moment
        case "working_time":
            return stamp < pl.coalesce("date_early", moment)


def after(stamp: pl.Expr, moment: pl.Expr, compare: Compare) -> pl.Expr:
    """Whether a stamp lies after the data date; working time is that of the activity's calendar."""
    match compare:
        case "date":
            return stamp.dt.date() > moment.dt.date()
        case "instant":
            return stamp > moment
        case "working_time":
            return stamp > pl.coalesce("date_late", moment)
