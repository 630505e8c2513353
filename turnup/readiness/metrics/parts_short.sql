-- ---
-- title: Parts short
-- unit: pieces
-- definition: Fitted quantity that is neither installed, nor kitted for the system, nor covered by free stock at its site, over all lines of the bill of material; approved alternates cover, and stock serves systems by priority.
-- formula: sum over lines and blocks of needed - installed - kitted - free stock allotted
-- aggregate: sum
-- spread: block
-- ---
SELECT
    l.system_key, s.system_id, l.line_key AS unit_key, l.part_number AS unit_id, l.block_key,
    l.short AS value, 1 AS weight,
    'bom' AS dataset, l._ingest, l._row, l._sheet, NULL::TIMESTAMP AS observed_at, l.note
FROM core.short_lines l
JOIN core.systems s ON s.system_key = l.system_key
UNION ALL
SELECT
    b.system_key, s.system_id, NULL, 'block ' || n.block, b.block_key, 0, 1, 'bom', NULL, NULL, NULL, NULL,
    b.covered || ' of ' || b.lines || ' lines covered'
FROM core.block_supply b
JOIN core.systems s ON s.system_key = b.system_key
JOIN core.block_needs n ON n.system_key = b.system_key AND n.block_key = b.block_key
WHERE b.lines > 0
