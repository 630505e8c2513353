"""The published database of a week that a command asks about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipelines.commands.status import open_warehouse
from turnup.warehouse.connection import connect, table_exists
from turnup.warehouse.manifest import ManifestStore
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from turnup.programme import Home, Programme


def published_week(home: Home, label: str) -> Path:
    """The published file of a week, the newest by default; one that was cleared away is made again.

    Raises:
        ConfigurationError: the week has no result, or one of a turnup that kept no rows to send back.
    """
    database = _restored(home, label) if label else open_warehouse(home)
    with connect(database, read_only=True) as con:
        if not table_exists(con, "meta", "returned_rows"):
            raise ConfigurationError(
                f"{database.name} was made by an earlier turnup, which kept no rows to send back; run turnup refresh"
            )
    return database


def chosen_owner(owner: str, programme: Programme) -> str:
    """The owner that a command asks about, empty for all.

    Raises:
        ConfigurationError: no source is theirs.
    """
    owners = sorted({source.owner for source in programme.sources.values()})
    if owner and owner not in owners:
        raise ConfigurationError(
            f"no source of programme.yaml has the owner '{owner}'; owners are: {', '.join(owners)}"
        )
    return owner


def _restored(home: Home, label: str) -> Path:
    from turnup.refresh import Refresh

    manifest = ManifestStore(home.store).latest(label)
    if manifest is None:
        raise ConfigurationError(f"week {label} has no result; turnup refresh --week {label} makes it")
    return Refresh(home, label, datetime.now(UTC)).restore(manifest)
