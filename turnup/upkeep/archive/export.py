"""A programme written into one file: a gzip-compressed ustar archive whose first member lists the others.

Equal programmes give equal bytes: members are sorted, and carry neither time, owner nor mode.
"""

from __future__ import annotations

import gzip
import hashlib
import tarfile
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged, staged
from turnup.upkeep.archive.listing import LISTING, Entry, contained, in_order_of_naming, is_safe, listing_bytes
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from turnup.programme import Home

_BLOCK = 1 << 20
_RECORD = 512


def export(home: Home, target: Path) -> list[Entry]:
    """Write a programme to a file, which appears whole or not at all; returns what is in it.

    Raises:
        ConfigurationError: the file exists, its folder does not, or a name in the programme is too long for an
            archive.
        StoreDamaged: a file changed while it was written.
    """
    if target.exists():
        raise ConfigurationError(f"{target} exists already; choose another name")
    if not target.parent.is_dir():
        raise ConfigurationError(f"{target.parent}: no such folder to export to; make it first, or correct the path")
    seen = in_order_of_naming(home, contained(home))
    entries = sorted((_entry(home, file) for file in seen), key=lambda item: item.path)
    for item in entries:
        if not is_safe(item.path):
            raise ConfigurationError(f"{item.path!r}: an archive cannot hold this name; rename the file")
    with staged(target) as temporary, temporary.open("wb") as raw:
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as stream:
            _head(stream, LISTING, len(content := listing_bytes(entries)))
            stream.write(content)
            _fill(stream, len(content))
            for item in entries:
                _member(stream, home, item)
            stream.write(b"\0" * 2 * _RECORD)
    return entries


def _entry(home: Home, file: Path) -> Entry:
    with file.open("rb") as handle:
        digest = hashlib.file_digest(handle, "sha256").hexdigest()
        return Entry(file.relative_to(home.root).as_posix(), handle.tell(), digest)


def _member(stream: gzip.GzipFile, home: Home, item: Entry) -> None:
    _head(stream, item.path, item.size)
    digest, written = hashlib.sha256(), 0
    with (home.root / item.path).open("rb") as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
            written += len(block)
            stream.write(block)
    if digest.hexdigest() != item.sha256 or written != item.size:
        raise StoreDamaged(f"{home.root / item.path}: it changed while it was exported; run the export again")
    _fill(stream, item.size)


def _head(stream: gzip.GzipFile, path: str, size: int) -> None:
    member = tarfile.TarInfo(path)
    member.size, member.mode = size, 0o644
    try:
        stream.write(member.tobuf(tarfile.USTAR_FORMAT, "utf-8", "strict"))
    except ValueError as error:
        raise ConfigurationError(f"{path}: an archive cannot hold this name ({error}); shorten it") from error


def _fill(stream: gzip.GzipFile, size: int) -> None:
    stream.write(b"\0" * (-size % _RECORD))
