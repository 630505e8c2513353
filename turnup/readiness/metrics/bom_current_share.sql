-- ---
-- title: Current part of the bill of material
-- unit: share
-- definition: Share of fitted lines of the bill of material whose revision is not out of date and whose part is not at the end of its life.
-- formula: current fitted lines / fitted lines
-- aggregate: mean
-- spread: system
-- ---
SELECT
    b.system_key, s.system_id, b.line_key AS unit_key, b.part_number AS unit_id, NULL AS block_key,
    (f.line_key IS NULL)::INTEGER AS value, 1 AS weight,
    'bom' AS dataset, b._ingest, b._row, b._sheet, NULL::TIMESTAMP AS observed_at,
    CASE
        WHEN f.line_key IS NULL THEN 'current'
        WHEN f.ending THEN coalesce(b.lifecycle, '')
        ELSE 'revision out of date'
    END AS note
FROM core.bom_lines b
JOIN core.systems s ON s.system_key = b.system_key
LEFT JOIN core.bom_risks f ON f.system_key = b.system_key AND f.line_key = b.line_key
WHERE b.fitted
