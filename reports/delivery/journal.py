"""The record of what went to whom: one file a message, whose state says what a killed process may have done.

A message is ``trying`` until all of it but its end has been given to the server, ``handing over`` while its end is
given and answered, then ``sent``. A process that dies while ``trying`` has certainly delivered nothing: the next one
begins again. One that dies while ``handing over`` may have delivered: its message becomes ``uncertain``, is never sent
again by itself, and the operator is told. So a message goes out at most once, and is missing only in that instant.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from turnup.durable import canonical_json, read_json, replace_bytes

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

State = Literal["waiting", "trying", "handing over", "sent", "failed", "refused", "uncertain", "held"]
SETTLED: frozenset[State] = frozenset({"sent", "refused", "uncertain"})
"""States after which a message is never sent again by itself."""


@dataclass(frozen=True)
class Message:
    """One report of one result for one recipient or channel.

    Attributes:
        version: name of the result, such as ``2026-W44.1``; a restatement has another.
        report: ``executive`` or ``governance``; ``notice`` for what an operator is told.
        way: ``mail`` or ``channel``.
        to: mail address, or name of the channel.
        name: of the recipient.
    """

    version: str
    report: str
    way: Literal["mail", "channel"]
    to: str
    name: str = ""

    @property
    def key(self) -> str:
        """Name of its record: equal for the same recipient however the address is spelt."""
        return hashlib.sha256(f"{self.way}\n{self.to.casefold()}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Entry:
    """A message and how far it is.

    Attributes:
        state: see the module.
        attempts: how often it was tried.
        at: instant of the last change of state, ISO 8601.
        note: why it failed, was refused or is held; the server's answer when it was sent.
        content: SHA-256 of what was sent.
        approved: who had it sent again, and why.
        words: the whole message of a notice, which stands in no other file.
    """

    message: Message
    state: State = "waiting"
    attempts: int = 0
    at: str = ""
    note: str = ""
    content: str = ""
    approved: str = ""
    words: str = ""


class Journal:
    """The records of one programme; whoever writes holds the lock of deliveries (``turnup.durable.one_at_a_time``)."""

    def __init__(self, store: Path) -> None:
        """Open the folder ``sent`` of a store."""
        self._folder = store / "sent"
        self.lock = store / "sent.lock"

    def entry(self, message: Message) -> Entry:
        """The record of a message; one that is waiting when there is none."""
        file = self._file(message)
        return _entry(read_json(file)) if file.exists() else Entry(message)

    def entries(self) -> list[Entry]:
        """Every record: by version, report and address."""
        found = [_entry(read_json(file)) for file in self._folder.glob("*/*.json")]
        return sorted(found, key=lambda each: (each.message.version, each.message.report, each.message.to))

    def put(self, entry: Entry, state: State, now: datetime, **changes: Any) -> Entry:
        """Record a change of state on disk before anything follows from it."""
        changed = replace(entry, state=state, at=now.isoformat(timespec="seconds"), **changes)
        replace_bytes(self._file(entry.message), canonical_json(asdict(changed)))
        return changed

    def _file(self, message: Message) -> Path:
        return self._folder / message.version / f"{message.report}.{message.key}.json"


def _entry(record: dict[str, Any]) -> Entry:
    return Entry(**{**record, "message": Message(**record["message"])})
