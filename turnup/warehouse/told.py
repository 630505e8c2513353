"""What each delivery of a source said anew: the history of promises, arrivals expected, allocations and places.

A statement stands from the delivery that made it until one that says something else or, of a snapshot, leaves it out.
What one delivery leaves out and the next has again unchanged (its row was refused meanwhile) was not taken back. Only
changes are kept, so a year of weekly deliveries that repeat themselves is as small as one. Belongs here: the tables
``stg.<dataset>_told``. Does not: what a change means (``sql/core``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.ingest import empty_typed
from turnup.warehouse.connection import identifier, literal
from turnup.warehouse.parts import create_table_as

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from expectations.contract import Contract

TOLD: Mapping[str, tuple[str, ...]] = {
    "po_schedule": ("quantity", "promised"),
    "po_allocations": ("quantity",),
    "shipments": ("eta", "scheduled", "status"),
    "installs": ("serial", "part_number", "system_id", "purpose", "status"),
}
"""Datasets whose earlier deliveries are kept as statements, and the columns that make a statement another one."""


def write_told(con: duckdb.DuckDBPyConnection, contract: Contract, scan: str | None, time_zone: str) -> None:
    """Make ``stg.<dataset>_told``; needs ``landed`` and the dataset's own staged table.

    Columns: ``_source``, the dataset's key and the told columns; ``told_no``, ``told_at`` and ``told_on`` of the
    delivery that said so first (its number within the source, its instant, its local date); ``until_no``, ``until_at``
    and ``until_on`` of the one that no longer does, empty while the statement stands; ``withdrawn`` when that one left
    it out; ``_ingest``, ``_row`` and ``_sheet``.

    Args:
        con: candidate database.
        contract: the dataset's contract.
        scan: SQL that reads the dataset's accepted rows of every ingest; None when there are none.
        time_zone: the programme's, which decides the day of a delivery.
    """
    con.execute(_ARRIVALS.format(dataset=literal(contract.name), zone=literal(time_zone)))
    said = empty_said(contract) if scan is None else _SAID.format(
        columns=", ".join(f"p.{name}" for name in _kept(contract)), rows=scan, staged=f"stg.{contract.name}",
        dataset=literal(contract.name), key=", ".join(map(identifier, _key(contract))),
    )  # fmt: skip
    create_table_as(con, f"stg.{contract.name}_told", told(contract, "told_arrivals", said))
    con.execute("DROP TABLE told_arrivals")


def empty_said(contract: Contract) -> str:
    """SELECT without rows of what deliveries said, one row a delivery and key."""
    kept = ", ".join(_kept(contract))
    return f"SELECT NULL::VARCHAR AS _source, NULL::BIGINT AS _no, {kept} FROM ({empty_typed(contract)})"


def told(contract: Contract, arrivals: str, said: str) -> str:
    """SELECT of a dataset's statements from what each delivery said.

    Args:
        contract: the dataset's contract.
        arrivals: table of deliveries: ``_source``, ``_no`` (1 to n in the source), ``_mode``, ``told_at``, ``told_on``.
        said: SELECT of ``_source``, ``_no`` and the kept columns, unique by source, delivery and key.
    """
    key = [identifier(name) for name in _key(contract)]
    values = [identifier(f"{name}_key" if contract.column(name).type == "id" else name) for name in TOLD[contract.name]]
    return _TOLD.format(
        said=said, arrivals=arrivals, key=", ".join(key), said_key=", ".join(f"s.{name}" for name in key),
        same=" AND ".join(f"u.{name} = s.{name}" for name in key),
        values=", ".join(f"s.{name}" for name in values),
        columns=", ".join(f"s.{name}" for name in _kept(contract)),
    )  # fmt: skip


def _key(contract: Contract) -> list[str]:
    return [f"{name}_key" if contract.column(name).type == "id" else name for name in contract.key]


def _kept(contract: Contract) -> list[str]:
    """Quoted columns of a statement: identifiers as given and in normal form."""
    names = list(dict.fromkeys((*contract.key, *TOLD[contract.name])))
    keys = [f"{name}_key" for name in names if contract.column(name).type == "id"]
    return [identifier(name) for name in (*names, *keys, "_ingest", "_row", "_sheet")]


_ARRIVALS = """
CREATE TEMP TABLE told_arrivals AS
SELECT
    d.source AS _source, d._ingest, d._batch, d.mode AS _mode, d.in_force,
    row_number() OVER (PARTITION BY d.source ORDER BY d.arrival_no) AS _no,
    d.received_at AS told_at,
    timezone({zone}, timezone('UTC', d.received_at))::DATE AS told_on
