"""What a candidate begins as: a copy of a published file, so that what stands in it is not made again; and its end.

Belongs here: choosing and copying it, removing it. Does not: what of it stands (``turnup.warehouse.steps``). A
published file is no truth: where none fits or can be read, the candidate begins empty, and every step is made.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
from typing import TYPE_CHECKING

import duckdb

from turnup.durable import StoreDamaged, replace_bytes
from turnup.version import code_version
from turnup.warehouse.connection import connect
from turnup.warehouse.manifest import ManifestStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turnup.programme import Home

_NAME = re.compile(r"^(\d{4}-W\d{2})\.(\d+)\.([0-9a-f]+)$")
MAKER = f"duckdb {duckdb.__version__}"


def begin_as_published(home: Home, week: str, candidate: Path) -> bool:
    """Copy the newest published file of the week, else of any, that this code made; False when there is none."""
    for file in published_by_this_code(home, week):
        with contextlib.suppress(OSError):  # pruned just now, or published before its hash was kept
            if _copy(file, candidate) == hash_file(file).read_text(encoding="ascii"):
                return True
    candidate.unlink(missing_ok=True)
    return False


def hash_file(published: Path) -> Path:
    """Where the hash of a published file is kept: what is damaged is no ground to build on."""
    return published.with_suffix(".sha256")


def keep_hash(published: Path) -> None:
    """Keep the hash of a published file."""
    with published.open("rb") as content:
        replace_bytes(hash_file(published), hashlib.file_digest(content, "sha256").hexdigest().encode())


def _copy(source: Path, target: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as content, target.open("wb") as copy:
        while block := content.read(1 << 20):
            digest.update(block)
            copy.write(block)
    return digest.hexdigest()


def published_by_this_code(home: Home, week: str) -> Iterator[Path]:
    """Published files that this code made, those of a week first, then the newest first."""
    found = []
    for file in home.published.glob("*.duckdb"):
        matched = _NAME.match(file.stem)
        if matched and _is_committed(home, *matched.groups()):
            found.append((matched[1] == week, matched[1], int(matched[2]), file))
    for _, _, _, file in sorted(found, reverse=True):
        if _made_by_this_code(file):
            yield file


def _is_committed(home: Home, week: str, ordinal: str, fingerprint: str) -> bool:
    with contextlib.suppress(StoreDamaged):
        return ManifestStore(home.store).read(week, int(ordinal)).fingerprint == fingerprint
    return False


def _made_by_this_code(file: Path) -> bool:
    with contextlib.suppress(duckdb.Error), connect(file, read_only=True) as con:
        return con.sql("SELECT code, maker FROM meta.maker").fetchall() == [(code_version(), MAKER)]
    return False


def discard(candidate: Path) -> None:
    """Remove a candidate, with the log and the folder of the engine that lie beside it while it is being made."""
    for name in (candidate.name, f"{candidate.name}.wal", f"{candidate.name}.tmp"):
        beside = candidate.with_name(name)
        if beside.is_dir():
            shutil.rmtree(beside, ignore_errors=True)
        else:
            beside.unlink(missing_ok=True)
