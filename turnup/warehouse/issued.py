"""Which report files were issued for a manifest, so that an issued week is not written again by later code.

Belongs here: the record of issued files. Does not: what is in them (``reports``).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from turnup.programme import Home
    from turnup.warehouse.manifest import Manifest


def issued_hashes(home: Home, manifest: Manifest) -> dict[str, str] | None:
    """Each report file that was issued for a manifest, with the SHA-256 of its bytes; None when none was."""
    try:
        return {str(name): str(value) for name, value in sorted(read_json(_record(home, manifest)).items())}
    except (StoreDamaged, AttributeError):
        return None


def issued_files(home: Home, manifest: Manifest) -> list[Path] | None:
    """The report files of a manifest when all of them stand as they were issued, else None."""
    issued = issued_hashes(home, manifest)
    if issued is None:
        return None
    files = [home.out / manifest.week / name for name in issued]
    try:
        return files if all(_hash(file) == issued[file.name] for file in files) else None
    except OSError:
        return None


def record_issue(home: Home, manifest: Manifest, files: Iterable[Path]) -> None:
    """Record the report files of a manifest, after they were written."""
    replace_bytes(_record(home, manifest), canonical_json({file.name: _hash(file) for file in files}))


def _record(home: Home, manifest: Manifest) -> Path:
    return home.store / "issued" / f"{manifest.name}.json"


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
