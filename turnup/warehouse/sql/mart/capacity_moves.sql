-- table: mart.capacity_moves
-- grain: one row is capacity that moved from one system to another, as pieces or as a share of an order
-- key: item, from_key, to_key
SELECT m.* EXCLUDE (_ingest, _row, _sheet), i.file, m._row AS "row"
FROM core.capacity_moves m
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = m._ingest
