"""The programme's own history as samples: how late promises came, how much a site does on a day.

Belongs here: which cases stand for which, and how many they are. Does not: what is waited for (``goods``, ``network``).

A class with fewer cases than the stated minimum is widened: this vendor, then all vendors of the same category or mode
of transport, then all; the class and its number of cases go with every use of it (reference class, Flyvbjerg 2006).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from turnup.readiness.forecasting.facts import Late, Move
    from turnup.schedule.simulation import Distribution

_SATURDAY = 5


@dataclass(frozen=True)
class Sample:
    """Cases of a class: what they are of, in words, and their values, sorted."""

    of: str
    values: tuple[float, ...]

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.values)

    @cached_property
    def cases(self) -> Mapping[float, int]:
        """How many cases there are of each different value, in the order of values."""
        return dict(sorted(Counter(self.values).items()))


def lateness_of(
    cases: Sequence[Late], sources: Sequence[str], vendor: str, category: str | None, mode: str | None, minimum: int
) -> Sample | None:
    """Days after the promise in the narrowest class with enough cases, else in the widest; None without any case.

    ``sources`` are kinds of promise, best first; a narrower class of another kind goes before a wider one.
    """
    name = vendor.strip().casefold()
    classes: list[tuple[str, Callable[[Late], bool]]] = [(f"vendor {vendor}", lambda case: case.vendor == name)]
    if category:
        classes.append((f"all vendors of category {category}", lambda case: case.category == category))
    if mode:
        sent = mode.strip().casefold()
        classes.append((f"all vendors by {mode}", lambda case: case.mode == sent))
    classes.append(("all vendors", lambda case: True))
    widest = None
    for words, belongs in classes:
        for source in sources:
            found = _days(words, (case for case in cases if case.source == source and belongs(case)))
            if found.n >= minimum:
                return found
            if words == classes[-1][0] and found.n and widest is None:
                widest = found
    return widest


class Lateness:
    """How late promises came, each class of cases looked up once: thousands of arrivals share a few dozen classes."""

    def __init__(self, cases: Sequence[Late]) -> None:
        """Take the cases."""
        self._cases = cases
        self._found: dict[tuple[object, ...], Sample | None] = {}
        self.left: dict[tuple[object, ...], tuple[Sample | None, Distribution]] = {}
        """A class and the time left to an arrival, by what is told of it; kept by ``arrivals``."""

    def of(
        self, sources: tuple[str, ...], vendor: str, category: str | None, mode: str | None, minimum: int
    ) -> Sample | None:
        """``lateness_of`` these cases."""
        asked = (sources, vendor, category, mode, minimum)
        if asked not in self._found:
            self._found[asked] = lateness_of(self._cases, sources, vendor, category, mode, minimum)
        return self._found[asked]


def _days(words: str, cases: Iterable[Late]) -> Sample:
    return Sample(words, tuple(sorted(float(case.days) for case in cases)))


def site_lateness(cases: Sequence[Late], site: str, minimum: int) -> Sample | None:
    """Days by which halls were ready after their planned day: of this site, else of all sites."""
    halls = [case for case in cases if case.source == "site"]
    own = [case for case in halls if case.vendor == site]
    if len(own) >= minimum:
        return _days(f"halls of {site}", own)
    return _days("halls of all sites", halls) if halls else None


def throughput_of(
    moves: Sequence[Move], pool: str, site: str, days: Sequence[date], minimum: int, name: str
) -> Sample | None:
    """Pieces done on each working day on which there was something to do, days without output included.

    ``days`` are the working days looked back on, in order; ``name`` is the site's as people spell it. Where neither
    the site nor all sites together have ``minimum`` such days, there is none.
    """
    own = Sample(f"{pool.replace('_', '-')} at {name}", busy_days([m for m in moves if m.site == site], pool, days))
    if own.n >= minimum and any(own.values):
        return own
    pooled: list[float] = []
    for one in sorted({move.site for move in moves}):
        pooled += busy_days([move for move in moves if move.site == one], pool, days)
    everywhere = Sample(f"{pool.replace('_', '-')} at all sites", tuple(sorted(pooled)))
    return everywhere if everywhere.n >= minimum and any(everywhere.values) else None


def busy_days(moves: Iterable[Move], pool: str, days: Sequence[date]) -> tuple[float, ...]:
    """Pieces of one site done on each of these days on which any waited or were done, sorted.

    What is done on a day that is not a working day counts on the working day before it.
    """
    own = [move for move in moves if move.pool == pool]
    found = []
    for number, day in enumerate(days):
        upto = days[number + 1] - timedelta(days=1) if number + 1 < len(days) else day
        done = sum(float(move.pieces) for move in own if move.left is not None and day <= move.left <= upto)
        waiting = any(move.entered <= day and (move.left is None or move.left >= day) for move in own)
        if done or waiting:
            found.append(done)
    return tuple(sorted(found))


def working_days(last: date, weeks: int, holidays: Collection[date]) -> tuple[date, ...]:
    """Mondays to Fridays of so many weeks up to a day, without holidays."""
    every = (last - timedelta(days=back) for back in range(weeks * 7 - 1, -1, -1))
    return tuple(day for day in every if day.weekday() < _SATURDAY and day not in holidays)
