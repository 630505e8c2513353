"""The state of every dataset as of a week's cut-off, laid into a candidate DuckDB file.

Belongs here: which delivery is in force, the staged tables ``stg.*``, the facts about files ``meta.*`` and the earlier weeks
``hist.*``. Does not: any meaning of the rows (``turnup.readiness``).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from turnup.ingest import empty_typed
from turnup.warehouse.connection import identifier, literal
from turnup.warehouse.manifest import InForce
from turnup.warehouse.models import run_models
from turnup.warehouse.parts import PartStore, create_table_as

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    import duckdb

    from expectations.contract import Contract
    from turnup.ingest import Claim
    from turnup.plan import WeekPlan
    from turnup.programme import Home, Programme

_META_MODELS = Path(__file__).parent / "sql" / "meta"
_SIDE_TABLES = {
    "_ledger": "_ingest VARCHAR, format VARCHAR, status VARCHAR, lines BIGINT, data BIGINT, header BIGINT, title BIGINT,"
    " footer BIGINT, comment BIGINT, blank BIGINT, total BIGINT, other BIGINT, rejected BIGINT, rows_read BIGINT,"
    " accepted BIGINT, quarantined BIGINT",
    "_quarantine": "_ingest VARCHAR, row BIGINT, sheet VARCHAR, column_name VARCHAR, value VARCHAR, rule VARCHAR,"
    " expected VARCHAR, message VARCHAR, given VARCHAR",
    "_findings": "_ingest VARCHAR, code VARCHAR, severity VARCHAR, row BIGINT, column_name VARCHAR, value VARCHAR,"
    " message VARCHAR",
}


def in_force(claimed: Iterable[Claim], accepted: dict[str, str], cut_off: datetime) -> tuple[InForce, ...]:
    """Choose the deliveries that count at a cut-off.

    Args:
        claimed: every claim of the register, in order of receipt.
        accepted: ingest to batch, for ingests that were read (not refused as a whole).
        cut_off: deliveries received at or after it do not count.

    Returns:
        For a snapshot source its newest readable delivery; for an event source all of them, in order of receipt.
    """
    chosen: dict[tuple[str, str], InForce] = {}
    for claim in claimed:
        if claim.delivery.received_at >= cut_off or claim.ingest not in accepted:
            continue
        place = "" if claim.source.mode == "snapshot" else claim.delivery.delivery_id
        chosen.pop((claim.source_name, place), None)
        chosen[claim.source_name, place] = InForce(
            claim.delivery.delivery_id, claim.source_name, claim.source.dataset, claim.ingest, accepted[claim.ingest]
        )
    return tuple(chosen.values())


def stage(
    con: duckdb.DuckDBPyConnection, home: Home, programme: Programme, plan: WeekPlan, contracts: dict[str, Contract]
) -> None:
    """Make ``meta.*``, ``stg.*`` and ``hist.*`` for a planned week in an empty database."""
    store = PartStore(home.store)
    _register_files(con, programme, plan)
    for name, columns in _SIDE_TABLES.items():
        scan = store.scan(name, contracts)
        create_table_as(con, f"landed.{name}", f"SELECT * FROM {scan}" if scan else _nothing(columns))
    run_models(con, _META_MODELS)
    for dataset, contract in sorted(contracts.items()):
        _stage_dataset(con, store, dataset, contract)
    con.execute("DROP SCHEMA landed CASCADE")
    _attach_history(con, home, plan)


def _nothing(columns: str) -> str:
    fields = [column.strip().rsplit(" ", 1) for column in f"{columns}, _batch VARCHAR".split(",")]
    return "SELECT " + ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in fields) + " WHERE false"


def _register_files(con: duckdb.DuckDBPyConnection, programme: Programme, plan: WeekPlan) -> None:
    con.execute("CREATE SCHEMA meta; CREATE SCHEMA landed; CREATE SCHEMA stg; CREATE SCHEMA hist")
    week = plan.week
    con.execute(
        "CREATE TABLE meta.week (week VARCHAR, window_start TIMESTAMP, cut_off TIMESTAMP, as_of DATE, time_zone VARCHAR,"
        " programme VARCHAR, previous_week VARCHAR, state VARCHAR, ordinal INTEGER, fingerprint VARCHAR,"
        " code_version VARCHAR, config_hash VARCHAR)"
    )
    con.execute(
        "INSERT INTO meta.week VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)",
        [week.label, week.start.replace(tzinfo=None), week.cut_off.replace(tzinfo=None), week.as_of,
         programme.time_zone, programme.name, plan.previous_week, plan.state, plan.ordinal, plan.fingerprint,
         plan.inputs["code_version"], plan.inputs["configuration"]],
    )  # fmt: skip
    counted = {(item.delivery_id, item.source): item for item in plan.in_force}
    records = [
        {
            "delivery_id": claim.delivery.delivery_id,
            "path": claim.delivery.path,
            "file": claim.delivery.name,
            "sha256": claim.delivery.sha256,
            "size": claim.delivery.size,
            "received_at": claim.delivery.received_at.replace(tzinfo=None),
            "source": claim.source_name,
            "dataset": claim.source.dataset,
            "owner": claim.source.owner,
            "mode": claim.source.mode,
            "_ingest": claim.ingest,
            "_batch": plan.batches.get(claim.ingest),
            "in_force": (claim.delivery.delivery_id, claim.source_name) in counted,
            "in_window": claim.delivery.received_at >= week.start,
        }
        for claim in plan.claimed
        if claim.delivery.received_at < week.cut_off
    ]
    con.register("delivery_records", pl.DataFrame(records, schema=_DELIVERY))
    con.execute("CREATE TABLE landed.deliveries AS SELECT * FROM delivery_records")
    sources = [
        {"source": name, "dataset": item.dataset, "owner": item.owner, "required": item.required,
         "max_age_days": item.max_age_days, "exported_basis": item.exported_at}
        for name, item in sorted(programme.sources.items())
    ]  # fmt: skip
    con.register("source_records", pl.DataFrame(sources, schema=_SOURCE))
    con.execute("CREATE TABLE landed.sources AS SELECT * FROM source_records")
    con.register(
        "unclaimed_records", pl.DataFrame({"file": [item.path for item in plan.unclaimed]}, schema={"file": pl.String})
    )
    con.execute("CREATE TABLE landed.unclaimed AS SELECT * FROM unclaimed_records")
    for view in ("delivery_records", "source_records", "unclaimed_records"):
        con.unregister(view)


_DELIVERY = {
    "delivery_id": pl.String, "path": pl.String, "file": pl.String, "sha256": pl.String, "size": pl.Int64,
    "received_at": pl.Datetime("us"), "source": pl.String, "dataset": pl.String, "owner": pl.String, "mode": pl.String,
    "_ingest": pl.String, "_batch": pl.String, "in_force": pl.Boolean, "in_window": pl.Boolean,
}  # fmt: skip
_SOURCE = {
    "source": pl.String, "dataset": pl.String, "owner": pl.String, "required": pl.Boolean, "max_age_days": pl.Float64,
    "exported_basis": pl.String,
}  # fmt: skip


def _stage_dataset(con: duckdb.DuckDBPyConnection, store: PartStore, dataset: str, contract: Contract) -> None:
    empty = empty_typed(contract)
    scan = store.scan(dataset, [dataset])
    if scan is None:
        create_table_as(con, f"stg.{dataset}", empty)
        return
    key = ", ".join(
        identifier(f"{column.name}_key" if column.type == "id" else column.name)
        for column in contract.columns
        if column.name in contract.key
    )
    newest = f"row_number() OVER (PARTITION BY {key} ORDER BY f.received_at DESC, f.path DESC, p._row DESC)"
    create_table_as(
        con,
        f"stg.{dataset}",
        f"""WITH counted AS (
            SELECT _ingest, _batch, arg_max(mode, received_at) AS _mode, max(received_at) AS received_at, max(path) AS path
            FROM meta.deliveries WHERE in_force AND dataset = {literal(dataset)} GROUP BY ALL),
        rows AS (
            SELECT p.*, f._mode, CASE WHEN f._mode = 'events' THEN {newest} ELSE 1 END AS _place
            FROM {scan} p JOIN counted f USING (_ingest, _batch))
        SELECT * FROM ({empty}) UNION ALL BY NAME
        SELECT * EXCLUDE (_batch, _mode, _place) FROM rows WHERE _place = 1
        ORDER BY _ingest, _sheet, _row""",
    )


def _attach_history(con: duckdb.DuckDBPyConnection, home: Home, plan: WeekPlan) -> None:
    tables = sorted({table for manifest in plan.history for table in manifest.results})
    for table in tables:
        parts = " UNION ALL BY NAME ".join(
            f"SELECT {literal(manifest.week)} AS week, * "
            f"FROM read_parquet({literal(str(home.store / manifest.results[table]))})"
            for manifest in plan.history
            if table in manifest.results
        )
        create_table_as(con, f"hist.{table.removeprefix('mart.')}", f"SELECT * FROM ({parts}) ORDER BY ALL")
