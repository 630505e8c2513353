"""``turnup lake``: the lake that several machines share, made once; rows moved in and out of it; its upkeep."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from expectations.contract import load_contracts
from pipelines.commands.refresh import parse_instant
from reports.wording import plural
from turnup.programme import Home
from turnup.warehouse.lake import create_lake
from turnup.warehouse.lake_upkeep import tidy_lake
from turnup.warehouse.moving import lake_to_store, store_to_lake
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.warehouse.lake_settings import Lake

_IN_USE = timedelta(days=1)


def make_lake(folder: Path, output: Output) -> None:
    """Make the lake where there is none, and bring in what the programme's own store has read.

    Raises:
        ConfigurationError: the programme names none, or its catalog cannot be reached.
    """
    home = Home(folder)
    lake = _lake_of(home)
    create_lake(lake)
    moved = store_to_lake(home.store, lake, load_contracts())
    output.document({"catalog": lake.catalog, "data": lake.data, "batches_moved": moved})
    output.line(f"The lake {lake.catalog} is there; its rows lie in {lake.data}.")
    if moved:
        output.line(f"Brought in from {home.store}, and not read again: {plural(moved, 'batch', 'batches')}.")


def bring_back(folder: Path, output: Output) -> None:
    """Write the rows of the lake into the programme's own store; the lake stays as it is.

    Raises:
        ConfigurationError: the programme names no lake, or it cannot be opened.
    """
    home = Home(folder)
    moved = lake_to_store(home.store, _lake_of(home), load_contracts())
    output.document({"store": home.store, "batches_moved": moved})
    output.line(f"Written to {home.store}: {plural(moved, 'batch', 'batches')} of the lake, which stays as it is.")
    output.line(f"Take 'lake' out of {home.configuration}, and the programme works with its own store.")


def tidy(folder: Path, now: str, output: Output) -> None:
    """Merge the lake's small files, and remove files that nothing of the last day can be using.

    Raises:
        ConfigurationError: the programme names no lake, or it cannot be opened.
    """
    done = tidy_lake(_lake_of(Home(folder)), parse_instant(now) - _IN_USE)
    output.document(
        {"merged": done.merged, "made": done.made, "states_forgotten": done.forgotten, "removed": done.removed}
    )
    merged = f"{plural(done.merged, 'small file')} merged"
    output.line(
        f"{merged} into {done.made}; they go a day later, with the next --tidy." if done.merged else merged + "."
    )
    output.line(f"{plural(done.removed, 'file')} removed that nothing needs any more. No row changed.")


def _lake_of(home: Home) -> Lake:
    lake = home.load().lake
    if lake is None:
        raise ConfigurationError(f"{home.configuration}: has no 'lake' with 'catalog' and 'data'; nothing is done")
    return lake
