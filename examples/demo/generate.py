"""The demo programme on disk: configuration, inbox and truth file.

Belongs here: putting the parts together. Does not: any content.
"""

from __future__ import annotations

from pathlib import Path

from examples.demo import (
    bringup_files,
    circuit_files,
    configuration,
    governance_files,
    install_files,
    network_files,
    register_files,
    schedule_files,
    sites,
    stock_files,
    storage_files,
    supply_files,
)
from examples.demo.defects import plant
from examples.demo.fleet import fleet
from examples.demo.logistics import movements
from examples.demo.sheet import Drop
from examples.demo.shortages import shortages
from examples.demo.truth import Truth
from examples.demo.weeks import WEEKS, label
from examples.demo.write import write_drop

SEED = 20260814


def story(seed: int) -> list[Drop]:
    """Return all files as their senders meant them, before anything goes wrong, by time of arrival."""
    units = fleet(seed)
    moved = movements(units)
    drops = [
        *sites.drops(),
        *register_files.drops(),
        *supply_files.drops(moved),
        *stock_files.drops(),
        *install_files.drops(units),
        *network_files.drops(units),
        *circuit_files.drops(),
        *bringup_files.drops(units, seed),
        *bringup_files.health(units, seed),
        *storage_files.drops(),
        *governance_files.drops(units),
        *schedule_files.drops(units),
    ]
    return sorted(drops, key=lambda drop: (drop.received, drop.name))


def generate(home: Path, seed: int = SEED) -> Truth:
    """Write the demo programme below ``home`` and return what was planted in it.

    Args:
        home: folder of the programme; made when absent. Playbooks are copied by the caller.
        seed: decides serial numbers and the days within each stage; the story itself is fixed.
    """
    truth = Truth(seed=seed, weeks=tuple(label(week) for week in WEEKS))
    drops = plant(story(seed), truth, seed)
    truth.shortages = shortages(movements(fleet(seed)))
    home.mkdir(parents=True, exist_ok=True)
    (home / "programme.yaml").write_text(configuration.text(), encoding="utf-8")
    inbox = home / "inbox"
    for drop in drops:
        write_drop(inbox, drop)
    truth.files = len(drops)
    truth.write(home / "truth.json")
    return truth
