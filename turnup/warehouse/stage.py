"""The state of every dataset as of a week's cut-off, laid into a candidate DuckDB file.

Belongs here: the staged tables ``stg.*`` and the facts about files ``meta.*``. Does not: earlier weeks
(``turnup.warehouse.earlier``), nor any meaning of the rows (``turnup.readiness``).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from turnup.ingest import empty_typed
from turnup.returns.closing import create_returned_rows, judge_returned_rows, rows_in_force
from turnup.version import code_version
from turnup.warehouse.base import MAKER
from turnup.warehouse.connection import identifier, literal
from turnup.warehouse.earlier import attach_history
from turnup.warehouse.models import make, models_of
from turnup.warehouse.parts import create_table_as
from turnup.warehouse.side_tables import SIDE_TABLES
from turnup.warehouse.steps import Steps, begin
from turnup.warehouse.store import open_store
from turnup.warehouse.told import TOLD, write_told

if TYPE_CHECKING:
    import duckdb

    from expectations.contract import Contract
    from turnup.plan import WeekPlan
    from turnup.programme import Home, Programme
    from turnup.warehouse.batches import Store

COMPARED = ("bom",)
"""Datasets whose newest delivery is compared with the one before it, which stands in ``stg.<dataset>_before``."""
_META_MODELS = Path(__file__).parent / "sql" / "meta"


def stage(
    con: duckdb.DuckDBPyConnection, home: Home, programme: Programme, plan: WeekPlan, contracts: dict[str, Contract]
) -> None:
    """Make ``meta.*``, ``stg.*``, ``hist.*`` and ``issued.*`` for a planned week.

    The database is empty, or the copy of a published one of the same code: what stands in it is not made again.
    """
    store = open_store(home, programme)
    store.attach(con)
    begin(con, (code_version(), MAKER))
    steps = Steps(con)
    steps.run("week", None, lambda to: _keep(to, "meta.week", _week_row(programme, plan)))
    deliveries = _register_files(con, programme, plan)
    for name, columns in SIDE_TABLES.items():
        scan = store.scan(con, name, contracts)
        _keep(con, f"landed.{name}", pl.DataFrame(schema={**columns, "_batch": pl.String}))
        if scan:
            con.execute(f"INSERT INTO landed.{name} BY NAME SELECT * FROM {scan}")
    create_returned_rows(con)
    for _, contract in sorted(contracts.items()):
        _stage(con, steps, store, contract, deliveries, programme.time_zone)
    for model in models_of(_META_MODELS):
        steps.run(model.table, None, partial(make, model=model))
    con.execute("DROP SCHEMA landed CASCADE")
    attach_history(con, steps, home, plan)
    steps.finish("meta", "stg", "hist", "issued")


def _stage(
    con: duckdb.DuckDBPyConnection, steps: Steps, store: Store, contract: Contract,
    deliveries: list[dict[str, Any]], time_zone: str,
) -> None:  # fmt: skip
    """Lay one dataset, unless neither its contract nor what was delivered of it changed.

    What ``landed`` says of its files takes part as it is asked, for every build has a ``landed`` of its own.
    """
    dataset = contract.name
    scan = store.scan(con, dataset, [dataset])
    returned = scan is not None and judge_returned_rows(con, contract, scan)
    own = [
        {name: value for name, value in record.items() if name not in ("arrival_no", "in_window")}
        for record in deliveries
        if record["dataset"] == dataset
    ]
    asked = (contract.fingerprint, time_zone, own)  # with the batch of each; what the store holds beside is not read
    steps.run(f"stg.{dataset}", asked, lambda to: _stage_dataset(to, scan, contract, returned=returned))
    if dataset in COMPARED:
        steps.run(f"stg.{dataset}_before", asked, lambda to: _stage_before(to, scan, contract))
    if dataset in TOLD:
        steps.run(f"stg.{dataset}_told", asked, lambda to: write_told(to, contract, scan, time_zone))


def _keep(con: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    con.register("frame_to_keep", frame)
    con.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * FROM frame_to_keep")
    con.unregister("frame_to_keep")


def _register_files(con: duckdb.DuckDBPyConnection, programme: Programme, plan: WeekPlan) -> list[dict[str, Any]]:
    """Say in ``landed`` what there is of files and sources; returns the deliveries in order of receipt."""
    con.execute("CREATE SCHEMA landed; CREATE SCHEMA IF NOT EXISTS stg")
    counted = {(item.delivery_id, item.source, item.corrects) for item in plan.in_force}
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
            "corrects": claim.corrects,
            "in_force": (claim.delivery.delivery_id, claim.source_name, claim.corrects) in counted,
            "in_window": claim.delivery.received_at >= plan.week.start,
            "arrival_no": number,
        }
        for number, claim in enumerate(plan.claimed)
        if claim.delivery.received_at < plan.week.cut_off
    ]
    _keep(con, "landed.deliveries", pl.DataFrame(records, schema=_DELIVERY))
    sources = [
        {"source": name, "dataset": item.dataset, "owner": item.owner, "required": item.required,
         "files": item.files, "expected": item.expected, "max_age_days": item.max_age_days,
         "exported_basis": item.exported_at}
        for name, item in sorted(programme.sources.items())
    ]  # fmt: skip
    _keep(con, "landed.sources", pl.DataFrame(sources, schema=_SOURCE))
    _keep(con, "landed.unclaimed", pl.DataFrame([{"file": item.path} for item in plan.unclaimed], schema=_UNCLAIMED))
    return records


def _week_row(programme: Programme, plan: WeekPlan) -> pl.DataFrame:
    week = plan.week
    return pl.DataFrame(
        [
            {
                "week": week.label,
                "window_start": week.start.replace(tzinfo=None),
                # While the week is open, its data ends with the newest receipt.
                "cut_off": plan.data_at.replace(tzinfo=None),
                "closes_at": week.cut_off.replace(tzinfo=None),
                "as_of": plan.as_of(programme.time_zone),
                "time_zone": programme.time_zone,
                "programme": programme.name,
                "previous_week": plan.previous_week,
                "state": plan.state,
                "ordinal": plan.ordinal,
                "fingerprint": plan.fingerprint,
                "code_version": plan.inputs["code_version"],
                "config_hash": plan.inputs["configuration"],
            }
        ],
        schema_overrides={"previous_week": pl.String},
    )


_DELIVERY: dict[str, type[pl.DataType] | pl.DataType] = {
    "delivery_id": pl.String, "path": pl.String, "file": pl.String, "sha256": pl.String, "size": pl.Int64,
    "received_at": pl.Datetime("us"), "source": pl.String, "dataset": pl.String, "owner": pl.String, "mode": pl.String,
    "_ingest": pl.String, "_batch": pl.String, "corrects": pl.String, "in_force": pl.Boolean, "in_window": pl.Boolean,
    "arrival_no": pl.Int64,
}  # fmt: skip
_UNCLAIMED = {"file": pl.String}
_SOURCE = {
    "source": pl.String, "dataset": pl.String, "owner": pl.String, "required": pl.Boolean, "files": pl.String,
    "expected": pl.String, "max_age_days": pl.Float64, "exported_basis": pl.String,
}  # fmt: skip


def _stage_dataset(con: duckdb.DuckDBPyConnection, scan: str | None, contract: Contract, *, returned: bool) -> None:
    empty, dataset = empty_typed(contract), contract.name
    if scan is None:
        create_table_as(con, f"stg.{dataset}", empty)
        return
    key = ", ".join(
        identifier(f"{column.name}_key" if column.type == "id" else column.name)
        for column in contract.columns
        if column.name in contract.key
    )
    counted = rows_in_force(contract, scan, returned=returned)
    repeated = _repeated(con, counted, key)
    create_table_as(
        con,
        f"stg.{dataset}",
        f"""WITH counted AS NOT MATERIALIZED ({counted})
        SELECT * FROM ({empty}) UNION ALL BY NAME
        SELECT * EXCLUDE (_batch, _mode, arrival_no) FROM ({_LAST.format(key=key) if repeated else "FROM counted"})
        ORDER BY _ingest, _sheet, _row""",
    )
    con.execute("DROP TABLE staged_repeats")


def _repeated(con: duckdb.DuckDBPyConnection, counted: str, key: str) -> bool:
    """Keep in ``staged_repeats`` which keys events bring more than once; says whether there are any.

    Most events come once, and numbering the few others costs a fraction of numbering all.
    """
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE staged_repeats AS
        SELECT hash({key}) AS _hash FROM ({counted}) WHERE _mode = 'events' GROUP BY _hash HAVING count(*) > 1"""
    )
    found: int = con.execute("SELECT count(*) FROM staged_repeats").fetchall()[0][0]
    return found > 0


