"""Sends messages one by one, tries again what can be tried again, and writes each step into the journal first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reports.delivery import smtp
from reports.delivery.addressed import addressed, said
from reports.delivery.channel import notify
from reports.delivery.journal import SETTLED, Entry, Journal, State
from turnup.recipients import MailServer, ReportDelivery

_FIRST_PAUSE_S = 2.0


class MissingSecret(smtp.NotSent):
    """An environment variable that programme.yaml names is not set."""

    def __init__(self, variable: str, what: str) -> None:
        """Name the variable, never a value."""
        super().__init__(f"the environment variable {variable} ({what}) is not set", again=True)


@dataclass(frozen=True)
class Sender:
    """The ways out of one programme.

    Attributes:
        settings: mail server, channels, tries.
        home: folder of the programme.
        journal: the record.
        secrets: environment variables.
        clock: tells the present instant.
        pause: waits so many seconds.
    """

    settings: ReportDelivery
    home: Path
    journal: Journal
    secrets: Mapping[str, str]
    clock: Callable[[], datetime]
    pause: Callable[[float], None]

    def deliver(self, entry: Entry, issued: bytes) -> Entry:
        """Bring a message as far as it can be brought now; the caller holds the journal's lock."""
        if entry.state == "handing over":
            return self._record(entry, "uncertain", note="the process that sent it ended before the answer came")
        if entry.state in SETTLED:
            return entry
        for number in range(self.settings.attempts):
            if number:
                self.pause(_FIRST_PAUSE_S * 2 ** (number - 1))
            entry, again = self._try(entry, issued)
            if not again:
                break
        return entry

    def _try(self, entry: Entry, issued: bytes) -> tuple[Entry, bool]:
        entry = self._record(entry, "trying", attempts=entry.attempts + 1)
        state = [entry]

        def handing_over() -> None:
            state[0] = self._record(entry, "handing over")

        try:
            answer, content = self._send(entry, issued, handing_over)
        except MissingSecret as error:
            return self._record(state[0], "failed", note=str(error)), False
        except smtp.NotSent as error:
            return self._record(state[0], "failed" if error.again else "refused", note=str(error)), error.again
        except smtp.Unknown as error:
            return self._record(state[0], "uncertain", note=str(error)), False
        return self._record(state[0], "sent", note=answer, content=hashlib.sha256(content).hexdigest()), False

    def _send(self, entry: Entry, issued: bytes, handing_over: Callable[[], None]) -> tuple[str, bytes]:
        message = entry.message
        if message.way == "channel":
            channel = next((one for one in self.settings.channels if one.name == message.to), None)
            if channel is None:
                raise smtp.NotSent(f"programme.yaml names no channel '{message.to}'", again=False)
            words = said(issued)
            return notify(self._secret(channel.url_env, message.to), words, handing_over), words.text.encode()
        server = self.settings.mail
        if server is None:
            raise smtp.NotSent("programme.yaml names no mail server", again=False)
        content = addressed(issued, server.sender, message, self.clock())
        return smtp.send(server, self.home, self._login(server), message.to, content, handing_over), content

    def _login(self, server: MailServer) -> smtp.Login | None:
        if server.user_env is None or server.password_env is None:
            return None
        return smtp.Login(
            self._secret(server.user_env, "mail user"), self._secret(server.password_env, "mail password")
        )

    def _secret(self, variable: str, what: str) -> str:
        if not (value := self.secrets.get(variable, "")):
            raise MissingSecret(variable, what)
        return value

    def _record(self, entry: Entry, state: State, **changes: Any) -> Entry:
        return self.journal.put(entry, state, self.clock(), **changes)
