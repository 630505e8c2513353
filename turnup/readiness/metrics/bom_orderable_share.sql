-- ---
-- title: Orderable part of the bill of material
-- unit: share
-- definition: Share of fitted lines of the bill of material whose part can be ordered; placeholders cannot.
-- formula: orderable fitted lines / fitted lines
-- aggregate: mean
-- spread: system
-- ---
SELECT
    b.system_key, s.system_id, b.line_key AS unit_key, b.part_number AS unit_id, NULL AS block_key,
    b.orderable::INTEGER AS value, 1 AS weight,
    'bom' AS dataset, b._ingest, b._row, b._sheet, NULL::TIMESTAMP AS observed_at,
    CASE WHEN b.orderable THEN 'orderable' ELSE 'placeholder, cannot be ordered' END AS note
FROM core.bom_lines b
JOIN core.systems s ON s.system_key = b.system_key
WHERE b.fitted