_LAST = """
SELECT * FROM counted WHERE _mode <> 'events' OR hash({key}) NOT IN (SELECT _hash FROM staged_repeats)
UNION ALL
SELECT * FROM counted WHERE _mode = 'events' AND hash({key}) IN (SELECT _hash FROM staged_repeats)
QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY arrival_no DESC, _sheet DESC, _row DESC) = 1"""


def _stage_before(con: duckdb.DuckDBPyConnection, scan: str | None, contract: Contract) -> None:
    """The rows of each source's last readable delivery of another content before the one in force.

    ``_source`` names the source, ``_replaced_at`` is when the content in force first came after it.
    """
    none = "NULL::VARCHAR AS _source, NULL::TIMESTAMP AS _replaced_at"
    empty, dataset = f"SELECT *, {none} FROM ({empty_typed(contract)})", contract.name
    if scan is None:
        create_table_as(con, f"stg.{dataset}_before", empty)
        return
    create_table_as(
        con,
        f"stg.{dataset}_before",
        f"""WITH arrived AS (
            SELECT d.source, d._ingest, d._batch, d.arrival_no, d.in_force, d.received_at
            FROM landed.deliveries d JOIN landed._ledger l USING (_ingest, _batch)
            WHERE d.dataset = {literal(dataset)} AND d.mode = 'snapshot' AND l.accepted > 0),
        newest AS (
            SELECT source, max(arrival_no) AS arrival_no, arg_max(_ingest, arrival_no) AS _ingest
            FROM arrived WHERE in_force GROUP BY source),
        before AS (
            SELECT a.source AS _source, a._ingest, a._batch, a.arrival_no, n._ingest AS newer
            FROM arrived a JOIN newest n ON n.source = a.source
            WHERE a.arrival_no < n.arrival_no AND a._ingest <> n._ingest
            QUALIFY row_number() OVER (PARTITION BY a.source ORDER BY a.arrival_no DESC) = 1),
        replaced AS (
            SELECT b._source, b._ingest, b._batch, min(a.received_at) AS _replaced_at
            FROM before b JOIN arrived a ON a.source = b._source AND a._ingest = b.newer AND a.arrival_no > b.arrival_no
            GROUP BY ALL)
        SELECT * FROM ({empty}) UNION ALL BY NAME
        SELECT p.* EXCLUDE (_batch), f._source, f._replaced_at FROM {scan} p JOIN replaced f USING (_ingest, _batch)
        ORDER BY _source, _ingest, _sheet, _row""",
    )