FROM landed.deliveries d
JOIN landed._ledger l USING (_ingest, _batch)
WHERE d.dataset = {dataset} AND d.corrects = '' AND (l.accepted > 0 OR d.in_force)"""

# What is in force is taken as staged: returned workbooks corrected it. Of events all deliveries are in force, and their
# corrections say their word last.
_SAID = """
WITH newest AS (SELECT _source, max(_no) AS _no, any_value(_mode) AS _mode FROM told_arrivals GROUP BY _source),
standing AS (
    SELECT d._ingest, min(d.source) AS _source
    FROM landed.deliveries d WHERE d.in_force AND d.dataset = {dataset} GROUP BY d._ingest
),
found AS (
    SELECT a._source, a._no, false AS corrected, {columns}
    FROM {rows} p
    JOIN told_arrivals a USING (_ingest, _batch)
    JOIN newest n ON n._source = a._source
    WHERE a._mode = 'events' OR a._no < n._no
    UNION ALL
    SELECT n._source, n._no, true, {columns}
    FROM {staged} p
    JOIN standing d ON d._ingest = p._ingest
    JOIN newest n ON n._source = d._source
    WHERE n._mode = 'snapshot' OR p._ingest NOT IN (SELECT _ingest FROM told_arrivals)
)
SELECT * EXCLUDE (corrected) FROM found
QUALIFY row_number() OVER (PARTITION BY _source, _no, {key} ORDER BY corrected DESC, _ingest, _sheet, _row) = 1"""

# Most keys are told the same in every delivery; only the others are walked through, delivery by delivery.
_TOLD = """
WITH said AS ({said}),
newest AS (SELECT _source, max(_no) AS last_no, any_value(_mode) AS _mode FROM {arrivals} GROUP BY _source),
summed AS (
    SELECT
        _source, {key}, min(_no) AS first_no, max(_no) AS final_no,
        min(hash({values})) = max(hash({values})) AND count(*) = max(_no) - min(_no) + 1 AS is_plain
    FROM said s GROUP BY _source, {key}
),
plain AS (
    SELECT s.*, n.last_no, n._mode, u.final_no AS said_last, NULL::BIGINT AS next_no
    FROM said s
    JOIN summed u ON u._source = s._source AND {same} AND u.first_no = s._no
    JOIN newest n ON n._source = s._source
    WHERE u.is_plain
),
compared AS (
    SELECT
        s.*, n.last_no, n._mode,
        coalesce(
            row({values}) IS NOT DISTINCT FROM lag(row({values})) OVER of_key
                AND (n._mode = 'events' OR s._no - lag(s._no) OVER of_key <= 2),
            false) AS repeats
    FROM said s
    JOIN summed u ON u._source = s._source AND {same}
    JOIN newest n ON n._source = s._source
    WHERE NOT u.is_plain
    WINDOW of_key AS (PARTITION BY s._source, {said_key} ORDER BY s._no)
),
counted AS (
    SELECT *, count(*) FILTER (NOT repeats) OVER (PARTITION BY _source, {key} ORDER BY _no) AS statement
    FROM compared
),
spanned AS (
    SELECT *, max(_no) OVER (PARTITION BY _source, {key}, statement) AS said_last FROM counted
),
stated AS (
    SELECT * FROM plain
    UNION ALL
    SELECT * EXCLUDE (repeats, statement), lead(_no) OVER (PARTITION BY _source, {key} ORDER BY _no) AS next_no
    FROM spanned WHERE NOT repeats
),
ended AS (
    SELECT *, CASE WHEN _mode = 'events' THEN next_no WHEN said_last < last_no THEN said_last + 1 END AS until_no
    FROM stated
)
SELECT
    s._source, {columns}, s._no AS told_no, a.told_at, a.told_on, s.until_no, u.told_at AS until_at,
    u.told_on AS until_on, s.until_no IS NOT NULL AND s.until_no IS DISTINCT FROM s.next_no AS withdrawn
FROM ended s
JOIN {arrivals} a ON a._source = s._source AND a._no = s._no
LEFT JOIN {arrivals} u ON u._source = s._source AND u._no = s.until_no
ORDER BY s._source, {said_key}, s._no"""
