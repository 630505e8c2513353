-- ---
-- title: Storage healthy
-- unit: share
-- definition: 1 when the storage system is neither degraded nor rebuilding in the newest observation, else 0.
-- formula: not degraded and not rebuilding
-- aggregate: min
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, s.system_id AS unit_id, NULL AS block_key,
    (NOT t.degraded AND NOT coalesce(t.rebuilding, false))::INTEGER AS value, 1 AS weight,
    'storage_state' AS dataset, t._ingest, t._row, t._sheet, t.observed_at, concat_ws(', ',
        'degraded ' || t.degraded, 'rebuilding ' || t.rebuilding) AS note
FROM core.storage_now t
JOIN core.systems s ON s.system_key = t.system_key
WHERE t.degraded IS NOT NULL
