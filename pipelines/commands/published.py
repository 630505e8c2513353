"""The published database of a week that a command asks about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipelines.commands.status import open_warehouse
from turnup.identity import normal_form
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
    """The owner that a command asks about as programme.yaml spells them, empty for all.

    Raises:
        ConfigurationError: no source is theirs.
    """
    owners = {normal_form(source.owner): source.owner for source in programme.sources.values()}
    if not owner:
        return ""
    found = owners.get(normal_form(owner))
    if found is None:
        known = ", ".join(sorted(owners.values()))
        raise ConfigurationError(f"no source of programme.yaml has the owner '{owner}'; owners are: {known}")
    return found


def _restored(home: Home, label: str) -> Path:
    from turnup.refresh import Refresh

    manifest = ManifestStore(home.store).latest(label)
    if manifest is None:
        raise ConfigurationError(f"week {label} has no result; turnup refresh --week {label} makes it")
    return Refresh(home, label, datetime.now(UTC)).restore(manifest)
