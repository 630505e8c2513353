-- ---
-- title: Optics short
-- unit: pieces
-- definition: Fitted optics (transceivers and the cables with optics at their ends) not yet received at the site.
-- formula: sum over optics of max(0, needed - received)
-- aggregate: sum
-- spread: system
-- ---
SELECT
    n.system_key, s.system_id, n.part_key AS unit_key, n.part_number AS unit_id, NULL AS block_key,
    greatest(0, n.needed - q.received) AS value, 1 AS weight,
    'bom' AS dataset, b._ingest, b._row, b._sheet, NULL::TIMESTAMP AS observed_at,
    q.received || ' of ' || n.needed || ' received' AS note
FROM core.part_needs n
JOIN core.systems s ON s.system_key = n.system_key
JOIN core.part_supply q ON q.system_key = n.system_key AND q.part_key = n.part_key
JOIN (
    SELECT * FROM core.bom_lines
    QUALIFY row_number() OVER (PARTITION BY system_key, part_key ORDER BY line_key) = 1
) b ON b.system_key = n.system_key AND b.part_key = n.part_key
WHERE n.fitted AND regexp_matches(lower(coalesce(b.category, '')), 'optic|transceiver|aoc')
