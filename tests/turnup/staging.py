"""A programme of the sources a test names, its files read and laid into the staged tables of one week."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from expectations.contract import load_contracts
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.plan import plan_week
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore
from turnup.warehouse.stage import stage

WEEK = "2026-W40"
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def staged(folder: Path, sources: str, files: dict[str, str], *queries: str) -> list[list[tuple[Any, ...]]]:
    """Return the answers to queries over the week; files lie under dated folders of the inbox."""
    home = Home(folder)
    home.playbooks.mkdir(parents=True, exist_ok=True)
    head = "name: Aurora\ntime_zone: UTC\nfirst_week: 2026-W40\nsources:\n"
    home.configuration.write_text(head + sources, encoding="utf-8")
    for name, content in files.items():
        file = home.inbox / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8", newline="")
    configuration, contracts = home.load(), load_contracts()
    landing = Landing(home, "UTC")
    landing.scan(NOW)
    claimed = claims(configuration, landing.deliveries(), contracts, landing)
    for dataset in sorted({source.dataset for source in configuration.sources.values()}):
        ingest_dataset(PartStore(home.store), landing, dataset, contracts[dataset], claimed)
    plan = plan_week(home, configuration, contracts, landing, WEEK, NOW)
    with connect() as con:
        stage(con, home, configuration, plan, contracts)
        return [con.sql(query).fetchall() for query in queries]
