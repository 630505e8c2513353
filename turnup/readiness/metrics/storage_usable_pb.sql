-- ---
-- title: Usable storage
-- unit: capacity
-- definition: Usable capacity in the newest observation of the storage system.
-- formula: usable
-- aggregate: sum
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, s.system_id AS unit_id, NULL AS block_key,
    t.usable AS value, 1 AS weight,
    'storage_state' AS dataset, t._ingest, t._row, t._sheet, t.observed_at, t.usable || ' PB usable' AS note
FROM core.storage_now t
JOIN core.systems s ON s.system_key = t.system_key
WHERE t.usable IS NOT NULL
