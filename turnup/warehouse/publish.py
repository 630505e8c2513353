"""Publication: a committed week becomes the file that anyone opens.

``warehouse.duckdb`` is a symbolic link, swapped atomically to ``published/<week>.<n>.duckdb``. A published file never
changes and is never replaced under its name, so a reader always sees one whole week; who has the old file open keeps
it. Belongs here: result parts, publication and pruning. Does not: what is in the file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

from turnup.durable import staged
from turnup.warehouse.base import hash_file, keep_hash, published_by_this_code
from turnup.warehouse.connection import connect, literal
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.steps import made_in

if TYPE_CHECKING:
    from pathlib import Path

    from turnup.programme import Home
    from turnup.warehouse.manifest import Manifest

_KEPT = 3


def write_results(home: Home, fingerprint: str, database: Path) -> dict[str, str]:
    """Write every ``mart`` table of a result that is not yet there; returns table to path, relative to the store."""
    results = {}
    standing = _standing(home, database)
    with connect(database, read_only=True) as con:
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'mart' ORDER BY 1"
        for (table,) in con.sql(query).fetchall():
            target = home.store / "results" / fingerprint / f"{table}.parquet"
            if not target.exists() and not _linked(standing.get(f"mart.{table}"), target):
                with staged(target) as temporary:
                    con.execute(f"COPY (FROM mart.{table} ORDER BY ALL) TO {literal(str(temporary))} (FORMAT parquet)")
                    temporary.chmod(0o444)
            results[table] = target.relative_to(home.store).as_posix()
    return results


def _standing(home: Home, database: Path) -> dict[str, Path]:
    """Result parts of a published file whose tables hold the same rows, by table."""
    own, found = made_in(database), next(published_by_this_code(home, database.name[:8]), None)
    if found is None:
        return {}
    folder, other = home.store / "results" / found.stem.rpartition(".")[2], made_in(found)
    return {
        table: folder / f"{table.partition('.')[2]}.parquet"
        for table, contents in own.items()
        if table.startswith("mart.") and other.get(table) == contents
    }


def _linked(part: Path | None, target: Path) -> bool:
    """Give a part of the same rows another name; False where there is none, or the disk has no such names."""
    with contextlib.suppress(OSError):
        if part is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(part, target)
            return True
    return target.exists()


def published_file(home: Home, manifest: Manifest) -> Path:
    """Where the database of a manifest is or will be."""
    return home.published / f"{manifest.name}.{manifest.fingerprint}.duckdb"


def publish(home: Home, manifest: Manifest, candidate: Path) -> Path:
    """Move a closed candidate to its published place and point ``warehouse.duckdb`` at the newest week.

    Returns:
        The published file of the manifest (which is not the warehouse's when an older week was made).
    """
    target = published_file(home, manifest)
    target.parent.mkdir(parents=True, exist_ok=True)
    candidate.chmod(0o444)
    with contextlib.suppress(FileExistsError):  # another refresh published the same result; somebody may read it
        os.link(candidate, target)
        keep_hash(target)
    candidate.unlink()
    point_warehouse(home)
    prune(home, keep=target)
    return target


def point_warehouse(home: Home) -> None:
    """Let ``warehouse.duckdb`` show the newest week that is published as it was committed.

    Looked at again after each swap: a newer week may be committed and published between a look and a swap.
    """
    while (newest := ManifestStore(home.store).newest()) is not None:
        target = published_file(home, newest)
        shown = home.warehouse.is_symlink() and home.warehouse.readlink() == target.relative_to(home.root)
        if shown or not target.exists():
            return
        _swap(home, target)


def _swap(home: Home, target: Path) -> None:
    """Point the link elsewhere as one step; it is relative, so that a home can be moved."""
    temporary = home.root / f".warehouse.{secrets.token_hex(4)}.tmp"
    temporary.symlink_to(target.relative_to(home.root))
    temporary.replace(home.warehouse)


def prune(home: Home, keep: Path) -> None:
    """Remove published files beyond the newest few; each can be made again from its manifest."""
    current = home.warehouse.resolve() if home.warehouse.is_symlink() else None
    files = sorted(home.published.glob("*.duckdb"))
    for file in files[:-_KEPT]:
        if file != keep and file.resolve() != current:
            file.unlink(missing_ok=True)
            hash_file(file).unlink(missing_ok=True)
