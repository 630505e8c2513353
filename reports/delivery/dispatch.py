"""One round of delivery: what is due goes out, what must wait says why, and the operator hears of what failed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from reports.delivery.addressed import notice
from reports.delivery.due import Due, due
from reports.delivery.journal import SETTLED, Entry, Message
from reports.delivery.sender import Sender
from reports.wording import plural
from turnup.durable import one_at_a_time
from turnup.programme import Home, Programme
from turnup.recipients import ReportDelivery
from turnup.warehouse.manifest import Manifest, ManifestStore

Issued = Callable[[Manifest, str], bytes | None]
"""Result and report to the issued message, None when it is not written."""
Held = Callable[[Manifest, str], str]
"""Result and report to why it may not go out, empty when it may."""
_TROUBLED = ("failed", "refused", "uncertain", "held")


@dataclass(frozen=True)
class Round:
    """What one round of delivery did.

    Attributes:
        entries: every message that is due and how far it is now.
        notices: what the operator was told in this round.
        sent: how many went out in this round.
    """

    entries: tuple[Entry, ...]
    notices: tuple[Entry, ...]
    sent: int

    @property
    def troubles(self) -> tuple[Entry, ...]:
        """What did not go out, and needs time or a person."""
        return tuple(entry for entry in (*self.entries, *self.notices) if entry.state in _TROUBLED)

    @property
    def again(self) -> bool:
        """Whether another round can help by itself."""
        return any(entry.state == "failed" for entry in (*self.entries, *self.notices))


def dispatch(home: Home, programme: Programme, sender: Sender, issued: Issued, held: Held, now: datetime) -> Round:
    """Send what is due and is not sent, and tell the operator of what is in trouble, once for each trouble."""
    journal = sender.journal
    with one_at_a_time(journal.lock):
        before = {entry.message: entry.state for entry in journal.entries()}
        waiting = due(programme, ManifestStore(home.store), journal.entries(), now)
        entries = tuple(_bring(one, sender, issued, held) for one in waiting)
        notices = (*_kept_notices(sender), *_tell(sender, programme.delivery, entries))
    sent = sum(entry.state == "sent" and before.get(entry.message) != "sent" for entry in entries)
    return Round(entries, notices, sent)


def _bring(one: Due, sender: Sender, issued: Issued, held: Held) -> Entry:
    entry = sender.journal.entry(one.message)
    if entry.state == "sent":
        return entry
    why = held(one.manifest, one.message.report)
    content = issued(one.manifest, one.message.report)
    if content is None:
        why = why or f"the files of {one.manifest.name} are not written; turnup refresh writes them"
    if why or content is None:
        if entry.state == "handing over":
            return sender.deliver(entry, b"")
        return (
            entry
            if (entry.state, entry.note) == ("held", why)
            else sender.journal.put(entry, "held", sender.clock(), note=why)
        )
    return sender.deliver(entry, content)


def _tell(sender: Sender, settings: ReportDelivery, entries: tuple[Entry, ...]) -> list[Entry]:
    troubled = [entry for entry in entries if entry.state in _TROUBLED]
    if not troubled:
        return []
    version = max(entry.message.version for entry in troubled)
    lines = [
        f"- {each.message.report} {each.message.version} to {each.message.to}: {each.state}, {each.note}"
        for each in troubled
    ]
    subject = f"turnup: {plural(len(troubled), 'message')} of {version} did not go out"
    return tell_operator(sender, settings, version, subject, "\n".join([subject, "", *lines]) + "\n")


def _named(message: Message) -> str:
    return f"{message.report} report of {message.version} to {message.to}"


def tell_operator(sender: Sender, settings: ReportDelivery, version: str, subject: str, text: str) -> list[Entry]:
    """Tell every operator something once; the caller holds the journal's lock."""
    report = "notice-" + hashlib.sha256(text.encode()).hexdigest()[:12]
    messages = [Message(version, report, "mail", address, "Operator") for address in settings.operator]
    messages += [Message(version, report, "channel", name, name) for name in settings.operator_channels]
    words = notice(subject, text)
    entries = [replace(sender.journal.entry(message), words=words.decode()) for message in messages]
    return [sender.deliver(entry, words) for entry in entries]


def _kept_notices(sender: Sender) -> list[Entry]:
    """What the operator was to be told earlier and did not go out yet."""
    kept = [entry for entry in sender.journal.entries() if entry.words and entry.state not in SETTLED]
    return [sender.deliver(entry, entry.words.encode()) for entry in kept]
