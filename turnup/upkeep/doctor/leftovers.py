"""Files that a killed process left behind: candidates, and halves of files that were never given their name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.upkeep.doctor.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from turnup.upkeep.doctor.fault import Patient

_CURE = "it is moved aside"


def leftovers(patient: Patient) -> Iterator[Fault]:
    """Everything abandoned in ``store/build``, unfinished files elsewhere, logs beside published databases."""
    home = patient.home
    for file in sorted((home.store / "build").glob("*")):
        if patient.abandoned(file):
            yield Fault(patient.relative(file), "leftover", "a database that a refresh did not finish", _CURE)
    for file in sorted({*_unfinished(home.root, deep=False), *_inside(patient)}):
        if patient.abandoned(file):
            yield Fault(patient.relative(file), "leftover", "the half of a file whose writer was ended", _CURE)
    for file in sorted(home.published.glob("*.wal")):
        yield Fault(patient.relative(file), "leftover", "a log beside a published database, which never changes", _CURE)


def _inside(patient: Patient) -> Iterator[Path]:
    home = patient.home
    for folder in (home.store, home.published, home.out):
        for file in _unfinished(folder, deep=True):
            if file.parent != home.store / "build":
                yield file


def _unfinished(folder: Path, *, deep: bool) -> Iterator[Path]:
    for pattern in (".*.tmp", ".*.part"):
        yield from folder.rglob(pattern) if deep else folder.glob(pattern)
