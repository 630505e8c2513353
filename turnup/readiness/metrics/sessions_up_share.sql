-- ---
-- title: Sessions up
-- unit: share
-- definition: Share of routing sessions of the system's devices that are up in the newest observation;
--   out-of-band sessions are another metric's.
-- formula: sessions up / sessions
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
JOIN core.device_sessions d ON d.device_key = n.name_key AND d.kind IS DISTINCT FROM 'out_of_band'
