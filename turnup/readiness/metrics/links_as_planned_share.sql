-- ---
-- title: Links where they are planned
-- unit: share
-- definition: Share of planned links of the units that are found between the ports they are planned between. A link that
--   is missing, or ends elsewhere, is not; where neither end reported, nothing is known.
-- formula: planned links found as planned / planned links with a report of either end
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    c.system_key, u.system_id, c.unit_key, u.unit_id, u.block_key,
    (k.class = 'ok')::INTEGER AS value, 1 AS weight,
    'links' AS dataset, c._ingest, c._row, c._sheet, c.observed_at,
    c.link_id || ': ' || k.class || coalesce(', found ' || k.found, '') AS note
FROM core.unit_cables c
JOIN core.units u ON u.system_key = c.system_key AND u.unit_key = c.unit_key
JOIN core.link_check k ON k.low_end = c.low_end AND k.high_end = c.high_end
WHERE k.class <> 'no data'
