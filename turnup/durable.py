"""Writes that a killed process cannot leave half done.

Belongs here: the two ways turnup puts bytes on disk, whole-or-nothing replacement and exclusive creation, and reading
back what it wrote. Does not: formats.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


UNFINISHED = ".*.tmp"
"""Names of files that are being written; a whole file never has such a name."""


class StoreDamaged(Exception):
    """A file that turnup wrote cannot be read back; the message names it and says what helps."""


def read_json(file: Path) -> Any:
    """Read a JSON file of the store.

    Raises:
        StoreDamaged: the file is gone or is not the JSON that was written.
    """
    try:
        return json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise StoreDamaged(f"{file}: cannot be read back ({error}); restore this file from a backup") from error


@contextlib.contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Give a temporary neighbour of ``target`` to write to; on success it takes the target's name atomically."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        _flush(temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def replace_bytes(target: Path, content: bytes) -> None:
    """Replace a file's content as one step."""
    with staged(target) as temporary:
        temporary.write_bytes(content)


def clear_unfinished(folder: Path, *, deep: bool = False) -> None:
    """Remove what killed writers left of files that never got their name; nobody else may be writing here now."""
    for file in sorted(folder.rglob(UNFINISHED) if deep else folder.glob(UNFINISHED)):
        file.unlink(missing_ok=True)


def create_exclusive(target: Path, content: bytes) -> bool:
    """Create ``target`` with its whole content, or return False when it already exists (somebody else was first)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        temporary.write_bytes(content)
        _flush(temporary)
        # A hard link fails when the name is taken, unlike a rename, which would silently win.
        os.link(temporary, target)
    except FileExistsError:
        return False
    finally:
        temporary.unlink(missing_ok=True)
    return True


@contextlib.contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Wait until no other process is inside with the same lock file; a killed process lets go of it."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def canonical_json(value: Any) -> bytes:
    """Encode as JSON with sorted keys, so that equal values are equal bytes."""
    return (json.dumps(value, sort_keys=True, ensure_ascii=False, indent=1) + "\n").encode()


def _flush(path: Path) -> None:
    with path.open("rb") as handle:
        os.fsync(handle.fileno())
