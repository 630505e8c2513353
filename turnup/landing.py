"""The immutable store of received files and the register of their arrivals.

Belongs here: what arrived, when, and its unchanged bytes. Does not: which files of the inbox can be taken
(``turnup.inbox``), nor what a file means; every reader gets the stored copy, whose name is a hash, so that no engine
can mistake an original name such as ``BOM[1].csv`` for a pattern.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnup.durable import StoreDamaged, canonical_json, create_exclusive, read_json, replace_bytes, staged
from turnup.inbox import Inbox, NotTaken, Skipped, readable
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from io import BufferedReader

    from turnup.programme import Home

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
        modified_ns: the inbox entry's modification time; another one is another arrival.
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
class Scan:
    """What one look at the inbox found: new arrivals and files not taken."""

    deliveries: tuple[Delivery, ...]
    skipped: tuple[Skipped, ...]


class Landing:
    """The register and store of one programme's received files."""

    def __init__(self, home: Home, time_zone: str) -> None:
        """Open the register under ``home``; ``time_zone`` dates the back-loaded folders of the inbox."""
        self._home = home
        self._inbox = Inbox(home.inbox, time_zone)
        self._register = home.store / "register"

    def deliveries(self, until: int | None = None) -> list[Delivery]:
        """Every arrival registered, by received time and path; at one path the one registered later comes later.

        Args:
            until: number of the last register segment to read; None reads all.

        Raises:
            StoreDamaged: a segment of the register cannot be read back.
        """
        return sorted(self._registered(until), key=lambda item: (item.received_at, item.path))

    def last_segment(self) -> int:
        """Number of the newest segment of the register; 0 when nothing arrived yet."""
        return max((int(segment.stem) for segment in self._segments()), default=0)

    def content(self, sha256: str) -> Path:
        """Path of the stored copy."""
        return self._home.store / "files" / sha256[:2] / sha256

    def scan(self, now: datetime) -> Scan:
        """Take every new arrival of the inbox into the store and the register.

        Args:
            now: present instant (aware); received times never lie after it.

        Returns:
            The arrivals that were new, and the files left alone with the reason.

        Raises:
            ConfigurationError: there is no inbox.
            StoreDamaged: the register cannot be read back.
        """
        if not self._home.inbox.is_dir():
            raise ConfigurationError(f"{self._home.inbox}: no such folder; received files are expected in it")
        looks = self._looks()
        while True:
            segment = self.last_segment() + 1
            new, skipped = self._new_arrivals(looks, now)
            if not new or self._append(segment, new):
                break
        replace_bytes(
            self._register / "last_scan.json", canonical_json({"scanned_at": now.astimezone(UTC).isoformat()})
        )
        replace_bytes(self._register / "looks.json", canonical_json(looks))
        return Scan(tuple(new), tuple(skipped))

    def untaken(self, now: datetime) -> dict[str, list[int]]:
        """Files of the inbox that the last scan did not see as they are now: path to size and times; reads no content.

        A file that never can be taken stays among them; what changes is what is new.
        """
        known = self._looks()
        found: dict[str, list[int]] = {}
        for file, path in self._inbox.files([]):
            with contextlib.suppress(NotTaken):
                self._inbox.dated(path, now)
                status = readable(file.stat)
                look = [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
                if known.get(path, [])[:3] != look:
                    found[path] = look
        return found

    def keep(self, file: Path) -> str | None:
        """Store a file's content without registering an arrival; returns its hash, None when it changed meanwhile."""
        return self._store(file)

    def dated_arrivals(self) -> list[datetime]:
        """The received times that the dated folders of the inbox stand for, sorted."""
        found = set()
        for _, path in self._inbox.files([]):
            with contextlib.suppress(NotTaken):
                found.add(self._inbox.dated(path))
        return sorted(date for date in found if date is not None)

    def _new_arrivals(self, looks: dict[str, list[Any]], now: datetime) -> tuple[list[Delivery], list[Skipped]]:
        registered = self._registered()
        newest = {delivery.path: delivery for delivery in registered}
        identifiers = {delivery.delivery_id for delivery in registered}
        previous = self._last_scan()
        new: list[Delivery] = []
        skipped: list[Skipped] = []
        for file, path in self._inbox.files(skipped):
            try:
                dated = self._inbox.dated(path, now)
                status = readable(file.stat)
                sha256 = self._content_of(file, path, status, looks)
            except NotTaken as reason:
                skipped.append(Skipped(path, str(reason)))
                continue
            before = newest.get(path)
            if before is not None and before.sha256 == sha256 and (dated or before.modified_ns == status.st_mtime_ns):
                continue
            arrival = _unused_mark(path, sha256, "dated" if dated else str(status.st_mtime_ns), identifiers)
            received = dated or _clip(datetime.fromtimestamp(status.st_ctime, UTC), previous, now)
            new.append(
                Delivery(
                    _identify(path, sha256, arrival), path, sha256, status.st_size, received, arrival,
                    status.st_mtime_ns,
                )
            )  # fmt: skip
        return new, skipped

    def _content_of(self, file: Path, path: str, status: os.stat_result, looks: dict[str, list[Any]]) -> str:
        """Hash of a file, stored; a file that looks as at its last reading is not read again."""
        look = [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
        known = looks.get(path)
        if known is not None and known[:3] == look and self.content(known[3]).exists():
            return str(known[3])
        if status.st_size > _LARGEST_FILE:
            raise NotTaken(f"{status.st_size:,} bytes; files over {_LARGEST_FILE:,} bytes are not taken")
        sha256 = self._store(file)
        after = readable(file.stat)
        if sha256 is None or look != [after.st_size, after.st_mtime_ns, after.st_ctime_ns]:
            raise NotTaken("it changed while it was read; it is taken at the next refresh")
        looks[path] = [*look, sha256]
        return sha256

    def _store(self, file: Path) -> str | None:
        """Keep a copy under the hash of the content; None when two readings differ."""
        with readable(lambda: file.open("rb")) as source:
            digest = readable(lambda: _sha256(source))
            target = self.content(digest)
            if target.exists():
                return digest
            source.seek(0)
            with staged(target) as temporary:
                copied = hashlib.sha256()
                with temporary.open("wb") as copy:
                    while block := source.read(1 << 20):
                        copied.update(block)
                        copy.write(block)
                if copied.hexdigest() != digest:
                    return None
                temporary.chmod(0o444)
        return digest

    def _append(self, segment: int, new: list[Delivery]) -> bool:
        """Register arrivals as this segment, or return False when another scan took the number meanwhile."""
        lines = b"".join(
            json.dumps(_to_record(item), sort_keys=True, ensure_ascii=False).encode() + b"\n" for item in new
        )
        return create_exclusive(self._register / f"{segment:08d}.jsonl", lines)

    def _registered(self, until: int | None = None) -> list[Delivery]:
        """Every arrival in the order of registration."""
        found: dict[str, Delivery] = {}
        for segment in self._segments():
            if until is not None and int(segment.stem) > until:
                break
            # A name may hold characters at which str.splitlines would break; only \n ends a record.
            for number, line in enumerate(segment.read_bytes().split(b"\n"), start=1):
                if line:
                    delivery = _from_record(line, segment, number)
                    found.setdefault(delivery.delivery_id, delivery)
        return list(found.values())

    def _segments(self) -> list[Path]:
        return sorted(self._register.glob("[0-9]*.jsonl"))

    def _last_scan(self) -> datetime | None:
        file = self._register / "last_scan.json"
        if not file.exists():
            return None
        return datetime.fromisoformat(read_json(file)["scanned_at"])

    def _looks(self) -> dict[str, list[Any]]:
        """Path to size, times and hash when it was last read: a cache; without it every file is read again."""
        try:
            return dict(read_json(self._register / "looks.json"))
        except (StoreDamaged, TypeError, ValueError):
            return {}


def _clip(received: datetime, previous: datetime | None, now: datetime) -> datetime:
    latest = min(received, now.astimezone(UTC))
    return max(latest, previous) if previous is not None and previous <= now else latest


def _identify(path: str, sha256: str, arrival: str) -> str:
    return hashlib.sha256("\0".join((path, sha256, arrival)).encode()).hexdigest()[:16]


def _unused_mark(path: str, sha256: str, mark: str, identifiers: set[str]) -> str:
    """The arrival mark; numbered when content that was replaced comes back just as it was."""
    marks = (mark if number == 1 else f"{mark}.{number}" for number in itertools.count(1))
    return next(each for each in marks if _identify(path, sha256, each) not in identifiers)


def _sha256(source: BufferedReader) -> str:
    return hashlib.file_digest(source, "sha256").hexdigest()


def _to_record(delivery: Delivery) -> dict[str, Any]:
    return asdict(delivery) | {"received_at": delivery.received_at.isoformat()}


def _from_record(line: bytes, segment: Path, number: int) -> Delivery:
    try:
        record = json.loads(line)
        return Delivery(**(record | {"received_at": datetime.fromisoformat(record["received_at"])}))
    except (ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(
            f"{segment}, line {number}: cannot be read back ({error}); restore this file from a backup"
        ) from error
