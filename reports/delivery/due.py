"""Who is due which report of which result at an instant.

A week's report goes out when the week is closed, and again for each restatement of a week that went out. Older weeks
that were loaded later never go out by themselves: only the week that closed last does. A message that was begun is
brought to its end, also when another week has closed meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from reports.delivery.journal import Entry, Message
from turnup.programme import Programme
from turnup.recipients import Cadence, Channel, Recipient
from turnup.warehouse.manifest import Manifest, ManifestStore
from turnup.week import Calendar

_INTERRUPTED = ("trying", "handing over")


@dataclass(frozen=True)
class Due:
    """A message that should have gone out, and the result that it is of."""

    message: Message
    manifest: Manifest


def due(programme: Programme, manifests: ManifestStore, entries: list[Entry], now: datetime) -> list[Due]:
    """Every message that is due, those that went out among them: week by week, then mail before channels.

    Args:
        programme: recipients and channels.
        manifests: the results there are.
        entries: the journal, which says which weeks went out.
        now: the present instant (aware).
    """
    calendar = Calendar(programme)
    closed = calendar.last_closed(now).label
    issued = {(e.message.way, e.message.to, e.message.report, _week(e)) for e in entries if e.state == "sent"}
    found = []
    for label in sorted({week for *_, week in issued} | {closed, calendar.containing(now).label}):
        manifest = manifests.latest(label)
        if manifest is None:
            continue
        for message, cadence in _addressed(programme, manifest):
            restated = (message.way, message.to, message.report, label) in issued
            if restated or _falls_due(cadence, manifest, calendar, closed):
                found.append(Due(message, manifest))
    return found + [one for one in _asked_for(manifests, entries) if one not in found]


def _asked_for(manifests: ManifestStore, entries: list[Entry]) -> list[Due]:
    """What a person wants sent again, and what a process that ended left in the middle, however old it is."""
    again = [
        entry.message
        for entry in entries
        if (entry.state == "waiting" and entry.approved) or (entry.state in _INTERRUPTED and not entry.words)
    ]
    return [Due(message, manifests.named(message.version)) for message in again]


def _week(entry: Entry) -> str:
    return entry.message.version.partition(".")[0]


def _addressed(programme: Programme, manifest: Manifest) -> Iterator[tuple[Message, Cadence]]:
    taken: set[tuple[str, str]] = set()
    ways: tuple[Recipient | Channel, ...] = (*programme.recipients, *programme.delivery.channels)
    for way in ways:
        if isinstance(way, Recipient):
            if programme.delivery.mail is None:
                continue
            message = Message(manifest.name, way.report, "mail", way.email, way.name)
        else:
            message = Message(manifest.name, way.report, "channel", way.name, way.name)
        if (message.report, message.key) not in taken:
            taken.add((message.report, message.key))
            yield message, way.cadence


def _falls_due(cadence: Cadence, manifest: Manifest, calendar: Calendar, closed: str) -> bool:
    if cadence == "every_result" and manifest.week >= closed:
        return True
    if manifest.week != closed or manifest.state == "open":
        return False
    week = calendar.week(manifest.week)
    return cadence != "monthly" or calendar.after(week).as_of.month != week.as_of.month
