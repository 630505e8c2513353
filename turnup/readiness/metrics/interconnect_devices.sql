-- ---
-- title: Devices of the cloud
-- unit: devices
-- definition: Devices, or maintenance zones, of the provider or cloud that the system's circuits end on. A circuit that
--   does not tell its device adds none.
-- formula: number of different devices
-- aggregate: sum
-- spread: system
-- ---
SELECT
    u.system_key, u.system_id, min(u.unit_key) AS unit_key, min(u.unit_id) AS unit_id, NULL AS block_key,
    1 AS value, 1 AS weight,
    'circuits' AS dataset, arg_min_null(u._ingest, u.unit_key) AS _ingest, arg_min_null(u._row, u.unit_key) AS _row,
    arg_min_null(u._sheet, u.unit_key) AS _sheet, NULL::TIMESTAMP AS observed_at,
    min(d.device) || ': ' || string_agg(u.unit_id, ', ' ORDER BY u.unit_key) AS note
FROM core.units u
JOIN core.circuit_devices d ON d.circuit_key = u.circuit_key
WHERE u.dataset = 'circuits'
GROUP BY u.system_key, u.system_id, d.device_key
