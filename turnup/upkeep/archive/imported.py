"""An exported programme read back, by a reader that believes nothing that the file says of itself.

It writes only into a folder beside the target, only files that the listing names, never more bytes than it says, and
gives the folder the target's name only when every byte has proved to be what was exported.
"""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import hashlib
import re
import secrets
import shutil
import tarfile
import zlib
from typing import TYPE_CHECKING

from turnup.upkeep.archive.listing import LARGEST_LISTING, LISTING, ArchiveRefused, Entry, read_listing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK = 1 << 20
_RECORD = 512
_TRAILER = 1 << 20
_IMPORTING, _LOCK, _CONTENT = ".importing", "lock", "programme"
_READ_ONLY = ("store/files/", "store/parts/", "store/results/")


def import_programme(archive: Path, target: Path) -> list[Entry]:
    """Make a programme of an export, in a folder that does not exist or is empty; returns what came in.

    Raises:
        ArchiveRefused: the archive is damaged, cut off or holds what no export holds, or the folder is not empty.
        OSError: the file or the folder cannot be used.
    """
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise ArchiveRefused(f"{target} is not empty; import into a new folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear_abandoned(target)
    try:
        with _beside(target) as folder:
            entries = _unpack(archive, folder)
            # A rename onto an empty folder replaces it, and fails on one that was filled meanwhile.
            folder.replace(target)
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ArchiveRefused(f"{archive}: damaged or no export of a programme ({error})") from error
    except ArchiveRefused as error:
        raise ArchiveRefused(f"{archive}: {error}") from error
    return entries


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A folder to unpack into, beside the target; it is gone afterwards, and locked until then."""
    around = target.with_name(f".{target.name}.{secrets.token_hex(4)}{_IMPORTING}")
    around.mkdir()
    try:
        with (around / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (around / _CONTENT).mkdir()
            yield around / _CONTENT
    finally:
        shutil.rmtree(around, ignore_errors=True)


def _clear_abandoned(target: Path) -> None:
    """Remove what killed imports into this folder left: a process that ended, however it did, holds no lock."""
    begun = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}{re.escape(_IMPORTING)}")
    for around in sorted(path for path in target.parent.iterdir() if begun.fullmatch(path.name)):
        # Without the folder that follows the lock its import may be about to take the lock.
        if not (around / _CONTENT).is_dir():
            continue
        with contextlib.suppress(FileNotFoundError, BlockingIOError), (around / _LOCK).open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(around, ignore_errors=True)


def _unpack(archive: Path, folder: Path) -> list[Entry]:
    with gzip.open(archive, "rb") as stream:
        name, size = _next(stream) or ("", 0)
        if name != LISTING or size > LARGEST_LISTING:
            raise ArchiveRefused("it does not begin with the listing of an export")
        entries = read_listing(_exactly(stream, size))
        _exactly(stream, -size % _RECORD)
        total, free = sum(item.size for item in entries), shutil.disk_usage(folder).free
        if total > free:
            raise ArchiveRefused(f"it holds {total:,} bytes and {free:,} are free")
        for item in entries:
            if _next(stream) != (item.path, item.size):
                raise ArchiveRefused(f"'{item.path}' does not follow where the listing says")
            _write(stream, folder / item.path, item)
        if _next(stream) is not None:
            raise ArchiveRefused("it holds more than its listing names")
        _end(stream)
        return entries


def _next(stream: gzip.GzipFile) -> tuple[str, int] | None:
    """Name and size of the next member, or None at the end; anything but a plain file is refused."""
    header = _exactly(stream, _RECORD)
    if not any(header):
        return None
    member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
    if member.type != tarfile.REGTYPE or member.linkname:
        raise ArchiveRefused(f"'{member.name}' is a link, a folder or something else that is no plain file")
    return member.name, member.size


def _write(stream: gzip.GzipFile, file: Path, item: Entry) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), item.size
    with file.open("xb") as target:
        while left:
            block = _exactly(stream, min(left, _BLOCK))
            digest.update(block)
            target.write(block)
            left -= len(block)
    if digest.hexdigest() != item.sha256:
        raise ArchiveRefused(f"'{item.path}' is not what was exported: its hash differs")
    if item.path.startswith(_READ_ONLY):
        file.chmod(0o444)
    _exactly(stream, -item.size % _RECORD)


def _exactly(stream: gzip.GzipFile, size: int) -> bytes:
    content = stream.read(size) if size else b""
    if len(content) != size:
        raise ArchiveRefused("it is cut off")
    return content


def _end(stream: gzip.GzipFile) -> None:
    """The rest of the stream, which also proves its checksum: zeros, and not many."""
    rest = stream.read(_TRAILER)
    if any(rest) or len(rest) == _TRAILER:
        raise ArchiveRefused("something follows its end")
