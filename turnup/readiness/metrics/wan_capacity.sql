-- ---
-- title: Capacity between regions
-- unit: Gbit/s
-- definition: Maximum flow between the regions that the system's circuits join, over all circuits in service, whoever's
--   system they are; the least of its pairs.
-- formula: least maximum flow of the pairs of regions
-- aggregate: min
-- spread: system
-- ---
SELECT
    p.system_key, p.system_id, NULL AS unit_key, NULL AS unit_id, NULL AS block_key,
    p.capacity_gbps AS value, 1 AS weight,
    'circuits' AS dataset, p._ingest, p._row, p._sheet, NULL::TIMESTAMP AS observed_at,
    p.region_a || ' - ' || p.region_b || ', bound by ' || coalesce(p.bound_by, 'nothing in service') AS note
FROM core.system_pairs p
