-- ---
-- title: Revalidation due
-- unit: count
-- definition: Accepted units with a component that changed its version after their tests. They stay accepted.
-- formula: units with a change after the test
-- aggregate: sum
-- spread: unit
-- ---
SELECT
    r.system_key, u.system_id, r.unit_key, u.unit_id, u.block_key, 1 AS value, 1 AS weight,
    'versions' AS dataset, r._ingest, r._row, r._sheet, r.changed_at AS observed_at,
    r.component_key || ' ' || r.version_before || ' -> ' || r.version || ' on ' || r.changed_at::DATE AS note
FROM core.revalidations r
JOIN core.units u ON u.system_key = r.system_key AND u.unit_key = r.unit_key
QUALIFY row_number() OVER (PARTITION BY r.system_key, r.unit_key ORDER BY r.changed_at DESC, r.component_key) = 1
