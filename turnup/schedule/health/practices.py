"""GAO-16-89G, the ten best practices of scheduling: which of them the file itself can answer.

Belongs here: which checks speak for which practice. Does not: the checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.schedule.health.results import Practice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnup.schedule.health.facts import Facts
    from turnup.schedule.health.results import Answer, Check

_NAMES = (
    "Capturing all activities",
    "Sequencing all activities",
    "Assigning resources to all activities",
    "Establishing the duration of all activities",
    "Verifying that the schedule can be traced horizontally and vertically",
    "Confirming that the critical path is valid",
    "Ensuring reasonable total float",
    "Conducting a schedule risk analysis",
    "Updating the schedule using actual progress and logic",
    "Maintaining a baseline schedule",
)
_CHECKS: dict[int, tuple[str, ...]] = {2: ("1", "2"), 3: ("10",), 4: ("8",), 6: ("12",), 7: ("6", "7"), 9: ("9a", "9b")}


def practices_of(facts: Facts, checks: Sequence[Check]) -> tuple[Practice, ...]:
    """The ten practices in order, each with an answer and what it rests on."""
    by_id = {check.id: check for check in checks}
    answers: dict[int, tuple[Answer, str]] = {
        1: ("not in the file", "Whether all work is in the schedule stands elsewhere."),
        5: _traceable(facts, by_id["12"]),
        8: ("not in the file", "A risk analysis is no part of the file; a forecast of this schedule is one."),
        10: _baselined(facts),
    }
    answers |= {number: _by_checks([by_id[name] for name in names]) for number, names in _CHECKS.items()}
    return tuple(Practice(number, name, *answers[number]) for number, name in enumerate(_NAMES, start=1))


def _by_checks(checks: Sequence[Check]) -> tuple[Answer, str]:
    """Yes where all checks pass, no where one fails; without data of one of them the file does not say."""
    verdicts = [check.verdict for check in checks]
    told = " ".join(f"Check {check.id}: {check.sentence}" for check in checks)
    if "fail" in verdicts:
        return "no", told
    return ("not in the file" if "no data" in verdicts else "yes"), told


def _traceable(facts: Facts, path: Check) -> tuple[Answer, str]:
    """Vertically: every activity has a place in the breakdown. Horizontally: a delay reaches the finish."""
    work = facts.activities.filter("discrete")
    lost = work.filter(pl.col("wbs").is_null() & pl.col("parent").is_null()).height
    told = f"{lost:,} of {work.height:,} activities have no place in the work breakdown. Check 12: {path.sentence}"
    if work.is_empty() or lost == work.height:
        return "not in the file", told
    if lost or path.verdict == "fail":
        return "no", told
    return ("yes" if path.verdict == "pass" else "not in the file"), told


def _baselined(facts: Facts) -> tuple[Answer, str]:
    work = facts.activities.filter("discrete")
    bare = work.filter(pl.col("baseline_finish").is_null()).height
    if bare == work.height:
        return "not in the file", "No activity has a baseline finish."
    told = f"{work.height - bare:,} of {work.height:,} activities have a baseline finish."
    return ("no" if bare else "yes"), told
