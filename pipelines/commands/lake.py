"""``turnup lake``: the lake that several machines share is made once, before any of them opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.programme import Home
from turnup.warehouse.lake import create_lake
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output


def make_lake(folder: Path, output: Output) -> None:
    """Make the lake where there is none; one that is there stays as it is.

    Raises:
        ConfigurationError: the programme names none, or its catalog cannot be reached.
    """
    home = Home(folder)
    lake = home.load().lake
    if lake is None:
        raise ConfigurationError(f"{home.configuration}: has no 'lake' with 'catalog' and 'data'; nothing is made")
    create_lake(lake)
    output.document({"catalog": lake.catalog, "data": lake.data})
    output.line(f"The lake {lake.catalog} is there; its rows lie in {lake.data}.")
