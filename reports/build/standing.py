"""What an issue is built from beside its warehouse: the last issue's JSON, a release, what each audience may see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnup.audiences import Audiences
from turnup.warehouse.release import Release

UNHIDDEN = Audiences(leadership=(), working=(), vendor=())

Issued = Mapping[str, Any]
"""The executive report's canonical JSON of an earlier issue, as it was written."""


@dataclass(frozen=True)
class Standing:
    """All of it may be absent: a first week has no last issue, a FINAL needs no release.

    Attributes:
        released: the release that holds for this result.
        last: the issue of the week before, as readers got it first.
        earlier: the issue before this one of the same week, when this one is a restatement.
        audiences: what each audience may not see.
    """

    released: Release | None = None
    last: Issued | None = None
    earlier: Issued | None = None
    audiences: Audiences = UNHIDDEN

    @property
    def release(self) -> int:
        """Number of the release that the files show, 0 for none."""
        return self.released.number if self.released else 0


ALONE = Standing()
