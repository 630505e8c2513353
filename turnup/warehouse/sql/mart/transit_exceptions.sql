-- table: mart.transit_exceptions
-- grain: one row is what is wrong with a shipment under way
-- key: shipment_key, exception
SELECT e.* EXCLUDE (_ingest, _row, _sheet), i.file, e._row AS "row"
FROM core.transit_exceptions e
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = e._ingest
