"""What the refresh of a week came to, whether a run made it or it stands.

Belongs here: the record that commands print. Does not: running (``runner``), or why no run is needed (``standing``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnup.inbox import Skipped
    from turnup.warehouse.manifest import Manifest


@dataclass(frozen=True)
class RunOutcome:
    """A week that was asked for.

    Attributes:
        run_id: of the Dagster run; empty where none was needed.
        manifest: the week's result.
        changed: whether a run made it.
        late: files that belong to this closed week and came after it closed.
        not_taken: files of the inbox that were left alone, and why.
    """

    run_id: str
    manifest: Manifest
    changed: bool
    late: int = 0
    not_taken: tuple[Skipped, ...] = ()
