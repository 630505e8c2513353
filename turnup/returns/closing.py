"""Which returned rows count: the newest usable one of each row sent back, unless it claims the key of another row.

A row that came back takes the place of the row it corrects, refused or doubtful, and stands in the order of its file,
so that a correction never overrides what was delivered later. Belongs here: that judgement and the rows it lets in.
Does not: which deliveries are in force (``turnup.in_force``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnup.warehouse.connection import identifier, literal

if TYPE_CHECKING:
    import duckdb

    from expectations.contract import Contract

OUTCOMES = ("corrected", "withdrawn", "unanswered", "refused", "repeats", "overtaken")
"""In force; taken back; as it was sent; faulty again; claims another row's key; replaced by a later return."""

_TABLE = """CREATE TABLE landed.returned_rows (
    source VARCHAR, dataset VARCHAR, file VARCHAR, _ingest VARCHAR, _batch VARCHAR, sheet VARCHAR, "row" BIGINT,
    corrects VARCHAR, of_file VARCHAR, of_sheet VARCHAR, of_row BIGINT, was_refused BOOLEAN, outcome VARCHAR,
    "key" VARCHAR, message VARCHAR, received_at TIMESTAMP, of_arrival BIGINT)"""


def create_returned_rows(con: duckdb.DuckDBPyConnection) -> None:
    """Make the empty table of returned rows."""
    con.execute(_TABLE)


def judge_returned_rows(con: duckdb.DuckDBPyConnection, contract: Contract, rows: str) -> bool:
    """Add the returned rows of a dataset, each with its outcome; False when there are none.

    Args:
        con: candidate with ``landed.deliveries`` and the side tables.
        contract: the dataset's contract.
        rows: SQL that reads the dataset's accepted rows of every ingest.
    """
    dataset = literal(contract.name)
    returned = f"SELECT 1 FROM landed.deliveries WHERE in_force AND dataset = {dataset} AND corrects <> '' LIMIT 1"
    if not con.sql(returned).fetchall():
        return False
    con.execute(_JUDGED.format(dataset=dataset, rows=rows, key=_key(contract), shown=_shown(contract)))
    return True


def rows_in_force(contract: Contract, rows: str, *, returned: bool) -> str:
    """SELECT of a dataset's accepted rows in force with ``_mode`` and ``arrival_no``; corrections in their places."""
    delivered = _DELIVERED.format(dataset=literal(contract.name), rows=rows)
    return delivered + _CORRECTED.format(dataset=literal(contract.name), rows=rows) if returned else delivered


def _key(contract: Contract) -> str:
    """SQL text of the key of a row of ``p``."""
    parts = []
    for name in contract.key:
        column = contract.column(name)
        parts.append(f"p.{identifier(f'{name}_key' if column.type == 'id' else name)}::VARCHAR")
    return " || chr(31) || ".join(parts)


def _shown(contract: Contract) -> str:
    """SQL text of the key for people."""
    return " || ', ' || ".join(f"{literal(f'{name} ')} || p.{identifier(name)}::VARCHAR" for name in contract.key)


