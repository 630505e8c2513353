"""The listing at the head of an archive: every file with its size and SHA-256; nothing else may follow it.

Belongs here: which paths an archive may hold. A path of an archive that was made elsewhere is not trusted.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnup.durable import canonical_json
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from turnup.programme import Home

LISTING = "turnup-programme.json"
LARGEST_LISTING = 256 << 20
_FORMAT = "turnup programme 1"
_TOP = ("programme.yaml", "baselines", "out", "playbooks", "releases", "store")
_MADE_AGAIN = re.compile(r"^store/(build/|pruned/\.|register/looks\.json$|[^/]*\.lock$)")
_SHA256 = re.compile(r"^[0-9a-f]{64}$")
_FIRST = ("store/weeks/", "store/register/", "store/batches/", "store/issued/")


class ArchiveRefused(ConfigurationError):
    """A file that is no whole, untouched export of a programme; the message says why. Nothing was put in place."""


@dataclass(frozen=True)
class Entry:
    """One file of an archive."""

    path: str
    size: int
    sha256: str


def contained(home: Home) -> list[Path]:
    """The files of a programme that an export holds, by path.

    What can be made again stays out: published databases, candidates, the Dagster instance; so do the inbox, whose
    files the store has once they were taken, hidden and unfinished files, and links.
    """
    found = [path for name in _TOP for path in _below(home.root / name)]
    kept = [
        path
        for path in found
        if not any(part.startswith(".") for part in path.relative_to(home.root).parts)
        and not _MADE_AGAIN.match(path.relative_to(home.root).as_posix())
    ]
    return sorted(kept, key=lambda path: path.relative_to(home.root).as_posix())


def in_order_of_naming(home: Home, files: Iterable[Path]) -> list[Path]:
    """Files that name others first: what they name was there before them, so a running refresh breaks no export."""

    def place(file: Path) -> tuple[int, str]:
        path = file.relative_to(home.root).as_posix()
        return next((number for number, head in enumerate(_FIRST) if path.startswith(head)), len(_FIRST)), path

    return sorted(files, key=place)


def listing_bytes(entries: Iterable[Entry]) -> bytes:
    """The listing as it stands in the archive."""
    files = [{"path": item.path, "size": item.size, "sha256": item.sha256} for item in entries]
    return canonical_json({"format": _FORMAT, "files": files})


def read_listing(content: bytes) -> list[Entry]:
    """Read and check a listing.

    Raises:
        ArchiveRefused: it is none of ours, or a path of it must not be written.
    """
    try:
        record = json.loads(content)
        if record["format"] != _FORMAT:
            raise ArchiveRefused(f"its format is '{record['format']}'; this version of turnup reads '{_FORMAT}'")
        entries = [_entry(item) for item in record["files"]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ArchiveRefused(f"its listing cannot be read ({type(error).__name__}: {error})") from error
    seen: set[str] = set()
    for item in entries:
        folded = unicodedata.normalize("NFC", item.path).casefold()
        if folded in seen:
            raise ArchiveRefused(f"its listing names '{item.path}' twice")
        seen.add(folded)
    for path in seen:
        parents = path.split("/")[:-1]
        if any("/".join(parents[: depth + 1]) in seen for depth in range(len(parents))):
            raise ArchiveRefused(f"its listing has a file inside a file: '{path}'")
    return entries


def _entry(item: dict[str, Any]) -> Entry:
    path, size, sha256 = item["path"], item["size"], item["sha256"]
    if not isinstance(path, str) or not is_safe(path):
        raise ArchiveRefused(f"its listing names {path!r}, which no programme has")
    if type(size) is not int or size < 0 or not isinstance(sha256, str) or not _SHA256.match(sha256):
        raise ArchiveRefused(f"its listing has no size or hash for '{path}'")
    return Entry(path, size, sha256)


def is_safe(path: str) -> bool:
    """Whether a path is one that an export may hold: plain names below the folders of a programme."""
    parts = path.split("/")
    plain = all(part and not part.startswith(".") and part.isprintable() and "\\" not in part for part in parts)
    return plain and parts[0] in _TOP and (len(parts) > 1) == (parts[0] != "programme.yaml")


def _below(path: Path) -> Iterator[Path]:
    if path.is_symlink():
        return
    if path.is_file():
        yield path
    elif path.is_dir():
        for child in path.iterdir():
            yield from _below(child)
