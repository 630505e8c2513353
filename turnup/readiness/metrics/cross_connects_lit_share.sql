-- ---
-- title: Cross-connects with light
-- unit: share
-- definition: Share of the system's known cross-connects on which light was measured.
-- formula: cross-connects with light / cross-connects
-- aggregate: mean
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, x.circuit_key AS unit_key, x.cross_connect AS unit_id, NULL AS block_key,
    (x.light IS NOT NULL)::INTEGER AS value, 1 AS weight,
    'cross_connects' AS dataset, x._ingest, x._row, x._sheet, x.light::TIMESTAMP AS observed_at,
    x.cross_connect || coalesce(' light ' || x.light, ' without light') AS note
FROM core.cross_connect_now x
JOIN core.systems s ON s.system_key = x.system_key