_JUDGED = """
INSERT INTO landed.returned_rows BY NAME
WITH originals AS (
    SELECT source, sha256, _ingest, _batch, max(arrival_no) AS of_arrival, max_by(path, arrival_no) AS of_file
    FROM landed.deliveries WHERE in_force AND dataset = {dataset} AND corrects = '' GROUP BY ALL),
latest AS (
    SELECT * FROM originals
    QUALIFY row_number() OVER (PARTITION BY source, sha256 ORDER BY of_arrival DESC, _ingest) = 1),
returns AS (
    SELECT d.source, d.corrects, d._ingest, d._batch, max(d.arrival_no) AS arrival, max(d.received_at) AS received_at,
        max_by(d.path, d.arrival_no) AS file
    FROM landed.deliveries d WHERE in_force AND dataset = {dataset} AND corrects <> '' GROUP BY ALL),
refused AS (SELECT DISTINCT _ingest, _batch, coalesce(sheet, '') AS sheet, "row" FROM landed._quarantine),
given AS (
    SELECT b.*, o.of_file, o.of_arrival, r.sheet, r."row", r.of_sheet, r.of_row, was._ingest IS NOT NULL AS was_refused,
        CASE WHEN q._ingest IS NOT NULL THEN 'refused' WHEN r.answer IN ('withdrawn', 'unanswered') THEN r.answer
            ELSE 'corrected' END AS outcome
    FROM returns b
    JOIN landed._returned r USING (_ingest, _batch)
    JOIN latest o ON o.source = b.source AND o.sha256 = b.corrects
    LEFT JOIN refused q ON q._ingest = b._ingest AND q._batch = b._batch AND q.sheet = r.sheet AND q."row" = r."row"
    LEFT JOIN refused was ON was._ingest = o._ingest AND was._batch = o._batch
        AND was.sheet = coalesce(r.of_sheet, '') AND was."row" = r.of_row),
newest AS (
    SELECT *, row_number() OVER (
        PARTITION BY source, corrects, of_sheet, of_row
        ORDER BY outcome IN ('refused', 'unanswered'), arrival DESC, sheet DESC, "row" DESC) = 1 AS counts
    FROM given),
base AS (
    SELECT o.source, o.sha256 AS corrects, {key} AS "key", p._sheet AS of_sheet, p._row AS of_row
    FROM {rows} p JOIN originals o USING (_ingest, _batch)
    WHERE NOT EXISTS (
        SELECT 1 FROM newest n WHERE n.counts AND n.outcome = 'withdrawn' AND n.source = o.source
            AND n.corrects = o.sha256 AND n.of_sheet IS NOT DISTINCT FROM p._sheet AND n.of_row = p._row)),
keyed AS (
    SELECT n.*, {key} AS "key", {shown} AS shown
    FROM newest n
    LEFT JOIN {rows} p ON p._ingest = n._ingest AND p._batch = n._batch AND p._sheet = n.sheet AND p._row = n."row"
        AND n.counts AND n.outcome = 'corrected'),
placed AS (
    SELECT k.*,
        "key" IS NOT NULL AND row_number() OVER (
            PARTITION BY source, corrects, "key" ORDER BY arrival, sheet, "row") > 1 AS again,
        first_value(of_row) OVER (PARTITION BY source, corrects, "key" ORDER BY arrival, sheet, "row") AS first_row
    FROM keyed k),
claimed AS (
    SELECT p.*, (
        SELECT min(b.of_row) FROM base b WHERE b.source = p.source AND b.corrects = p.corrects AND b."key" = p."key"
            AND NOT (b.of_sheet IS NOT DISTINCT FROM p.of_sheet AND b.of_row = p.of_row)) AS owner_row
    FROM placed p)
SELECT source, {dataset} AS dataset, file, _ingest, _batch, sheet, "row", corrects, of_file, of_sheet, of_row,
    was_refused, received_at, of_arrival, shown AS "key",
    CASE WHEN NOT counts THEN CASE WHEN outcome IN ('refused', 'unanswered') THEN outcome ELSE 'overtaken' END
        WHEN owner_row IS NOT NULL OR again THEN 'repeats' ELSE outcome END AS outcome,
    CASE WHEN counts AND (owner_row IS NOT NULL OR again) THEN
        'This row claims the key of row ' || coalesce(owner_row, first_row) || ' of ' || of_file || ' (' || shown
            || '); expected a key of its own, or withdraw the row.' END AS message
FROM claimed
"""

_DELIVERED = """
WITH counted AS (
    SELECT _ingest, _batch, any_value(mode) AS _mode, max(arrival_no) AS arrival_no
    FROM landed.deliveries WHERE in_force AND dataset = {dataset} AND corrects = '' GROUP BY ALL),
settled AS (SELECT * FROM landed.returned_rows WHERE dataset = {dataset} AND outcome IN ('corrected', 'withdrawn')),
replaced AS (
    SELECT d._ingest, d._batch, s.of_sheet, s.of_row
    FROM settled s JOIN landed.deliveries d ON d.source = s.source AND d.sha256 = s.corrects AND d.corrects = '')
SELECT p.*, c._mode, c.arrival_no
FROM {rows} p JOIN counted c USING (_ingest, _batch)
"""
_CORRECTED = """
WHERE NOT EXISTS (
    SELECT 1 FROM replaced r WHERE r._ingest = p._ingest AND r._batch = p._batch AND r.of_row = p._row
        AND r.of_sheet IS NOT DISTINCT FROM p._sheet)
UNION ALL BY NAME
SELECT p.*, (SELECT any_value(mode) FROM landed.deliveries d WHERE d.source = s.source) AS _mode,
    s.of_arrival AS arrival_no
FROM settled s
JOIN {rows} p ON p._ingest = s._ingest AND p._batch = s._batch AND p._sheet = s.sheet AND p._row = s."row"
WHERE s.outcome = 'corrected'
"""
