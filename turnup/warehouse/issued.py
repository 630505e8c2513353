"""Which report files were issued for a manifest, so that an issued week is not written again by later code.

What an issue said is kept with it: the JSON of its executive report, so that the next issue can say what this one said.
Belongs here: the record of issued files. Does not: what is in them (``reports``).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from turnup.durable import StoreDamaged, canonical_json, read_json, replace_bytes
from turnup.warehouse.manifest import ManifestStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from turnup.programme import Home
    from turnup.warehouse.manifest import Manifest


def issued_hashes(home: Home, manifest: Manifest) -> dict[str, str] | None:
    """Each report file that was issued for a manifest, with the SHA-256 of its bytes; None when none was."""
    try:
        return {str(name): str(value) for name, value in sorted(read_json(_record(home, manifest))["files"].items())}
    except (StoreDamaged, AttributeError, KeyError, TypeError):
        return None


def issued_files(home: Home, manifest: Manifest, release: int | None = None) -> list[Path] | None:
    """The report files of a manifest when all of them stand as they were issued, else None.

    Args:
        home: the programme's folders.
        manifest: the result.
        release: number of the release that they must show, 0 for none; None: whatever they show.
    """
    issued = issued_hashes(home, manifest)
    if issued is None or (release is not None and read_json(_record(home, manifest)).get("release", 0) != release):
        return None
    files = {home.out / manifest.week / name: digest for name, digest in issued.items()}
    try:
        return list(files) if all(_hash(file) == digest for file, digest in files.items()) else None
    except OSError:
        return None


def record_issue(home: Home, manifest: Manifest, files: Iterable[Path], release: int = 0) -> None:
    """Record the report files of a manifest, after they were written, and keep what its executive report says."""
    folder = home.out / manifest.week
    names = {file.relative_to(folder).as_posix(): _hash(file) for file in files}
    if (folder / "executive.json").exists():
        replace_bytes(_model(home, manifest.name), (folder / "executive.json").read_bytes())
    replace_bytes(_record(home, manifest), canonical_json({"files": names, "release": release}))


def last_issue(home: Home, manifest: Manifest) -> dict[str, Any] | None:
    """What the week before said when it was issued first, as a model's JSON; None where it is not on record."""
    if manifest.previous is None:
        return None
    week, _, ordinal = manifest.previous.partition(".")
    first = ManifestStore(home.store).first_issued(week, int(ordinal))
    return issued_model(home, first.name if first else manifest.previous) or issued_model(home, manifest.previous)


def earlier_issue(home: Home, manifest: Manifest) -> dict[str, Any] | None:
    """What the issue before a restatement said of the same week; None where there is none on record."""
    if manifest.state != "restated":
        return None
    names = (f"{manifest.week}.{ordinal}" for ordinal in range(manifest.ordinal - 1, 0, -1))
    return next((model for name in names if (model := issued_model(home, name)) is not None), None)


def issued_model(home: Home, name: str) -> dict[str, Any] | None:
    """The executive report's JSON of one issue, such as ``2026-W44.1``, or None.

    Raises:
        StoreDamaged: it is on record and cannot be read back.
    """
    file = _model(home, name)
    if not file.exists():
        return None
    found: dict[str, Any] = read_json(file)
    return found


def _record(home: Home, manifest: Manifest) -> Path:
    return home.store / "issued" / f"{manifest.name}.json"


def _model(home: Home, name: str) -> Path:
    return home.store / "issued" / "executive" / f"{name}.json"


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
