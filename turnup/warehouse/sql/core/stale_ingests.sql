-- table: core.stale_ingests
-- grain: one row is an ingest whose source is older than its limit
-- key: ingest
SELECT DISTINCT i._ingest AS ingest
FROM meta.ingests i
JOIN meta.sources s ON s.source = i.source
WHERE s.state = 'stale'
