"""What a candidate begins as: a copy of a published file, so that what stands in it is not made again.

Belongs here: choosing and copying it. Does not: what of it stands (``turnup.warehouse.steps``). A published file is no
truth: where none fits or can be read, the candidate begins empty, and every step is made.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from typing import TYPE_CHECKING

import duckdb

from turnup.durable import StoreDamaged
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
        with contextlib.suppress(OSError):  # pruned just now
            shutil.copyfile(file, candidate)
            return True
    candidate.unlink(missing_ok=True)
    return False


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
