"""Check 13: critical path length index."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.results import Check, Reading
from turnup.schedule.health.working_days import calendar_of, day_seconds, working_seconds

if TYPE_CHECKING:
    from datetime import datetime

    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Verdict
    from turnup.schedule.model import WorkCalendar

_NAME = "Critical path length index"
_WORDS = {
    "baseline": "float to the baseline finish",
    "must_finish": "float to the must-finish date",
    "least_float": "least total float",
}


def check_path_length(facts: Facts) -> Check:
    """Check 13, (length + float) / length: working time from data date to finish, and the float at its end."""
    limit = facts.settings.limits.of("critical_path_length")
    calendar = calendar_of(facts.project, facts.project.default_calendar)
    length = _between(calendar, facts.data_date, facts.finish)
    floats = {name: _float(facts, name, calendar) for name in _WORDS}
    chosen = floats[facts.settings.path.length_index]
    if length is None or length <= 0 or chosen is None:
        because = _because(facts, length)
        return Check("13", _NAME, None, None, 0, None, limit, "no data", f"No data: {because}.")
    value = Fraction(length + chosen, length)
    verdict: Verdict = "pass" if limit.met_by(value) else "fail"
    day = day_seconds(calendar)
    sentence = (
        f"The index is {float(value):.3f}: {length / day:,.1f} working days to the finish, "
        f"{_WORDS[facts.settings.path.length_index]} {chosen / day:,.1f}; {limit.words} is good."
    )
    readings = tuple(
        Reading(name, None, None, None) if slack is None else Reading.of(name, length + slack, length)
        for name, slack in floats.items()
    )
    return Check("13", _NAME, length + chosen, length, 0, value, limit, verdict, sentence, readings=readings)


def _because(facts: Facts, length: int | None) -> str:
    if facts.data_date is None:
        return "the schedule has no data date"
    if length is None:
        return "the project has no computed finish"
    if length <= 0:
        return "no working time is left until the finish"
    return f"the schedule has no {_WORDS[facts.settings.path.length_index].removeprefix('float to the ')}"


def _float(facts: Facts, name: str, calendar: WorkCalendar) -> int | None:
    """Working seconds by which the finish may move, in one of the readings."""
    match name:
        case "baseline":
            wanted = facts.activities.filter("discrete").select(pl.col("baseline_finish").max()).item()
            return _between(calendar, facts.finish, wanted)
        case "must_finish":
            return _between(calendar, facts.finish, facts.project.must_finish)
        case _:
            return _least_float(facts, calendar)


def _least_float(facts: Facts, calendar: WorkCalendar) -> int | None:
    """The least total float of unfinished activities, by days: a day of each calendar is a day of the project's."""
    floats = facts.base.drop_nulls("float_s").select("float_s", "day_s")
    if floats.is_empty():
        return None
    seconds, day = floats.row(floats.select((pl.col("float_s") / pl.col("day_s")).arg_min()).item())
    return round(Fraction(seconds, day) * day_seconds(calendar))


def _between(calendar: WorkCalendar, start: datetime | None, finish: datetime | None) -> int | None:
    return None if start is None or finish is None else working_seconds(calendar, start, finish)
