"""What a judged schedule is: checks with numerator, denominator and offenders, and what is told beside them.

Belongs here: the shape of results and how a share becomes a verdict. Does not: what any check counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

if TYPE_CHECKING:
    from turnup.schedule.earned import EarnedSchedule
    from turnup.schedule.health.limits import Limit
    from turnup.schedule.health.settings import HealthSettings

Verdict = Literal["pass", "fail", "no data"]
Answer = Literal["yes", "no", "not in the file"]

OFFENDING_ACTIVITIES: dict[str, pl.DataType] = {
    "id": pl.String(),
    "code": pl.String(),
    "name": pl.String(),
    "why": pl.String(),
}
OFFENDING_LINKS: dict[str, pl.DataType] = {
    "pred": pl.String(),
    "pred_code": pl.String(),
    "succ": pl.String(),
    "succ_code": pl.String(),
    "type": pl.String(),
    "lag_s": pl.Int64(),
    "why": pl.String(),
}
NO_ACTIVITIES = pl.DataFrame(schema=OFFENDING_ACTIVITIES)


@dataclass(frozen=True)
class Reading:
    """Another way to read the same check, told beside the one in force."""

    name: str
    numerator: int | None
    denominator: int | None
    value: Fraction | None

    @classmethod
    def of(cls, name: str, numerator: int, denominator: int) -> Reading:
        """A reading with its value; without denominator it has none."""
        value = Fraction(numerator, denominator) if denominator > 0 else None
        return cls(name, numerator, denominator, value)


@dataclass(frozen=True)
class Check:
    """One of the DCMA 14 points, judged.

    Attributes:
        id: 1 to 14; 9 is 9a and 9b.
        numerator, denominator: activities, links, or seconds of working time (checks 12 and 13); none: no data.
        unknown: how many of the denominator could not be judged. A pass holds even if all of them were bad.
        value: numerator over denominator, exact; none: no data.
        limit: what a good value is.
        verdict: ``no data`` where the denominator is nothing, data is missing, or the unknown could turn it.
        offenders: columns OFFENDING_ACTIVITIES or OFFENDING_LINKS, sorted by code.
        advisory: told, but does not decide.
        readings: the same check in other readings of its definition.
        sentence: the result in words.
    """

    id: str
    name: str
    numerator: int | None
    denominator: int | None
    unknown: int
    value: Fraction | None
    limit: Limit
    verdict: Verdict
    sentence: str
    offenders: pl.DataFrame = field(default_factory=lambda: NO_ACTIVITIES, compare=False)
    advisory: bool = False
    readings: tuple[Reading, ...] = ()

    def record(self, listed: int | None = None) -> dict[str, Any]:
        """The check as JSON knows it, with at most ``listed`` offenders (none: all)."""
        readings: list[dict[str, Any]] = [
            {
                "name": found.name,
                "numerator": found.numerator,
                "denominator": found.denominator,
                "value": _number(found.value),
            }
            for found in self.readings
        ]
        return {
            "id": self.id,
            "name": self.name,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "unknown": self.unknown,
            "value": _number(self.value),
            "limit": self.limit.text,
            "verdict": self.verdict,
            "advisory": self.advisory,
            "sentence": self.sentence,
            "readings": readings,
            "offenders": _listed(self.offenders, listed),
            "offender_count": self.offenders.height,
        }


@dataclass(frozen=True)
class Observation:
    """Something told beside the checks: a figure, or a list with its length.

    Attributes:
        id: snake_case, lasting.
        value: the figure, or the length of the list; none: no data.
        listed: columns OFFENDING_ACTIVITIES or OFFENDING_LINKS, sorted by code.
        sentence: the same in words.
    """

    id: str
    value: Fraction | None
    sentence: str
    listed: pl.DataFrame = field(default_factory=lambda: NO_ACTIVITIES, compare=False)

    def record(self, listed: int | None = None) -> dict[str, Any]:
        """The observation as JSON knows it, with at most ``listed`` rows (none: all)."""
        return {
            "id": self.id,
            "value": _number(self.value),
            "sentence": self.sentence,
            "listed": _listed(self.listed, listed),
        }


@dataclass(frozen=True)
class Practice:
    """One of the ten best practices of GAO-16-89G, as far as the file can say."""

    number: int
    name: str
    answer: Answer
    sentence: str


@dataclass(frozen=True)
class Health:
    """A judged schedule.

    Attributes:
        project: its id.
        settings: how it was judged.
        checks: in the order of the DCMA's numbers.
        beside: what else was seen.
        practices: GAO's ten.
        earned: earned schedule by baseline duration; none without a baseline and a data date.
    """

    project: str
    settings: HealthSettings
    checks: tuple[Check, ...]
    beside: tuple[Observation, ...]
    practices: tuple[Practice, ...]
    earned: EarnedSchedule | None

    def check(self, number: str) -> Check:
        """A check by its id, such as ``9a``."""
        return next(check for check in self.checks if check.id == number)

    def observation(self, name: str) -> Observation:
        """What is told beside the checks, by its id."""
        return next(observation for observation in self.beside if observation.id == name)

    def count(self, verdict: Verdict) -> int:
        """How many checks that decide have this verdict."""
        return sum(check.verdict == verdict and not check.advisory for check in self.checks)


def verdict_of(numerator: int, unknown: int, denominator: int, limit: Limit) -> Verdict:
    """Judge a share of which ``unknown`` parts could be either: only what holds both ways is pass or fail."""
    if denominator <= 0:
        return "no data"
    worst_and_best = {limit.met_by(Fraction(numerator + more, denominator)) for more in (0, unknown)}
    if len(worst_and_best) == 2:
        return "no data"
    return "pass" if worst_and_best.pop() else "fail"


def percent(value: Fraction) -> str:
    """A share for people, such as ``5.3 %``; what is not nothing does not look like nothing."""
    share = float(value) * 100
    return f"{share:.1f} %" if share >= 0.05 or share == 0 else f"{share:.1g} %"


def _number(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 6)


def _listed(frame: pl.DataFrame, most: int | None) -> list[dict[str, Any]]:
    return (frame if most is None else frame.head(most)).to_dicts()
