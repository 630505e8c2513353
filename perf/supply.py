"""Netting, funnel, gates and blockers at size: 2,000 systems and 2,000,000 rows of bills, orders, shipments and so on.

Run ``python -m perf.supply``. A child process lays the rows into a database file; another opens it as a refresh does
and tells its CPU seconds on one thread and its most memory: of the ``core`` models, those that these four need and the
others apart, of the netting with its inputs and results (``write_supply``), of giving out the goods alone, and of
metrics, criteria, gates and blockers, beside aggregations over the same rows as a floor. Growth is the CPU time of the
whole over that of half the systems. ``--models`` lists the CPU seconds of every model beside.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from perf.supply_rows import AS_OF, stage
from turnup.acceptance.judge import MODELS as JUDGING
from turnup.network.tables import write_network
from turnup.programme import Programme
from turnup.readiness import build
from turnup.readiness.checks import check_netting_closes
from turnup.readiness.criteria import write_criterion_values
from turnup.readiness.playbook import load_playbooks
from turnup.readiness.registry import create_evidence_views, load_metrics, write_metrics
from turnup.supply import build as supply
from turnup.supply.build import write_supply
from turnup.supply.netting import net
from turnup.warehouse.connection import connect
from turnup.warehouse.models import make, models_of, read_model, run_models
from turnup.warehouse.steps import Steps

_COUNTED = ("bom", "purchase_orders", "po_schedule", "po_allocations", "shipments", "receipts", "installs", "inventory")
_ROOT = Path(__file__).resolve().parents[1]
_SQL = _ROOT / "turnup" / "warehouse" / "sql"
_BLOCKERS = read_model(_SQL / "mart" / "blockers.sql")
_OPEN = {model.table: model for model in map(read_model, [*(_SQL / "core").glob("*.sql"), *JUDGING.glob("*.sql")])}
_FLOOR = "SELECT {part}, count(*), sum(hash({part})) FROM stg.{table} GROUP BY ALL"


def floor(con: duckdb.DuckDBPyConnection) -> None:
    """The least any netting needs: the parts of every dataset read and grouped once."""
    for table in ("bom", "purchase_orders", "shipments", "receipts", "installs"):
        con.sql(_FLOOR.format(part="part_number_key", table=table)).fetchall()
    for table in ("po_schedule", "po_allocations"):
        con.sql(_FLOOR.format(part="po_key", table=table)).fetchall()


def timed(run: Callable[[], object]) -> float:
    """CPU seconds of something."""
    started = time.process_time()
    run()
    return time.process_time() - started


def needed() -> set[str]:
    """The ``core`` models without which there is no netting, funnel, metric, gate or blocker."""
    readers = [*(_ROOT / "turnup" / "supply" / "sql").rglob("*.sql"), *(_SQL / "gates").glob("*.sql")]
    asked = set(_BLOCKERS.needs).union(*(read_model(file).needs for file in readers), {"core.block_funnel"})
    asked |= {name for metric in load_metrics().values() for name in _OPEN if re.search(rf"\b{name}\b", metric.sql)}
    found: set[str] = set()
    while asked:
        name = asked.pop()
        if name in _OPEN and name not in found:
            found.add(name)
            asked |= _OPEN[name].needs
    return found


def gates(con: duckdb.DuckDBPyConnection) -> None:
    """Circuits, metrics, the values of criteria, and the gates, as ``build`` makes them."""
    write_network(con, AS_OF)
    run_models(con, _SQL / "circuits")
    create_evidence_views(con)
    write_metrics(con)
    write_criterion_values(con)
    run_models(con, _SQL / "gates")


def measure(file: Path) -> dict[str, float]:
    """CPU seconds of each step over a database file, and the most memory of this process in MiB."""
    held: list[float] = []
    apart: list[float] = []
    models: dict[str, float] = {}
    wanted = needed()

    def given_out(*frames: Any) -> object:
        started = time.process_time()
        found = net(*frames)
        held.append(time.process_time() - started)
        return found

    def one_by_one(steps: Steps, *folders: Path) -> None:
        for model in models_of(*folders):
            started = time.process_time()
            steps.run(model.table, (), partial(make, model=model))
            models[f"model {model.table}"] = time.process_time() - started
            if model.table in _OPEN and model.table not in wanted:
                apart.append(models[f"model {model.table}"])

    for module, name, stand_in in (
        (build, "make_models", one_by_one), (supply, "make_models", one_by_one), (supply, "net", given_out),
        (build, "write_supply", lambda *_: None), (build, "check_netting_closes", lambda *_: None),
    ):  # fmt: skip
        setattr(module, name, stand_in)
    settings = Programme.model_validate({"name": "Perf", "time_zone": "UTC"})
    playbooks = load_playbooks(_ROOT / "playbooks")
    with connect(file) as con:
        con.execute("SET threads = 1")
        spent: dict[str, float] = {"rows": sum(con.sql(f"FROM stg.{name}").shape[0] for name in _COUNTED)}
        spent["floor"] = timed(lambda: floor(con))
        spent["core"] = timed(lambda: build.build_core(con, settings, playbooks, AS_OF))
        spent["of it needed by the rest"] = spent["core"] - sum(apart)
        spent["memory of core"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        spent["netting"] = timed(lambda: write_supply(Steps(con), AS_OF))
        spent["of it giving out"] = held[0]
        spent["its sums checked"] = timed(lambda: check_netting_closes(con))
        spent["metrics, criteria, gates"] = timed(lambda: gates(con))
        spent["blockers"] = timed(lambda: con.execute(f"CREATE TABLE mart.blockers AS {_BLOCKERS.sql}"))
        spent["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        for name, query in (
            ("demand lines", "SELECT count(*) FROM core.supply_demand"),
            ("lots", "SELECT count(*) FROM core.supply_lots"),
            ("allocations", "SELECT count(*) FROM core.netted"),
            ("short lines", "SELECT count(*) FROM core.short_lines"),
            ("proposals", "SELECT count(*) FROM core.transfer_proposals"),
            ("criteria", "SELECT count(*) FROM mart.criteria"),
            ("blocked", "SELECT count(*) FROM mart.blockers"),
        ):
            spent[name] = con.sql(query).fetchall()[0][0]
    return spent | dict(sorted(models.items(), key=lambda one: -one[1]))


def _child(*arguments: str) -> dict[str, float]:
    done = subprocess.run((sys.executable, "-m", "perf.supply", *arguments), capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1])) if done.stdout else {}


def main() -> None:
    """Make the rows, measure half and whole, and print both and how they grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=2_000)
    parser.add_argument("--stage", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--models", action="store_true", help="list every model too")
    options = parser.parse_args()
    if options.stage:
        with connect(options.stage) as con:
            stage(con, options.systems)
        return
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for systems in (options.systems // 2, options.systems):
            file = Path(folder) / f"{systems}.duckdb"
            _child("--stage", str(file), "--systems", str(systems))
            found[systems] = _child("--measure", str(file))
    half, whole = found.values()
    print(f"{options.systems:,} systems (and half of them)")
    for name, value in whole.items():
        if options.models or not name.startswith("model "):
            print(f"  {name:28s} {value:12,.2f} {half[name]:12,.2f}  {value / max(half[name], 1e-9):5.2f} times")


if __name__ == "__main__":
    main()
