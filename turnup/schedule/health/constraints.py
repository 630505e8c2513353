"""Check 5: constraints that hold a date against the logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.shares import Share

if TYPE_CHECKING:
    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Check
    from turnup.schedule.health.settings import Hard, HealthSettings

MANDATORY = ("mandatory_start", "mandatory_finish")
HARD: dict[Hard, tuple[str, ...]] = {
    "mandatory": MANDATORY,
    "on": (*MANDATORY, "start_on", "finish_on"),
    "no_later": (*MANDATORY, "start_on", "finish_on", "start_no_later", "finish_no_later"),
}
_OF_START = ("mandatory_start", "start_on", "start_no_later")
_PAIRS = (("constraint", "constraint_date"), ("constraint_2", "constraint_2_date"))


def check_hard_constraints(facts: Facts) -> Check:
    """Check 5: incomplete activities with a hard constraint, first or second."""
    base = facts.base
    held = [hard(facts.settings, column) for column, _ in _PAIRS]
    why = pl.concat_str(
        *(
            pl.when(rule).then(pl.col(column).str.replace_all("_", " ") + pl.col(date).dt.strftime(" %Y-%m-%d %H:%M"))
            for rule, (column, date) in zip(held, _PAIRS, strict=True)
        ),
        separator=", ",
        ignore_nulls=True,
    )
    listed = facts.listed(base.filter(pl.any_horizontal(held)), why)
    limit = facts.settings.limits.of("hard_constraints")
    what = ("incomplete activities", "have a hard constraint")
    return Share("5", "Hard constraints", limit, base.height, listed, what).check()


def hard(settings: HealthSettings, column: str) -> pl.Expr:
    """Whether the constraint in a column is hard by the reading in force."""
    rule = pl.col(column).is_in(list(HARD[settings.hard]))
    if not settings.hard_starts_of_started:
        rule &= ~(pl.col(column).is_in(list(_OF_START)) & pl.col("actual_start").is_not_null())
    return rule.fill_null(value=False)
