-- ---
-- title: Clients that mount the storage
-- unit: share
-- definition: Clients that have the storage system mounted in the newest observation, of those that should; 1 where none should yet.
-- formula: client mounts / expected clients
-- aggregate: min
-- spread: system
-- ---
SELECT
    s.system_key, s.system_id, NULL AS unit_key, s.system_id AS unit_id, NULL AS block_key,
    CASE WHEN c.expected = 0 THEN 1 ELSE least(1, t.client_mounts / c.expected) END AS value, 1 AS weight,
    'storage_state' AS dataset, t._ingest, t._row, t._sheet, t.observed_at,
    t.client_mounts || ' of ' || c.expected || ' clients, ' || c.basis AS note
FROM core.storage_now t
JOIN core.systems s ON s.system_key = t.system_key
JOIN core.storage_clients c ON c.system_key = t.system_key
WHERE t.client_mounts IS NOT NULL AND c.expected IS NOT NULL
