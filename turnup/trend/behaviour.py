"""Process behaviour (XmR): whether a week differs from what the weeks before let expect.

Formula: Wheeler. Mean of a fixed baseline run, plus and minus 2.66 mean moving ranges; rules 1 to 3.
Belongs here: limits and signals. Does not: which series are judged: never cumulative ones, never shares of few cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

LEAST = 6
"""Fewer points give no limits."""
BASELINE = 8
"""Points after which limits are locked: later weeks are judged by them and do not move them."""
_OF_MEAN_RANGE = Fraction(266, 100)
_OF_RANGES = Fraction(327, 100)
_RUN = 8
_NEAR, _OF = 3, 4


@dataclass(frozen=True)
class Limits:
    """Natural limits of a run of values, exact.

    Attributes:
        mean, moving_range: of the baseline run; the range is the mean of absolute successive differences.
        lower, upper: natural process limits of single values.
        range_upper: limit of a single moving range.
        first, last: places of the baseline run within the values given.
        locked: whether the run is as long as it will ever be.
    """

    mean: Fraction
    moving_range: Fraction
    lower: Fraction
    upper: Fraction
    range_upper: Fraction
    first: int
    last: int
    points: int
    locked: bool


@dataclass(frozen=True, order=True)
class Signal:
    """A value that the limits do not explain; ``rule`` is 1 (beyond a limit), 2 (run of eight) or 3 (three of four)."""

    place: int
    rule: int
    above: bool


def limits(values: Sequence[Decimal | None], baseline: int = BASELINE) -> Limits | None:
    """Return the limits of the first `baseline` available values; None while fewer than six are available.

    A gap belongs to no moving range: only neighbours are compared.
    """
    places = [place for place, value in enumerate(values) if value is not None][:baseline]
    if len(places) < LEAST:
        return None
    known = {place: Fraction(value) for place in places if (value := values[place]) is not None}
    ranges = [abs(known[place] - known[place - 1]) for place in places if place - 1 in known]
    if not ranges:
        return None
    mean, moving = sum(known.values(), Fraction(0)) / len(known), sum(ranges, Fraction(0)) / len(ranges)
    reach = _OF_MEAN_RANGE * moving
    return Limits(
        mean=mean,
        moving_range=moving,
        lower=mean - reach,
        upper=mean + reach,
        range_upper=_OF_RANGES * moving,
        first=places[0],
        last=places[-1],
        points=len(places),
        locked=len(places) == baseline,
    )


def signals(values: Sequence[Decimal | None], of: Limits) -> tuple[Signal, ...]:
    """Return every signal: rules 1 and 3 at each value that shows them, rule 2 from the eighth of a run on."""
    found = [*_beyond(values, of), *_runs(values, of), *_near(values, of)]
    return tuple(sorted(found))


def _beyond(values: Sequence[Decimal | None], of: Limits) -> Iterator[Signal]:
    for place, value in enumerate(values):
        if value is not None and not of.lower <= Fraction(value) <= of.upper:
            yield Signal(place, 1, Fraction(value) > of.upper)


def _runs(values: Sequence[Decimal | None], of: Limits) -> Iterator[Signal]:
    length, side = 0, 0
    for place, value in enumerate(values):
        at = 0 if value is None else _sign(Fraction(value) - of.mean)
        length = length + 1 if at and at == side else int(at != 0)
        side = at
        if length >= _RUN:
            yield Signal(place, 2, side > 0)


def _near(values: Sequence[Decimal | None], of: Limits) -> Iterator[Signal]:
    """Three of four successive values nearer the same limit than the mean, the last of them being one."""
    half = (of.upper - of.mean) / 2
    sides = [
        None if value is None else _sign(Fraction(value) - of.mean) if abs(Fraction(value) - of.mean) > half else 0
        for value in values
    ]
    for place in range(_OF - 1, len(sides)):
        window = sides[place - _OF + 1 : place + 1]
        at = window[-1]
        if at and None not in window and window.count(at) >= _NEAR:
            yield Signal(place, 3, at > 0)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
