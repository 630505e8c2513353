"""A check that is a share: counts, offenders and the sentence that tells them.

Belongs here: making a ``Check`` of a count. Does not: counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from turnup.schedule.health.results import Check, percent, verdict_of

if TYPE_CHECKING:
    import polars as pl

    from turnup.schedule.health.limits import Limit
    from turnup.schedule.health.results import Reading


@dataclass(frozen=True)
class Share:
    """A counted share, and the words for it.

    Attributes:
        id, name, limit: of the check.
        denominator: how many were judged.
        offenders: those that count, listed.
        what: the words for what the denominator holds and what the numerator does, such as ``incomplete activities``
            and ``lack a predecessor``.
        numerator: where it is not the number of offenders.
        unknown: how many of the denominator could not be judged, because of ``unknown_because``.
        missing: why there is no data at all; empty: there is.
    """

    id: str
    name: str
    limit: Limit
    denominator: int
    offenders: pl.DataFrame
    what: tuple[str, str]
    numerator: int | None = None
    unknown: int = 0
    unknown_because: str = ""
    missing: str = ""
    advisory: bool = False
    readings: tuple[Reading, ...] = ()

    def check(self) -> Check:
        """The share, judged."""
        counted = self.offenders.height if self.numerator is None else self.numerator
        if self.missing or self.denominator == 0:
            return self._without_data(self.missing or f"there are no {self.what[0]}")
        verdict = verdict_of(counted, self.unknown, self.denominator, self.limit)
        value = Fraction(counted, self.denominator)
        sentence = (
            f"{counted:,} of {self.denominator:,} {self.what[0]} {self.what[1]} ({percent(value)}); "
            f"{self.limit.words} is good."
        )
        if self.unknown:
            sentence += f" {self.unknown:,} could not be judged: {self.unknown_because}."
        return Check(
            self.id, self.name, counted, self.denominator, self.unknown, value, self.limit, verdict, sentence,
            self.offenders, self.advisory, self.readings,
        )  # fmt: skip

    def _without_data(self, because: str) -> Check:
        return Check(
            self.id, self.name, None, None, 0, None, self.limit, "no data", f"No data: {because}.",
            self.offenders.clear(), self.advisory, self.readings,
        )  # fmt: skip
