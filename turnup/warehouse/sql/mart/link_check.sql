-- table: mart.link_check
-- grain: one row is a planned cable with what was found in its place, or an observed one that no plan has
-- key: a_device, a_port, b_device, b_port
SELECT c.a_device, c.a_port, c.b_device, c.b_port, c.class, c.found, s.system_id, i.file, c._row AS "row"
FROM core.link_check c
LEFT JOIN core.systems s ON s.system_key = c.system_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = c._ingest
