-- ---
-- title: Demand covered at N-1
-- unit: share
-- definition: N-1 capacity between the regions that the system's circuits join, against the middle case of their demand
--   in this week; the least of its pairs. More than 1 is headroom. Without a demand there is no figure.
-- formula: N-1 capacity / demand, middle case
-- aggregate: min
-- spread: system
-- ---
SELECT
    p.system_key, p.system_id, NULL AS unit_key, NULL AS unit_id, NULL AS block_key,
    p.n1_least_gbps / p.demand_mid AS value, 1 AS weight,
    'demand' AS dataset, p._ingest, p._row, p._sheet, NULL::TIMESTAMP AS observed_at,
    p.region_a || ' - ' || p.region_b || ': '
        || rtrim(rtrim(printf('%.3f', p.n1_least_gbps::DOUBLE), '0'), '.')
        || ' of ' || rtrim(rtrim(printf('%.3f', p.demand_mid::DOUBLE), '0'), '.')
        || ' Gbit/s, ' || p.state AS note
FROM core.system_pairs p
WHERE p.demand_mid > 0
