-- table: mart.serial_places
-- grain: one row is a place in which a serial number is said to be, where several records disagree or it was replaced
-- key: asset_id
SELECT
    p.manufacturer, p.serial, p.asset_id, p.part_number, p.name, p.site_id, p.rack, p.position, p.parent_serial,
    p.status, p.active, p.conflict, p.replaced_on, p.replaced_by, s.system_id, i.file, p._row AS "row"
FROM core.serial_places p
LEFT JOIN core.systems s ON s.system_key = p.system_key
LEFT JOIN (SELECT _ingest, min(file) AS file FROM meta.ingests GROUP BY ALL) i ON i._ingest = p._ingest
