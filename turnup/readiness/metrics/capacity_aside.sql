-- ---
-- title: Capacity aside
-- unit: capacity
-- definition: What spares, loans and evaluation pieces of the system would bear; it counts at no stage.
-- formula: sum over pieces on hand that are not for production of capacity per unit
-- aggregate: sum
-- spread: system
-- ---
SELECT
    a.system_id_key AS system_key, s.system_id, a.asset_key AS unit_key, coalesce(a.name, a.serial, a.asset_id) AS unit_id,
    NULL AS block_key, c.capacity_per_unit AS value, 1 AS weight,
    'installs' AS dataset, a._ingest, a._row, a._sheet, NULL::TIMESTAMP AS observed_at,
    a.purpose || ', ' || a.status || coalesce(', to go back ' || a.return_due, '') AS note
FROM core.assets a
JOIN core.systems s ON s.system_key = a.system_id_key
JOIN core.capacity_parts c ON c.system_key = a.system_id_key AND c.part_key = a.part_number_key
WHERE a.located AND a.purpose <> 'production' AND a.status NOT IN ('planned', 'decommissioning')
