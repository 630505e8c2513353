"""The folder that people drop files into: which of them can be taken now, and when a back-loaded one arrived.

Belongs here: looking at the inbox. Does not: the stored copies and the register of arrivals (``turnup.landing``).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_DATED_FOLDER = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2}))?$")
_UNFINISHED = (".tmp", ".part", ".partial", ".crdownload", ".swp")
T = TypeVar("T")


@dataclass(frozen=True)
class Skipped:
    """A file of the inbox that was not taken, and why."""

    path: str
    reason: str


class NotTaken(Exception):
    """A file that stays in the inbox for now; the message is the reason."""


class Inbox:
    """The inbox of one programme."""

    def __init__(self, root: Path, time_zone: str) -> None:
        """Remember the folder; ``time_zone`` dates its back-loaded folders."""
        self._root = root
        self._zone = ZoneInfo(time_zone)

    def files(self, skipped: list[Skipped]) -> Iterator[tuple[Path, str]]:
        """Yield plain files with their paths in the inbox, sorted; what else lies there goes to ``skipped``."""

        def unreadable(error: OSError) -> None:
            path = Path(str(error.filename)).relative_to(self._root).as_posix()
            skipped.append(Skipped(_printable(path), f"the folder cannot be read ({error.strerror})"))

        found = []
        for folder, folders, names in os.walk(self._root, onerror=unreadable):
            links = (name for name in folders if (Path(folder) / name).is_symlink())
            found += [Path(folder) / name for name in (*names, *links)]
        for file, path in sorted((file, file.relative_to(self._root).as_posix()) for file in found):
            if _is_unfinished(path):
                continue
            if file.is_symlink():
                skipped.append(Skipped(_printable(path), "it is a link; copy the file itself into the inbox"))
            elif not file.is_file():
                skipped.append(Skipped(_printable(path), "it is no plain file"))
            elif path != _printable(path):
                skipped.append(Skipped(_printable(path), "its name is not UTF-8; rename it"))
            else:
                yield file, path

    def dated(self, path: str, now: datetime | None = None) -> datetime | None:
        """The instant that a dated folder stands for; a folder that names no date, or one to come, is not taken."""
        matched = _DATED_FOLDER.match(path.split("/", 1)[0]) if "/" in path else None
        if matched is None:
            return None
        day, hour, minute = matched.groups(default="00")
        try:
            local = datetime.fromisoformat(f"{day}T{hour}:{minute}").replace(tzinfo=self._zone)
        except ValueError:
            raise NotTaken(f"its folder '{matched[0]}' is named like a date, and there is no such date") from None
        received = local.astimezone(UTC)
        if now is not None and received > now:
            raise NotTaken(f"its folder '{matched[0]}' is dated later than now; it is taken when that time has come")
        return received


def readable(look: Callable[[], T]) -> T:
    """Look at a file of the inbox; one that cannot be read is not taken. Errors of the store's own disk are not met."""
    try:
        return look()
    except OSError as error:
        raise NotTaken(f"it cannot be read ({error.strerror})") from error


def _printable(path: str) -> str:
    """A path as text that can be written as UTF-8."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_unfinished(path: str) -> bool:
    parts = path.split("/")
    name = parts[-1]
    return any(part.startswith(".") for part in parts) or name.startswith("~$") or name.lower().endswith(_UNFINISHED)
