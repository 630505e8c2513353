-- ---
-- title: Core sessions up
-- unit: share
-- definition: Share of the sessions inside the network (routing) of the system's devices that are up in the newest
--   observation. Sessions whose kind is not told count for none of the kinds.
-- formula: core sessions up / core sessions
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    (d.state = 'up')::INTEGER AS value, 1 AS weight,
    'sessions' AS dataset, d._ingest, d._row, d._sheet, d.observed_at,
    d.device || ' to ' || d.peer || ': ' || d.state AS note
FROM core.units u
JOIN core.unit_names n ON n.system_key = u.system_key AND n.unit_key = u.unit_key
JOIN core.device_sessions d ON d.device_key = n.name_key AND d.kind = 'core'
