"""The mail server of the campaign, in a process of its own, and the messages that it took."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from perf.faults.programme import FRIENDS, OPERATOR
from tests.reports.delivery import post_office


class _Spool:
    """Takes the place of a list of messages: each is a file whose name begins with the recipient."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0

    def append(self, item: tuple[str, bytes]) -> None:
        """Keep a message."""
        self._number += 1
        to, content = item
        beside = self._folder / f".{self._number}"
        beside.write_bytes(content)
        beside.rename(self._folder / f"{to}.{self._number}")


class Post:
    """A real SMTP server."""

    def __init__(self, folder: Path) -> None:
        """Start it; ``port`` is where it listens."""
        folder.mkdir()
        self._spool = folder
        read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            taken = post_office.Taken(_Spool(folder))
            os.write(write, str(post_office.opened(taken).port).encode())
            while os.getppid() != 1:
                time.sleep(1)
            os._exit(0)
        self.port = int(os.read(read, 16))

    def clear(self) -> None:
        """Forget the messages of the case before."""
        for file in self._spool.iterdir():
            file.unlink(missing_ok=True)

    def of(self, address: str, week: str) -> list[str]:
        """The messages that someone got about a week."""
        texts = [file.read_text(errors="replace") for file in self._spool.glob(f"{address}.*")]
        return [text for text in texts if week in text]

    def close(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def misdelivered(post: Post, states: dict[tuple[str, str, str], str], week: str) -> list[str]:
    """What is wrong with the messages of a week; ``states`` is the journal by result, report and address."""
    wrong = []
    for address, report in FRIENDS.items():
        got = len(post.of(address, week))
        state = states.get((f"{week}.1", report, address), "none")
        if got > 1:
            wrong.append(f"{address} got the {report} report of {week} {got} times")
        elif state == "uncertain":
            if not any(address in text for text in post.of(OPERATOR, week)):
                wrong.append(f"{address}: the {report} report of {week} is uncertain and no operator was told")
        elif (state, got) != ("not begun", 0) and (state != "sent" or not got):
            wrong.append(f"{address} got {got} messages and the journal says {state} of the {report} report of {week}")
    return wrong
