-- table: mart.bom_changes
-- grain: one row is a part of a bill of material that its newest delivery added, removed, changed or kept
-- key: source, system_key, part_key
SELECT
    c.source,
    c.system_key,
    coalesce(s.system_id, c.system_key) AS system_id,
    c.part_key,
    c.part_number,
    c.change,
    c.quantity_before,
    c.quantity_now,
    c.lines_before,
    c.lines_now,
    c.not_fitted_before,
    c.not_fitted_now,
    old.file AS file_before,
    new.file AS file_now
FROM core.bom_changes c
LEFT JOIN core.systems s ON s.system_key = c.system_key
LEFT JOIN meta.ingests old ON old._ingest = c._ingest_before
LEFT JOIN meta.ingests new ON new._ingest = c._ingest
