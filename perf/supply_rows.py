"""Made rows for the netting at size: a programme of so many systems, laid straight into the staged tables."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb
import numpy as np
import polars as pl

from expectations.contract import SQL_TYPES, load_contracts
from expectations.row_rules import NOTES
from turnup.warehouse.told import TOLD, told

AS_OF = date(2026, 10, 30)
SITES, BLOCKS, LINES, PART_KINDS = 40, 2, 150, 400


def stage(con: duckdb.DuckDBPyConnection, systems: int) -> None:
    """Lay every dataset of the contracts, empty but for a programme of so many systems of two blocks each.

    Rows a system: 150 lines of a bill for the whole system (in assemblies of ten, one line in ten with two alternates),
    150 order lines with a promise and a share each, 150 shipments of which nine in ten were received, and 150 installed
    pieces of the first block. Forty parts are counted at each of forty sites.
    """
    con.execute("SET TimeZone = 'UTC'; CREATE SCHEMA stg; CREATE SCHEMA meta; CREATE SCHEMA hist; CREATE SCHEMA issued")
    con.execute("CREATE SCHEMA core; CREATE SCHEMA mart")
    _meta(con)
    frames = programme_rows(systems)
    for name in load_contracts():
        _lay(con, name, frames.get(name))
    _tell(con)
    con.execute(
        "CREATE TABLE stg.bom_before AS SELECT *, NULL::VARCHAR AS _source, NULL::TIMESTAMP AS _replaced_at"
        " FROM stg.bom WHERE false"
    )


def _meta(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        f"""CREATE TABLE meta.week AS SELECT '2026-W44' AS week, '2026-W43' AS previous_week, DATE '{AS_OF}' AS as_of,
        TIMESTAMP '{AS_OF - timedelta(days=7)}' AS window_start, TIMESTAMP '{AS_OF} 23:00:00' AS cut_off,
        'UTC' AS time_zone, 'Perf' AS programme, 'closed' AS state, 1 AS ordinal"""
    )
    con.execute(
        """CREATE TABLE meta.ingests (_ingest VARCHAR, file VARCHAR, source VARCHAR, received_at TIMESTAMP,
        exported_at TIMESTAMP)"""
    )
    con.execute("CREATE TABLE meta.sources (source VARCHAR, dataset VARCHAR, state VARCHAR)")
    con.execute(
        """CREATE TABLE meta.ledger (dataset VARCHAR, file VARCHAR, open BIGINT, rows_read BIGINT, in_force BOOLEAN,
        corrects VARCHAR)"""
    )
    con.execute(
        """CREATE TABLE meta.quarantine (dataset VARCHAR, file VARCHAR, "row" BIGINT, column_name VARCHAR,
        message VARCHAR, given VARCHAR, in_force BOOLEAN)"""
    )


def _tell(con: duckdb.DuckDBPyConnection) -> None:
    """What the one delivery of each dataset said, where statements are kept."""
    con.execute(
        f"""CREATE TABLE arrivals AS SELECT 'source' AS _source, 1::BIGINT AS _no, 'snapshot' AS _mode,
        TIMESTAMP '{AS_OF} 12:00:00' AS told_at, DATE '{AS_OF}' AS told_on"""
    )
    for name in TOLD:
        said = f"SELECT *, 'source' AS _source, 1::BIGINT AS _no FROM stg.{name}"
        con.execute(f"CREATE TABLE stg.{name}_told AS {told(load_contracts()[name], 'arrivals', said)}")
    con.execute("DROP TABLE arrivals")


def _lay(con: duckdb.DuckDBPyConnection, name: str, frame: pl.DataFrame | None) -> None:
    contract = load_contracts()[name]
    keys = [column.name for column in contract.columns if column.type == "id"]
    fields = [(column.name, SQL_TYPES[column.type]) for column in contract.columns]
    columns = ", ".join(f'"{column}" {kind}' for column, kind in fields)
    columns += "".join(f', "{key}_key" VARCHAR' for key in keys) + ", _ingest VARCHAR, _row BIGINT, _sheet VARCHAR"
    columns += "".join(f", {note} {kind}" for note, kind in NOTES.items())
    con.execute(f"CREATE TABLE stg.{name} ({columns})")
    if frame is None:
        return
    whole = frame.with_columns(
        *(pl.col(key).str.to_lowercase().alias(f"{key}_key") for key in keys if key in frame.columns),
        _ingest=pl.lit(f"i-{name}"), _row=pl.int_range(pl.len(), dtype=pl.Int64),
    )  # fmt: skip
    con.register("given", whole)
    con.execute(f"INSERT INTO stg.{name} BY NAME SELECT * FROM given")
    con.unregister("given")


def programme_rows(systems: int) -> dict[str, pl.DataFrame]:
    """Rows of every dataset of a programme of so many systems."""
    random = np.random.default_rng(20_260_814)
    names = pl.DataFrame({"n": np.arange(systems)}).with_columns(
        system_id=pl.format("SYS-{}", pl.col("n").cast(pl.String).str.zfill(5)),
        site_id=pl.format("SITE-{}", pl.col("n") % SITES), priority=pl.col("n") % 50,
    )  # fmt: skip
    lines = _bill(names, random)
    orders = lines.with_columns(po=pl.format("PO-{}", "n"), ordered=pl.lit(date(2026, 3, 2)))
    sent = orders.with_columns(shipment=pl.format("S-{}-{}", "n", "line_no"))
    arrived = sent.with_columns(received_share=pl.Series(random.random(sent.height)))
    return {
        "sites": pl.DataFrame({"site_id": [f"SITE-{n}" for n in range(SITES)]}).with_columns(
            name=pl.col("site_id"), facility=pl.lit("first_party")),
        "systems": names.select("system_id", "site_id", "priority", name="system_id", kind=pl.lit("gpu_cluster"),
                                supply_model=pl.lit("owned"), owner=pl.lit("A")),
        "commitments": names.select(
            "system_id", contract=pl.lit("C-1"), line="system_id", phase=pl.lit("1"), amendment=pl.lit(0),
            quantity=pl.lit(BLOCKS * 128), unit=pl.lit("accelerators"), contract_date=pl.lit(AS_OF),
            signed=pl.lit(True)),
        "blocks": names.select("system_id").join(pl.DataFrame({"k": np.arange(BLOCKS)}), how="cross").select(
            "system_id", block=pl.format("B{}", "k"), units=pl.lit(128), planned_order="k",
            need_date=pl.lit(AS_OF) + pl.duration(days=pl.col("k") * 14)),
        "bom": lines.select("system_id", "line", "part_number", "quantity", "parent_line", "quantity_basis",
                            "alternates", "category", "capacity_per_unit"),
        "purchase_orders": orders.select("po", "line", "part_number", "ordered", quantity="needed", vendor="vendor",
                                         status=pl.lit("open"), unit_cost=pl.lit(100), currency=pl.lit("USD")),
        "po_schedule": orders.select("po", "line", schedule=pl.lit("1"), quantity="needed",
                                     promised=pl.lit(AS_OF) + pl.duration(days=pl.col("line_no") % 40 - 20)),
        "po_allocations": orders.select("po", "line", "system_id", quantity="needed"),
        "shipments": sent.select("shipment", "part_number", "po", line=pl.lit("1"), po_line="line", quantity="needed",
                                 ship_to_site="site_id", vendor="vendor", status=pl.lit("in_transit"),
                                 shipped=pl.lit(date(2026, 10, 1)), scheduled=pl.lit(AS_OF), eta=pl.lit(AS_OF)),
        "receipts": arrived.filter(pl.col("received_share") < 0.9).select(
            "po", "part_number", "site_id", "shipment", receipt=pl.format("R-{}-{}", "n", "line_no"), line=pl.lit("1"),
            po_line="line", place=pl.lit("site"), qty_good="needed", received=pl.lit(date(2026, 10, 20))),
        "installs": _pieces(lines),
        "inventory": _counts(),
    }  # fmt: skip


def _bill(names: pl.DataFrame, random: np.random.Generator) -> pl.DataFrame:
    """Lines in assemblies of ten: the first of ten is the assembly, the others are three each in two of it."""
    lines = names.join(pl.DataFrame({"line_no": np.arange(LINES)}), how="cross")
    part = (lines["line_no"].to_numpy() * 7 + lines["n"].to_numpy() // 50 * 11) % PART_KINDS
    top = lines["line_no"].to_numpy() % 10 == 0
    return lines.with_columns(
        line=pl.col("line_no").cast(pl.String).str.zfill(4), part=pl.Series(part), top=pl.Series(top),
    ).with_columns(
        part_number=pl.format("PART-{}", "part"), quantity=pl.when("top").then(2).otherwise(3),
        needed=pl.when("top").then(2).otherwise(6),
        parent_line=pl.when("top").then(None).otherwise((pl.col("line_no") // 10 * 10).cast(pl.String).str.zfill(4)),
        quantity_basis=pl.when("top").then(pl.lit("per_system")).otherwise(pl.lit("per_parent")),
        alternates=pl.when(pl.Series(random.random(lines.height) < 0.1)).then(
            pl.format("PART-{}; PART-{}", (pl.col("part") + 1) % PART_KINDS, (pl.col("part") + 2) % PART_KINDS)),
        category=pl.when(pl.col("line_no") == 0).then(pl.lit("server")).otherwise(pl.lit("other")),
        capacity_per_unit=pl.when(pl.col("line_no") == 0).then(128).otherwise(0),
        vendor=pl.format("Vendor {}", pl.col("part") % 12),
    )  # fmt: skip


def _pieces(lines: pl.DataFrame) -> pl.DataFrame:
    """One installed piece for every line of the first block."""
    return lines.select(
        "part_number", "system_id", "site_id", asset_id=pl.format("A-{}-{}", "n", "line_no"),
        serial=pl.format("SN-{}-{}", "n", "line_no"), block=pl.lit("B0"), racked=pl.lit(date(2026, 10, 21)),
        status=pl.lit("staged"), manufacturer=pl.lit("Maker"),
    )  # fmt: skip


def _counts() -> pl.DataFrame:
    """Forty parts counted at every site three days ago."""
    lots = pl.DataFrame({"site": np.repeat(np.arange(SITES), 40), "part": np.tile(np.arange(40), SITES)})
    return lots.select(
        site_id=pl.format("SITE-{}", "site"), part_number=pl.format("PART-{}", "part"), lot=pl.lit("L1"),
        counted_at=pl.lit(AS_OF - timedelta(days=3)).cast(pl.Datetime), free=pl.lit(300), kitted=pl.lit(5),
        quarantine=pl.lit(0),
    )  # fmt: skip
