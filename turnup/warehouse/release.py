"""Releases: a named person lets leadership read a week that is no FINAL.

Append-only: a release is a file of its own, created exclusively and never changed, and it holds for one fingerprint
only: a week that is made again needs a new one. Belongs here: recording and finding releases. Does not: what a report
says about them (``reports``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from turnup.durable import StoreDamaged, canonical_json, create_exclusive, read_json
from turnup.warehouse.issued import issued_files
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from turnup.programme import Home
    from turnup.warehouse.manifest import Manifest


@dataclass(frozen=True)
class Release:
    """Who released which result, when (UTC, ISO 8601) and why."""

    name: str
    fingerprint: str
    by: str
    at: str
    reason: str
    number: int


def record_release(store: Path, manifest: Manifest, by: str, at: datetime, reason: str) -> Release:
    """Append a release of a result; an earlier one of the same result stays on record.

    Raises:
        ConfigurationError: no person or no reason is given.
    """
    person, why = " ".join(by.split()), " ".join(reason.split())
    if not any(character.isalpha() for character in person):
        raise ConfigurationError("a release needs the name of the person who releases: --by 'Dana Whitfield'")
    if not why:
        raise ConfigurationError("a release needs its reason: --reason 'board meets before the late file can come'")
    number = len(releases(store, manifest)) + 1
    while True:
        made = Release(manifest.name, manifest.fingerprint, person, at.isoformat(timespec="seconds"), why, number)
        if create_exclusive(_file(store, manifest.name, number), canonical_json(asdict(made))):
            return made
        number += 1


def releases(store: Path, manifest: Manifest) -> tuple[Release, ...]:
    """Every release on record of a result's name, oldest first; one of another fingerprint holds for that one only.

    Raises:
        StoreDamaged: one of them cannot be read back.
    """
    found, number = [], 1
    while (file := _file(store, manifest.name, number)).exists():
        try:
            found.append(Release(**read_json(file)))
        except TypeError as error:
            raise StoreDamaged(f"{file}: is no release ({error}); restore this file from a backup") from error
        number += 1
    return tuple(found)


def release_of(store: Path, manifest: Manifest) -> Release | None:
    """The newest release that holds for a result, or None."""
    holding = [made for made in releases(store, manifest) if made.fingerprint == manifest.fingerprint]
    return holding[-1] if holding else None


def files_as_released(home: Home, manifest: Manifest) -> list[Path] | None:
    """The report files of a result when all stand as they were issued and show its newest release, else None."""
    released = release_of(home.store, manifest)
    return issued_files(home, manifest, released.number if released else 0)


def _file(store: Path, name: str, number: int) -> Path:
    return store / "releases" / f"{name}.{number}.json"
