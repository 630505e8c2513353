-- ---
-- title: BGP sessions over circuits up
-- unit: share
-- definition: Share of the routing sessions over the system's circuits that are up in the newest observation.
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
JOIN core.device_sessions d ON d.device_key = u.circuit_key
WHERE u.dataset = 'circuits'
