-- ---
-- title: Devices in use
-- unit: share
-- definition: Mean active share of the devices over the hours in which a job held them, in the week.
-- formula: sum of allocated hours x active share / sum of allocated hours
-- aggregate: mean
-- spread: unit
-- ---
SELECT
    d.system_key, u.system_id, d.unit_key, u.unit_id, u.block_key, d.active AS value, d.allocated_hours AS weight,
    'utilization' AS dataset, d._ingest, d._row, d._sheet, NULL::TIMESTAMP AS observed_at,
    d.device || ': ' || round(100 * d.active)::INTEGER || ' % of ' || round(d.allocated_hours)::INTEGER || ' h' AS note
FROM core.device_use d
JOIN core.units u ON u.system_key = d.system_key AND u.unit_key = d.unit_key
WHERE d.allocated_hours > 0
