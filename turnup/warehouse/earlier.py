"""Earlier weeks in a candidate database: as they stand now, and as they were issued before a restatement.

Belongs here: ``hist.*``, ``issued.*`` and ``meta.restatements``. Does not: what is compared with them
(``turnup.readiness.history``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from turnup.durable import StoreDamaged
from turnup.warehouse.connection import literal
from turnup.warehouse.manifest import ManifestStore
from turnup.warehouse.parts import create_table_as

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import duckdb

    from turnup.plan import WeekPlan
    from turnup.programme import Home
    from turnup.warehouse.manifest import Manifest
    from turnup.warehouse.steps import Steps

_NOT_COMPARED = frozenset(
    "activities change_evidence cycle_times failure_pareto gate_events logic_changes restatements trend trend_figures "
    "trend_weeks".split()
)
"""Results that no later week reads, and that are large or of their own week only."""
_LAST_WEEK_ONLY = frozenset({"activity_logic", "definitions", "unit_states"})
"""Results of which only the week before is compared."""
_AS_ISSUED = ("systems", "unit_states", "metrics")
"""Results that are kept beside the restated ones, as they were issued first."""
_INPUTS = {"configuration": "programme.yaml", "playbooks": "playbooks", "code_version": "version of turnup"}
_RESTATEMENT = ("week", "name", "first_name", "reason", "change", "what", "source", "dataset", "delivery_id")


def attach_history(con: duckdb.DuckDBPyConnection, steps: Steps, home: Home, plan: WeekPlan) -> None:
    """Make ``hist`` (each earlier week as restated last), ``issued`` (as issued first) and ``meta.restatements``.

    ``issued`` holds the week before and the week itself, each only where it was restated.

    Raises:
        StoreDamaged: a result of an earlier week is gone.
    """
    con.execute("CREATE SCHEMA IF NOT EXISTS hist; CREATE SCHEMA IF NOT EXISTS issued")
    tables = sorted({table for manifest in plan.history for table in manifest.results})
    for table in tables:
        if table not in _NOT_COMPARED:
            last = plan.history[-1:] if table in _LAST_WEEK_ONLY else plan.history
            _lay(steps, home, f"hist.{table}", table, last)
    restated = list(_restated(home, plan))
    for table in _AS_ISSUED:
        _lay(steps, home, f"issued.{table}", table, [first for first, _, _ in restated])
    paths = {claim.delivery.delivery_id: claim.delivery.path for claim in plan.claimed}
    rows = [row for first, name, now in restated for row in _reasons(first, name, now, paths)]
    frame = pl.DataFrame(rows, schema=dict.fromkeys(_RESTATEMENT, pl.String))
    steps.run("restatements", None, lambda to: _write_restatements(to, frame))


def _write_restatements(con: duckdb.DuckDBPyConnection, frame: pl.DataFrame) -> None:
    con.register("restated_frame", frame)
    con.execute("CREATE OR REPLACE TABLE meta.restatements AS SELECT * FROM restated_frame ORDER BY ALL")
    con.unregister("restated_frame")


def _restated(home: Home, plan: WeekPlan) -> Iterator[tuple[Manifest, str, Manifest | WeekPlan]]:
    """The week before and the week itself, where restated: what was issued first, the name and inputs of now."""
    store = ManifestStore(home.store)
    for last in plan.history[-1:]:
        first = store.first_issued(last.week, last.ordinal)
        if first is not None:
            yield first, last.name, last
    if plan.state == "restated":
        first = store.first_issued(plan.week.label, plan.ordinal)
        if first is not None:
            yield first, f"{plan.week.label}.{plan.ordinal}", plan


def _reasons(
    first: Manifest, name: str, now: Manifest | WeekPlan, paths: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """What a restatement was made from and the first issue was not: deliveries that came or were replaced, settings."""
    head = {"week": first.week, "name": name, "first_name": first.name, "reason": now.reason}
    before = {(item.delivery_id, item.source): item for item in first.in_force}
    after = {(item.delivery_id, item.source): item for item in now.in_force}
    for change, these, others in (("came", after, before), ("replaced", before, after)):
        for key in sorted(these.keys() - others.keys()):
            item = these[key]
            yield head | {
                "change": change, "what": paths.get(item.delivery_id, item.delivery_id), "source": item.source,
                "dataset": item.dataset, "delivery_id": item.delivery_id,
            }  # fmt: skip
    for name_of, what in _INPUTS.items():
        if first.inputs.get(name_of) != now.inputs.get(name_of):
            yield head | {"change": "changed", "what": what, "source": "", "dataset": "", "delivery_id": ""}


def _lay(steps: Steps, home: Home, target: str, table: str, manifests: Iterable[Manifest]) -> None:
    parts: list[str] = []
    asked: list[str] = []
    for manifest in manifests:
        if table not in manifest.results:
            continue
        file = home.store / manifest.results[table]
        if not file.exists():
            raise StoreDamaged(
                f"{file}: this result of week {manifest.week} is gone; "
                f"refresh week {manifest.week}, which makes it again"
            )
        parts.append(f"SELECT {literal(manifest.week)} AS week, * FROM read_parquet({literal(str(file))})")
        asked += [manifest.week, manifest.results[table], str(file.stat().st_size)]
    if parts:
        query = f"SELECT * FROM ({' UNION ALL BY NAME '.join(parts)}) ORDER BY ALL"
        steps.run(target, asked, lambda to: create_table_as(to, target, query))
