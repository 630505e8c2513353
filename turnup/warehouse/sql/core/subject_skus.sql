-- table: core.subject_skus
-- grain: one row is a name under which limits may speak about a subject: its part number, or its device in a log
-- key: subject_no, sku_key
SELECT hash(system_key, unit_key) AS subject_no, part_key AS sku_key FROM core.units WHERE part_key IS NOT NULL
UNION
SELECT subject_no, sku_key FROM core.figures WHERE sku_key IS NOT NULL
