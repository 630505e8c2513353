"""The immutable store of received files and the register of their arrivals.

Belongs here: what arrived, when, and its unchanged bytes. Does not: what a file means; every reader gets the stored
copy, whose name is a hash, so that no engine can mistake an original name such as ``BOM[1].csv`` for a pattern.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from turnup.durable import canonical_json, create_exclusive, replace_bytes, staged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turnup.programme import Home

_DATED_FOLDER = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2}))?$")
_UNFINISHED = (".tmp", ".part", ".partial", ".crdownload", ".swp")
_LARGEST_FILE = 2 * 1024**3


@dataclass(frozen=True)
class Delivery:
    """One arrival of one file.

    Attributes:
        delivery_id: hash of path, content and arrival mark.
        path: place in the inbox, with forward slashes, as the sender named it.
        sha256: content; also the name of the stored copy.
        size: bytes.
        received_at: instant, UTC.
        arrival: what tells this arrival from another of the same content at the same path.
        modified_ns: the inbox entry's modification time; spares reading a known file again.
    """

    delivery_id: str
    path: str
    sha256: str
    size: int
    received_at: datetime
    arrival: str
    modified_ns: int

    @property
    def name(self) -> str:
        """The original file name."""
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Skipped:
    """A file of the inbox that was not taken, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Scan:
    """What one look at the inbox found: new arrivals and files not taken."""

    deliveries: tuple[Delivery, ...]
    skipped: tuple[Skipped, ...]


class Landing:
    """The register and store of one programme's received files."""

    def __init__(self, home: Home, time_zone: str) -> None:
        """Open the register under ``home``; ``time_zone`` dates the back-loaded folders of the inbox."""
        self._home = home
        self._zone = ZoneInfo(time_zone)
        self._register = home.store / "register"

    def deliveries(self) -> list[Delivery]:
        """Every arrival ever registered, by received time, path and id."""
        found: dict[str, Delivery] = {}
        for segment in self._segments():
            for line in segment.read_text(encoding="utf-8").splitlines():
                delivery = _from_record(json.loads(line))
                found.setdefault(delivery.delivery_id, delivery)
        return sorted(found.values(), key=lambda item: (item.received_at, item.path, item.delivery_id))

    def content(self, sha256: str) -> Path:
        """Path of the stored copy."""
        return self._home.store / "files" / sha256[:2] / sha256

    def scan(self, now: datetime) -> Scan:
        """Take every new arrival of the inbox into the store and the register.

        Args:
            now: present instant (aware); received times never lie after it.

        Returns:
            The arrivals that were new, and the files left alone with the reason.
        """
        while True:
            known = self.deliveries()
            new, skipped = self._new_arrivals(known, now)
            if not new or self._append(new):
                break
        replace_bytes(
            self._register / "last_scan.json", canonical_json({"scanned_at": now.astimezone(UTC).isoformat()})
        )
        return Scan(tuple(new), tuple(skipped))

    def dated_arrivals(self) -> list[datetime]:
        """The received times that the dated folders of the inbox stand for, sorted."""
        files = self._inbox_files([])
        dates = (self._dated(file.relative_to(self._home.inbox).as_posix()) for file in files)
        return sorted({date for date in dates if date is not None})

    def _new_arrivals(self, known: list[Delivery], now: datetime) -> tuple[list[Delivery], list[Skipped]]:
        seen = {(delivery.path, delivery.modified_ns, delivery.size) for delivery in known}
        identifiers = {delivery.delivery_id for delivery in known}
        previous = self._last_scan()
        new: list[Delivery] = []
        skipped: list[Skipped] = []
        for file in self._inbox_files(skipped):
            status = file.stat()
            path = file.relative_to(self._home.inbox).as_posix()
            if (path, status.st_mtime_ns, status.st_size) in seen:
                continue
            if status.st_size > _LARGEST_FILE:
                skipped.append(
                    Skipped(path, f"{status.st_size:,} bytes; files over {_LARGEST_FILE:,} bytes are not taken")
                )
                continue
            sha256 = self._store(file)
            if sha256 is None:
                skipped.append(Skipped(path, "it changed while it was read; it is taken at the next refresh"))
                continue
            dated = self._dated(path)
            arrival = "dated" if dated is not None else str(status.st_mtime_ns)
            received = dated or _clip(datetime.fromtimestamp(status.st_ctime, UTC), previous, now)
            delivery = Delivery(
                _identify(path, sha256, arrival), path, sha256, status.st_size, received, arrival, status.st_mtime_ns
            )
            if delivery.delivery_id not in identifiers:
                new.append(delivery)
        return new, skipped

    def _inbox_files(self, skipped: list[Skipped]) -> Iterator[Path]:
        for file in sorted(self._home.inbox.rglob("*")):
            path = file.relative_to(self._home.inbox).as_posix()
            if file.is_symlink():
                skipped.append(Skipped(path, "it is a link; copy the file itself into the inbox"))
            elif file.is_file() and not _is_unfinished(path):
                yield file

    def _dated(self, path: str) -> datetime | None:
        matched = _DATED_FOLDER.match(path.split("/", 1)[0]) if "/" in path else None
        if matched is None:
            return None
        day, hour, minute = matched.groups(default="00")
        try:
            local = datetime.fromisoformat(f"{day}T{hour}:{minute}").replace(tzinfo=self._zone)
        except ValueError:
            return None
        return local.astimezone(UTC)

    def _store(self, file: Path) -> str | None:
        before = file.stat()
        digest = _sha256(file)
        target = self.content(digest)
        if not target.exists():
            with staged(target) as temporary:
                copied = hashlib.sha256()
                with file.open("rb") as source, temporary.open("wb") as copy:
                    while block := source.read(1 << 20):
                        copied.update(block)
                        copy.write(block)
                if copied.hexdigest() != digest:
                    return None
                temporary.chmod(0o444)
        after = file.stat()
        return digest if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns) else None

    def _append(self, new: list[Delivery]) -> bool:
        last = max((int(segment.stem) for segment in self._segments()), default=0)
        lines = b"".join(
            json.dumps(_to_record(item), sort_keys=True, ensure_ascii=False).encode() + b"\n" for item in new
        )
        return create_exclusive(self._register / f"{last + 1:08d}.jsonl", lines)

    def _segments(self) -> list[Path]:
        return sorted(self._register.glob("[0-9]*.jsonl"))

    def _last_scan(self) -> datetime | None:
        file = self._register / "last_scan.json"
        if not file.exists():
            return None
        return datetime.fromisoformat(json.loads(file.read_text(encoding="utf-8"))["scanned_at"])


def _is_unfinished(path: str) -> bool:
    parts = path.split("/")
    name = parts[-1]
    return any(part.startswith(".") for part in parts) or name.startswith("~$") or name.lower().endswith(_UNFINISHED)


def _clip(received: datetime, previous: datetime | None, now: datetime) -> datetime:
    latest = min(received, now.astimezone(UTC))
    return max(latest, previous) if previous is not None and previous <= now else latest


def _identify(path: str, sha256: str, arrival: str) -> str:
    return hashlib.sha256("\0".join((path, sha256, arrival)).encode()).hexdigest()[:16]


def _sha256(file: Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _to_record(delivery: Delivery) -> dict[str, Any]:
    return asdict(delivery) | {"received_at": delivery.received_at.isoformat()}


def _from_record(record: dict[str, Any]) -> Delivery:
    return Delivery(**(record | {"received_at": datetime.fromisoformat(record["received_at"])}))
