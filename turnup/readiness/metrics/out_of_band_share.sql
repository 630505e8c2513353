-- ---
-- title: Devices reached out of band
-- unit: share
-- definition: Share of the system's devices that the console network reaches in the newest observation. Where no device of
--   the system is reported, nothing is known.
-- formula: devices with an out-of-band session up / devices
-- aggregate: mean
-- spread: unit
-- ---
WITH reached AS (
    SELECT
        n.system_key, n.unit_key, bool_or(d.state = 'up') AS up, max(d.observed_at) AS observed_at,
        arg_min_null(d._ingest, (d.state <> 'up', d.peer_key)) AS _ingest,
        arg_min_null(d._row, (d.state <> 'up', d.peer_key)) AS _row,
        arg_min_null(d._sheet, (d.state <> 'up', d.peer_key)) AS _sheet
    FROM core.unit_names n
    JOIN core.device_sessions d ON d.device_key = n.name_key AND d.kind = 'out_of_band' GROUP BY ALL
)
SELECT
    u.system_key, u.system_id, u.unit_key, u.unit_id, u.block_key,
    coalesce(r.up, false)::INTEGER AS value, 1 AS weight,
    'sessions' AS dataset, coalesce(r._ingest, u._ingest) AS _ingest,
    CASE WHEN r._ingest IS NULL THEN u._row ELSE r._row END AS _row,
    CASE WHEN r._ingest IS NULL THEN u._sheet ELSE r._sheet END AS _sheet, r.observed_at,
    CASE WHEN r.up THEN 'reached out of band' WHEN r.up IS NULL THEN 'no out-of-band session known'
        ELSE 'out-of-band session down' END AS note
FROM core.units u
LEFT JOIN reached r ON r.system_key = u.system_key AND r.unit_key = u.unit_key
WHERE u.system_key IN (SELECT system_key FROM reached)
