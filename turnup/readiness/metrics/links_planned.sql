-- ---
-- title: Links planned
-- unit: links
-- definition: Planned links known for the units of the system; a link between two units counts at each.
-- formula: sum of planned links per unit
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    k.system_key, u.system_id, k.unit_key, u.unit_id, u.block_key,
    k.planned AS value, 1 AS weight,
    'links' AS dataset, k._ingest, k._row, k._sheet, NULL::TIMESTAMP AS observed_at,
        k.planned || ' planned links' AS note
FROM core.unit_links k
JOIN core.units u ON u.system_key = k.system_key AND u.unit_key = k.unit_key
