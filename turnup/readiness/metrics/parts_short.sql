-- ---
-- title: Parts short
-- unit: pieces
-- definition: Fitted quantity that is neither installed, nor kitted for the system, nor covered by free stock at its site, over all lines of the bill of material; approved alternates cover, and stock serves systems by priority.
-- formula: sum over lines and blocks of needed - installed - kitted - free stock allotted
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    l.system_key, s.system_id, l.line_key AS unit_key, l.part_number AS unit_id, l.block_key,
    l.short AS value, 1 AS weight,
    'bom' AS dataset, l._ingest, l._row, l._sheet, NULL::TIMESTAMP AS observed_at,
    l.note
FROM core.supply_lines l
JOIN core.systems s ON s.system_key = l.system_key
WHERE l.fitted AND NOT l.made
