"""Slips of a milestone: how its date moved from report to report.

Belongs here: what moved, when and by how much. Does not: why; causes are rows of other tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date


@dataclass(frozen=True)
class Slip:
    """A report in which a milestone's date differed from the report before; earlier dates have negative days."""

    reported: date
    before: date
    after: date

    @property
    def days(self) -> int:
        """Days later, negative when earlier."""
        return (self.after - self.before).days

    @property
    def months(self) -> int:
        """Calendar months later, by the months that hold the dates."""
        return (self.after.year - self.before.year) * 12 + self.after.month - self.before.month


def slips(reports: Iterable[tuple[date, date]]) -> tuple[Slip, ...]:
    """Return the slips among (report date, date told) in order of reports; of one report date the last told counts."""
    told = dict(sorted(reports, key=lambda pair: pair[0]))
    return tuple(Slip(at, before, after) for (_, before), (at, after) in pairwise(told.items()) if after != before)
