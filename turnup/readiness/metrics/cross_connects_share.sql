-- ---
-- title: Cross-connects installed
-- unit: share
-- definition: Share of the system's known cross-connects that are installed, at both ends of its circuits; of a point of
--   presence or backbone node, of those that name it.
-- formula: installed cross-connects / cross-connects
-- aggregate: mean
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, x.circuit_key AS unit_key, x.cross_connect AS unit_id, NULL AS block_key,
    (x.installed IS NOT NULL)::INTEGER AS value, 1 AS weight,
    'cross_connects' AS dataset, x._ingest, x._row, x._sheet, x.installed::TIMESTAMP AS observed_at,
    x.cross_connect || coalesce(' installed ' || x.installed, ' not installed, LOA-CFA ' || x.letter) AS note
FROM core.cross_connect_now x
JOIN core.systems s ON s.system_key = x.system_key
