-- ---
-- title: Locations of the cloud
-- unit: locations
-- definition: Facilities or peering locations where the system's circuits meet the provider or cloud. A circuit that
--   does not tell its location adds none.
-- formula: number of different locations
-- aggregate: sum
-- spread: system
-- ---
SELECT
    u.system_key, u.system_id, min(u.unit_key) AS unit_key, min(u.unit_id) AS unit_id, NULL AS block_key,
    1 AS value, 1 AS weight,
    'circuits' AS dataset, arg_min_null(u._ingest, u.unit_key) AS _ingest, arg_min_null(u._row, u.unit_key) AS _row,
    arg_min_null(u._sheet, u.unit_key) AS _sheet, NULL::TIMESTAMP AS observed_at,
    min(c.provider_location) || ': ' || string_agg(u.unit_id, ', ' ORDER BY u.unit_key) AS note
FROM core.units u
JOIN core.circuit_now c ON c.circuit_key = u.circuit_key
WHERE u.dataset = 'circuits' AND trim(c.provider_location) <> ''
GROUP BY u.system_key, u.system_id, lower(trim(c.provider_location))
