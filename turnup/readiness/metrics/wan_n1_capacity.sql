-- ---
-- title: N-1 capacity between regions
-- unit: Gbit/s
-- definition: What the regions that the system's circuits join can be sure to send each other after the worst single
--   failure of a span, a diversity group, a site or a circuit without known spans; the least of its pairs. Circuits
--   without known spans may all fail together and prove nothing.
-- formula: least N-1 capacity of the pairs of regions
-- aggregate: min
-- spread: system
-- ---
SELECT
    p.system_key, p.system_id, NULL AS unit_key, NULL AS unit_id, NULL AS block_key,
    p.n1_least_gbps AS value, 1 AS weight,
    'circuits' AS dataset, p._ingest, p._row, p._sheet, NULL::TIMESTAMP AS observed_at,
    p.region_a || ' - ' || p.region_b || coalesce(' without ' || p.worst_failure, '')
        || CASE WHEN p.n1_gbps IS NULL THEN ', up to '
            || rtrim(rtrim(printf('%.3f', p.n1_most_gbps::DOUBLE), '0'), '.') || ': spans are missing'
            ELSE '' END
        AS note
FROM core.system_pairs p
