-- ---
-- title: Links sound
-- unit: share
-- definition: Share of planned links of the units that are up at the planned speed or more and have no measured fault
--   of lanes, light, bit errors or flaps. What nobody measured is no fault. Nothing observed is no data.
-- formula: planned links up without a fault / planned links
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    c.system_key, u.system_id, c.unit_key, u.unit_id, u.block_key,
    (c.up AND NOT c.unsound)::INTEGER AS value, 1 AS weight,
    'links' AS dataset, c._ingest, c._row, c._sheet, c.observed_at,
    concat_ws(' ', c.link_id, coalesce(nullif(c.faults, ''), c.observed_state, 'not observed')) AS note
FROM core.unit_cables c
JOIN core.units u ON u.system_key = c.system_key AND u.unit_key = c.unit_key
WHERE c.system_key IN (SELECT system_key FROM core.unit_cables WHERE observed)
