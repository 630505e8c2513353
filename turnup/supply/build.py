"""One week's netting in the database: its inputs, who gets what, and what follows.

Belongs here: the order of the steps, and frames in and out of tables. Does not: any rule of the netting.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from turnup.supply.kit_dates import write_kit_dates
from turnup.supply.netting import net
from turnup.supply.proposals import proposals
from turnup.warehouse.models import make_models, run_models

if TYPE_CHECKING:
    from datetime import date

    import duckdb
    import polars as pl

    from turnup.warehouse.steps import Steps

_SQL = Path(__file__).parent / "sql"

_DEMAND = """
SELECT d.demand_no, d.priority, d.need_date, b.system_no, d.block_no, d.line_no, d.block_id, b.site_no, d.part_no,
       (d.needed * 1000)::BIGINT AS quantity, (d.used * 1000)::BIGINT AS used
FROM core.supply_demand d JOIN core.block_needs b ON b.block_id = d.block_id
WHERE d.fitted AND NOT d.made
"""
_ALTERNATES = """
SELECT d.demand_no, a.place, a.part_key, p.part_no
FROM core.bom_alternates a
JOIN core.supply_demand d ON d.system_key = a.system_key AND d.line_key = a.line_key AND d.fitted AND NOT d.made
JOIN core.netted_parts p ON p.part_key = a.part_key
"""
_LOTS = """
SELECT lot_no, scope, holder_no, part_no, (quantity * 1000)::BIGINT AS quantity,
       CASE WHEN inbound THEN available ELSE told END AS day, kind = 'kitted' AS kitted
FROM core.supply_lots WHERE holder_no IS NOT NULL
"""
_WANTS = """
SELECT * REPLACE ((missing * 1000)::BIGINT AS missing) FROM core.transfer_wants
"""
_OFFERS = """
SELECT * REPLACE ((quantity * 1000)::BIGINT AS quantity) FROM core.transfer_offers
"""
_NETTED = """
CREATE OR REPLACE TABLE core.netted AS
SELECT number::BIGINT AS allocation_no, demand_no, lot_no, place::INTEGER AS place,
       (quantity / 1000)::DECIMAL(18, 3) AS quantity, used
FROM netted_here
"""
_ALLOCATIONS = """
CREATE OR REPLACE VIEW core.supply_allocations AS
SELECT
    n.allocation_no, d.system_key, d.block_key, d.line_key, n.demand_no, d.part_key, n.lot_no,
    CASE WHEN n.used THEN 'used' ELSE l.kind END AS kind, l.name AS supply, l.part_key AS supply_part_key,
    n.place > 0 AS as_alternate, n.quantity, l.inbound, l.told, l.available, l.vendor, l.po_key, l.po_line_key,
    l.dataset, l._ingest, l._row, l._sheet
FROM core.netted n
JOIN core.supply_demand d ON d.demand_no = n.demand_no
JOIN core.supply_lots l ON l.lot_no = n.lot_no
"""
_PROPOSALS = """
CREATE OR REPLACE TABLE core.transfer_proposals AS
SELECT
    n.number::BIGINT AS proposal_no, w.demand_no, n.as_alternate,
    (n.quantity / 1000)::DECIMAL(18, 3) AS quantity, o.* EXCLUDE (quantity, demand_no)
FROM proposed_here n
JOIN core.transfer_wants w ON w.demand_no = n.demand_no
JOIN core.transfer_offers o ON o.offer_no = n.offer_no
"""


def write_supply(steps: Steps, as_of: date) -> None:
    """Create the netting's tables in ``core``; needs the other ``core`` models.

    ``core.supply_demand`` and ``core.supply_lots`` are what is netted, ``core.supply_allocations`` says which lot
    serves which line of which block, ``core.supply_lines`` the state of every line, ``core.buildable`` and
    ``core.block_supply`` what follows for a block, ``core.transfer_proposals`` what a decision could change.

    Raises:
        turnup.warehouse.models.ModelError: a model breaks its own key.
    """
    make_models(steps, _SQL / "inputs")
    steps.run("netting", (as_of,), partial(_write_netting, as_of=as_of))


def _write_netting(con: duckdb.DuckDBPyConnection, as_of: date) -> None:
    demand, alternates, lots = (con.sql(query).pl() for query in (_DEMAND, _ALTERNATES, _LOTS))
    netted = net(demand, alternates, lots, as_of)
    _write(con, "netted_here", netted.allocations, _NETTED)
    con.execute(_ALLOCATIONS)
    con.register("netted_lines", netted.lines)
    run_models(con, _SQL / "results")
    con.unregister("netted_lines")
    write_kit_dates(con, as_of)
    wants, offers = (con.sql(query).pl() for query in (_WANTS, _OFFERS))
    _write(con, "proposed_here", proposals(wants, alternates, offers), _PROPOSALS)


def _write(con: duckdb.DuckDBPyConnection, name: str, frame: pl.DataFrame, statement: str) -> None:
    """Run a statement that reads a frame by a name, its rows numbered from 1."""
    con.register(name, frame.with_row_index("number", offset=1))
    con.execute(statement)
    con.unregister(name)
