"""A programme of one system and a few files, for tests of how weeks are made."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from turnup.programme import Home
from turnup.warehouse.connection import connect

PLAYBOOKS = Path(__file__).resolve().parents[2] / "playbooks"
CONFIGURATION = """name: Aurora
time_zone: UTC
first_week: 2026-W40
sources:
  sites: {dataset: sites, files: "sites*.csv", owner: Ana Ruiz, max_age_days: 8}
  systems: {dataset: systems, files: "systems*.csv", owner: Ana Ruiz}
  blocks: {dataset: blocks, files: "blocks*.csv", owner: Ana Ruiz}
  commitments: {dataset: commitments, files: "commitments*.csv", owner: Ana Ruiz}
  receipts: {dataset: receipts, files: "grn*.csv", mode: events, owner: Dock}
"""
SITES = "site_id,name,facility\nABQ,Albuquerque,first_party\n"
RECEIPTS = "receipt,line,part_number,site_id,place,qty_good,received\n"
FILES = {
    "sites.csv": SITES,
    "systems.csv": "system_id,name,kind,site_id,supply_model,owner\nGPU-1,One,gpu_cluster,ABQ,owned,Ana Ruiz\n",
    "blocks.csv": "system_id,block,units\nGPU-1,SU1,128\n",
    "commitments.csv": "contract,line,phase,amendment,system_id,quantity,unit,contract_date\n"
    "C-1,1,1,0,GPU-1,128,accelerators,2026-12-31\n",
}
CLOSED = {f"2026-W{number}": datetime(2026, 10, 2 + 7 * (number - 40), 18, 30, tzinfo=UTC) for number in range(40, 44)}
"""Per week an instant after its cut-off (Friday 18:00) and before the next."""


def made(folder: Path) -> Home:
    """Make the programme with its first files, received on 28 September."""
    home = Home(folder)
    home.inbox.mkdir(parents=True)
    shutil.copytree(PLAYBOOKS, home.playbooks)
    home.configuration.write_text(CONFIGURATION, encoding="utf-8")
    for name, text in FILES.items():
        drop(home, f"2026-09-28/{name}", text)
    return home


def drop(home: Home, path: str, text: str) -> None:
    """Put a file into the inbox."""
    file = home.inbox / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def receipt(number: int, quantity: int = 5) -> str:
    """Return a goods receipt of one line."""
    return f"{RECEIPTS}R{number},1,P,ABQ,site,{quantity},2026-09-30\n"


def ask(database: Path, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query."""
    with connect(database.resolve(), read_only=True) as con:
        return con.sql(query).fetchall()


def tables(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every table of a database, sorted."""
    with connect(database.resolve(), read_only=True) as con:
        names = con.sql(
            "SELECT schema_name || '.' || table_name FROM duckdb_tables() UNION ALL "
            "SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1"
        ).fetchall()
        return {str(name): con.sql(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for (name,) in names}
