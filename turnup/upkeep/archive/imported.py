"""An exported programme read back, by a reader that believes nothing that the file says of itself.

It writes only into a folder beside the target, only files that the listing names, never more bytes than it says, and
gives the folder the target's name only when every byte has proved to be what was exported.
"""

from __future__ import annotations

import gzip
import hashlib
import secrets
import shutil
import tarfile
import zlib
from typing import TYPE_CHECKING

from turnup.upkeep.archive.listing import LARGEST_LISTING, LISTING, ArchiveRefused, Entry, read_listing

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = 1 << 20
_RECORD = 512
_TRAILER = 1 << 20
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
    beside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.importing")
    beside.mkdir()
    try:
        entries = _unpack(archive, beside)
        # A rename onto an empty folder replaces it, and fails on one that was filled meanwhile.
        beside.replace(target)
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ArchiveRefused(f"{archive}: damaged or no export of a programme ({error})") from error
    except ArchiveRefused as error:
        raise ArchiveRefused(f"{archive}: {error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return entries


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
