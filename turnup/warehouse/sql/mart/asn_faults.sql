-- table: mart.asn_faults
-- grain: one row is a kind of difference between what a shipment announced and what was received of it
-- key: shipment_key, item_key, fault
SELECT f.* EXCLUDE (_ingest, _row, _sheet), i.file, f._row AS "row"
FROM core.asn_faults f
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = f._ingest
