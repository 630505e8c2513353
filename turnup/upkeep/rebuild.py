"""A week made again elsewhere, from what its manifest names; the programme itself is only read.

Belongs here: the folder in which that happens. Does not: the steps (``turnup.refresh``) or the comparison
(``turnup.upkeep.comparison``).
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnup.ingest import claims, ingest_datasets
from turnup.kept_configuration import kept_programme
from turnup.programme import Home
from turnup.refresh import Refresh
from turnup.warehouse.store import open_store
from turnup.week import Calendar

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from turnup.warehouse.manifest import Manifest

_EVIDENCE = ("files", "register", "configuration", "weeks")
_READ = ("parts", "batches")


@dataclass(frozen=True)
class Rebuilt:
    """A week made again.

    Attributes:
        database: its published file, in the folder elsewhere.
        files: received files that were read for it.
        from_files: whether these were read again; else the rows are those of the programme's own parts, because another
            version of turnup read them or a file is gone.
    """

    database: Path
    files: int
    from_files: bool


def rebuild(home: Home, manifest: Manifest, folder: Path, now: datetime) -> Rebuilt:
    """Make a committed week again in an empty folder.

    Args:
        home: the programme, which stays as it is.
        manifest: the week's result.
        folder: empty folder outside the programme.
        now: present instant (aware).

    Raises:
        ConfigurationError: ``programme.yaml`` or a playbook cannot be used.
        StoreDamaged: what the manifest names is gone or cannot be read back.
    """
    elsewhere = Home(folder)
    _lay(home, elsewhere, manifest)
    run = Refresh(elsewhere, manifest.week, now)
    # A lake is shared with the programme: what is read again goes into the store of the folder elsewhere.
    run.programme, present = run.programme.model_copy(update={"lake": None}), run.programme
    files, from_files = _read_again(run, manifest)
    if not from_files:
        run.programme = present
        for name in _READ:
            shutil.rmtree(elsewhere.store / name, ignore_errors=True)
            (elsewhere.store / name).symlink_to((home.store / name).resolve())
    return Rebuilt(run.restore(manifest), files, from_files)


def _lay(home: Home, elsewhere: Home, manifest: Manifest) -> None:
    """Copy the configuration and link the evidence, which a rebuild only reads; its own results are not among it."""
    elsewhere.inbox.mkdir(parents=True)
    shutil.copy(home.configuration, elsewhere.configuration)
    for folder, target in ((home.playbooks, elsewhere.playbooks), (home.baselines, elsewhere.baselines)):
        if folder.is_dir():
            shutil.copytree(folder, target)
    (elsewhere.store / "results").mkdir(parents=True)
    for name in _EVIDENCE:
        (elsewhere.store / name).symlink_to((home.store / name).resolve())
    for results in sorted((home.store / "results").glob("*")):
        if results.name != manifest.fingerprint:
            (elsewhere.store / "results" / results.name).symlink_to(results.resolve())


def _read_again(run: Refresh, manifest: Manifest) -> tuple[int, bool]:
    """Read the files that were known before the cut-off; False when that cannot give the rows of then."""
    programme = kept_programme(run.home, manifest.inputs, run.programme)
    cut_off = Calendar(programme).week(manifest.week).cut_off
    deliveries = [item for item in run.landing.deliveries(manifest.register) if item.received_at < cut_off]
    claimed = claims(programme, deliveries, run.contracts, run.landing)
    files = {claim.delivery.sha256 for claim in claimed}
    same_rows = {item.ingest for item in manifest.in_force} <= {claim.ingest for claim in claimed}
    if not same_rows or not all(run.landing.content(sha256).is_file() for sha256 in files):
        return len(files), False
    ingest_datasets(open_store(run.home, run.programme), run.landing, run.contracts, claimed)
    return len(files), True
