"""A week that stands: the fingerprint of its inputs says so before any run begins.

Belongs here: all that a run would find done. Does not: doing any of it (``runner``). Nothing of the orchestrator is
loaded here, so that asking again costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.outcome import RunOutcome
from reports.delivery.due import due
from reports.delivery.journal import Journal
from turnup.durable import UNFINISHED
from turnup.refresh import Refresh
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.release import files_as_released

if TYPE_CHECKING:
    from datetime import datetime

    from turnup.programme import Home, Programme
    from turnup.warehouse.manifest import Manifest
    from turnup.week import Week

_SETTLED = ("sent", "held")


def standing_outcome(home: Home, week: Week, now: datetime) -> RunOutcome | None:
    """The week as it stands, or None where a run has something to do.

    The inbox is looked at as by a run. Nothing is to do when no file came, the standing result has the fingerprint of
    what is there now (or is of a closed week), its published file and its report files stand as they were issued, and
    no message waits to go out.

    Raises:
        ConfigurationError: the configuration cannot be used.
        StoreDamaged: a file that turnup wrote cannot be read back.
        OSError: a file could not be read or written.
    """
    refresh = Refresh(home, week.label, now)
    if refresh.land().deliveries:
        return None
    plan = refresh.plan()
    if plan.standing is None or not plan.unchanged or not _is_shown(home, plan.standing):
        return None
    if _waiting(home, refresh.programme, now):
        return None
    refresh.restore()
    return RunOutcome("", plan.standing, changed=False, late=len(plan.late), not_taken=refresh.not_taken)


def _is_shown(home: Home, manifest: Manifest) -> bool:
    """Whether the files of a result and the index stand as they were issued, and no killed writer left anything."""
    left = [*home.out.glob(UNFINISHED), *(home.out / manifest.week).rglob(UNFINISHED)]
    return not left and files_as_released(home, manifest) is not None and _is_indexed(home)


def _is_indexed(home: Home) -> bool:
    """Whether the index was written after every week that it lists: a run may have been killed in between."""
    index = home.out / "index.html"
    if not index.exists():
        return False
    written = index.stat().st_mtime_ns
    return all(file.stat().st_mtime_ns <= written for file in home.out.glob("*/executive.json"))


def _waiting(home: Home, programme: Programme, now: datetime) -> bool:
    """Whether a message is due that neither went out nor is held back."""
    entries = Journal(home.store).entries()
    states = {entry.message: entry.state for entry in entries}
    return any(
        states.get(one.message) not in _SETTLED for one in due(programme, ManifestStore(home.store), entries, now)
    )
