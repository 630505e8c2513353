-- ---
-- title: Storage serving
-- unit: share
-- definition: 1 when the storage system serves at least one client mount in the newest observation, else 0.
-- formula: serving with mounts
-- aggregate: min
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, s.system_id AS unit_id, NULL AS block_key,
    coalesce(t.serving AND t.client_mounts > 0, false)::INTEGER AS value, 1 AS weight,
    'storage_state' AS dataset, t._ingest, t._row, t._sheet, t.observed_at, 'serving ' || coalesce(t.serving,
        false) || ', mounts ' || coalesce(t.client_mounts, 0) AS note
FROM core.storage_now t
JOIN core.systems s ON s.system_key = t.system_key
